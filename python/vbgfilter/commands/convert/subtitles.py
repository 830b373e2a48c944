"""Converts subtitle texts from Pango markup, which demuxers output, to the text for muxers."""

import re
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import unescape

from vbgfilter.commands import gstreamer

if TYPE_CHECKING:
    from gi.repository import Gst

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_NAMES = {"&quot;": '"', "&apos;": "'", "&#39;": "'"}


def as_written(text: str, keeps_tags: bool) -> str:
    """Returns Pango markup without escapes, and without tags unless ``keeps_tags``."""
    return unescape(text if keeps_tags else _TAG.sub("", text), _NAMES)


def write_as_is(pad: "Gst.Pad", keeps_tags: bool) -> None:
    """Converts the texts that a source pad sends, so that a muxer can write them.

    Demuxers output Pango markup, in which ``&`` is ``&amp;``. Muxers write the bytes unchanged.
    """
    gst = gstreamer.start()
    is_own = False

    def look(pad: "Gst.Pad", info: Any) -> Any:
        nonlocal is_own
        if is_own:
            return gst.PadProbeReturn.OK
        buffer = info.get_buffer()
        data = buffer.extract_dup(0, buffer.get_size())
        changed = as_written(data.decode(errors="replace"), keeps_tags).encode()
        if changed == data:
            return gst.PadProbeReturn.OK
        # A probe cannot write to its buffer, so replace the buffer.
        made = gst.Buffer.new_wrapped(changed)
        made.pts, made.dts, made.duration = buffer.pts, buffer.dts, buffer.duration
        is_own = True
        pad.push(made)
        is_own = False
        return gst.PadProbeReturn.DROP

    pad.add_probe(gst.PadProbeType.BUFFER, look)
