"""The virtual camera with stand-ins for cameras: what goes out, and when it is on."""

import os
import pathlib
import subprocess
import sys
import time

import pytest
from conftest import PERSON, PICTURE, run

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import keys, presets, service, sinks
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.camera.virtual import VirtualCamera
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import make_settings

BLUE = "#0000ff"
SHORT = "videotestsrc is-live=true num-buffers=15 pattern=red ! video/x-raw,framerate=30/1"


class Viewer:
    """A virtual camera whose corner is looked at."""

    def __init__(self, device: str) -> None:
        self.said: list[str] = []
        form = "videoconvert ! video/x-raw,format=RGB ! appsink name=out sync=false max-buffers=1"
        sink = sinks.Sink("window", f"{form} drop=true")
        settings = make_settings(background=BLUE, quality="fast")
        self.camera = VirtualCamera(device, settings, sink, (160, 90), self.said.append)
        self._out = self.camera._output.get_by_name("out")
        self.corners: set[str] = set()

    def look(self, done, wanted: bool = True, seconds: float = 20) -> None:
        """Looks until ``done``; no corner may ever be but black or blue."""
        until = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < until, (self.said, self.corners)
            self.camera.step(wanted)
            sample = self._out.emit("try-pull-sample", 50_000_000)
            if sample is None:
                continue
            red, green, blue = sample.get_buffer().extract_dup(0, 3)
            assert max(red, green) < 40, (red, green, blue)
            self.corners.add("blue" if blue > 200 else "black")


def test_sends_black_then_the_person_and_black_again():
    viewer = Viewer(SHORT)
    try:
        viewer.look(lambda: "blue" in viewer.corners)
        # It ends, as a camera that is unplugged, and is opened again.
        viewer.look(lambda: viewer.said.count("the camera is on") == 2)
        assert any("it ended" in each for each in viewer.said)
        viewer.look(lambda: not viewer.camera.is_open, wanted=False)
        viewer.corners.clear()
        viewer.look(lambda: "black" in viewer.corners, wanted=False)
        viewer.look(lambda: viewer.camera.is_open)
    finally:
        viewer.camera.close()


def test_waits_for_a_camera_that_is_not_there(tmp_path):
    viewer = Viewer(str(tmp_path / "video7"))
    try:
        viewer.look(lambda: "black" in viewer.corners and viewer.said)
        assert "video7 is not there" in viewer.said[0]
        assert viewer.corners == {"black"}
    finally:
        viewer.camera.close()


def test_refuses_descriptions_that_gstreamer_does_not_know():
    gstreamer.start()
    with pytest.raises(Failure, match="no property"):
        make_source("videotestsrc nothing=1")
    with pytest.raises(CameraAbsent, match="no camera named Nobody's"):
        make_source("Nobody's")


def test_keys():
    gstreamer.start()
    element = gstreamer.make("vbgfilter")
    make_settings(background="blur").apply(element)
    pressed = keys.Keys(element, [str(PICTURE), BLUE])
    assert pressed.press("b") == f"background: {PICTURE}"
    assert element.get_property("background-path") == str(PICTURE)
    assert pressed.press("e") == "effect: blur"
    assert pressed.press("e") == "effect: color"
    assert pressed.press("e") == "effect: replace"
    assert pressed.press("b") == f"background: {BLUE}"
    assert element.get_property("background-color") == 0xFF0000FF
    pressed.press("o")
    assert not pressed.is_on
    pressed.press("q")
    assert pressed.is_done
    # Nothing shows the room.
    assert element.get_property("active")
    assert element.get_property("effect").value_nick != "none"


def test_keys_that_come_together(monkeypatch):
    ours, theirs = os.openpty()
    with os.fdopen(theirs) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        with keys.terminal() as wait:
            os.write(ours, b"eb")
            assert [wait(5), wait(5), wait(0)] == ["e", "b", ""]
    os.close(ours)


