"""Where the virtual camera's pictures go, and whether anybody watches."""

import contextlib
import enum
import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import NOT_INSTALLED, USAGE, Failure

if TYPE_CHECKING:
    from gi.repository import GLib

NODE = "vbgfilter"
_LOOPBACK = (
    "no v4l2loopback device is there: apt install v4l2loopback-dkms, then "
    "modprobe v4l2loopback exclusive_caps=1 card_label=vbgfilter"
)
_VIRTUAL = pathlib.Path("/sys/devices/virtual/video4linux")
_PW_DUMP_SECONDS = 5
# How often PipeWire takes a frame at least, in seconds: more often than one comes.
_LATENCY = "1/40"


class Watchers(enum.Enum):
    """Who looks at the pictures, as far as that can be told."""

    UNKNOWN = enum.auto()
    SOME = enum.auto()
    NONE = enum.auto()
    NO_SINK = enum.auto()  # nobody can: what was opened is not there, or not yet


@dataclass(frozen=True)
class Sink:
    """A place for pictures; ``description`` is what gst-launch-1.0 reads."""

    kind: str  # v4l2, pipewire or window
    description: str
    path: str = ""  # of a video device

    def find_watchers(self) -> Watchers:
        """Whether anybody looks at the pictures."""
        if self.kind == "v4l2":
            return Watchers.SOME if has_readers(self.path) else Watchers.NONE
        if self.kind == "pipewire":
            return find_links(NODE)
        return Watchers.UNKNOWN

    @property
    def may_come_back(self) -> bool:
        """Whether it is opened again when it fails: a service restarts, a closed window not."""
        return self.kind == "pipewire"

    def goes_on_after(self, error: "GLib.Error") -> bool:
        """Whether an error is none: so PipeWire's sink tells that the last watcher has left."""
        gst = gstreamer.start()
        is_left = error.matches(gst.ResourceError.quark(), gst.ResourceError.NOT_FOUND)
        return self.kind == "pipewire" and is_left


def choose_sink(kind: str | None, device: str | None) -> Sink:
    """The sink that was asked for, or one that is installed; Failure 3 where there is none."""
    if device is not None and kind not in (None, "v4l2"):
        raise Failure(f"--output {device}: it goes with --to v4l2, not {kind}", USAGE)
    loopbacks = sorted(f"/dev/{each.name}" for each in _VIRTUAL.glob("video*"))
    if kind is None:
        kind = "v4l2" if device or loopbacks else "pipewire"
        if kind == "pipewire" and not gstreamer.has("pipewiresink"):
            raise Failure(
                f"{_LOOPBACK}; or apt install gstreamer1.0-pipewire, for --to pipewire; "
                "or see the result with --to window",
                NOT_INSTALLED,
            )
    if kind == "v4l2":
        path = device or next(iter(loopbacks), None)
        if path is None or not os.path.exists(path):
            raise Failure(f"{device} is not there" if device else _LOOPBACK, NOT_INSTALLED)
        return Sink(kind, f'v4l2sink sync=false device="{path}"', path)
    if kind == "pipewire":
        gstreamer.make("pipewiresink")
        properties = (
            f"p,node.name={NODE},node.description=vbgfilter,media.class=Video/Source,"
            f"media.role=Camera,node.autoconnect=false,node.latency={_LATENCY}"
        )
        # Not mode=provide: PipeWire would wait for frames, and the sink for buffers of a watcher
        # that is slow, for ever. Its buffers go away with a watcher, even while somebody upstream
        # writes to them: none get there.
        return Sink(
            kind,
            "identity drop-allocation=true ! pipewiresink mode=render sync=false "
            f'stream-properties="{properties}"',
        )
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        # Among the sinks that GStreamer tries there is one that ends the process then.
        raise Failure("--to window: no screen is there: neither DISPLAY nor WAYLAND_DISPLAY is set")
    return Sink("window", "videoconvert ! autovideosink sync=false")


def has_readers(path: str) -> bool:
    """Whether another process has a file open, as far as this user may see."""
    own = os.path.realpath(path)
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        # What is gone meanwhile, and other users' processes.
        with contextlib.suppress(OSError):
            for each in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if os.readlink(each) == own:
                        return True
    return False


def find_links(node: str) -> Watchers:
    """Whether anything is linked to a node of PipeWire's, by pw-dump."""
    if shutil.which("pw-dump") is None:
        return Watchers.UNKNOWN
    try:
        dump = subprocess.run(["pw-dump"], capture_output=True, timeout=_PW_DUMP_SECONDS)
        if dump.returncode != 0:  # PipeWire does not run
            return Watchers.NO_SINK
        objects = json.loads(dump.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return Watchers.UNKNOWN
    infos = [(each["id"], each.get("info") or {}) for each in objects if "id" in each]
    ids = {at for at, info in infos if (info.get("props") or {}).get("node.name") == node}
    if not ids:
        return Watchers.NO_SINK
    is_linked = any(info.get("output-node-id") in ids for _, info in infos)
    return Watchers.SOME if is_linked else Watchers.NONE
