"""The pipeline of a page: from the camera or a file, through the element, to the page."""

import asyncio
import pathlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gi.repository import Gst, GstPbutils

from vbgfilter.commands import gstreamer
from vbgfilter.commands.studio.link import Link

# A queue for the newest frame only. It drops older frames, so that they do not accumulate.
_NEWEST = "queue max-size-buffers=1 max-size-bytes=0 max-size-time=0 leaky=downstream"
_CAMERA = f"rtpvp8depay ! vp8dec ! {_NEWEST} ! videoconvert"
_FILE = (
    "videoconvert ! deinterlace ! videoflip video-direction=auto "
    f"! clocksync name=clock ! {_NEWEST} ! videoconvert"
)
# The first caps have no alpha, like VP8, so the element itself warns if the user chooses a
# transparent background. At 6 Mbit/s, 1280x720 looks as good as the original. Key frames are rare,
# because the page requests them when necessary.
_RESULT = (
    "capsfilter caps=video/x-raw,format=(string){I420,NV12,NV21} ! videoconvert ! videoscale "
    "! video/x-raw,width=[16,1280],height=[16,1280],pixel-aspect-ratio=1/1 "
    f"! {_NEWEST} ! vp8enc deadline=1 cpu-used=8 threads=2 lag-in-frames=0 "
    "target-bitrate=6000000 keyframe-max-dist=3000 ! rtpvp8pay pt=96 picture-id-mode=15-bit "
    "! capsfilter caps=application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000"
)


@dataclass(frozen=True)
class Source:
    """The source of the video: the page's camera, or a file.

    ``path`` is the file for GStreamer, or None for the camera. ``name`` is the file's name for the
    user.
    """

    path: pathlib.Path | None = None
    name: str = ""


class Stream:
    """A pipeline with the element ``effect``, which the caller owns and reuses.

    Not thread-safe: use it only on the event loop's thread. On that thread, ``tell`` receives the
    messages for the page, until ``stop``. An error is the last message. After an error, the caller
    must stop the stream.
    """

    def __init__(
        self,
        effect: Gst.Element,
        source: Source,
        addresses: list[str],
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._tell = tell
        self._effect = effect
        self._pipeline = Gst.Pipeline.new(None)
        self._clock: Gst.Element | None = None
        self.links = {"down": Link("down", addresses, self._tell_later)}
        before = Gst.parse_bin_from_description(_FILE if source.path else _CAMERA, True)
        after = Gst.parse_bin_from_description(_RESULT, True)
        down = self.links["down"].element
        for element in (before, effect, after, down):
            self._pipeline.add(element)
        if not (before.link(effect) and effect.link(after) and after.link(down)):
            raise RuntimeError("the elements of the pipeline cannot be linked")
        sink = before.get_static_pad("sink")
        if source.path is None:
            up = self.links["up"] = Link("up", addresses, self._tell_later)
            self._pipeline.add(up.element)
            up.connect("pad-added", _link_video, sink)
        else:
            self._clock = before.get_by_name("clock")
            self._add_file(source.path, sink)
        # The event loop reads the bus, so no GLib main loop is necessary.
        self._bus = self._pipeline.get_bus()
        self._loop.add_reader(self._bus.get_pollfd().fd, self._read_bus)

    def _add_file(self, path: pathlib.Path, sink: Gst.Pad) -> None:
        file, decoder = gstreamer.make("filesrc"), gstreamer.make("decodebin")
        gstreamer.set_file(file, path)
        self._pipeline.add(file)
        self._pipeline.add(decoder)
        file.link(decoder)
        decoder.connect("pad-added", _link_video, sink)
        decoder.connect("no-more-pads", self._on_decoder)

    def _on_decoder(self, _decoder: Gst.Element) -> None:
        # Do not seek on this thread: it belongs to the decoder, which must continue. The seek
        # replaces EOS by SEGMENT_DONE, which restarts the file.
        flags = Gst.SeekFlags.FLUSH | Gst.SeekFlags.SEGMENT
        self._later(self._seek, flags)

    def _tell_later(self, message: dict[str, Any]) -> None:
        self._later(self._tell_now, message)

    def _tell_now(self, message: dict[str, Any]) -> None:
        if self._pipeline is not None:
            self._tell(message)

    def _later(self, call: Callable[..., None], *arguments: Any) -> None:
        """Calls a function on the event loop's thread. Does nothing if the loop is closed.

        Can be called on any thread.
        """
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            pass

    async def start(self) -> None:
        """Starts the pipeline. Failures are reported through ``tell``."""
        await asyncio.to_thread(self._pipeline.set_state, Gst.State.PLAYING)

    async def stop(self) -> None:
        """Ends the pipeline and releases the element. A second call does nothing."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is None:
            return
        self._ignore_bus()
        await asyncio.to_thread(pipeline.set_state, Gst.State.NULL)
        for link in self.links.values():
            link.close()
        pipeline.remove(self._effect)
        self._clock = None
        self.links.clear()

    def position(self) -> float | None:
        """Returns the file's position in seconds, or None if it is unknown or for a camera."""
        if self._clock is None:
            return None
        known, nanoseconds = self._effect.query_position(Gst.Format.TIME)
        return nanoseconds / Gst.SECOND if known else None

    def _ignore_bus(self) -> None:
        if self._bus is not None:
            self._loop.remove_reader(self._bus.get_pollfd().fd)
        self._bus = None

    def _read_bus(self) -> None:
        while self._bus is not None and (message := self._bus.pop()) is not None:
            self._on_message(message)

    def _on_message(self, message: Gst.Message) -> None:
        kind = message.type
        if kind == Gst.MessageType.ERROR:
            # Ignore later messages: they are consequences of this error.
            self._ignore_bus()
            self._tell({"type": "failed", "text": message.parse_error()[0].message})
        elif kind == Gst.MessageType.WARNING:
            self._tell({"type": "warning", "text": message.parse_warning()[0].message})
        elif kind == Gst.MessageType.EOS:
            self._tell({"type": "ended"})
        elif GstPbutils.is_missing_plugin_message(message):
            what = GstPbutils.missing_plugin_message_get_description(message)
            text = f"GStreamer has no {what}: apt install gstreamer1.0-libav may help."
            self._tell({"type": "warning", "text": text})
        elif kind == Gst.MessageType.SEGMENT_DONE:
            self._seek(Gst.SeekFlags.SEGMENT)

    def _seek(self, flags: Gst.SeekFlags) -> None:
        """Restarts the file. If its demuxer cannot seek, the stream ends with ``ended``."""
        if self._clock is None:
            return
        kinds = Gst.SeekType
        event = Gst.Event.new_seek(1.0, Gst.Format.TIME, flags, kinds.SET, 0, kinds.NONE, -1)
        # The event blocks until the demuxer accepts it.
        self._loop.run_in_executor(None, self._clock.send_event, event)


def _link_video(_element: Gst.Element, pad: Gst.Pad, sink: Gst.Pad) -> None:
    """Links a source pad unless the sink has a link. The sink's caps reject sound."""
    if pad.get_direction().value_nick == "src" and not sink.is_linked():
        pad.link(sink)
