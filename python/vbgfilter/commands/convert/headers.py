"""Removes possible pictures from codec headers, which muxers copy from the caps to the file.

Comments are removed too: GStreamer also sends them as tags, which are checked separately.
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
# A comment without entries. Each codec's packet adds a prefix, and Vorbis a suffix too.
_EMPTY = struct.pack("<I9sI", 9, b"vbgfilter", 0)
_COMMENTS = {
    "audio/x-vorbis": b"\x03vorbis" + _EMPTY + b"\x01",
    "audio/x-opus": b"OpusTags" + _EMPTY,
    "audio/x-speex": _EMPTY,
}
_STREAMINFO_BYTES = 38  # with the block's own header
# Limits in bytes. Only Vorbis has longer headers: its code books take several kilobytes.
_LONGEST, _LONGEST_CODE_BOOKS = 512, 16 << 10
_PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"WEBP", b"GIF8", b"ftyp")


def plain_caps(caps: "Gst.Caps") -> "Gst.Caps | None":
    """Returns caps with only the headers that a decoder needs, or None if that is impossible."""
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
        if any(len(each) > _LONGEST for each in headers[: len(headers) - len(code_books)]):
            return None
        plain = ", ".join(each.hex() for each in headers)
        text = text.replace(found[0], f"streamheader=(buffer)< {plain} >")
    if single and len(single[1]) > 2 * _LONGEST:  # hexadecimal digits
        return None
    return gstreamer.start().Caps.from_string(text)


def _are_code_books(data: bytes) -> bool:
    return len(data) <= _LONGEST_CODE_BOOKS and not any(each in data for each in _PICTURES)


def _flac(data: bytes) -> list[bytes]:
    """Keeps STREAMINFO and replaces all other metadata blocks by an empty comment."""
    info = data.partition(b"fLaC")[2][:_STREAMINFO_BYTES]
    if len(info) < _STREAMINFO_BYTES:
        return [data]
    first = b"\x7fFLAC\x01\x00\x00\x01fLaC" + bytes([info[0] & 0x7F]) + info[1:]
    return [first, b"\x84" + len(_EMPTY).to_bytes(3, "big") + _EMPTY]
