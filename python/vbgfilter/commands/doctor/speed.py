"""Finds the devices that can run networks, and measures the speed of each quality."""

import statistics
import time
from dataclasses import asdict, dataclass
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import SOME_FAILED, Failure

QUALITIES = ("fast", "balanced", "accurate")
# The names of devices in OpenVINO.
_DEVICES = ("CPU", "GPU", "NPU")
# The duration of a measurement. Three qualities take about six seconds, including loading.
_SECONDS = 1.5
_LOADING_SECONDS = 30


@dataclass(frozen=True)
class Speed:
    """The speed of a quality. ``used`` is the quality of the network that actually ran.

    ``pixels_ms`` is the time of a frame without its inference.
    """

    quality: str
    threads: int
    used: str
    network: str
    frames_per_second: float
    inference_ms: float
    pixels_ms: float

    def as_json(self) -> dict[str, Any]:
        """Returns the fields for ``--json``."""
        return asdict(self)


def find_devices() -> dict[str, str]:
    """Returns, for each device, "" if it can run a network, or else the reason."""
    found = {}
    for name in _DEVICES:
        try:
            _measure(f"quality=fast device={name}", 0, (64, 64))
            found[name] = ""
        except Failure as failure:
            found[name] = failure.message
    return found


def measure(quality: str, threads: int, size: tuple[int, int]) -> Speed:
    """Measures the speed of the element on a repeated frame."""
    found, rate = _measure(f"quality={quality} threads={threads}", _SECONDS, size)

    def milliseconds(*stages: str) -> float:
        times = [sum(each.get_value(f"{stage}-time") for stage in stages) for each in found]
        return round(statistics.median(times) / 1e6, 2)

    return Speed(
        quality=quality,
        threads=threads,
        used=found[-1].get_string("quality") or "",
        network=(found[-1].get_string("model") or "").rpartition("/")[2],
        frames_per_second=round(rate, 1),
        inference_ms=milliseconds("inference"),
        pixels_ms=milliseconds("prepare", "matte", "composite"),
    )


def _measure(settings: str, seconds: float, size: tuple[int, int]) -> tuple[list[Any], float]:
    """Runs the element for ``seconds``.

    Returns its statistics, read every 20 milliseconds, and its frames per second.
    """
    gst = gstreamer.start()
    width, height = size
    pipeline = gstreamer.parse(
        f"videotestsrc num-buffers=1 ! video/x-raw,format=NV12,width={width},height={height} "
        f"! imagefreeze ! vbgfilter name=filter inference=every-frame {settings} ! fakesink sync=false"
    )
    element, bus = pipeline.get_by_name("filter"), pipeline.get_bus()

    def read(frames: int, until: float) -> list[Any]:
        found = []
        while True:
            message = bus.timed_pop_filtered(20 * gst.MSECOND, gst.MessageType.ERROR)
            if message is not None:
                raise Failure(message.parse_error()[0].message, SOME_FAILED)
            found.append(element.get_property("stats"))
            if count(found) >= frames or time.monotonic() > until:
                return found

    def count(found: list[Any]) -> int:
        frames: int = found[-1].get_value("frames-out")
        return frames

    try:
        pipeline.set_state(gst.State.PLAYING)
        first = count(read(1, time.monotonic() + _LOADING_SECONDS))
        if not first:
            text = f"vbgfilter {settings}: no frame within {_LOADING_SECONDS} s"
            raise Failure(text, SOME_FAILED)
        began = time.monotonic()
        found = read(1 << 62, began + seconds)
        return found, (count(found) - first) / (time.monotonic() - began)
    finally:
        pipeline.set_state(gst.State.NULL)
