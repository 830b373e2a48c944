"""Changes events in transit: removes pictures from tags, aligns starts, and corrects colours.

Pictures in tags may show the real background. The element removes them from the tags of the video.
Sound carries the same tags but bypasses the element, so this module removes them there.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.headers import plain_caps

if TYPE_CHECKING:
    from gi.repository import Gst

# Longer texts may be pictures.
_MAX_LANGUAGE_LENGTH = 16
# Without colorimetry, BT.601 applies up to this number of lines.
_MAX_LINES_OF_BT601 = 576
# The usual transfer and primaries of BT.709 and BT.601, by the number of the matrix in GStreamer.
# Muxers drop a matrix without them.
_COMPANIONS = {3: (5, 1), 4: (16, 4)}


def keep_language(pad: "Gst.Pad") -> None:
    """Removes tags from a source pad's events, except the language. They may contain pictures."""
    gst = gstreamer.start()

    def clean(event: "Gst.Event") -> "list[Gst.Event] | None":
        if event.type == gst.EventType.TOC:  # its chapters have tags
            return []
        if event.type != gst.EventType.TAG:
            return None
        tags = event.parse_tag()
        is_known, language = tags.get_string(gst.TAG_LANGUAGE_CODE)
        if not is_known or len(language) > _MAX_LANGUAGE_LENGTH:
            return []
        if tags.n_tags() == 1:
            return None
        plain = gst.TagList.new_empty()
        plain.set_scope(tags.get_scope())
        plain.add_value(gst.TagMergeMode.REPLACE, gst.TAG_LANGUAGE_CODE, language)
        return [gst.Event.new_tag(plain)]

    _change_events(pad, clean)


def keep_plain_headers(pad: "Gst.Pad") -> None:
    """Removes comments and other data from the codec headers in the caps that a pad sends."""

    def clean(caps: "Gst.Caps") -> "Gst.Caps":
        plain = plain_caps(caps)
        if plain is None:  # the headers changed in transit
            plain = caps.copy()
            for field in ("streamheader", "codec_data"):
                plain.get_structure(0).remove_field(field)
        return plain

    _change_caps(pad, clean)


def begin_simply(pad: "Gst.Pad", is_matroska: bool) -> None:
    """Drops GAP events of a demuxer. Encoders forward them to the muxer before the segment.

    Makes Matroska's demuxer start its segment at 0. It starts the segment at the first timestamp of
    the first stream. If another stream starts earlier, it corrects the segment later, and a few
    frames would be late.
    """
    gst = gstreamer.start()

    def begin(event: "Gst.Event") -> "list[Gst.Event] | None":
        if event.type == gst.EventType.GAP:
            return []
        is_segment = is_matroska and event.type == gst.EventType.SEGMENT
        if not is_segment or event.parse_segment().start == 0:
            return None
        segment = gst.Segment()
        segment.init(gst.Format.TIME)
        return [gst.Event.new_segment(segment)]

    _change_events(pad, begin)


def complete_durations(pad: "Gst.Pad") -> None:
    """Adds missing durations to buffers. Without them, muxers write a wrong one for the last."""
    gst = gstreamer.start()
    last = known = gst.CLOCK_TIME_NONE

    def look(_: "Gst.Pad", info: Any) -> Any:
        nonlocal last, known
        buffer = info.get_buffer()
        if buffer.duration != gst.CLOCK_TIME_NONE:
            known = buffer.duration
        elif gst.CLOCK_TIME_NONE not in (last, buffer.pts) and buffer.pts > last:
            known = buffer.pts - last
        buffer.duration, last = known, buffer.pts
        return gst.PadProbeReturn.OK

    pad.add_probe(gst.PadProbeType.BUFFER, look)


def correct_colors(pad: "Gst.Pad", is_full: bool) -> None:
    """Corrects the colorimetry that a source pad sends: MP4 demuxers ignore the full range."""
    gstreamer.start()
    from gi.repository import GstVideo

    def correct(caps: "Gst.Caps") -> "Gst.Caps":
        frame = caps.get_structure(0)
        found = GstVideo.VideoColorimetry()
        found.from_string(frame.get_string("colorimetry") or "0:0:0:0")
        values = map(int, (found.range, found.matrix, found.transfer, found.primaries))
        extent, matrix, transfer, primaries = values
        if not (matrix or is_full):
            return caps
        matrix = matrix or (3 if frame.get_value("height") > _MAX_LINES_OF_BT601 else 4)
        usual = _COMPANIONS.get(matrix, (0, 0))
        numbers = (1 if is_full else extent, matrix, transfer or usual[0], primaries or usual[1])
        changed = caps.copy()
        changed.set_value("colorimetry", ":".join(map(str, numbers)))
        return changed

    _change_caps(pad, correct)


def correct_rate(pad: "Gst.Pad", rate: Fraction) -> None:
    """Corrects a frame rate that is far too high. Encoders derive the bits per frame from it."""

    def correct(caps: "Gst.Caps") -> "Gst.Caps":
        is_known, *found = caps.get_structure(0).get_fraction("framerate")
        if not is_known or found[0] <= 2 * rate * found[1]:
            return caps
        wanted = f"framerate=(fraction){rate.numerator}/{rate.denominator}"
        text = re.sub(r"framerate=\(fraction\)\d+/\d+", wanted, caps.to_string())
        return gstreamer.start().Caps.from_string(text)

    _change_caps(pad, correct)


def _change_caps(pad: "Gst.Pad", change: "Callable[[Gst.Caps], Gst.Caps]") -> None:
    """Replaces the caps that a source pad sends."""
    gst = gstreamer.start()

    def look(event: "Gst.Event") -> "list[Gst.Event] | None":
        if event.type != gst.EventType.CAPS:
            return None
        caps = event.parse_caps()
        changed = change(caps)
        return None if changed.is_equal(caps) else [gst.Event.new_caps(changed)]

    _change_events(pad, look)


def _change_events(pad: "Gst.Pad", change: "Callable[[Gst.Event], list[Gst.Event] | None]") -> None:
    """Replaces downstream events of a source pad.

    ``change`` returns the replacements, or None to keep an event. Its replacements pass through it
    again, and it must keep them.
    """
    gst = gstreamer.start()

    def look(pad: "Gst.Pad", info: Any) -> Any:
        events = change(info.get_event())
        if events is None:
            return gst.PadProbeReturn.OK
        for event in events:
            pad.push_event(event)
        return gst.PadProbeReturn.DROP

    pad.add_probe(gst.PadProbeType.EVENT_DOWNSTREAM, look)
