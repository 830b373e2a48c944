"""The RTSP server: many clients, pushed streams, limits, and how its processes end."""

import contextlib
import pathlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from conftest import PATIENCE, run_program
from servers.support import FOLDER, PERSON, Server, ffmpeg, launch, wait_for

Serve = Callable[..., Server]
LIME = "quality=fast effect=color background-color=0xff00ff00"
MEGABYTE = 1 << 20


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Starts servers with streams and options. Each must exit without an error on SIGTERM."""
    servers: list[Server] = []

    def start(*arguments: object) -> Server:
        servers.append(Server(*arguments))
        return servers[-1]

    yield start
    with contextlib.ExitStack() as stack:
        for each in servers:
            stack.callback(each.stop)


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A small clip of a talking person, longer than any test takes."""
    clip = tmp_path_factory.mktemp("talk") / "talk.mp4"
    ffmpeg(
        "-stream_loop",
        4,
        "-i",
        PERSON,
        "-vf",
        "scale=320:180",
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        clip,
    )
    return clip


def watch(server: Server, seconds: float) -> None:
    """Plays a stream in four clients for `seconds` and checks that the server does not grow."""
    # The stream has fewer packets than 1 << 30, so the clients play until the test ends them.
    clients = [server.play("test", 1 << 30, protocol) for protocol in ("tcp", "udp") * 2]
    wait_for(lambda: server.metrics()["vbgfilter_clients"] == 4)
    first = server.metrics()['vbgfilter_frames_total{stream="test"}']
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="test"}'] > first + 30)
    began, begin = time.monotonic(), server.metrics()
    time.sleep(seconds)
    end = server.metrics()
    # At most thirty frames a second, for all clients together.
    name = 'vbgfilter_frames_total{stream="test"}'
    assert 0 < end[name] - begin[name] <= 31 * (time.monotonic() - began + 1)
    check_flat(server, begin)
    for client in clients:
        assert client.poll() is None, client.stdout.read()
        client.terminate()
        client.communicate()
    wait_for(lambda: server.metrics()["vbgfilter_clients"] == 0)


def check_flat(server: Server, before: dict[str, float]) -> None:
    """Checks that the number of descriptors and the memory have not grown.

    Waits for the descriptors, because another thread closes the connections.
    """
    opened = "process_open_fds"
    wait_for(lambda: server.metrics()[opened] <= before[opened])
    memory = "process_resident_memory_bytes"
    # Allow some growth for fragments. A frame of the test picture has 320x240 pixels and takes at
    # most a quarter of a megabyte.
    assert server.metrics()[memory] - before[memory] < 8 * MEGABYTE


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.long)])
def test_four_clients(serve: Serve, seconds: float) -> None:
    server = serve("test=pattern")
    watch(server, seconds)
    assert server.metrics()['vbgfilter_inferences_total{stream="test"}'] > 0
    # The allocator keeps more memory after the second round, and no more after further ones. So the
    # third round is compared with the second.
    watch(server, seconds / 3)
    left = server.metrics()
    watch(server, seconds / 3)
    check_flat(server, left)


def test_clients_connect_and_disconnect_repeatedly(serve: Serve) -> None:
    server = serve("test=pattern")
    for _ in range(20):
        clients = [server.play("test", 1 << 30, protocol) for protocol in ("tcp", "udp") * 3]
        wait_for(lambda: server.metrics()["vbgfilter_clients"] == 6)
        for client in clients:
            client.terminate()
        for client in clients:
            client.communicate()
        wait_for(lambda: server.metrics()["vbgfilter_clients"] == 0)


def test_pushed_stream_is_played_filtered(
    serve: Serve, talk: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    server = serve("me=record", "--properties", LIME)
    early = server.play("me", 1)
    assert early.wait(PATIENCE) != 0 and "404" in early.stdout.read()
    pushing = server.push("me", talk)
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="me"}'] > 0)
    other = server.push("me", talk)
    assert other.wait(PATIENCE) != 0
    playing = launch(
        f"rtspsrc location={server.address}me protocols=tcp latency=0 ! rtph264depay ! h264parse ! "
        f"avdec_h264 ! videoconvert ! pngenc ! multifilesink location={tmp_path}/%03d.png"
    )
    wait_for(lambda: len(list(tmp_path.glob("*.png"))) > 10)
    pushing.terminate()
    pushing.communicate()
    # The players' stream ends when the pushed stream ends.
    assert playing.wait(PATIENCE) == 0, playing.stdout.read()
    corners = ffmpeg("-i", tmp_path / "%03d.png", "-vf", "crop=16:16:0:0,scale=1:1", "-f",
                     "rawvideo", "-pix_fmt", "rgb24", "-")  # fmt: skip
    assert min(corners[1::3]) > 200 and max(corners[0::3] + corners[2::3]) < 60
    assert "another client already publishes it" in server.errors


