"""The virtual camera with simulated cameras: its output, and when it is on."""

import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

import pytest
from conftest import PATIENCE, PICTURE, ROOT, run

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import attempts, keys, output, presets, service, sinks
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.camera.sinks import Watchers
from vbgfilter.commands.camera.virtual import VirtualCamera
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import make_settings

BLUE = "#0000ff"
OUT = "videoconvert ! video/x-raw,format=RGB ! appsink name=out sync=false max-buffers=1 drop=true"
ENDLESS = "videotestsrc is-live=true pattern=red ! video/x-raw,framerate=30/1"
SHORT = ENDLESS.replace("is-live", "num-buffers=45 is-live")


@dataclass(frozen=True)
class WatchedSink(sinks.Sink):
    """A sink with watchers that the test sets."""

    watchers: list[int] = field(default_factory=lambda: [Watchers.SOME])

    def find_watchers(self) -> int:
        return self.watchers[0]


class Viewer:
    """A virtual camera. The test watches its corner."""

    def __init__(self, device: str, kind: str = "window", out: str = OUT) -> None:
        self.said: list[str] = []
        settings = make_settings(background=BLUE, quality="fast")
        self.sink = WatchedSink(kind, out)
        self.camera = VirtualCamera(device, settings, self.sink, (160, 90), self.said.append)
        self.corners: set[str] = set()

    @property
    def output(self):
        """The pipeline that sends, or None while it is closed."""
        return self.camera.output.pipeline

    def fail(self, code) -> None:
        """Makes the sink post an error."""
        from gi.repository import GLib, Gst

        error = GLib.Error.new_literal(
            Gst.ResourceError.quark(), f"reported {code.value_nick}", code
        )
        out = self.output.get_by_name("out")
        out.post_message(Gst.Message.new_error(out, error, ""))

    def look(self, done, wanted: bool = True, seconds: float = PATIENCE) -> None:
        """Watches until ``done`` returns true. The corner must always be black or blue."""
        until = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < until, (self.said, self.corners)
            self.camera.step(wanted)
            if self.output is None:
                time.sleep(0.05)
                continue
            sample = self.output.get_by_name("out").emit("try-pull-sample", 50_000_000)
            if sample is None:
                continue
            red, green, blue = sample.get_buffer().extract_dup(0, 3)
            assert max(red, green) < 40, (red, green, blue)
            self.corners.add("blue" if blue > 200 else "black")


def test_sends_black_then_the_person_and_black_again():
    viewer = Viewer(SHORT)
    try:
        viewer.look(lambda: "blue" in viewer.corners)
        # The source ends like an unplugged camera, and is opened again.
        viewer.look(lambda: viewer.said.count("the camera is on") == 2)
        assert any("the stream ended" in each for each in viewer.said)
        viewer.look(lambda: not viewer.camera.is_open, wanted=False)
        viewer.corners.clear()
        viewer.look(lambda: "black" in viewer.corners, wanted=False)
        viewer.look(lambda: viewer.camera.is_open)
    finally:
        viewer.camera.close()


def test_waits_for_a_missing_camera(tmp_path):
    viewer = Viewer(str(tmp_path / "video7"))
    try:
        viewer.look(lambda: "black" in viewer.corners and viewer.said)
        assert "video7 does not exist" in viewer.said[0]
        assert viewer.corners == {"black"}
    finally:
        viewer.camera.close()


def test_tells_each_warning_of_the_element_once():
    viewer = Viewer(ENDLESS)
    try:
        # The filter's process passes on the element's own warnings.
        viewer.look(lambda: viewer.camera.is_on)
        viewer.camera.element.set_property("background-path", "/nowhere.png")
        viewer.camera.element.set_property("effect", "replace")
        viewer.look(lambda: any("/nowhere.png" in each for each in viewer.said))
        for text in ("a frame takes 40 ms", "a frame takes 52 ms", "the edge is soft"):
            viewer.camera._take({"warning": text})
        assert "the edge is soft" in viewer.said
        assert [each for each in viewer.said if "takes" in each] == ["a frame takes 40 ms"]
    finally:
        viewer.camera.close()


