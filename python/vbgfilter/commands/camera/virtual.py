"""The virtual camera: an output pipeline that always sends, and an input pipeline on demand.

The input pipeline reads the camera and contains the element. Only the element's frames reach the
output pipeline. Without frames, the output pipeline sends black.
"""

import re
import time
from collections.abc import Callable
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.attempts import Attempts
from vbgfilter.commands.camera.devices import CameraAbsent, make_source
from vbgfilter.commands.camera.output import Output
from vbgfilter.commands.camera.sinks import Sink
from vbgfilter.commands.settings import Settings

# The name of the channel between the two pipelines, unique in this process.
_CHANNEL = "vbgfilter-camera"
# If a camera sends no frame for this time, it is reopened. The time includes loading a network.
_SILENCE_SECONDS = 10


class VirtualCamera:
    """The two pipelines. Not thread-safe. The owner must call ``step`` regularly."""

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
        self._camera: Any = None
        self._attempts = Attempts()
        self._frames = 0
        self._moved = 0.0
        self._absent = ""
        self._warnings: set[str] = set()  # without their numbers
        self._output = Output(sink, size, _CHANNEL, tell)

    @property
    def is_open(self) -> bool:
        """Whether the input pipeline runs."""
        return self._camera is not None

    def step(self, wanted: bool) -> None:
        """Opens or closes the camera, and checks both pipelines.

        The camera is open while ``wanted`` is true and a program reads the output. If it
        disappears, this method reopens it. Raises Failure if the output fails permanently.
        """
        self._output.check()
        if not (wanted and self._output.is_watched):
            self._close("")
        elif self._camera is None:
            if self._attempts.is_due:
                self._open()
        else:
            self._watch()

    def close(self) -> None:
        """Ends both pipelines."""
        self._close("")
        self._output.close()

    def _open(self) -> None:
        pipeline = self._gst.Pipeline.new(None)
        try:
            source = make_source(self._device)
        except CameraAbsent as absent:
            self._retry(str(absent))
            return
        width, height = self._size
        tail = self._gst.parse_bin_from_description(
            # If the element is too slow, drop frames instead of falling behind.
            f"queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0 "
            f"! videoscale add-borders=true "
            f"! video/x-raw,format=NV12,width={width},height={height},pixel-aspect-ratio=1/1 "
            f"! identity name=place ! intervideosink channel={_CHANNEL} sync=false",
            True,
        )
        place = tail.get_by_name("place")
        # The element keeps the user's settings, so it is reused in each input pipeline.
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
        """Detects a camera that has disappeared."""
        # Check the frames before errors: a camera that sent a few frames counts as present.
        frames = self.element.get_property("stats").get_value("frames-out")
        if frames != self._frames:
            if frames > 0 and self._frames <= 0:
                self._absent = ""
                self._attempts.forget()
                self._tell("the camera is on")
            self._frames, self._moved = frames, time.monotonic()
        error = gstreamer.find_failure(self._camera, see_warning=self._pass_on)
        if error:
            self._close(error)
        elif time.monotonic() - self._moved > _SILENCE_SECONDS:
            self._close(f"no frame for {_SILENCE_SECONDS} s")

    def _pass_on(self, message: Any) -> None:
        """Tells a warning of the element, unless only numbers differ from an earlier one."""
        text = gstreamer.warning_of(message, self.element)
        kind = re.sub(r"\d+", "", text)
        if text and kind not in self._warnings:
            self._warnings.add(kind)
            self._tell(text)

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
        self._attempts.note_failure()
        if reason != self._absent:
            self._absent = reason
            self._tell(f"waiting for the camera: {reason}")
