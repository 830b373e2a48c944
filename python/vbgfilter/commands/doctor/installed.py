"""Checks the installation, and reports the commands that install missing packages."""

import importlib.metadata
import importlib.util
import os
import pathlib
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import vbgfilter
from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.sinks import LOOPBACK, start_pipewire
from vbgfilter.commands.camera.service import rule_path, user_folder
from vbgfilter.commands.errors import remedy


@dataclass(frozen=True)
class Check:
    """The result of one check. ``remedy`` is empty if nothing is missing."""

    what: str
    found: str
    remedy: str = ""

    def as_json(self) -> dict[str, Any]:
        """Returns the fields for ``--json``."""
        return asdict(self)


def _check(what: str, found: str, remedy: str) -> Check:
    return Check(what, found, "" if found else remedy)


# Elements that some commands need, and a Debian package. One element of each row is enough.
_ELEMENTS = [
    ("H.264 decoder", "avdec_h264 openh264dec v4l2h264dec vah264dec", "gstreamer1.0-libav"),
    ("H.264 encoder", "vah264enc nvh264enc x264enc openh264enc", "gstreamer1.0-plugins-ugly"),
    ("H.265 encoder", "vah265enc nvh265enc x265enc", "gstreamer1.0-plugins-bad"),
    ("VP9 encoder", "vavp9enc vp9enc", "gstreamer1.0-plugins-good"),
    ("ProRes 4444 encoder", "avenc_prores_ks", "gstreamer1.0-libav"),
    ("MP4 muxer", "mp4mux", "gstreamer1.0-plugins-good"),
    ("cameras", "v4l2src pipewiresrc", "gstreamer1.0-plugins-good"),
    ("PipeWire", "pipewiresink", "gstreamer1.0-pipewire pipewire wireplumber"),
    ("WebRTC, for studio", "webrtcbin", "gstreamer1.0-plugins-bad gstreamer1.0-nice"),
]
# Optional libraries: the module, the name for pip, and Debian's packages.
_LIBRARIES = [
    ("aiohttp, for studio", "aiohttp", "aiohttp", "python3-aiohttp"),
    ("Dask, for batch", "distributed", "distributed fsspec", "python3-distributed python3-fsspec"),
    # Debian does not package s3fs.
    ("S3, for batch", "s3fs", "s3fs", None),
]

# Settings of browsers for cameras of PipeWire: files in a folder of the user, a pattern for the
# right setting, and its remedy.
_CONFIG, _FLAG = "XDG_CONFIG_HOME", "enable-webrtc-pipewire-camera@1"
_CHROMIUM = "open chrome://flags/#enable-webrtc-pipewire-camera, choose Enabled, and restart"
_FIREFOX = "open about:config, set media.webrtc.camera.allow-pipewire to true, and restart"
_BROWSERS = [
    ("Chromium's flag", _CONFIG, "chromium/Local State", _FLAG, _CHROMIUM),
    ("Chrome's flag", _CONFIG, "google-chrome/Local State", _FLAG, _CHROMIUM),
    ("Firefox's setting", "", ".mozilla/firefox/*/prefs.js", r'allow-pipewire", true', _FIREFOX),
]

# On Debian, pip refuses to install packages outside of a virtual environment.
_IN_ENVIRONMENT = (
    "python3 -m venv --system-site-packages ENV && ENV/bin/pip install {}, "
    "then ENV/bin/python -m vbgfilter"
)


def check_system() -> Iterator[Check]:
    """Yields the checks of everything except cameras and speed.

    Raises Failure if the element is missing.
    """
    yield Check("Python", platform.python_version())
    gst = gstreamer.start()
    yield Check("GStreamer", ".".join(map(str, gst.version()[:3])))
    plugin = gst.Registry.get().find_plugin("vbgfilter")
    yield Check("element vbgfilter", f"{plugin.get_version()}, {plugin.get_filename()}")
    for what, names, package in _ELEMENTS:
        found = [name for name in names.split() if gstreamer.has(name)]
        yield _check(what, ", ".join(found), f"apt install {package}")
    yield from check_camera()
    ffmpeg = shutil.which("ffmpeg") if shutil.which("ffprobe") else None
    yield _check("ffmpeg, for convert", ffmpeg or "", "apt install ffmpeg")
    for what, name, pip, apt in _LIBRARIES:
        if importlib.util.find_spec(name) is None:
            line = remedy(pip, apt)
            if apt is None and vbgfilter.is_debian():
                line = _IN_ENVIRONMENT.format(pip)
            yield Check(what, "", line)
        else:
            yield Check(what, importlib.metadata.version(name))


def check_camera() -> Iterator[Check]:
    """Yields the checks for a virtual camera: modules, services and the browsers' settings."""
    yield _virtual_camera()
    socket = pathlib.Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"), "pipewire-0")
    yield _check("PipeWire's service", "runs" * socket.exists(), start_pipewire())
    rule = "vbgfilter camera --install writes it, so that OBS never changes to another camera"
    yield _check("PipeWire's rule", "set" * rule_path().exists(), rule)
    for what, folder, pattern, flag, line in _BROWSERS:
        base = user_folder(folder) if folder else pathlib.Path.home()
        files = [each.read_text(errors="replace") for each in base.glob(pattern)]
        if files:
            yield _check(what, "set" * any(re.search(flag, each) for each in files), line)


def _virtual_camera() -> Check:
    """Checks v4l2loopback. Programs that do not support PipeWire need it, for example Zoom."""
    if not pathlib.Path("/sys/module/v4l2loopback").exists():
        return Check("v4l2loopback", "", LOOPBACK)
    found = sorted(each.name for each in pathlib.Path("/sys/devices/virtual/video4linux").glob("*"))
    return Check("v4l2loopback", ", ".join(found))
