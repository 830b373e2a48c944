"""The process of the filter: reads the camera, hides the room, and writes the frames to a pipe.

The camera's process (``holder.py``) uses one while a program looks. If it crashes, that process
continues with black frames and starts another one. Its argument is the pipe's descriptor. It reads
lines of JSON from standard input: the camera, the format and the settings, and then changed
properties. It prints lines of JSON: ``frames`` and ``state``, ``warning``, and at its end
``failed`` with the reason.
"""

import contextlib
import json
import sys
import threading
from typing import Any

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import check_hidden, set_property

# The interval of reports.
_REPORT_SECONDS = 0.2


def _make_pipeline(job: dict[str, Any]) -> Any:
    source = make_source(job["device"])
    width, height = job["size"]
    tail = gstreamer.parse(
        # If the element is too slow, drop frames instead of falling behind.
        f"queue name=first leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0 "
        f"! videoscale add-borders=true "
        f"! video/x-raw,format=NV12,width={width},height={height},pixel-aspect-ratio=1/1 "
        f"! vbgfilter name=filter ! videoconvert ! {job['caps']} ! fdsink fd={sys.argv[1]} sync=false",
        bin=True,
    )
    element = tail.get_by_name("filter")
    # The effect shows the room only if all these are in place.
    for name, value in job["settings"].items():
        set_property(element, name, value)
    check_hidden(element)
    gst = gstreamer.start()
    tail.add_pad(gst.GhostPad.new("sink", tail.get_by_name("first").get_static_pad("sink")))
    pipeline = gst.Pipeline.new(None)
    pipeline.add(source)
    pipeline.add(tail)
    source.link(tail)
    return pipeline


def _tell(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def _run(pipeline: Any) -> None:
    """Reports and changes the running filter until standard input ends or the pipeline fails."""
    element, ended = pipeline.get_by_name("filter"), threading.Event()

    def read() -> None:
        for line in sys.stdin.buffer.raw:
            set_property(element, *json.loads(line))
        ended.set()

    def warn(message: Any) -> None:
        if text := gstreamer.warning_of(message, element):
            _tell(warning=text)

    threading.Thread(target=read, daemon=True).start()
    while not ended.wait(_REPORT_SECONDS):
        reason = gstreamer.find_failure(pipeline, see_warning=warn)
        # Report the frames before an error: a camera that sent some counts as present.
        frames = properties.statistics(element)["frames-out"]
        _tell(frames=frames, state=properties.read_only_values(element))
        if reason:
            return _tell(failed=reason)
    return None


def main() -> None:
    """Runs the filter."""
    gst = gstreamer.start()
    job = sys.stdin.buffer.raw.readline()
    if not job:
        return None
    try:
        pipeline = _make_pipeline(json.loads(job))
    except (CameraAbsent, Failure) as error:
        return _tell(failed=getattr(error, "message", str(error)))
    pipeline.set_state(gst.State.PLAYING)
    with contextlib.suppress(BrokenPipeError):  # the camera's process has ended
        _run(pipeline)
    pipeline.set_state(gst.State.NULL)
    return None


if __name__ == "__main__":
    main()
