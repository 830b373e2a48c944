"""The virtual camera with its own PipeWire: watchers and the service start and stop."""

import os
import pathlib
import subprocess
import sys
import time

import pytest
from conftest import PERSON

from vbgfilter.commands import gstreamer

SIZE, FRAMES, RATE = (160, 90), 90, 30
FRAME_BYTES = SIZE[0] * SIZE[1] * 3
COMMAND = f"-m vbgfilter camera --to pipewire --size {SIZE[0]}x{SIZE[1]} -b #0000ff -q fast"
WATCHER = (
    f"gst-launch-1.0 -q pipewiresrc target-object=vbgfilter num-buffers={FRAMES} "
    "! videoconvert ! video/x-raw,format=RGB ! identity sleep-time={} ! filesink location={}"
)


class Desktop:
    """PipeWire, its session manager, the command and its watchers, in their own folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.chmod(0o700)
        self._folder = folder
        self._environment = os.environ | {"XDG_RUNTIME_DIR": str(folder)}
        self._service: list[subprocess.Popen] = []
        self.start_service()
        source = f"filesrc location={PERSON} ! decodebin ! imagefreeze is-live=true"
        self.command = self._start(sys.executable, *COMMAND.split(), "--device", source)

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
