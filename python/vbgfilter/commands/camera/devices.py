"""Finds cameras, and creates the element that reads from one."""

import json
import pathlib
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.sinks import NODE
from vbgfilter.commands.errors import USAGE, Failure

if TYPE_CHECKING:
    from gi.repository import Gst

_LISTING_SECONDS = 20
# The media types of cameras. Without them, PipeWire's source does not negotiate with decodebin.
_CAPS = "video/x-raw; image/jpeg; video/x-h264; video/mpeg"


@dataclass(frozen=True)
class Camera:
    """A camera that GStreamer has found. ``path`` is empty if it has no device file."""

    name: str
    path: str
    source: str  # in the syntax of gst-launch-1.0

    @property
    def is_virtual(self) -> bool:
        """Whether this is a device of v4l2loopback.

        Such a device is never chosen as the default camera, because it may be this command's sink.
        """
        return is_loopback(self.path)


def is_loopback(path: str) -> bool:
    """Whether a video device is a virtual one, created by v4l2loopback."""
    name = pathlib.Path(path).name
    return bool(name) and pathlib.Path(f"/sys/devices/virtual/video4linux/{name}").exists()


def find_cameras() -> list[Camera]:
    """Returns the connected cameras, real ones first. The cameras of this command are left out.

    A separate process lists them: GStreamer's device monitor and PipeWire's sink would share a
    connection, and the end of the monitor would crash the sink.
    """
    line = [sys.executable, "-m", __name__]
    try:
        listed = subprocess.run(line, stdout=subprocess.PIPE, timeout=_LISTING_SECONDS).stdout
    except subprocess.TimeoutExpired:  # PipeWire does not answer
        return []
    found = [Camera(**json.loads(line)) for line in listed.splitlines()]
    return sorted(found, key=lambda each: each.is_virtual)


def _list_cameras() -> None:
    """Prints each camera, except this command's own, as a line of JSON."""
    monitor = gstreamer.start().DeviceMonitor.new()
    monitor.add_filter("Video/Source", None)
    monitor.start()
    for device in monitor.get_devices() or ():
        properties = device.get_properties()
        names = ("device.path", "api.v4l2.path", "node.name")
        texts = [properties and properties.get_string(name) for name in names]
        path = texts[0] or texts[1] or ""
        source = "v4l2src device=" + gstreamer.quoted(path) if path else ""
        source = source or gstreamer.describe_element(device.create_element(None))
        if texts[2] != NODE:
            print(json.dumps({"name": device.get_display_name(), "path": path, "source": source}))
    monitor.stop()


class CameraAbsent(Exception):
    """The camera is absent, perhaps temporarily."""


def make_source(device: str | None) -> "Gst.Element":
    """Returns an element that outputs the raw video of a camera.

    ``device`` is one of these:

    - None for the first camera that is not virtual,
    - the path of a device file,
    - a part of a camera's name,
    - a source of raw video in the syntax of gst-launch-1.0, for example
      ``rtspsrc location=... ! decodebin``.

    Raises CameraAbsent if the camera is absent, and a usage Failure (exit code 2) if GStreamer
    rejects the source.
    """
    gst = gstreamer.start()
    if device is not None and _is_description(device):
        try:
            whole = gst.parse_bin_from_description(f"{device} ! videoconvert name=last", False)
        except gstreamer.glib_error() as error:
            raise Failure(f"--device {device}: {error.message}", USAGE) from error
        return _ending_in(whole, whole.get_by_name("last"))
    if device is not None and device.startswith("/"):
        if not pathlib.Path(device).exists():
            raise CameraAbsent(f"{device} does not exist")
        return _decoded("v4l2src device=" + gstreamer.quoted(device))
    if device is not None and "!" in device:
        name = device.split(maxsplit=1)[0]
        raise Failure(f"--device {device}: GStreamer has no element {name}", USAGE)
    cameras = find_cameras()
    for camera in cameras:
        if device is None and not camera.is_virtual:
            return _decoded(camera.source)
        if device is not None and device.lower() in camera.name.lower():
            return _decoded(camera.source)
    if device is None:
        raise CameraAbsent("no camera found: connect one, or name a source with --device")
    names = ", ".join(each.name for each in cameras) or "none"
    raise CameraAbsent(f"no camera named {device}; connected cameras: {names}")


def _decoded(source: str) -> "Gst.Element":
    """Returns a bin of a source and a decoder. Cameras output raw video, JPEG or H.264."""
    line = f'{source} ! capsfilter caps="{_CAPS}" ! decodebin ! videoconvert name=last'
    whole = gstreamer.parse(line, bin=True)
    return _ending_in(whole, whole.get_by_name("last"))


def _ending_in(whole: "Gst.Bin", last: "Gst.Element") -> "Gst.Bin":
    """Adds a ghost pad for the last element to the bin, and returns the bin.

    GStreamer's own option adds ghost pads for all unlinked pads.
    """
    whole.add_pad(gstreamer.start().GhostPad.new("src", last.get_static_pad("src")))
    return whole


def _is_description(device: str) -> bool:
    words = device.split(maxsplit=1)
    return bool(words) and gstreamer.has(words[0])


if __name__ == "__main__":
    _list_cameras()