def test_pushed_sound_stays_in_time_with_the_picture(serve: Serve, tmp_path: pathlib.Path) -> None:
    """A white picture and a tone start together each second, also in the player."""
    clip, played = tmp_path / "clip.mp4", tmp_path / "played.mkv"
    ffmpeg(
        "-f", "lavfi", "-i", "color=black:s=160x90:r=30,drawbox=color=white:t=fill:"
        "enable='lt(mod(t,1),0.2)'",
        "-f", "lavfi", "-i", "aevalsrc='if(lt(mod(t,1),0.2),sin(880*2*PI*t),0)'",
        "-t", 20, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", clip,
    )  # fmt: skip
    server = serve("me=record", "--properties", "effect=none")
    pushing = launch(
        f"filesrc location={clip} ! qtdemux name=d "
        f"rtspclientsink name=s location={server.address}me/publish "
        "d.audio_0 ! queue ! aacparse ! s. d.video_0 ! queue ! h264parse ! s."
    )
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="me"}'] > 30)
    ffmpeg("-rtsp_transport", "tcp", "-i", f"{server.address}me", "-t", 4, "-c", "copy",
           "-copyts", played)  # fmt: skip
    pushing.terminate()
    pushing.communicate()
    white = times("video", played, "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-")
    loud = times("audio", played, "astats=metadata=1:reset=1,"
                 "ametadata=print:key=lavfi.astats.Overall.RMS_level:file=-")  # fmt: skip
    begins = [first_above(white, 120, second + 0.5) for second in range(int(white[-1][0]) - 1)]
    assert begins
    for begin in begins:
        assert abs(first_above(loud, -20, begin - 0.3) - begin) < 0.1


def times(kind: str, clip: pathlib.Path, measure: str) -> list[tuple[float, float]]:
    """Returns ffmpeg's measurements of all frames, with their times."""
    told = ffmpeg("-copyts", "-i", clip, f"-filter:{kind[0]}", measure, "-map", f"0:{kind[0]}",
                  "-f", "null", "/dev/null").decode()  # fmt: skip
    found = re.findall(r"pts_time:(\S+)\s+lavfi\S+=(\S+)", told)
    return [(float(time), float(value)) for time, value in found]


def first_above(values: list[tuple[float, float]], limit: float, begin: float) -> float:
    """Returns the time when values first rise above a limit, after `begin`."""
    pairs = zip(values, values[1:], strict=False)
    return next(time for (_, before), (time, now) in pairs
                if time > begin and before <= limit < now)  # fmt: skip


def test_refuses_sound_alone(serve: Serve) -> None:
    server = serve("me=record")
    pushing = launch(f"audiotestsrc ! opusenc ! rtspclientsink location={server.address}me/publish")
    assert pushing.wait(PATIENCE) != 0
    assert "no video was announced" in server.errors


def test_limits_clients_and_sizes(serve: Serve, talk: pathlib.Path) -> None:
    # Ten lines fewer than the clip has.
    server = serve("me=record", "--max-clients", 2, "--max-size", "320x170")
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(3)]
    silent[2].settimeout(PATIENCE)
    assert silent[2].recv(1) == b""
    assert server.metrics()["vbgfilter_clients_refused_total"] == 1
    for each in silent:
        each.close()
    for times in (1, 2):
        # The second client finds the stream free again.
        wait_for(lambda: server.metrics()["vbgfilter_clients"] == 0)
        pushing = server.push("me", talk)
        wait_for(lambda times=times: server.errors.count("320x180 are refused") == times)
        pushing.terminate()
        pushing.communicate()
    assert server.metrics()['vbgfilter_frames_total{stream="me"}'] == 0


