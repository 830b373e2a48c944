"""Sinks for the virtual camera's frames, and detection of programs that read them (watchers)."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import NOT_INSTALLED, USAGE, Failure

if TYPE_CHECKING:
    from gi.repository import GLib

NODE = "vbgfilter"
# The commands that install v4l2loopback and make its device. The pages have the same.
LOOPBACK = (
    "apt install v4l2loopback-dkms && modprobe v4l2loopback devices=1 video_nr=10 "
    "card_label=vbgfilter exclusive_caps=1"
)
_NO_LOOPBACK = f"no v4l2loopback device found: {LOOPBACK}"
# Sinks that draw on the console instead. DirectFB's even ends the process with SIGSEGV.
_CONSOLE = ("dfbvideosink", "kmssink")
_VIRTUAL = pathlib.Path("/sys/devices/virtual/video4linux")
_PW_DUMP_SECONDS = 5
# The interval at which PipeWire fetches frames, in seconds. It must be shorter than a frame.
_LATENCY = "1/40"


class Watchers:
    """Special numbers of programs that read the frames of a sink."""

    UNKNOWN = -2
    NO_SINK = -1  # the sink is absent, perhaps temporarily
    NONE = 0
    SOME = 1


@dataclass(frozen=True)
class Sink:
    """A sink for frames. ``description`` is in the syntax of gst-launch-1.0."""

    kind: str  # v4l2, pipewire or window
    description: str
    path: str = ""  # the path of the device, for v4l2

    def find_watchers(self) -> int:
        """Returns the number of programs that read the frames, or one of ``Watchers``."""
        if self.kind == "v4l2":
            return count_readers(self.path)
        if self.kind == "pipewire":
            return find_links(NODE)
        return Watchers.UNKNOWN

    @property
    def remedy(self) -> str:
        """The end of the message if the sink cannot be opened."""
        if self.kind != "pipewire":
            return ""
        return f": PipeWire must run in this session: {start_pipewire()}; or use v4l2loopback"

    @property
    def may_come_back(self) -> bool:
        """Whether to reopen the sink after a failure. Services restart, closed windows do not."""
        return self.kind == "pipewire"

    def goes_on_after(self, error: "GLib.Error") -> bool:
        """Whether an error is harmless. PipeWire's sink posts one when the last watcher leaves."""
        gst = gstreamer.start()
        is_left = error.matches(gst.ResourceError.quark(), gst.ResourceError.NOT_FOUND)
        return self.kind == "pipewire" and is_left


def start_pipewire() -> str:
    """Returns the commands that start PipeWire, and install it first if it is missing."""
    programs = ("pipewire", "wireplumber")
    install = "" if all(map(shutil.which, programs)) else "apt install pipewire wireplumber && "
    return f"{install}systemctl --user start pipewire wireplumber"


def choose_sink(kind: str | None, device: str | None) -> Sink:
    """Returns the sink that the user chose, or else an installed sink.

    Raises Failure with NOT_INSTALLED if the sink is not installed, and with USAGE if the options
    contradict each other.
    """
    if device is not None and kind not in (None, "v4l2"):
        raise Failure(f"--output {device} is for --to v4l2, not for {kind}", USAGE)
    loopbacks = sorted(f"/dev/{each.name}" for each in _VIRTUAL.glob("video*"))
    if kind is None:
        kind = "v4l2" if device or loopbacks else "pipewire"
        if kind == "pipewire" and not gstreamer.has("pipewiresink"):
            raise Failure(
                f"{_NO_LOOPBACK}; or apt install gstreamer1.0-pipewire, for --to pipewire; "
                "or show the result with --to window",
                NOT_INSTALLED,
            )
    if kind == "v4l2":
        path = device or next(iter(loopbacks), None)
        if path is None or not os.path.exists(path):
            raise Failure(f"{device} does not exist" if device else _NO_LOOPBACK, NOT_INSTALLED)
        return Sink(kind, f'v4l2sink sync=false device="{path}"', path)
    if kind == "pipewire":
        gstreamer.make("pipewiresink")
        properties = (
            f"p,node.name={NODE},node.description=vbgfilter,media.class=Video/Source,"
            f"media.role=Camera,node.autoconnect=false,node.latency={_LATENCY}"
        )
        # Do not use mode=provide: PipeWire would wait for frames, and the sink would wait forever
        # for the buffers of a slow watcher.
        # Drop PipeWire's allocation: its buffers disappear when a watcher leaves, even while an
        # upstream element writes to them.
        return Sink(
            kind,
            "identity drop-allocation=true ! pipewiresink mode=render sync=false "
            f'stream-properties="{properties}"',
        )
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Failure("--to window: no display: neither DISPLAY nor WAYLAND_DISPLAY is set")
    return Sink("window", "videoconvert ! autovideosink sync=false")


def open_window(sink: Sink) -> Sink:
    """Returns the sink with an element that opens the display, if it is a window.

    Other sinks are returned unchanged. Raises Failure if no element opens the display.
    """
    if sink.kind != "window":
        return sink
    gst = gstreamer.start()
    kind = gst.ELEMENT_FACTORY_TYPE_SINK | gst.ELEMENT_FACTORY_TYPE_MEDIA_VIDEO
    known = gst.ElementFactory.list_get_elements(kind, gst.Rank.MARGINAL)
    for factory in sorted(known, key=lambda each: (-each.get_rank(), each.get_name())):
        name = factory.get_name()
        # Without its variable, Wayland's library prints an error.
        if name in _CONSOLE or ("wayland" in name and not os.environ.get("WAYLAND_DISPLAY")):
            continue
        element = gstreamer.make(name)
        opened = element.set_state(gst.State.READY) != gst.StateChangeReturn.FAILURE
        element.set_state(gst.State.NULL)
        if opened:
            return replace(sink, description=sink.description.replace("autovideosink", name))
    displays = map(os.environ.get, ("WAYLAND_DISPLAY", "DISPLAY"))
    raise Failure(
        f"--to window: the display {' or '.join(filter(None, displays))} cannot be opened: check "
        "WAYLAND_DISPLAY and DISPLAY, or use another --to"
    )


def count_readers(path: str) -> int:
    """Returns how many other processes have a file open. Does not find processes of other users."""
    own, count = os.path.realpath(path), 0
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        # Skip processes that have ended, and processes of other users.
        with contextlib.suppress(OSError):
            for each in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(each) == own:
                        count += 1
                        break
    return count


def find_links(node: str) -> int:
    """Returns to how many nodes a PipeWire node has links, or one of ``Watchers``."""
    if shutil.which("pw-dump") is None:
        return Watchers.UNKNOWN
    try:
        dump = subprocess.run(["pw-dump"], capture_output=True, timeout=_PW_DUMP_SECONDS)
        if dump.returncode != 0:  # PipeWire is not running
            return Watchers.NO_SINK
        objects = json.loads(dump.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return Watchers.UNKNOWN
    infos = [(each["id"], each.get("info") or {}) for each in objects if "id" in each]
    ids = {at for at, info in infos if (info.get("props") or {}).get("node.name") == node}
    if not ids:
        return Watchers.NO_SINK
    return len({info["input-node-id"] for _, info in infos if info.get("output-node-id") in ids})
