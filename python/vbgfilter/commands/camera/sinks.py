"""Where the virtual camera's pictures go, and whether anybody watches."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import NOT_INSTALLED, Failure

NODE = "vbgfilter"
_LOOPBACK = (
    "no v4l2loopback device is there: apt install v4l2loopback-dkms, then "
    "modprobe v4l2loopback exclusive_caps=1 card_label=vbgfilter"
)
_VIRTUAL = pathlib.Path("/sys/devices/virtual/video4linux")
_PW_DUMP_SECONDS = 5


@dataclass(frozen=True)
class Sink:
    """A place for pictures; ``description`` is what gst-launch-1.0 reads."""

    kind: str  # v4l2, pipewire or window
    description: str
    path: str = ""  # of a video device

    def is_watched(self) -> bool | None:
        """Whether anybody looks at the pictures; None where that cannot be known."""
        if self.kind == "v4l2":
            return has_readers(self.path)
        if self.kind == "pipewire":
            return has_links(NODE)
        return None


def choose_sink(kind: str | None, device: str | None) -> Sink:
    """The sink that was asked for, or one that is installed; Failure 3 where there is none."""
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
            "media.role=Camera"
        )
        return Sink(kind, f'pipewiresink mode=provide sync=false stream-properties="{properties}"')
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


def has_links(node: str) -> bool | None:
    """Whether anything is linked to a node of PipeWire's; None where pw-dump does not tell."""
    if shutil.which("pw-dump") is None:
        return None
    try:
        out = subprocess.run(
            ["pw-dump"], capture_output=True, timeout=_PW_DUMP_SECONDS, check=True
        ).stdout
        objects = json.loads(out)
    except (subprocess.SubprocessError, ValueError):
        return None
    infos = [(each["id"], each.get("info") or {}) for each in objects if "id" in each]
    ids = {at for at, info in infos if (info.get("props") or {}).get("node.name") == node}
    return any(info.get("output-node-id") in ids for _, info in infos)
