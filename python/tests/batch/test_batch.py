"""Batches: twelve clips on two workers (one is killed), buckets, and failures."""

import base64
import dataclasses
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator

import fsspec
import pytest
from batch.support import DAMAGED, LONG, PERSON, Command, count_frames, ffmpeg
from conftest import PATIENCE, run_program

from vbgfilter.commands.settings import Settings

OPTIONS = ("--quality", "fast", "--background", "lime", "--workers", 2)


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Twelve small clips with sound, in two folders. One clip is damaged."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "more").mkdir()
    for index in range(11):
        frames = 8 + index
        name = LONG if index == 10 else f"{'more/' if index % 2 else ''}clip {index}.mp4"
        frames = 90 if name == LONG else frames
        ffmpeg("-ss", index / 10, "-i", PERSON, "-f", "lavfi", "-i", "sine", "-frames:v", frames,
               "-t", frames / 30, "-vf", "scale=320:180", "-c:v", "libx264", "-preset",
               "ultrafast", "-c:a", "aac", folder / name)  # fmt: skip
    whole = (folder / "clip 0.mp4").read_bytes()
    (folder / DAMAGED).write_bytes(whole[: len(whole) // 3])
    return folder


@pytest.fixture
def command(tmp_path: pathlib.Path) -> Iterator[Command]:
    """The command, with a folder for temporary files that is empty at the end."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    mark = uuid.uuid4().hex
    made = Command(os.environ | {"MARK": mark, "TMPDIR": str(scratch)}, mark)
    yield made
    left = made.processes()
    for each in left:
        each.kill()
    assert not left
    assert not list(scratch.iterdir())


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """An S3 server on this machine. The function makes a bucket and returns its address."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    # The servers of a process share their contents.
    reset = urllib.request.Request(f"{address}/moto-api/reset", method="POST")
    urllib.request.urlopen(reset).close()
    monkeypatch.setenv("FSSPEC_S3_ENDPOINT_URL", address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    files = s3fs.S3FileSystem(endpoint_url=address)

    def make(name: str) -> str:
        files.mkdir(name)
        return f"s3://{name}"

    yield make
    server.stop()


def wait_for(condition: Callable[[], object]) -> None:
    """Waits until the condition is true."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def kill_a_worker(command: Command, folder: pathlib.Path) -> None:
    """Kills the worker that converts the long clip, and checks that its child ends too."""
    # The temporary file of the long clip, in any folder.
    wait_for(lambda: any(folder.rglob(f"{LONG}.part")))
    converting = command.converting()
    for each in converting:
        os.kill(each.ppid(), signal.SIGKILL)
    assert converting
    for each in converting:
        each.wait(10)


def check_first(lines: list[dict], target: pathlib.Path, clips: pathlib.Path) -> None:
    """Checks the lines of the first run, and its results."""
    begin, *ended, end = lines
    names = {str(path.relative_to(clips)) for path in clips.rglob("*.mp4")}
    assert begin["event"] == "begin" and begin["clips"] == len(names)
    assert {each["name"] for each in ended} == names
    failed = [each for each in ended if each["status"] == "failed"]
    assert [each["name"] for each in failed] == [DAMAGED]
    assert failed[0]["exit-code"] == 4 and DAMAGED in failed[0]["error"]
    assert (end["done"], end["done-before"], end["failed"]) == (len(names) - 1, 0, 1)
    for each in ended:
        result = target / each["output"]
        if each["status"] == "failed":
            assert not result.exists()
            continue
        frames = count_frames(clips / each["name"])
        assert count_frames(result) == frames == each["frames"]
        assert each["statistics"]["frames-out"] == frames
        assert 0 < each["statistics"]["inferences"] <= frames
        assert each["cpu-seconds"] > 0
    assert not list(target.rglob("*.part"))


def check_page(path: pathlib.Path, count: int) -> None:
    """Checks that a page shows failures first, then results, and loads nothing from elsewhere."""
    text = path.read_text()
    assert text.index(DAMAGED) < text.index("data:image/jpeg")
    assert not re.search("https?://|<script", text)
    pictures = re.findall('data:image/jpeg;base64,([^"]+)', text)
    assert len(pictures) == count
    corner = ffmpeg_corner(base64.b64decode(pictures[0]), path.parent / "corner.jpg")
    # The corner has the background's colour, so the picture shows the result.
    assert corner[1] > 200 and max(corner[0], corner[2]) < 60


def ffmpeg_corner(picture: bytes, file: pathlib.Path) -> bytes:
    """Returns the colour of a picture's corner."""
    file.write_bytes(picture)
    return ffmpeg("-i", file, "-vf", "crop=8:8:0:0,scale=1:1", "-f", "rawvideo",
                  "-pix_fmt", "rgb24", "-")  # fmt: skip


def test_continues_a_run_in_a_folder(
    command: Command, clips: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    target = tmp_path / "results"
    running = command.start(clips, target, *OPTIONS, "--json")
    kill_a_worker(command, target)
    check_first(command.end(running, 1), target, clips)
    check_page(target / "vbgfilter-batch.html", 11)
    times = {path: path.stat().st_mtime_ns for path in target.rglob("*.mp4")}

    *_, end = command.run(clips, target, *OPTIONS, code=1)
    assert (end["done"], end["done-before"], end["failed"]) == (0, 11, 1)
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*.mp4")} == times
    check_page(target / "vbgfilter-batch.html", 11)


@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.long)])
def test_buckets(
    command: Command, clips: pathlib.Path, tmp_path: pathlib.Path,
    bucket: Callable[[str], str], count: int,
) -> None:  # fmt: skip
    chosen = tmp_path / "clips"
    # The damaged clip and the long clip come first.
    by_need = sorted(clips.rglob("*.mp4"), key=lambda each: each.name not in (DAMAGED, LONG))
    for path in by_need[:count]:
        place = chosen / path.relative_to(clips)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    source, target = bucket("sources"), bucket("results")
    command.environment.update(
        {name: os.environ[name] for name in os.environ if name.startswith(("FSSPEC", "AWS"))}
    )
    files = fsspec.filesystem("s3", endpoint_url=os.environ["FSSPEC_S3_ENDPOINT_URL"])
    files.put(f"{chosen}/", "sources/", recursive=True)
    running = command.start(source, target, *OPTIONS, "--json")
    kill_a_worker(command, pathlib.Path(command.environment["TMPDIR"]))
    lines = command.end(running, 1)
    fetched = tmp_path / "fetched"
    files.get("results/", f"{fetched}/", recursive=True)
    check_first(lines, fetched, chosen)
    check_page(fetched / "vbgfilter-batch.html", count - 1)
    assert not [each for each in files.find("results") if each.endswith(".part")]

    *_, end = command.run(source, target, *OPTIONS, code=1)
    assert (end["done"], end["done-before"], end["failed"]) == (0, count - 1, 1)


def test_converts_clips_with_names_of_any_bytes(
    command: Command, clips: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    source, target = tmp_path / "odd", tmp_path / "results"
    source.mkdir()
    names = {os.fsdecode(b"caf\xe9.mp4"), "x" * 251 + ".mp4", "a.mp4"}
    for name in names:
        (source / name).write_bytes((clips / "clip 0.mp4").read_bytes())
    *ended, end = command.run(source, target, *OPTIONS)
    assert {each["name"] for each in ended if each["event"] == "clip"} == names
    assert end["done"] == 3
    assert {each.name for each in target.glob("*.mp4")} == names
    assert "caf\ufffd.mp4" in (target / "vbgfilter-batch.html").read_text()
    *_, end = command.run(source, target, *OPTIONS)
    assert end["done-before"] == 3


def test_reports_an_unreachable_bucket(command: Command, tmp_path: pathlib.Path) -> None:
    # These settings stop botocore from looking for credentials elsewhere.
    nowhere = {"AWS_EC2_METADATA_DISABLED": "true", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}
    command.environment.update(nowhere)
    running = command.start("s3://talks/2026", tmp_path / "results")
    _, errors = running.communicate(timeout=PATIENCE)
    assert (running.returncode, "Traceback" in errors) == (4, False), errors
    assert errors.startswith("Error: s3://talks/2026, ")


def test_interrupt(command: Command, clips: pathlib.Path, tmp_path: pathlib.Path) -> None:
    target = tmp_path / "results"
    running = command.start(clips, target, *OPTIONS)
    wait_for(lambda: any(target.rglob("*.part")))
    # The terminal signals the whole group on Ctrl-C.
    os.killpg(running.pid, signal.SIGINT)
    command.end(running, 130)
    assert not list(target.rglob("*.part"))
    assert not any(path.is_file() for path in (target / ".vbgfilter/unfinished").rglob("*"))


def test_an_interrupt_after_the_last_frame(clips: pathlib.Path, tmp_path: pathlib.Path) -> None:
    made = tmp_path / "made.mp4"
    job = {
        "source": str(clips / "clip 0.mp4"), "output": str(made), "codec": None, "bitrate": None,
        "encoder": None, "settings": dataclasses.asdict(Settings({"quality": "fast"})),
    }  # fmt: skip
    code = (
        "import os, signal; from vbgfilter.commands.batch import child;"
        "child.make_thumbnail = lambda made: (print('made'), os.kill(os.getpid(), signal.SIGTERM));"
        "child.main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(job), capture_output=True, text=True
    )
    assert (ended.returncode, "made" in ended.stderr) == (130, True), ended.stderr
    assert not made.exists()


def test_a_cluster_that_is_lost(
    command: Command, clips: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", str(port),
         "--no-dashboard"],
        stderr=subprocess.PIPE, text=True, env=command.environment,
    )  # fmt: skip
    for line in scheduler.stderr:
        if f":{port}" in line:
            break
    address = f"tcp://127.0.0.1:{port}"
    running = command.start(clips, tmp_path / "results", "--scheduler", address, "--json")
    # The scheduler has no workers, so all clips wait.
    assert "begin" in running.stdout.readline()
    scheduler.kill()
    scheduler.communicate()
    _, errors = running.communicate(timeout=PATIENCE)
    assert (running.returncode, "cluster is lost" in errors) == (1, True), errors
    assert "Traceback" not in errors


def test_array_job(command: Command, clips: pathlib.Path, tmp_path: pathlib.Path) -> None:
    target, source = tmp_path / "results", tmp_path / "two"
    source.mkdir()
    for name in ("clip 0.mp4", DAMAGED):
        (source / name).write_bytes((clips / name).read_bytes())
    running = command.start(source, target, *OPTIONS[:4], "--slurm-array")
    script = running.communicate(timeout=PATIENCE)[0]
    assert "#SBATCH --array=0-1\n" in script
    for index, code in enumerate((0, 1)):
        variables = command.environment | {"SLURM_ARRAY_TASK_ID": str(index)}
        ended = run_program(["bash", "-c", script], env=variables)
        assert ended.returncode == code, ended.stderr
    assert count_frames(target / "clip 0.mp4") == count_frames(clips / "clip 0.mp4")
    *_, end = command.run(source, target, *OPTIONS[:4], code=1)
    assert (end["done"], end["done-before"], end["failed"]) == (0, 1, 1)
    assert command.run(source, target, *OPTIONS[:4], "--only", 2, code=2) == []
