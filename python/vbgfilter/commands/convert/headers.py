"""Removes possible pictures from codec headers. Muxers copy these headers from caps to the file.

Comments are removed from the headers too. GStreamer also sends them as tags, which ``events.py``
filters.
"""

import re
import struct
from typing import TYPE_CHECKING

from vbgfilter.commands import gstreamer

if TYPE_CHECKING:
    from gi.repository import Gst

# PyGObject cannot read arrays of buffers, so the headers are parsed from the caps as text.
_LIST = re.compile(r"streamheader=\(buffer\)< *([0-9a-f, ]+?) *>")
_DATA = re.compile(r"codec_data=\(buffer\)([0-9a-f]+)")
# A comment header without entries. Vorbis and Opus add a prefix, and Vorbis also a suffix.
_EMPTY = struct.pack("<I9sI", 9, b"vbgfilter", 0)
_COMMENTS = {
    "audio/x-vorbis": b"\x03vorbis" + _EMPTY + b"\x01",
    "audio/x-opus": b"OpusTags" + _EMPTY,
    "audio/x-speex": _EMPTY,
}
_STREAMINFO_BYTES = 38  # including the header of the block
# Limits in bytes. Only Vorbis needs longer headers: its code books take several kilobytes.
_MAX_HEADER_BYTES, _MAX_CODE_BOOK_BYTES = 512, 16 << 10
# Byte sequences of picture formats.
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"WEBP", b"GIF8", b"ftyp")


def plain_caps(caps: "Gst.Caps") -> "Gst.Caps | None":
    """Returns the caps with only the headers that a decoder needs, and empty comments.

    Returns None if a header might contain a picture.
    """
    kind, text = caps.get_structure(0).get_name(), caps.to_string()
    found, single = _LIST.search(text), _DATA.search(text)
    if found:
        headers = [bytes.fromhex(each) for each in found[1].split(",")]
        if kind in _COMMENTS:
            headers[1:2] = [_COMMENTS[kind]]
        elif kind == "audio/x-flac":
            headers = _flac(b"".join(headers))
        code_books = headers[2:] if kind == "audio/x-vorbis" else []
        if not all(map(_are_code_books, code_books)):
            return None
        others = headers[: len(headers) - len(code_books)]
        if any(len(each) > _MAX_HEADER_BYTES for each in others):
            return None
        plain = ", ".join(each.hex() for each in headers)
        text = text.replace(found[0], f"streamheader=(buffer)< {plain} >")
    if single and len(single[1]) > 2 * _MAX_HEADER_BYTES:  # hexadecimal digits
        return None
    return gstreamer.start().Caps.from_string(text)


def _are_code_books(data: bytes) -> bool:
    """Whether a header of Vorbis is short enough for code books and contains no picture."""
    return len(data) <= _MAX_CODE_BOOK_BYTES and not any(each in data for each in _PICTURES)


def _flac(data: bytes) -> list[bytes]:
    """Returns FLAC headers with STREAMINFO and an empty comment, without other blocks.

    Returns the data unchanged if STREAMINFO is missing.
    """
    info = data.partition(b"fLaC")[2][:_STREAMINFO_BYTES]
    if len(info) < _STREAMINFO_BYTES:
        return [data]
    first = b"\x7fFLAC\x01\x00\x00\x01fLaC" + bytes([info[0] & 0x7F]) + info[1:]
    return [first, b"\x84" + len(_EMPTY).to_bytes(3, "big") + _EMPTY]
