"""The virtual camera with its own PipeWire: watchers and the service start and stop."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from conftest import PERSON

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import link, start
from vbgfilter.commands.camera.sinks import choose_sink
from vbgfilter.commands.settings import make_settings

SIZE, FRAMES, RATE = (160, 90), 90, 30
FRAME_BYTES = SIZE[0] * SIZE[1] * 3
COMMAND = "-m vbgfilter camera --to pipewire -b #0000ff -q fast"
SOURCE = f"filesrc location={PERSON} ! decodebin ! imagefreeze is-live=true"
WATCHER = (
    f"gst-launch-1.0 -q pipewiresrc target-object=vbgfilter num-buffers={FRAMES} "
    "! videoconvert ! video/x-raw,format=RGB ! identity sleep-time={} ! filesink location={}"
)
ROOM = (
    "gst-launch-1.0 -q videotestsrc is-live=true pattern=red "
    "! video/x-raw,format=YUY2,width=160,height=90,framerate=30/1 ! identity drop-allocation=true "
    "! pipewiresink mode=provide sync=false stream-properties=p,node.name=room,"
    "media.class=Video/Source,media.role=Camera,node.autoconnect=false"
)


class Desktop:
    """PipeWire, its session manager, the command and its watchers, in their own folder."""

    def __init__(self, folder: pathlib.Path, size: str = f"{SIZE[0]}x{SIZE[1]}") -> None:
        folder.chmod(0o700)
        self._folder = folder
        own = {"XDG_RUNTIME_DIR": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        self._environment = os.environ | own
        self._size = size
        self._service: list[subprocess.Popen] = []
        self.start_service()
        self.start_command()

    def start_command(self) -> None:
        self.command = self._start(
            sys.executable, *COMMAND.split(), "--size", self._size, "--device", SOURCE
        )

    def start_room(self) -> subprocess.Popen:
        """Starts a camera that shows an unfiltered room: red."""
        return self._start(*ROOM.split())

    def status(self) -> dict:
        line = [sys.executable, "-m", "vbgfilter", "control", "status", "--json"]
        told = subprocess.run(line, env=self._environment, capture_output=True)
        return json.loads(told.stdout or "{}")

    def _start(self, *line: str) -> subprocess.Popen:
        with (self._folder / "log").open("a") as log:
            return subprocess.Popen(line, env=self._environment, stdout=log, stderr=log)

    def start_service(self) -> None:
        for line in ("pipewire", "dbus-run-session -- wireplumber"):
            self._service.append(self._start(*line.split()))
            time.sleep(1)

    def stop_service(self) -> None:
        while self._service:
            _end(self._service.pop())

    def close(self) -> None:
        _end(self.command)
        subprocess.run(
            [sys.executable, "-m", "vbgfilter", "control", "quit"], env=self._environment
        )
        self.stop_service()

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def says(self, words: str, times: int = 1) -> None:
        until = time.monotonic() + 30
        while self.log().count(words) < times:
            assert self.command.poll() is None, self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.1)

    def watch(self, *names: str, frame_seconds: float = 1 / RATE) -> None:
        """Starts watchers together. Each must get all frames, which show the person."""
        began = time.monotonic()
        sleep = round(frame_seconds * 1e6) if frame_seconds > 1 / RATE else 0
        lines = [WATCHER.format(sleep, self._folder / name) for name in names]
        watchers = [self._start(*line.split()) for line in lines]
        for name, watcher in zip(names, watchers, strict=True):
            assert watcher.wait(timeout=60) == 0, self.log()
            frames = (self._folder / name).read_bytes()
            assert len(frames) == FRAMES * FRAME_BYTES
            last = frames[-FRAME_BYTES:]
            assert _is_blue(last, 0), last[:3]
            assert not _is_blue(last, SIZE[1] // 2 * SIZE[0] + SIZE[0] // 2)
        # A watcher takes a moment to start. After a slow one frames come faster for a while.
        assert time.monotonic() - began < FRAMES * frame_seconds + 5


def _end(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait(timeout=60)


def _is_blue(frame: bytes, pixel: int) -> bool:
    red, green, blue = frame[3 * pixel : 3 * pixel + 3]
    return max(red, green) < 40 and blue > 200


@pytest.mark.long
def test_pipewire(tmp_path):
    """The camera is on while a program watches it."""
    if gstreamer.start().ElementFactory.find("pipewiresink") is None:
        pytest.skip("gstreamer1.0-pipewire is not installed")
    desktop = Desktop(tmp_path)
    try:
        desktop.says("to pipewire")
        time.sleep(2)
        assert "the camera is on" not in desktop.log()
        desktop.watch("first")
        desktop.says("the camera is off", 1)
        desktop.watch("again")
        desktop.says("the camera is off", 2)
        desktop.watch("one", "another")
        desktop.says("the camera is off", 3)
        desktop.watch("slow", frame_seconds=0.06)
        desktop.says("the camera is off", 4)
        desktop.watch("after")
        desktop.says("the camera is off", 5)
        desktop.stop_service()
        desktop.says("opening pipewire again")
        desktop.start_service()
        desktop.says("pipewire is open again")
        desktop.watch("later")
        desktop.says("the camera is off", 6)
        assert desktop.command.poll() is None
    finally:
        desktop.close()


@pytest.mark.long
def test_programs_never_change_to_the_room(tmp_path, monkeypatch):
    """A program watches while commands end, crash and start again."""
    if gstreamer.start().ElementFactory.find("pipewiresink") is None:
        pytest.skip("gstreamer1.0-pipewire is not installed")
    desktop = Desktop(tmp_path)
    room = desktop.start_room()
    seen = tmp_path / "seen"
    seen.touch()
    line = WATCHER.replace(f" num-buffers={FRAMES}", "").format(0, seen)
    watcher = None
    try:
        desktop.says("to pipewire")
        watcher = desktop._start(*line.split())

        def frames() -> list[bytes]:
            data = seen.read_bytes()
            ends = range(FRAME_BYTES, len(data) + 1, FRAME_BYTES)
            return [data[end - FRAME_BYTES : end] for end in ends]

        def shows(is_expected, what: str) -> None:
            until = time.monotonic() + 30
            while True:
                frame = frames()[-1:]
                if frame and is_expected(frame[0]):
                    return
                assert time.monotonic() < until, (what, desktop.log())
                time.sleep(0.2)

        def is_black(frame: bytes) -> bool:
            return max(frame[:3]) < 20

        def is_hidden(frame: bytes) -> bool:
            return _is_blue(frame, 0)

        shows(is_hidden, "at first")
        assert desktop.status()["programs"] == 1
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
            desktop.command.send_signal(number)
            desktop.command.wait(30)
            shows(is_black, f"after {number.name}")
            # It stays black.
            time.sleep(1.5)
            shows(is_black, f"later after {number.name}")
            assert desktop.status()["state"] == "ended"
            desktop.start_command()
            shows(is_hidden, f"again after {number.name}")
        # The app takes over, too.
        _end(desktop.command)
        shows(is_black, "before the app")
        for name, value in desktop._environment.items():
            monkeypatch.setenv(name, value)
        settings = make_settings(background="#0000ff", quality="fast")
        sink = choose_sink("pipewire", None)
        config = start.make_config(SOURCE, settings, {}, "in this test", sink, SIZE)
        start.own(config, {}, keep=True).close()
        shows(is_hidden, "after the app")
        assert desktop.log().count("still in use by 1 program") == 3
        _end(watcher)
        for at, frame in enumerate(frames()):
            assert frame[0] < 40, f"the room in frame {at}"
        # Nobody watches: the process ends with its command.
        time.sleep(1.5)
        link.ask("quit")
        time.sleep(1.5)
        assert desktop.status() == {}
        watcher = None
    finally:
        for each in (watcher, room):
            if each is not None:
                _end(each)
        desktop.close()