def test_presets(tmp_path):
    file = tmp_path / "presets.toml"
    file.write_text(
        f'[home]\nbackground = "{PICTURE}"\nquality = "fast"\nset = {{ matte-grow = 2 }}\n'
    )
    tables = presets.read_presets(file)
    settings = presets.with_preset(make_settings(keep="nearest", preset="home"), tables)
    assert settings.properties == {
        "effect": "replace", "background-path": str(PICTURE), "quality": "fast",
        "matte-grow": "2", "keep": "nearest",
    }  # fmt: skip
    assert presets.with_preset(make_settings(preset="meeting"), tables).preset == "meeting"
    file.write_text("[home]\ncolour = 1\n")
    with pytest.raises(Failure, match=r"\[home\] has colour"):
        presets.read_presets(file)
    file.write_text("[home\n")
    with pytest.raises(Failure, match="presets.toml"):
        presets.read_presets(file)


def test_installs_a_unit(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    unit = service.install(["--background", "my 100 %.jpg", "--to", "pipewire"])
    assert unit == tmp_path / "systemd" / "user" / "vbgfilter-camera.service"
    text = unit.read_text()
    line = f"{sys.executable} -m vbgfilter camera --background 'my 100 %%.jpg' --to pipewire"
    assert f"ExecStart={line}\n" in text
    link = unit.parent / "default.target.wants" / unit.name
    assert link.resolve() == unit
    if pathlib.Path("/usr/bin/systemd-analyze").exists():
        told = subprocess.run(
            ["systemd-analyze", "verify", "--user", unit], capture_output=True, text=True
        )
        assert unit.name not in told.stderr, told.stderr


def test_knows_who_reads_a_device(tmp_path):
    device = tmp_path / "video9"
    device.touch()
    assert not sinks.has_readers(str(device))
    with device.open(), subprocess.Popen(["sleep", "30"], stdin=device.open()) as reader:
        assert sinks.has_readers(str(device))
        reader.kill()
    assert not sinks.has_readers(str(device))


def test_refuses_what_cannot_be(tmp_path):
    result = run("camera", "--to", "v4l2", "--output", "/dev/video99")
    assert (result.returncode, "/dev/video99" in result.stderr) == (3, True), result.stderr
    result = run("camera", "--to", "window", "--background", "transparent")
    assert (result.returncode, "alpha" in result.stderr) == (2, True), result.stderr
    blind = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = run("camera", "--to", "window", env=blind)
    assert (result.returncode, "no screen" in result.stderr) == (1, True), result.stderr
    result = run("camera", "--to", "window", "--size", "17x19")
    assert (result.returncode, "1280x720" in result.stderr) == (2, True), result.stderr


@pytest.mark.long
def test_pipewire(tmp_path):
    """The camera is on while somebody watches; PipeWire runs in a folder of its own."""
    gst = gstreamer.start()
    if gst.ElementFactory.find("pipewiresink") is None:
        pytest.skip("gstreamer1.0-pipewire is not installed")
    tmp_path.chmod(0o700)
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}

    def start(*line: object) -> subprocess.Popen:
        log = (tmp_path / "log").open("a")
        return subprocess.Popen([*map(str, line)], env=environment, stdout=log, stderr=log)

    def says(words: str, times: int = 1) -> None:
        until = time.monotonic() + 30
        while (tmp_path / "log").read_text().count(words) < times:
            assert time.monotonic() < until, (tmp_path / "log").read_text()
            time.sleep(0.1)

    source = f"filesrc location={PERSON} ! decodebin ! identity sync=true"
    processes = [start("pipewire")]
    try:
        time.sleep(1)
        processes.append(start("dbus-run-session", "--", "wireplumber"))
        time.sleep(1)
        processes.append(start(
            sys.executable, "-m", "vbgfilter", "camera", "--device", source, "--to", "pipewire",
            "--size", "160x90", "-b", BLUE, "-q", "fast",
        ))  # fmt: skip
        says("to pipewire")
        time.sleep(2)
        assert "the camera is on" not in (tmp_path / "log").read_text()
        line = "-q pipewiresrc target-object=vbgfilter num-buffers=90 ! videoconvert ! pngenc ! fakesink"
        watcher = subprocess.run(["gst-launch-1.0", *line.split()], env=environment, timeout=90)
        assert watcher.returncode == 0
        says("the camera is on")
        says("the camera is off")
    finally:
        for each in reversed(processes):
            each.terminate()
            each.wait(timeout=60)
