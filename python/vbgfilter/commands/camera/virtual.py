"""The virtual camera: a pipeline that always sends, and one of the camera that comes and goes.

What passes from one to the other is the element's. Where nothing comes, the first one sends black.
"""

import time
from collections.abc import Callable
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.camera.sinks import Sink
from vbgfilter.commands.errors import SOME_FAILED, Failure
from vbgfilter.commands.settings import Settings

# Of one process: the other pipeline finds it by its name.
_CHANNEL = "vbgfilter-camera"
# The format that all programs read. It never changes, which not all sinks would survive.
_FORM = (
    "format=YUY2,framerate=30/1,pixel-aspect-ratio=1/1,interlace-mode=progressive,colorimetry=bt709"
)
# Between attempts to open a camera, in seconds; doubled after each one.
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0
# A camera that sends nothing for so long is opened again; a network may take this long to load.
_SILENCE_SECONDS = 10
# The picture goes black when nothing came for so long.
_BLACK_AFTER_SECONDS = 1


class VirtualCamera:
    """Two pipelines; all methods are for one thread, which calls ``step`` again and again."""

    def __init__(
        self,
        device: str | None,
        settings: Settings,
        sink: Sink,
        size: tuple[int, int],
        tell: Callable[[str], None],
    ) -> None:
        self._gst = gstreamer.start()
        self._device = device
        self._size = size
        self._tell = tell
        self.element = gstreamer.make("vbgfilter")
        settings.apply(self.element)
        width, height = size
        self._output = gstreamer.parse(
            f"intervideosrc channel={_CHANNEL} timeout={_BLACK_AFTER_SECONDS * 10**9} "
            f"! videorate ! videoconvert ! videoscale "
            f"! video/x-raw,width={width},height={height},{_FORM} "
            f"! queue max-size-buffers=2 ! {sink.description}"
        )
        self._camera: Any = None
        self._wait = _FIRST_WAIT
        self._next_try = 0.0
        self._frames = 0
        self._moved = 0.0
        self._absent = ""
        if self._output.set_state(self._gst.State.PLAYING) == self._gst.StateChangeReturn.FAILURE:
            message = self._error(self._output)
            self._output.set_state(self._gst.State.NULL)
            raise Failure(f"--to {sink.kind}: {message or 'cannot be opened'}", SOME_FAILED)
        self._sink = sink

    @property
    def is_open(self) -> bool:
        """Whether the camera is in use."""
        return self._camera is not None

    def step(self, wanted: bool) -> None:
        """Opens or closes the camera as it is wanted, and opens again one that went away.

        A Failure when the output fails: nobody would see anything.
        """
        error = self._error(self._output)
        if error:
            raise Failure(f"--to {self._sink.kind}: {error}", SOME_FAILED)
        if not wanted:
            self._close("")
        elif self._camera is None:
            if time.monotonic() >= self._next_try:
                self._open()
        else:
            self._watch()

    def close(self) -> None:
        """Ends both pipelines."""
        self._close("")
        self._output.set_state(self._gst.State.NULL)

    def _open(self) -> None:
        pipeline = self._gst.Pipeline.new(None)
        try:
            source = make_source(self._device)
        except CameraAbsent as absent:
            self._retry(str(absent))
            return
        width, height = self._size
        tail = self._gst.parse_bin_from_description(
            # A slow network skips frames and does not run behind.
            f"queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0 "
            f"! videoscale add-borders=true "
            f"! video/x-raw,format=NV12,width={width},height={height},pixel-aspect-ratio=1/1 "
            f"! identity name=place ! intervideosink channel={_CHANNEL} sync=false",
            True,
        )
        place = tail.get_by_name("place")
        # The element outlives pipelines, and with it what the user set.
        after = place.get_static_pad("src").get_peer()
        place.get_static_pad("src").unlink(after)
        tail.add(self.element)
        place.link(self.element)
        self.element.get_static_pad("src").link(after)
        pipeline.add(source)
        pipeline.add(tail)
        source.link(tail)
        self._camera, self._tail = pipeline, tail
        self._frames, self._moved = -1, time.monotonic()
        pipeline.set_state(self._gst.State.PLAYING)

    def _watch(self) -> None:
        """Notices a camera that went away."""
        error = self._error(self._camera)
        if error:
            self._close(error)
            return
        frames = self.element.get_property("stats").get_value("frames-out")
        if frames != self._frames:
            if frames > 0 and self._frames <= 0:
                self._absent, self._wait = "", _FIRST_WAIT
                self._tell("the camera is on")
            self._frames, self._moved = frames, time.monotonic()
        elif time.monotonic() - self._moved > _SILENCE_SECONDS:
            self._close(f"nothing came for {_SILENCE_SECONDS} s")

    def _close(self, reason: str) -> None:
        if self._camera is None:
            return
        self._camera.set_state(self._gst.State.NULL)
        self._tail.remove(self.element)
        self._camera = self._tail = None
        if reason:
            self._retry(reason)
        else:
            self._tell("the camera is off")

    def _retry(self, reason: str) -> None:
        self._next_try = time.monotonic() + self._wait
        self._wait = min(2 * self._wait, _LONGEST_WAIT)
        if reason != self._absent:
            self._absent = reason
            self._tell(f"waiting for the camera: {reason}")

    def _error(self, pipeline: Any) -> str:
        """The error or the end that a pipeline told of; empty if there is none."""
        kinds = self._gst.MessageType.ERROR | self._gst.MessageType.EOS
        message = pipeline.get_bus().pop_filtered(kinds)
        if message is None:
            return ""
        if message.type == self._gst.MessageType.EOS:
            return "it ended"
        return message.parse_error()[0].message