def test_a_crash_of_the_filter_shows_black_and_the_person_again():
    viewer = Viewer(ENDLESS)
    try:
        for number in (signal.SIGSEGV, signal.SIGKILL):
            viewer.corners.clear()
            viewer.look(lambda: "blue" in viewer.corners)
            output, filter = viewer.output, viewer.camera._process
            viewer.corners.clear()
            filter.send_signal(number)
            viewer.look(lambda: "black" in viewer.corners)
            assert f"waiting for the camera: the filter has ended: {number.name}" in viewer.said
        viewer.look(lambda: viewer.camera.is_on)
        assert viewer.output is output
    finally:
        viewer.camera.close()


def test_changes_reach_the_running_filter():
    viewer = Viewer(ENDLESS)
    try:
        viewer.look(lambda: "blue" in viewer.corners)
        filter = viewer.camera._process
        viewer.camera.element.set_property("background-color", 0xFF000000)
        viewer.corners.clear()
        viewer.look(lambda: viewer.corners == {"black"} or viewer.corners.clear())
        assert "the camera is off" not in viewer.said
        assert viewer.camera._process is filter
        # The network's threads are set only at the start of a stream.
        viewer.camera.element.set_property("threads", 1)
        viewer.camera.element.set_property("background-color", 0xFF0000FF)
        viewer.look(lambda: "blue" in viewer.corners)
        assert "the camera is off" in viewer.said
    finally:
        viewer.camera.close()


def test_a_source_with_an_unknown_element_is_refused():
    with pytest.raises(Failure, match="no element nixsrc") as refused:
        make_source("nixsrc ! decodebin")
    assert refused.value.exit_code == 2


def test_ends_when_the_window_is_closed():
    viewer = Viewer(ENDLESS)
    try:
        viewer.look(lambda: viewer.corners)
        viewer.fail(gstreamer.start().ResourceError.NOT_FOUND)
        with pytest.raises(Failure, match="--to window: reported not-found$"):
            viewer.camera.step(True)
    finally:
        viewer.camera.close()


def test_continues_after_the_last_viewer_left():
    """Some versions of PipeWire's sink post an error then."""
    viewer = Viewer(ENDLESS, "pipewire")
    try:
        viewer.look(lambda: "blue" in viewer.corners)
        before = viewer.output
        viewer.fail(gstreamer.start().ResourceError.NOT_FOUND)
        viewer.corners.clear()
        viewer.look(lambda: "black" in viewer.corners, wanted=False)
        assert viewer.output is before
        assert viewer.said[-1] == "the camera is off"
    finally:
        viewer.camera.close()


def test_opens_pipewire_again():
    viewer = Viewer(ENDLESS, "pipewire")
    try:
        viewer.look(lambda: viewer.camera.is_open)
        viewer.fail(gstreamer.start().ResourceError.FAILED)
        viewer.camera.step(True)
        # During that time the output is closed.
        assert viewer.output is None
        assert not viewer.camera.is_open
        assert "opening pipewire again: reported failed" in viewer.said
        viewer.corners.clear()
        viewer.look(lambda: "blue" in viewer.corners)
        assert "pipewire is open again" in viewer.said
    finally:
        viewer.camera.close()