def announce(server: Server, medias: int) -> socket.socket:
    """Returns a connection that has announced a stream with ``medias`` videos."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    text = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=s\r\nt=0 0\r\n"
    text += "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n" * medias
    head = f"ANNOUNCE {server.address}me/publish RTSP/1.0\r\nCSeq: 1\r\n"
    head += f"Content-Type: application/sdp\r\nContent-Length: {len(text)}\r\n\r\n"
    connection.sendall((head + text).encode())
    return connection


def status(connection: socket.socket) -> int:
    """Returns the status of the answer, or 0 if the server closed the connection."""
    try:
        line = connection.recv(100)
    except ConnectionError:
        return 0
    return int(line.split()[1]) if line else 0


@pytest.mark.parametrize("medias", [9, 1000, 3000])
def test_refuses_a_stream_with_many_media(serve: Serve, medias: int) -> None:
    server = serve("me=record")
    with announce(server, medias) as connection:
        assert status(connection) != 200
    # The stream is free for another client.
    with announce(server, 1) as connection:
        assert status(connection) == 200


def test_closes_clients_that_stay_idle(serve: Serve) -> None:
    server = serve("test=pattern", "--max-clients", 3, "--idle-timeout", 1)
    playing = server.play("test", 1 << 30)
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="test"}'] > 0)
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
    wait_for(lambda: server.metrics()["vbgfilter_clients"] == 3)
    for each in silent:
        each.settimeout(PATIENCE)
        assert each.recv(1) == b""
        each.close()
    assert playing.poll() is None
    assert server.metrics()["vbgfilter_clients"] == 1
    playing.terminate()
    playing.communicate()


def test_an_announcement_without_frames_frees_the_stream(serve: Serve) -> None:
    server = serve("me=record", "--idle-timeout", 1)

    def is_free() -> bool:
        with announce(server, 1) as connection:
            return status(connection) == 200

    with announce(server, 1) as connection:
        assert status(connection) == 200
        wait_for(is_free)


def test_server_ends_while_clients_watch(serve: Serve, talk: pathlib.Path) -> None:
    server = serve(f"talk={talk}")
    client = server.play("talk", 1 << 30)
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="talk"}'] > 0)
    server.stop()
    # The client may still try to reconnect to the server.
    client.terminate()
    client.communicate()


def test_filter_stream_ends_with_its_relay(serve: Serve) -> None:
    server = serve("test=pattern", "me=record")
    command = [FOLDER / "filter-stream", f"{server.address}test", f"{server.address}me/publish"]
    # A shell replaces the relay that starts filter-stream. The test kills it.
    relay = subprocess.Popen(["sh", "-c", '"$@" & echo $!; wait', "sh", *command, "quality=fast"],
                             stdout=subprocess.PIPE, text=True)  # fmt: skip
    process = int(relay.stdout.readline())
    wait_for(lambda: server.metrics()['vbgfilter_frames_total{stream="me"}'] > 10)
    relay.kill()
    relay.communicate()
    wait_for(lambda: not pathlib.Path(f"/proc/{process}").exists()
             or "State:\tZ" in pathlib.Path(f"/proc/{process}/status").read_text())  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("door=/dev/video99",), "/dev/video99 does not exist"),
        (("a b=pattern",), "is not NAME=SOURCE"),
        (("a=pattern", "a=record"), "the same name"),
        (("a=pattern", "--properties", "nonsense=1"), "nonsense"),
        (("a=pattern", "--max-size", "9x9"), "is not a size"),
        (("a=pattern", "--port", "70000"), "is not a port"),
    ],
)
def test_reports_invalid_arguments(arguments: tuple[str, ...], text: str) -> None:
    options = ["--port", "0", "--metrics-port", "0"]
    call = [sys.executable, FOLDER / "server.py", *arguments, *options]
    ended = run_program(call)
    assert ended.returncode != 0 and text in ended.stderr
    assert "Traceback" not in ended.stderr


def test_ports_in_use() -> None:
    with socket.socket() as used:
        used.bind(("127.0.0.1", 0))
        used.listen()
        port = str(used.getsockname()[1])
        for ports in (("--port", "0", "--metrics-port", port),
                      ("--port", port, "--metrics-port", "0")):  # fmt: skip
            call = [sys.executable, FOLDER / "server.py", "a=pattern", *ports]
            ended = run_program(call)
            assert ended.returncode == 1
            assert port in ended.stderr and f"choose another {ports[ports.index(port) - 1]}" in (
                ended.stderr)
            assert "Traceback" not in ended.stderr


def test_reports_a_missing_metrics_library() -> None:
    program = (
        "import runpy, sys; sys.modules['prometheus_client'] = None; "
        f"sys.path.insert(0, {str(FOLDER)!r}); "
        f"runpy.run_path({str(FOLDER / 'server.py')!r}, run_name='__main__')"
    )
    call = [sys.executable, "-c", program]
    ended = run_program(call)
    assert ended.returncode == 1
    assert ended.stderr.endswith(": apt install python3-prometheus-client\n")
    assert "Traceback" not in ended.stderr
