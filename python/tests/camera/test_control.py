"""The process that holds the camera, and its control through the socket."""

import contextlib
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from conftest import PATIENCE, PICTURE, run

from vbgfilter.commands.camera import keys, link, saved
from vbgfilter.commands.settings import make_settings

BLUE = "#0000ff"
SOURCE = "videotestsrc is-live=true pattern=red ! video/x-raw,framerate=30/1"
# This sink needs no display and drops the frames. The number of programs is unknown.
ENVIRONMENT = {"DISPLAY": ":none", "GST_PLUGIN_FEATURE_RANK": "fakevideosink:MAX"}


class Command:
    """A running ``vbgfilter camera``."""

    def __init__(self, *options: str) -> None:
        line = [sys.executable, "-m", "vbgfilter", "camera", "--to", "window", "-q", "fast",
                "--device", SOURCE, "--size", "160x90", *options]  # fmt: skip
        self.process = subprocess.Popen(
            line, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
            env=os.environ | ENVIRONMENT,
        )  # fmt: skip
        wait_for(lambda: status() or self.process.poll() is not None)

    def end(self) -> str:
        self.process.terminate()
        return self.process.communicate(timeout=30)[1]


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, status()
        time.sleep(0.1)


def status() -> dict:
    with contextlib.suppress(link.NotRunning):
        return link.ask("status")
    return {}


@pytest.fixture
def camera(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Command]]:
    """Starts cameras in a session of their own."""
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    yield Command
    with contextlib.suppress(link.NotRunning):
        link.ask("quit")
    wait_for(lambda: not status())


def test_controls(camera: type[Command]):
    told = run("control", "status")
    assert (told.returncode, "vbgfilter camera" in told.stderr) == (1, True)
    command = camera("-b", BLUE)
    assert stat.S_IMODE(link.socket_path().stat().st_mode) & 0o077 == 0
    wait_for(lambda: status()["state"] == "on")
    for words, settings in (
        (["background", PICTURE], {"effect": "replace", "background-path": str(PICTURE)}),
        (["background", "Blur"], {"effect": "blur"}),
        (["set", "blur-radius=20", "keep=nearest"], {"blur-radius": "20.0", "keep": "nearest"}),
    ):
        told = run("control", *words)
        assert told.returncode == 0, told.stderr
        assert settings.items() <= status()["settings"].items()
    assert run("control", "off").returncode == 0
    assert status()["state"] == "off"
    told = run("control", "status", "--json")
    assert json.loads(told.stdout)["room"] == "hidden"
    assert run("control", "toggle").returncode == 0
    wait_for(lambda: status()["state"] == "on")
    # A second camera is refused, with the first one's process.
    told = run("camera", "--to", "window", env=os.environ | ENVIRONMENT)
    assert told.returncode == 2, told.stderr
    assert f"process {command.process.pid}" in told.stderr and "vbgfilter control" in told.stderr
    run("control", "quit")
    assert command.process.wait(30) == 0
    assert not link.socket_path().exists()


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "set", "name": "active", "value": False},
        {"do": "set", "name": "active", "value": "false"},
        {"do": "set", "name": "effect", "value": "none"},
        {"do": "set", "name": "effect", "value": "transparent"},
        {"do": "set", "name": "blur-radius", "value": 0},
        {"do": "set", "name": "blur-radius", "value": "nan"},
        {"do": "set", "name": "background-path", "value": "/etc/passwd"},
        {"do": "set", "name": "model", "value": "/etc/passwd"},
        {"do": "set", "name": "stats", "value": "1"},
        {"do": "background", "value": "transparent"},
        {"do": "background", "value": "/etc/passwd"},
        {"do": "own", "config": {}},
        {"do": "toggle", "key": 1},
        {"do": "device", "device": ["x"]},
        {"do": "nothing"},
        {"do": []},
        [],
        "text",
    ],
)
def test_refuses_what_shows_the_room(request_: object, holder: Callable[[], dict]):
    before = holder()
    with contextlib.closing(link.Link()) as own:
        own._socket.sendall(json.dumps(request_).encode() + b"\n")
        assert "error" in own.receive()
        # The connection remains usable.
        assert own.ask("status")["settings"] == before["settings"]


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], dict]]:
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        command = Command("-b", BLUE)
        yield status
        command.end()
        wait_for(lambda: not status())


def test_hostile_lines_end_only_their_connection(holder: Callable[[], dict]):
    for data in (b"\xff\xfe\n", b"[" * 50_000 + b"\n", b"x" * 200_000, b"{}\n" * 1000):
        with contextlib.closing(link.Link()) as own:
            with contextlib.suppress(OSError):
                own._socket.sendall(data)
    assert holder()["room"] == "hidden"


def test_keys(camera: type[Command], tmp_path: pathlib.Path):
    command = camera("-b", "blur")
    gone = str(tmp_path / "gone.jpg")
    pressed = keys.Keys([str(PICTURE), BLUE, gone])
    assert pressed.press("b") == f"background: {PICTURE}"
    assert status()["settings"]["background-path"] == str(PICTURE)
    assert pressed.press("e") == "effect: blur"
    assert pressed.press("e") == "effect: color"
    assert pressed.press("e") == "effect: replace"
    assert pressed.press("b") == f"background: {BLUE}"
    assert status()["settings"]["background-color"] == str(0xFF0000FF)
    assert "gone.jpg is neither a file" in pressed.press("b")
    assert status()["settings"]["effect"] == "color"
    assert "--backgrounds" in keys.Keys([]).press("b")
    assert pressed.press("x") == keys.HELP
    assert pressed.press("o").startswith("off")
    assert status()["state"] == "off"
    assert pressed.press("o") == "on"
    command.end()
    assert pressed.press("o").startswith("no camera runs")


def test_ends_with_its_command(camera: type[Command]):
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
        command = camera()
        command.process.send_signal(number)
        command.process.wait(30)
        wait_for(lambda: not status())


def test_choices_are_kept(camera: type[Command]):
    command = camera("-b", BLUE)
    run("control", "background", "#ff0000")
    run("control", "set", "low-light=0.5")
    command.end()
    wait_for(lambda: not status())
    given = make_settings(background=BLUE, quality="fast")
    # The same options do not undo the choices. Other ones do.
    _, settings, _ = saved.read_choices(SOURCE, given)
    assert settings.properties["background-color"] == str(0xFFFF0000)
    assert settings.properties["low-light"] == "0.5"
    _, settings, _ = saved.read_choices(SOURCE, make_settings(background="lime"))
    assert settings.properties["background-color"] == str(0xFF00FF00)
    assert settings.properties["low-light"] == "0.5"
    file = pathlib.Path(os.environ["XDG_CONFIG_HOME"], "vbgfilter/camera.json")
    text = file.read_text()
    # A background that is gone, another version's property, and a damaged file.
    gone = json.loads(text)
    gone["properties"] |= {"effect": "replace", "background-path": "/gone.jpg"}
    file.write_text(json.dumps(gone))
    assert saved.read_choices(SOURCE, given)[1].properties["effect"] == "blur"
    gone["properties"] |= {"no-such-property": "1"}
    for damaged in (json.dumps(gone), text[:-5], "[]", ""):
        file.write_text(damaged)
        assert saved.read_choices(SOURCE, given)[1] == given
    file.write_text(text)
    device, settings, _ = saved.read_choices(None, make_settings())
    assert (device, settings.properties["effect"]) == (SOURCE, "color")


def test_a_folder_of_others_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "vbgfilter").mkdir(mode=0o755)
    with pytest.raises(link.Failure, match="others can enter"):
        link.socket_path()
