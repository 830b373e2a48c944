"""The process of the filter: reads the camera, hides the room, and writes the frames to a pipe.

If it crashes, the camera's process (``holder.py``) continues with black frames and starts it again.
It reads lines of JSON from standard input: the format, then changed properties,
``{"play": CAMERA}`` and ``{"stop": true}``. It prints lines of JSON: ``frames`` and ``state`` while
it plays, ``warning``, and ``stopped`` with the reason, or "" if that was requested.
"""

import json
import os
import select
import sys
import time
from typing import Any

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import check_hidden, set_property

# The interval of reports.
_REPORT_SECONDS = 0.2


class _Worker:
    """The filter. The element keeps its settings and its network while the camera is off."""

    def __init__(self, form: dict[str, Any]) -> None:
        gstreamer.start()
        self._form = form
        self._element = gstreamer.make("vbgfilter")
        self._pipeline: Any = None
        self._rest = b""

    def run(self) -> None:
        """Runs until standard input ends."""
        reported = 0.0
        while True:
            if select.select([0], [], [], _REPORT_SECONDS)[0]:
                data = os.read(0, 1 << 16)
                if not data:
                    return
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
            if self._pipeline is None:
                continue
            reason = gstreamer.find_failure(self._pipeline, see_warning=self._warn)
            if reason or time.monotonic() - reported >= _REPORT_SECONDS:
                reported = time.monotonic()
                # Report the frames before an error: a camera that sent some counts as present.
                stats = properties.statistics(self._element)
                state = properties.read_only_values(self._element)
                _tell(frames=stats["frames-out"], state=state)
            if reason:
                self.stop(reason)

    def _take(self, message: Any) -> None:
        if isinstance(message, list):
            set_property(self._element, *message)
        elif "play" in message:
            try:
                self._play(message["play"])
            except (CameraAbsent, Failure) as error:
                _tell(stopped=getattr(error, "message", str(error)))
        else:
            self.stop("")

    def _play(self, device: str | None) -> None:
        check_hidden(self._element)
        gst = gstreamer.start()
        source = make_source(device)
        width, height = self._form["size"]
        tail = gstreamer.parse(
            # If the element is too slow, drop frames instead of falling behind.
            f"queue name=first leaky=downstream max-size-buffers=1 max-size-bytes=0 "
            f"max-size-time=0 ! videoscale add-borders=true "
            f"! video/x-raw,format=NV12,width={width},height={height},pixel-aspect-ratio=1/1 "
            f"! identity name=place ! videoconvert "
            f"! {self._form['caps']},width={width},height={height} "
            f"! appsink name=last sync=false emit-signals=true max-buffers=1",
            bin=True,
        )
        place, first = tail.get_by_name("place"), tail.get_by_name("first")
        after = place.get_static_pad("src").get_peer()
        place.get_static_pad("src").unlink(after)
        tail.add(self._element)
        place.link(self._element)
        self._element.get_static_pad("src").link(after)
        tail.add_pad(gst.GhostPad.new("sink", first.get_static_pad("sink")))
        tail.get_by_name("last").connect("new-sample", self._write)
        self._pipeline = gst.Pipeline.new(None)
        self._pipeline.add(source)
        self._pipeline.add(tail)
        source.link(tail)
        self._pipeline.set_state(gst.State.PLAYING)

    def _write(self, sink: Any) -> Any:
        """Writes a frame. Unlike fdsink, never ends within a frame."""
        flow, frame = gstreamer.start().FlowReturn, sink.emit("pull-sample").get_buffer()
        data = memoryview(frame.extract_dup(0, frame.get_size()))
        while data:
            try:
                data = data[os.write(self._form["pipe"], data) :]
            except OSError:  # the holder has ended
                return flow.ERROR
        return flow.OK

    def stop(self, reason: str) -> None:
        """Releases the camera."""
        if self._pipeline is not None:
            self._pipeline.set_state(gstreamer.start().State.NULL)
            self._element.get_parent().remove(self._element)
            self._pipeline = None
        _tell(stopped=reason)

    def _warn(self, message: Any) -> None:
        text = gstreamer.warning_of(message, self._element)
        if text:
            _tell(warning=text)


def _tell(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def main() -> None:
    """Runs the filter."""
    try:
        worker = _Worker(json.loads(sys.stdin.buffer.raw.readline()))
        worker.run()
        worker.stop("")
    except BrokenPipeError:  # the holder has ended
        os._exit(1)


if __name__ == "__main__":
    main()