def test_is_on_while_a_program_watches(monkeypatch):
    monkeypatch.setattr(output, "_ASK_SECONDS", 0.1)
    viewer = Viewer(ENDLESS, "pipewire")
    try:
        viewer.sink.watchers[0] = Watchers.NONE
        viewer.look(lambda: "black" in viewer.corners)
        time.sleep(0.2)
        assert not viewer.camera.is_open
        viewer.sink.watchers[0] = Watchers.SOME
        viewer.look(lambda: "blue" in viewer.corners)
        # The PipeWire service ended, and took the camera away.
        before = viewer.output
        viewer.sink.watchers[0] = Watchers.NO_SINK
        viewer.look(lambda: not viewer.camera.is_open)
        assert any("it has disappeared" in each for each in viewer.said)
        viewer.look(lambda: "pipewire is open again" in viewer.said)
        again = viewer.output
        assert again is not before
        # Its restart may take a moment.
        later = time.monotonic() + 0.5
        viewer.look(lambda: time.monotonic() > later)
        viewer.sink.watchers[0] = Watchers.SOME
        viewer.look(lambda: viewer.camera.is_open)
        assert viewer.output is again
    finally:
        viewer.camera.close()


def test_ends_when_pipewire_fails_again_and_again(monkeypatch):
    monkeypatch.setattr(attempts, "_FIRST_WAIT", 0.01)
    viewer = Viewer(ENDLESS, "pipewire", "identity error-after=2 ! fakesink")
    try:
        with pytest.raises(Failure, match="--to pipewire: .*; gave up after 5 attempts"):
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until:
                viewer.camera.step(False)
                time.sleep(0.01)
        assert sum("opening pipewire again" in each for each in viewer.said) == 1
    finally:
        viewer.camera.close()


def test_refuses_descriptions_that_gstreamer_does_not_know():
    gstreamer.start()
    with pytest.raises(Failure, match="no property"):
        make_source("videotestsrc nothing=1")
    with pytest.raises(CameraAbsent, match="no camera named Nobody's"):
        make_source("Nobody's")


def test_colors_are_names_and_hexadecimal():
    gstreamer.start()
    element = gstreamer.make("vbgfilter")
    for background in ("#f80", "#FF8800"):
        make_settings(background=background).apply(element)
        assert element.get_property("background-color") == 0xFFFF8800
        element.set_property("background-color", 0)


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
    with pytest.raises(Failure, match=r"\[home\] has unknown keys: colour"):
        presets.read_presets(file)
    file.write_text("[home]\nbackground = 1\n")
    with pytest.raises(Failure, match=r"\[home\]: background must be a quoted text, not 1"):
        presets.read_presets(file)
    file.write_text('[home]\nset = "matte-grow"\n')
    with pytest.raises(Failure, match="set must be a table"):
        presets.read_presets(file)
    file.write_text("[home\n")
    with pytest.raises(Failure, match="presets.toml"):
        presets.read_presets(file)


