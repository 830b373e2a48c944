r"""Fixes tags of Matroska files: GStreamer 1.22 writes the title ``A talk`` as ``"A\ talk"``."""

import pathlib
from collections.abc import Iterator
from typing import BinaryIO

from vbgfilter.commands import gstreamer

_SEGMENT, _TAGS, _TAG, _SIMPLE, _TEXT, _VOID = (
    0x18538067, 0x1254C367, 0x7373, 0x67C8, 0x4487, 0xEC,
)  # fmt: skip
# Larger tags are left unchanged.
_MAX_TAG_BYTES = 16 << 20


def unquote_texts(path: pathlib.Path, texts: frozenset[str]) -> None:
    """Removes the muxer's quotes from texts. ``texts`` are the original texts of the source.

    The sizes of all elements stay: an EBML void element fills the space after a shorter text.
    """
    with path.open("r+b") as file:
        place = _find_tags(file)
        if place is None:
            return
        file.seek(place[0])
        tags = bytearray(file.read(place[1]))
        for head, begin, end in list(_texts(tags, 0, len(tags))):
            text = _unquoted(bytes(tags[begin:end]).rstrip(b"\0"))
            if text in texts:
                tags[head:end] = _shorter(bytes(tags[head:begin]), text.encode(), end - begin)
        file.seek(place[0])
        file.write(tags)


def _unquoted(text: bytes) -> str | None:
    if len(text) < 2 or not (text.startswith(b'"') and text.endswith(b'"')):
        return None
    gst = gstreamer.start()
    whole = gst.Structure.from_string(f"x, text=(string){text.decode(errors='replace')}")[0]
    return whole.get_string("text") if whole is not None else None


def _shorter(head: bytes, text: bytes, old_size: int) -> bytes:
    """Returns an element with a text, and a void element that fills its old content's size."""
    width = len(head) - 2
    size = (1 << (7 * width) | len(text)).to_bytes(width, "big")
    rest = old_size - len(text)  # at least 2, the size of the quotes
    if rest < 129:
        empty = bytes((_VOID, 0x80 | rest - 2)) + bytes(rest - 2)
    else:
        empty = bytes((_VOID, *(0x10000000 | rest - 5).to_bytes(4, "big"))) + bytes(rest - 5)
    return head[:2] + size + text + empty


def _number(data: bytes, at: int, keep_marker: bool) -> tuple[int, int]:
    """Returns an EBML number and its end. Names keep the length marker, sizes do not."""
    first = data[at]
    width = 9 - first.bit_length()
    value = int.from_bytes(data[at : at + width], "big")
    return value if keep_marker else value & (1 << 7 * width) - 1, at + width


def _texts(data: bytes, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yields the start of each text element, and the start and end of its content."""
    while begin < end:
        name, at = _number(data, begin, True)
        size, at = _number(data, at, False)
        if name in (_TAG, _SIMPLE):
            yield from _texts(data, at, at + size)
        elif name == _TEXT:
            yield begin, at, at + size
        begin = at + size


def _find_tags(file: BinaryIO) -> tuple[int, int] | None:
    """Returns the start and the size of the content of the element "Tags"."""
    place = 0
    while True:
        file.seek(place)
        head = file.read(12)
        if len(head) < 12:
            return None
        name, at = _number(head, 0, True)
        width = at
        size, at = _number(head, at, False)
        width = at - width
        if name == _TAGS:
            return (place + at, size) if size <= _MAX_TAG_BYTES else None
        if name == _SEGMENT:
            place += at
        elif size == (1 << 7 * width) - 1:  # unknown
            return None
        else:
            place += at + size
