"""The virtual camera: an output pipeline that always sends, and a filter process on demand.

The filter process (``worker.py``) reads the real camera. Only the element's frames reach the output
pipeline, through a pipe. Without frames, the output pipeline sends black.
"""

import contextlib
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.camera.attempts import Attempts
from vbgfilter.commands.camera.output import FORM, Output
from vbgfilter.commands.camera.sinks import Sink
from vbgfilter.commands.settings import Settings

# The name of the channel between the two pipelines, unique in this process.
_CHANNEL = "vbgfilter-camera"
# If a camera sends no frame for this time, it is reopened.
_SILENCE_SECONDS = 10
# The time to the first frame includes loading networks, which a busy machine first compiles.
_START_SECONDS = 30
# A filter process that has not released the camera after this time is killed.
_END_SECONDS = 2
# The largest size of a pipe that users can set by default.
_PIPE_BYTES = 1 << 20


class VirtualCamera:
    """The output and the filter process. Not thread-safe. The owner must call ``step`` regularly.

    ``element`` never runs: it holds the settings, and changes are sent to the filter process.
    """

    def __init__(
        self,
        device: str | None,
        settings: Settings,
        sink: Sink,
        size: tuple[int, int],
        tell: Callable[[str], None],
    ) -> None:
        gstreamer.start()
        self._size = width, height = size
        self._caps = f"{FORM},width={width},height={height}"
        self._tell = tell
        self.is_open = False  # whether the filter process uses the real camera
        self._frames = 0
        self.absent = ""  # why there is no picture
        self.state: dict[str, Any] = {}  # the element's read-only properties
        self._warnings: set[str] = set()  # without their numbers
        self.use(device, settings)
        self.output = Output(sink, size, _CHANNEL, tell)
        self._launch()

    def use(self, device: str | None, settings: Settings) -> None:
        """Changes the real camera and all settings."""
        self.device = device
        self.element = gstreamer.make("vbgfilter")
        settings.apply(self.element)
        self.element.connect("notify", self._forward)
        self.stop()

    @property
    def is_on(self) -> bool:
        """Whether frames of the real camera arrive."""
        return self.is_open and self._frames > 0

    def step(self, wanted: bool, is_seen: bool = False) -> None:
        """Opens or closes the camera, and checks both sides.

        The camera is open while ``wanted`` is true and a program reads the output, or ``is_seen``.
        If it disappears, this method reopens it. Raises Failure if the output fails permanently.
        """
        self.output.check()
        self._watch()
        if not (wanted and (self.output.is_watched or is_seen)):
            self.stop()
        elif not self.is_open and self._attempts.is_due:
            self._open()

    def stop(self) -> None:
        """Releases the camera. If it is wanted, ``step`` opens it again at once."""
        if self.is_open:
            self._end()
            self._launch()
            self._tell("the camera is off")
        self._attempts = Attempts()

    def close(self) -> None:
        """Ends the filter process and the output."""
        self._end()
        self.output.close()

    def settings(self) -> dict[str, str]:
        """Returns the settable properties of the element with non-default values, as texts."""
        return {
            spec.name: properties.text(self.element.get_property(spec.name))
            for spec in properties.own_specifications(self.element)
            if properties.is_changed(self.element, spec)
        }

    def _forward(self, element: Any, spec: Any) -> None:
        """Sends a changed property to the filter process. Some need a new one."""
        if properties.when(spec) == "start":
            self.stop()
        elif self.is_open and properties.when(spec) == "playing":
            self._send([spec.name, properties.text(element.get_property(spec.name))])

    def _send(self, message: Any) -> None:
        with contextlib.suppress(OSError):  # _watch reports why it has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def _launch(self) -> None:
        """Starts the filter process. It waits until the camera is opened, which is faster then."""
        self._pipe, theirs = os.pipe()
        with contextlib.suppress(OSError):  # the user's pipes may have reached their limit
            fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self._input = gstreamer.parse(
            f"fdsrc fd={self._pipe} blocksize={_PIPE_BYTES} ! {self._caps},framerate=30/1 "
            f"! rawvideoparse use-sink-caps=true ! intervideosink channel={_CHANNEL} sync=false"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker", str(theirs)], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[theirs],
        )  # fmt: skip
        os.close(theirs)
        for stream in (self._process.stdin, self._process.stdout):
            os.set_blocking(stream.fileno(), False)
        self._input.set_state(gstreamer.start().State.PLAYING)
        self._rest, self._reason = b"", ""

    def _open(self) -> None:
        job = {"device": self.device, "size": self._size, "caps": self._caps}
        self._send(job | {"settings": self.settings()})
        self._frames, self._moved = 0, time.monotonic()
        self.is_open = True

    def _end(self) -> int:
        """Ends the filter process, which releases the camera. Returns its exit code."""
        process, self.is_open = self._process, False
        process.stdin.close()
        try:
            code = process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.stdout.close()
        self._input.set_state(gstreamer.start().State.NULL)
        os.close(self._pipe)
        return code

    def _watch(self) -> None:
        """Reads the filter's messages, and detects a camera that has disappeared."""
        if not self.is_open:
            return
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._process.stdout.fileno(), 1 << 16):
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
            # Its output has ended.
            code = self._end()
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return self._fail(self._reason or f"the filter has ended: {name}")
        limit = _SILENCE_SECONDS if self._frames else _START_SECONDS
        if time.monotonic() - self._moved > limit:
            self._end()
            self._fail(f"no frame for {limit} s")
        return None

    def _take(self, message: dict[str, Any]) -> None:
        """Handles a message of the filter."""
        self._reason = message.get("failed", "")
        frames = message.get("frames", self._frames)
        if frames != self._frames:
            if self._frames == 0:
                self.absent = ""
                self._attempts.forget()
                self._tell("the camera is on")
            self._frames, self._moved = frames, time.monotonic()
        self.state = message.get("state", self.state)
        # Tell a warning unless only numbers differ from an earlier one.
        text = message.get("warning", "")
        kind = re.sub(r"\d+", "", text)
        if text and kind not in self._warnings:
            self._warnings.add(kind)
            self._tell(text)

    def _fail(self, reason: str) -> None:
        """Starts another filter process, and schedules another attempt."""
        self._launch()
        self._attempts.note_failure()
        if reason != self.absent:
            self.absent = reason
            self._tell(f"waiting for the camera: {reason}")
