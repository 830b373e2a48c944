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
# If a camera sends no frame for this time, it is reopened. The time includes loading a network.
_SILENCE_SECONDS = 10
# A filter process that has not released the camera after this time is killed.
_END_SECONDS = 3
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
        self.device = device
        self._size = size
        self._tell = tell
        self.element = gstreamer.make("vbgfilter")
        settings.apply(self.element)
        self.element.connect("notify", self._forward)
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = 0.0  # when the filter process must have released the camera
        self._attempts = Attempts()
        self._frames = 0
        self._moved = 0.0
        self.absent = ""  # why there is no picture
        self.state: dict[str, Any] = {}  # the element's read-only properties
        self._warnings: set[str] = set()  # without their numbers
        self.is_open = False
        self.output = Output(sink, size, _CHANNEL, tell)
        self._launch()

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
            self._close()
        elif not self.is_open and self._attempts.is_due and not self._stopping:
            self._open()

    def restart(self) -> None:
        """Opens the camera again, for settings that take effect only at the start."""
        self._close()
        self._attempts.forget(now=True)

    def close(self) -> None:
        """Ends the filter process and the output."""
        self._close()
        self._end("")
        self.output.close()

    def settings(self) -> dict[str, str]:
        """Returns the settable properties of the element with non-default values, as texts."""
        return {
            spec.name: self._text(spec.name)
            for spec in properties.own_specifications(self.element)
            if properties.is_changed(self.element, spec)
        }

    def _text(self, name: str) -> str:
        value = properties.plain(self.element.get_property(name))
        return (
            str(value).lower() if isinstance(value, bool) else str("" if value is None else value)
        )

    def _forward(self, _element: Any, spec: Any) -> None:
        """Sends a changed property to the filter process."""
        if properties.when(spec) == "never":
            return
        if properties.when(spec) == "start":
            self.restart()
        self._send([spec.name, self._text(spec.name)])

    def _send(self, message: Any) -> None:
        with contextlib.suppress(OSError):  # _watch reports why it has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def _launch(self) -> None:
        """Starts the filter process. It waits until the camera is opened."""
        ours, theirs = os.pipe()
        with contextlib.suppress(OSError):  # the user's pipes may have reached their limit
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker"], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[theirs],
        )  # fmt: skip
        os.close(theirs)
        for stream in (self._process.stdin, self._process.stdout):
            os.set_blocking(stream.fileno(), False)
        self._send({"size": self._size, "pipe": theirs, "caps": FORM})
        # The effect shows the room only if all these are in place.
        for name, value in self.settings().items():
            self._send([name, value])
        width, height = self._size
        self._input = gstreamer.parse(
            f"fdsrc fd={ours} blocksize={_PIPE_BYTES} "
            f"! {FORM},width={width},height={height},framerate=30/1 "
            f"! rawvideoparse use-sink-caps=true ! intervideosink channel={_CHANNEL} sync=false"
        )
        self._pipe, self._rest, self._stopping = ours, b"", 0.0
        self._input.set_state(gstreamer.start().State.PLAYING)

    def _end(self, reason: str) -> None:
        """Ends the filter process. If there is a reason, a new one is started."""
        process = self._process
        process.stdin.close()  # it ends
        try:
            process.wait(_END_SECONDS if not reason else 0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        self._input.set_state(gstreamer.start().State.NULL)
        os.close(self._pipe)
        if reason:
            self._closed(reason)
            self._launch()

    def _open(self) -> None:
        self._send({"play": self.device})
        self._frames, self._moved = -1, time.monotonic()
        self.is_open = True

    def _watch(self) -> None:
        """Reads the filter's messages, and detects a camera that has disappeared."""
        now = time.monotonic()
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._process.stdout.fileno(), 1 << 16):
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
            # Its output has ended.
            code = self._process.wait()
            name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return self._end(f"the filter has ended: {name}")
        if self._stopping and now > self._stopping:
            self._end("the filter does not release the camera")
        elif self.is_open and now - self._moved > _SILENCE_SECONDS:
            self._end(f"no frame for {_SILENCE_SECONDS} s")
        return None

    def _take(self, message: dict[str, Any]) -> None:
        """Handles a message of the filter."""
        if "stopped" in message:
            self._stopping = 0.0
            if message["stopped"]:
                self._closed(message["stopped"])
        elif self.is_open and message.get("frames", self._frames) != self._frames:
            if message["frames"] > 0 and self._frames <= 0:
                self.absent = ""
                self._attempts.forget()
                self._tell("the camera is on")
            self._frames, self._moved = message["frames"], time.monotonic()
        self.state = message.get("state", self.state)
        self._warn(message.get("warning", ""))

    def _warn(self, text: str) -> None:
        """Tells a warning of the element, unless only numbers differ from an earlier one."""
        kind = re.sub(r"\d+", "", text)
        if text and kind not in self._warnings:
            self._warnings.add(kind)
            self._tell(text)

    def _close(self) -> None:
        """Closes the camera, if it is open."""
        if self.is_open:
            self.is_open = False
            self._stopping = time.monotonic() + _END_SECONDS
            self._send({"stop": True})
            self._tell("the camera is off")

    def _closed(self, reason: str) -> None:
        """Schedules another attempt after the filter has closed the camera for a reason."""
        if not self.is_open:
            return
        self.is_open = False
        self._attempts.note_failure()
        if reason != self.absent:
            self.absent = reason
            self._tell(f"waiting for the camera: {reason}")
