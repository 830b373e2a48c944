"""Finds the devices that can run networks, and measures the speed of each quality."""

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
    """The speed of a quality. ``used`` is the quality of the network that actually ran."""

    quality: str
    used: str
    network: str
    frames_per_second: float
    inference_ms: float

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


def measure(quality: str, size: tuple[int, int]) -> Speed:
    """Measures the speed of the element on a repeated frame."""
    statistics, rate = _measure(f"quality={quality}", _SECONDS, size)
    return Speed(
        quality=quality,
        used=statistics.get_string("quality") or "",
        network=(statistics.get_string("model") or "").rpartition("/")[2],
        frames_per_second=round(rate, 1),
        inference_ms=round(statistics.get_value("inference-time") / 1e6, 2),
    )


def _measure(settings: str, seconds: float, size: tuple[int, int]) -> tuple[Any, float]:
    """Runs the element for ``seconds``. Returns its statistics and its frames per second."""
    gst = gstreamer.start()
    width, height = size
    pipeline = gstreamer.parse(
        f"videotestsrc num-buffers=1 ! video/x-raw,format=NV12,width={width},height={height} "
        f"! imagefreeze ! vbgfilter name=filter inference=every-frame {settings} ! fakesink sync=false"
    )
    element, bus = pipeline.get_by_name("filter"), pipeline.get_bus()

    def frames(wanted: int, until: float) -> int:
        while True:
            message = bus.timed_pop_filtered(20 * gst.MSECOND, gst.MessageType.ERROR)
            if message is not None:
                raise Failure(message.parse_error()[0].message, SOME_FAILED)
            count = element.get_property("stats").get_value("frames-out")
            if count >= wanted or time.monotonic() > until:
                return count

    try:
        pipeline.set_state(gst.State.PLAYING)
        first = frames(1, time.monotonic() + _LOADING_SECONDS)
        if not first:
            text = f"vbgfilter {settings}: no frame within {_LOADING_SECONDS} s"
            raise Failure(text, SOME_FAILED)
        began = time.monotonic()
        last = frames(1 << 62, began + seconds)
        statistics = element.get_property("stats")
        return statistics, (last - first) / (time.monotonic() - began)
    finally:
        pipeline.set_state(gst.State.NULL)
