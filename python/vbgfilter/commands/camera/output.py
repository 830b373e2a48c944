"""The output pipeline: it sends the frames of an inter-pipeline channel, or black frames."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.attempts import Attempts
from vbgfilter.commands.camera.sinks import Sink, Watchers
from vbgfilter.commands.errors import SOME_FAILED, Failure

if TYPE_CHECKING:
    from gi.repository import Gst

# A format that all programs can read. It never changes, because some sinks fail on changes.
FORM = "video/x-raw,format=YUY2,pixel-aspect-ratio=1/1,interlace-mode=progressive,colorimetry=bt709"
# The output turns black after this time without a frame.
_BLACK_AFTER_SECONDS = 1
# The interval between checks for watchers.
_ASK_SECONDS = 1.0
# The output fails permanently after this many consecutive failures. If the sink works for
# _STEADY_SECONDS, the count restarts.
_MAX_FAILURES, _STEADY_SECONDS = 5, 10


class Output:
    """Sends frames to a sink. Reopens the sink if it fails and may come back.

    Not thread-safe. The initializer raises Failure if the sink cannot be opened.
    """

    def __init__(
        self, sink: Sink, size: tuple[int, int], channel: str, tell: Callable[[str], None]
    ) -> None:
        self._gst = gstreamer.start()
        self._sink = sink
        self._tell = tell
        self._size = width, height = size
        self._description = (
            f"intervideosrc channel={channel} timeout={_BLACK_AFTER_SECONDS * 10**9} "
            f"! videorate ! videoconvert ! videoscale "
            f"! {FORM},width={width},height={height},framerate=30/1 ! tee name=tee "
            f"tee. ! queue leaky=downstream max-size-buffers=1 "
            f"! appsink name=view max-buffers=1 drop=true sync=false async=false "
            # Not leaky: otherwise PipeWire 1.4's sink got 2 frames per second after a slow watcher.
            f"tee. ! queue max-size-buffers=2 ! {sink.description}"
        )
        self._attempts = Attempts()
        self._opened = self._asked = 0.0
        self.watchers = Watchers.NO_SINK  # the number of programs, or one of Watchers
        self._was_seen = False
        self.pipeline: Gst.Pipeline | None = None
        reason = self._open()
        if reason:
            raise self._failure(reason)

    @property
    def is_watched(self) -> bool:
        """Whether a program reads the output. Also true if this is unknown."""
        may_be = self.watchers > 0 or self.watchers == Watchers.UNKNOWN
        return self.pipeline is not None and may_be

    def check(self) -> None:
        """Checks the sink, and reopens it after a failure. Call this regularly.

        Raises Failure if the sink has failed permanently.
        """
        if self.pipeline is not None:
            reason = gstreamer.find_failure(self.pipeline, self._sink.goes_on_after)
            reason = reason or self._look()
            if reason:
                self.close()
                self._retry(reason)
            elif time.monotonic() - self._opened > _STEADY_SECONDS:
                self._attempts.forget()
        elif self._attempts.is_due:
            reason = self._open()
            if reason:
                self._retry(reason)
            else:
                self._tell(f"{self._sink.kind} is open again")

    def picture(self, width: int) -> bytes:
        """Returns the current frame as JPEG, or no bytes if there is no frame."""
        if self.pipeline is None:
            return b""
        from gi.repository import GstVideo

        sample = self.pipeline.get_by_name("view").get_property("last-sample")
        height = width * self._size[1] // self._size[0]
        caps = self._gst.Caps.from_string(f"image/jpeg,width={width},height={height}")
        try:
            found = sample and GstVideo.video_convert_sample(sample, caps, self._gst.SECOND)
        except gstreamer.glib_error():
            return b""
        return found.get_buffer().extract_dup(0, found.get_buffer().get_size()) if found else b""

    def close(self) -> None:
        """Ends the pipeline."""
        self.watchers = Watchers.NO_SINK
        if self.pipeline is not None:
            self.pipeline.set_state(self._gst.State.NULL)
            self.pipeline = None

    def _open(self) -> str:
        """Starts a pipeline. Returns the reason of a failure, or "" on success."""
        self.pipeline = gstreamer.parse(self._description)
        # PipeWire 1.4's clock does not advance until frames arrive, and frames wait for the clock.
        self.pipeline.use_clock(self._gst.SystemClock.obtain())
        self._opened, self._asked = time.monotonic(), 0.0
        self.watchers, self._was_seen = Watchers.NO_SINK, False
        if self.pipeline.set_state(self._gst.State.PLAYING) != self._gst.StateChangeReturn.FAILURE:
            return ""
        reason = gstreamer.find_failure(self.pipeline)
        self.close()
        return reason or "cannot be opened"

    def _look(self) -> str:
        """Checks for watchers, at most once per _ASK_SECONDS.

        Returns a reason if the sink is lost, or else "".
        """
        if time.monotonic() - self._asked < _ASK_SECONDS:
            return ""
        self.watchers, self._asked = self._sink.find_watchers(), time.monotonic()
        if self.watchers >= 0:
            self._was_seen = True
        # PipeWire's sink reports no error when the service ends.
        is_lost = self._was_seen and self.watchers == Watchers.NO_SINK
        return "it has disappeared" if is_lost else ""

    def _retry(self, reason: str) -> None:
        if not self._sink.may_come_back or self._attempts.failures >= _MAX_FAILURES:
            raise self._failure(reason)
        if not self._attempts.failures:
            self._tell(f"opening {self._sink.kind} again: {reason}")
        self._attempts.note_failure()

    def _failure(self, reason: str) -> Failure:
        after = self._attempts.failures
        text = f"--to {self._sink.kind}: {reason}{self._sink.remedy}"
        return Failure(f"{text}; gave up after {after} attempts" if after else text, SOME_FAILED)
