"""The pipeline that always sends: the pictures of a channel, or black without pictures."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera.attempts import Attempts
from vbgfilter.commands.camera.sinks import Sink, Watchers
from vbgfilter.commands.errors import SOME_FAILED, Failure

if TYPE_CHECKING:
    from gi.repository import Gst

# All programs read this format. It never changes, because some sinks fail on changes.
_FORM = (
    "format=YUY2,framerate=30/1,pixel-aspect-ratio=1/1,interlace-mode=progressive,colorimetry=bt709"
)
# The output turns black after this time without a picture.
_BLACK_AFTER_SECONDS = 1
# The interval between checks for watchers.
_ASK_SECONDS = 1.0
# Give up after this many failures in a row, each within this time after opening the sink.
_MOST_FAILURES, _STEADY_SECONDS = 5, 10


class Output:
    """Sends to a sink, and opens it again if it may come back.

    Call all methods from one thread. Raises Failure if the first attempt to open the sink fails.
    """

    def __init__(
        self, sink: Sink, size: tuple[int, int], channel: str, tell: Callable[[str], None]
    ) -> None:
        self._gst = gstreamer.start()
        self._sink = sink
        self._tell = tell
        width, height = size
        self._description = (
            f"intervideosrc channel={channel} timeout={_BLACK_AFTER_SECONDS * 10**9} "
            f"! videorate ! videoconvert ! videoscale "
            f"! video/x-raw,width={width},height={height},{_FORM} "
            # Not leaky: otherwise PipeWire 1.4's sink got 2 frames per second after a slow watcher.
            f"! queue max-size-buffers=2 ! {sink.description}"
        )
        self._attempts = Attempts()
        self._opened = self._asked = 0.0
        self._watchers = Watchers.NO_SINK
        self._was_seen = False
        self.pipeline: Gst.Pipeline | None = None
        reason = self._open()
        if reason:
            raise self._failure(reason)

    @property
    def is_watched(self) -> bool:
        """Whether a program watches the pictures, or may do so."""
        may_be = self._watchers in (Watchers.SOME, Watchers.UNKNOWN)
        return self.pipeline is not None and may_be

    def check(self) -> None:
        """Opens a failed sink again. Raises Failure if that is useless."""
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

    def close(self) -> None:
        """Ends the pipeline."""
        if self.pipeline is not None:
            self.pipeline.set_state(self._gst.State.NULL)
            self.pipeline = None

    def _open(self) -> str:
        """Starts a pipeline. Returns the reason if that fails."""
        self.pipeline = gstreamer.parse(self._description)
        # PipeWire 1.4's clock stands still until frames pass, and frames wait for the clock.
        self.pipeline.use_clock(self._gst.SystemClock.obtain())
        self._opened, self._asked = time.monotonic(), 0.0
        self._watchers, self._was_seen = Watchers.NO_SINK, False
        if self.pipeline.set_state(self._gst.State.PLAYING) != self._gst.StateChangeReturn.FAILURE:
            return ""
        reason = gstreamer.find_failure(self.pipeline)
        self.close()
        return reason or "cannot be opened"

    def _look(self) -> str:
        """Regularly checks for watchers. Returns the reason if the sink is lost."""
        if time.monotonic() - self._asked < _ASK_SECONDS:
            return ""
        self._watchers, self._asked = self._sink.find_watchers(), time.monotonic()
        if self._watchers in (Watchers.SOME, Watchers.NONE):
            self._was_seen = True
        # PipeWire's sink reports no error when the service ends.
        is_lost = self._was_seen and self._watchers is Watchers.NO_SINK
        return "it has disappeared" if is_lost else ""

    def _retry(self, reason: str) -> None:
        if not self._sink.may_come_back or self._attempts.failures >= _MOST_FAILURES:
            raise self._failure(reason)
        if not self._attempts.failures:
            self._tell(f"opening {self._sink.kind} again: {reason}")
        self._attempts.note_failure()

    def _failure(self, reason: str) -> Failure:
        after = self._attempts.failures
        text = f"--to {self._sink.kind}: {reason}"
        return Failure(f"{text}; gave up after {after} attempts" if after else text, SOME_FAILED)