def test_installs_a_unit(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    arguments = ["--background", "my 100 %.jpg", "--to", "pipewire"]
    unit = service.install(arguments, {"GST_PLUGIN_PATH": "/opt/a $b%c"})
    assert unit == tmp_path / "systemd" / "user" / "vbgfilter-camera.service"
    text = unit.read_text()
    line = f"{sys.executable} -m vbgfilter camera --background 'my 100 %%.jpg' --to pipewire"
    assert f"ExecStart={line}\n" in text
    assert "Environment='GST_PLUGIN_PATH=/opt/a $b%%c'\n" in text
    link = unit.parent / "default.target.wants" / unit.name
    assert link.resolve() == unit
    if pathlib.Path("/usr/bin/systemd-analyze").exists():
        told = subprocess.run(
            ["systemd-analyze", "verify", "--user", unit], capture_output=True, text=True
        )
        assert unit.name not in told.stderr, told.stderr


def test_installs_an_entry_of_the_menu_and_a_rule(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    # A program that prints its arguments stands for Python.
    monkeypatch.setattr(sys, "executable", "/bin/echo")
    service.install_entry({"PATH": f'{tmp_path}:a "b" $c 100% `d` \\e'})
    entry = tmp_path / "applications/vbgfilter.desktop"
    from gi.repository import Gio, GLib

    found = Gio.DesktopAppInfo.new_from_filename(str(entry))
    shown = GLib.shell_parse_argv(found.get_commandline().replace("%%", "%"))[1]
    assert shown == ["env", f'PATH={tmp_path}:a "b" $c 100% `d` \\e', "/bin/echo", "-m", "vbgfilter",
                     "app"]  # fmt: skip
    assert (tmp_path / "icons/hicolor/scalable/apps/vbgfilter.svg").exists()
    service.install_rule()
    assert "node.dont-reconnect = true" in service.rule_path().read_text()


@pytest.fixture
def wheel(tmp_path):
    """Returns a folder like pip's, with the contents of the wheel and of OpenVINO's wheel."""
    folder, deps = tmp_path / "site", ROOT / ".deps"
    package = folder / "vbgfilter"
    shutil.copytree(ROOT / "python/vbgfilter", package)
    shutil.copy(ROOT / "VERSION", package)
    (package / "lib/gstreamer-1.0").mkdir(parents=True)
    shutil.copy(deps / "stage/lib/gstreamer-1.0/libgstvbgfilter.so", package / "lib/gstreamer-1.0")
    (package / "lib/vbgfilter").mkdir()
    (package / "lib/vbgfilter/models").symlink_to(deps / "models")
    (folder / "openvino").mkdir()
    (folder / "openvino/__init__.py").touch()
    (folder / "openvino/libs").symlink_to(deps / "openvino/libs")
    return folder


def test_the_unit_of_the_wheel_finds_its_networks(tmp_path, wheel):
    """Runs the unit's command as at login, without the session that installed it."""
    plain = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "DISPLAY": ":none"}
    session = plain | {"PYTHONPATH": str(wheel)}
    options = ("--to", "window", "--device", ENDLESS, "-q", "fast", "--size", "160x90")
    installed = run("camera", *options, "--install", env=session, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr
    unit = (tmp_path / ".config/systemd/user/vbgfilter-camera.service").read_text().splitlines()
    values = [line.partition("=")[::2] for line in unit]
    # This sink needs no display and drops the frames.
    variables = plain | {"GST_PLUGIN_FEATURE_RANK": "fakevideosink:MAX"}
    for name, value in values:
        if name == "Environment":
            name, _, value = shlex.split(value)[0].partition("=")
            variables[name] = value
    unit = dict(values)
    with subprocess.Popen(
        shlex.split(unit["ExecStart"]), env=variables, cwd=unit["WorkingDirectory"],
        stderr=subprocess.PIPE, text=True,
    ) as camera:  # fmt: skip
        lines = []
        limit = threading.Timer(120, camera.kill)
        limit.start()
        for line in camera.stderr:
            lines.append(line)
            if "camera" in line:
                break
        limit.cancel()
        camera.terminate()
    assert lines[-1] == "the camera is on\n", lines


def test_detects_the_readers_of_a_device(tmp_path):
    device = tmp_path / "video9"
    device.touch()
    assert sinks.count_readers(str(device)) == 0
    with device.open(), subprocess.Popen(["sleep", "30"], stdin=device.open()) as reader:
        assert sinks.count_readers(str(device)) == 1
        reader.kill()
    assert sinks.count_readers(str(device)) == 0


def test_refuses_impossible_options(tmp_path):
    result = run("camera", "--to", "v4l2", "--output", "/dev/video99")
    assert (result.returncode, "/dev/video99" in result.stderr) == (3, True), result.stderr
    result = run("camera", "--to", "pipewire", "--output", "/dev/video99")
    assert (result.returncode, "--to v4l2" in result.stderr) == (2, True), result.stderr
    result = run("camera", "--to", "window", "--background", "transparent")
    assert (result.returncode, "alpha" in result.stderr) == (2, True), result.stderr
    blind = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    result = run("camera", "--to", "window", env=blind)
    assert (result.returncode, "no display" in result.stderr) == (1, True), result.stderr
    result = run("camera", "--to", "window", env=blind | {"DISPLAY": ":none"})
    assert (result.returncode, "display :none cannot be" in result.stderr) == (1, True), result
    result = run("camera", "--to", "window", "--size", "17x19")
    assert (result.returncode, "1280x720" in result.stderr) == (2, True), result.stderr
