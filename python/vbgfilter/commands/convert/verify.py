"""Checks that a result is complete: frames, duration and sound match the source."""

import pathlib
import time
from dataclasses import dataclass
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.chapters import Chapter, from_toc, read_mp4
from vbgfilter.commands.convert.events import (
    begin_at_zero,
    holds_pictures,
    is_matroska,
    texts_of,
)
from vbgfilter.commands.convert.mp4 import find_unread
from vbgfilter.commands.convert.sizes import Size, size_in_vp8, size_of
from vbgfilter.commands.errors import UNREADABLE, Failure

# Re-encoded sound ends with a whole packet and starts with the codec's priming samples.
_SECONDS_TOLERANCE = 0.25
# In seconds. Containers round times to 1 ms or to 1/90000 s.
_TIME_TOLERANCE = 0.002
# The maximum wait for the next buffer, one per attempt. GStreamer sometimes misses the error of
# a broken file (26 times in 583 with both cores busy) and would wait forever.
_PATIENCE_SECONDS = (3, 3, 30)
# If data has arrived for this time, the file is not broken. The last value of _PATIENCE_SECONDS then
# applies.
_SOON_SECONDS = 10


@dataclass(frozen=True)
class Contents:
    """The contents of a file. Times are in seconds."""

    times: tuple[float, ...]  # the starts of the video's frames
    seconds: float  # the end of the video
    sounds: tuple[float, ...]  # the end of each audio stream
    pictures: bool  # whether there are covers, previews or attachments
    texts: frozenset[str] = frozenset()  # titles and comments
    exact: bool = True  # whether the frames have timestamps, unlike in AVI files
    chapters: tuple[Chapter, ...] | None = ()  # None if they cannot be read
    unread: tuple[str, ...] = ()  # the kinds of tracks that GStreamer leaves out
    size: Size | None = None  # the size of the largest frames, if sizes change

    @property
    def frames(self) -> int:
        """The number of frames of the video."""
        return len(self.times)

    @property
    def variable(self) -> bool:
        """Whether the intervals between frames differ."""
        gaps = [after - before for before, after in zip(self.times, self.times[1:], strict=False)]
        return self.exact and bool(gaps) and max(gaps) - min(gaps) > 2 * _TIME_TOLERANCE

    def differs_from(self, source: "Contents") -> str | None:
        """Compares a result with its source.

        Returns None if this is a complete conversion, or else a phrase with the first difference.
        """
        if self.frames != source.frames:
            return f"has {self.frames} frames, but its source has {source.frames}"
        if abs(self.seconds - source.seconds) > _SECONDS_TOLERANCE:
            return f"lasts {self.seconds:.2f} s, but its source lasts {source.seconds:.2f} s"
        exact = self.exact and source.exact
        for number, (mine, other) in enumerate(zip(self.times, source.times, strict=True)):
            if exact and abs(mine - self.times[0] - other + source.times[0]) > _TIME_TOLERANCE:
                return f"shows frame {number} at {mine:.3f} s, but its source at {other:.3f} s"
        count = len(self.sounds) + self.unread.count("soun")
        if count != len(source.sounds):
            return f"has {count} sound streams, but its source has {len(source.sounds)}"
        for mine, other in zip(self.sounds, source.sounds, strict=False):
            if abs(mine - other) > _SECONDS_TOLERANCE:
                return f"has {mine:.2f} s of sound, but its source has {other:.2f} s"
        return None


