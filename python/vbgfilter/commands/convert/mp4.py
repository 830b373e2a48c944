"""The boxes of MP4 files, for what GStreamer does not tell of them."""

import pathlib
import struct
from collections.abc import Iterator
from typing import BinaryIO

# Of "moov": a file of days has no larger one.
_LARGEST = 1 << 30
# Where the content of a box begins and ends.
Span = tuple[int, int]


def find_index(file: BinaryIO) -> Span | None:
    """The box that tells what is in a file; None if it is no MP4 file."""
    index = find(file, b"moov", 0, pathlib.Path(file.name).stat().st_size)
    return index if index and index[1] - index[0] <= _LARGEST else None


def find(file: BinaryIO, name: bytes, begin: int, end: int) -> Span | None:
    """The first box of a name."""
    return next(find_all(file, name, begin, end), None)


def find_all(file: BinaryIO, name: bytes, begin: int, end: int) -> Iterator[Span]:
    """All boxes of a name, but for those in other boxes."""
    while begin + 8 <= end:
        file.seek(begin)
        size, found = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", file.read(8))[0], 16
        elif size == 0:
            size = end - begin
        if size < head or begin + size > end:
            return
        if found == name:
            yield begin + head, begin + size
        begin += size


def find_unread(path: pathlib.Path) -> tuple[str, ...]:
    """The kinds of the tracks that GStreamer takes for previews, "soun" for example.

    They last less than a fifth of the file.
    """
    with path.open("rb") as file:
        index = find_index(file)
        head = index and find(file, b"mvhd", *index)
        if not head or find(file, b"mvex", *index):  # in fragments, whose durations follow
            return ()
        whole = _seconds(file, head)
        return tuple(_unread(file, index, whole))


def _unread(file: BinaryIO, index: Span, whole: float) -> Iterator[str]:
    for track in find_all(file, b"trak", *index):
        media = find(file, b"mdia", *track)
        head = media and find(file, b"mdhd", *media)
        kind = media and find(file, b"hdlr", *media)
        if head and kind and 5 * _seconds(file, head) < whole:
            file.seek(kind[0] + 8)
            yield file.read(4).decode(errors="replace")


def _seconds(file: BinaryIO, head: Span) -> float:
    """The duration of "mvhd" or "mdhd"."""
    file.seek(head[0])
    data = file.read(32).ljust(32, b"\0")
    scale, duration = struct.unpack_from(*((">IQ", data, 20) if data[0] else (">II", data, 12)))
    return duration / scale if scale else 0