class _Stream:
    """Records the starts of a stream's buffers, and the end of the last one."""

    def __init__(self, kind: str, pad: Any) -> None:
        gst = gstreamer.start()
        self.kind = kind
        self.times: list[float] = []
        self.count = 0
        self._end = 0.0
        self._has_end = True  # whether the last buffer has a duration
        self._pad = pad
        self._nothing = gst.CLOCK_TIME_NONE
        self._second = gst.SECOND
        self._format = gst.Format.TIME
        self._gst = gst
        self._event = gst.PadProbeType.EVENT_DOWNSTREAM
        self.exact = True
        self.sizes: set[Size | None] = set()
        self._note_size(pad.get_current_caps())
        sticky = pad.get_sticky_event(gst.EventType.SEGMENT, 0)
        self._segment = sticky.parse_segment() if sticky is not None else None
        pad.add_probe(gst.PadProbeType.BUFFER | self._event, self._look)

    def _look(self, _: Any, info: Any) -> Any:
        if info.type & self._event:
            event = info.get_event()
            if event.type == self._gst.EventType.SEGMENT:
                self._segment = event.parse_segment()
            elif event.type == self._gst.EventType.CAPS:
                self._note_size(event.parse_caps())
            return self._gst.PadProbeReturn.OK
        self.count += 1
        buffer = info.get_buffer()
        # Theora's headers are separate buffers. For other codecs, frames may have this flag too.
        if self.kind == "video/x-theora" and buffer.has_flags(self._gst.BufferFlags.HEADER):
            return self._gst.PadProbeReturn.OK
        if self.kind == "video/x-vp8":
            self.sizes.add(size_in_vp8(buffer.extract_dup(0, 10)))
        begin = buffer.pts
        if begin == self._nothing:
            self.exact = False
            begin = buffer.dts if buffer.dts != self._nothing else self._segment.start
        length = buffer.duration if buffer.duration != self._nothing else 0
        inside, begin, end = self._segment.clip(self._format, begin, begin + length)
        # Frames before the segment are only for the decoder and are not shown.
        if inside:
            self.times.append(self._running(begin))
            self._end = max(self._end, self._running(end))
            self._has_end = length > 0
        return self._gst.PadProbeReturn.OK

    @property
    def end(self) -> float:
        """The end of the last buffer. If its duration is missing, the last interval is used."""
        last = [] if self._has_end else sorted(self.times)[-2:]
        return self._end + (last[1] - last[0] if len(last) == 2 else 0)

    def _note_size(self, caps: Any) -> None:
        if caps is not None and self.kind.startswith("video/") and self.kind != "video/x-vp8":
            self.sizes.add(size_of(caps))

    def largest(self) -> Size | None:
        """Returns the size of the largest frames, or None if all frames have the same size."""
        sizes = self.sizes - {None}
        return max(sizes, key=lambda each: each.width * each.height) if len(sizes) > 1 else None

    def _running(self, time: int) -> float:
        return self._segment.to_running_time(self._format, time) / self._second


def read_contents(path: pathlib.Path) -> Contents:
    """Reads a file without decoding it. Raises Failure with UNREADABLE if that fails."""
    for patience in _PATIENCE_SECONDS:
        contents = _read(path, patience)
        if contents is not None:
            return contents
    raise Failure(f"{path}: cannot be read completely", UNREADABLE)


def _read(path: pathlib.Path, patience: int) -> Contents | None:
    """Reads a file. Returns None if nothing arrived for `patience` seconds."""
    gst = gstreamer.start()
    pipeline = gst.Pipeline.new(None)
    source, parser = gstreamer.make("filesrc"), gstreamer.make("parsebin")
    gstreamer.set_file(source, path)
    pipeline.add(source)
    pipeline.add(parser)
    source.link(parser)
    streams: list[_Stream] = []
    matroska = is_matroska(path)

    def take(_: Any, pad: Any) -> None:
        caps = pad.get_current_caps() or pad.query_caps(None)
        if matroska:
            begin_at_zero(pad)
        streams.append(_Stream(caps.get_structure(0).get_name(), pad))
        sink = gstreamer.make("fakesink")
        sink.set_property("sync", False)
        sink.set_property("async", False)
        pipeline.add(sink)
        sink.sync_state_with_parent()
        pad.link(sink.get_static_pad("sink"))

    parser.connect("pad-added", take)
    pictures = False
    texts: set[str] = set()
    found = read_mp4(path)
    ends = gst.MessageType.EOS | gst.MessageType.ERROR
    kinds = ends | gst.MessageType.TAG | gst.MessageType.TOC
    try:
        pipeline.set_state(gst.State.PLAYING)
        count, began = 0, time.monotonic()
        moved = began
        while True:
            message = pipeline.get_bus().timed_pop_filtered(gst.SECOND // 2, kinds)
            before, count = count, sum(each.count for each in streams)
            if count != before:
                moved = time.monotonic()
            if message is None:
                # A pause after _SOON_SECONDS is due to a slow disk.
                limit = patience if moved - began < _SOON_SECONDS else _PATIENCE_SECONDS[-1]
                if time.monotonic() - moved > limit:
                    return None
            elif message.type == gst.MessageType.TAG:
                tags = message.parse_tag()
                pictures = pictures or holds_pictures(tags)
                texts.update(texts_of(tags))
            elif message.type == gst.MessageType.TOC:
                found = from_toc(message.parse_toc()[0])
            elif message.type == gst.MessageType.ERROR:
                raise gstreamer.read_failure(path, message.parse_error()[0])
            else:
                break
    finally:
        pipeline.set_state(gst.State.NULL)
    videos = [each for each in streams if each.kind.startswith(("video/", "image/"))]
    sounds = tuple(each.end for each in streams if each.kind.startswith("audio/"))
    if not videos:
        return Contents((), 0.0, sounds, pictures)
    return Contents(
        times=tuple(sorted(videos[0].times)),
        seconds=videos[0].end,
        sounds=sounds,
        pictures=pictures or len(videos) > 1,
        texts=frozenset(texts),
        exact=videos[0].exact,
        chapters=found,
        unread=find_unread(path),
        size=videos[0].largest(),
    )
