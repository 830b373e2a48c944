"""Completes MP4 files of GStreamer's muxers: adds chapters, and corrects the header of Opus."""

import pathlib
import re
import struct
from typing import BinaryIO

from vbgfilter.commands.convert.media import Chapter

# The MP4 box "chpl" stores the count and the lengths of titles in one byte each, and times in units
# of 100 ns.
_MAX_CHAPTERS, _MAX_TITLE_BYTES, _UNITS_PER_SECOND = 255, 255, 10_000_000
# The box "dOps": version, channels, and in this order samples to skip, sample rate and gain.
_OPUS = re.compile(rb"dOps\0.[\0-\xff]{8}", re.DOTALL)
# The start and end of a box's content.
_Span = tuple[int, int]


def correct_opus(path: pathlib.Path) -> None:
    """Corrects the order of bytes in the headers of Opus.

    GStreamer 1.22 writes them in the wrong order. Players then skip a third of a second.
    """
    with path.open("r+b") as file:
        index = _find(file, b"moov", 0, path.stat().st_size)
        if not index:
            return
        file.seek(index[0])
        data = file.read(index[1] - index[0])
        for found in _OPUS.finditer(data):
            head, skipped, rate, gain = struct.unpack("<6sHIh", found[0])
            if rate < 1 << 20:  # it would be at least this if the order was right
                file.seek(index[0] + found.start())
                file.write(struct.pack(">6sHIh", head, skipped, rate, gain))


def write_chapters(path: pathlib.Path, chapters: tuple[Chapter, ...]) -> bool:
    """Adds chapters to an MP4 file without chapters. Returns False if that is impossible."""
    if len(chapters) > _MAX_CHAPTERS:
        return False
    added = _box(b"chpl", _format(chapters))
    with path.open("r+b") as file:
        size = path.stat().st_size
        index, frames = (_find(file, name, 0, size) for name in (b"moov", b"mdat"))
        # The index contains the positions of the frames. So the frames must come before the index:
        # then they do not move when the index grows.
        if not index or not frames or frames[0] > index[0]:
            return False
        user = _find(file, b"udta", *index)
        if not user:
            added = _box(b"udta", added)
        file.seek(user[1] if user else index[1])
        rest = file.read()
        file.seek(-len(rest), 2)
        file.write(added + rest)
        for begin, end in filter(None, (index, user)):
            file.seek(begin - 8)
            file.write(struct.pack(">I", end - begin + 8 + len(added)))
    return True


def _find(file: BinaryIO, name: bytes, begin: int, end: int) -> _Span | None:
    """Returns the content of the first box with this name in a file of GStreamer's muxers."""
    while begin + 8 <= end:
        file.seek(begin)
        size, found = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = int.from_bytes(file.read(8)), 16
        if size < head:
            return None
        if found == name:
            return begin + head, begin + size
        begin += size
    return None


def _format(chapters: tuple[Chapter, ...]) -> bytes:
    content = struct.pack(">IIB", 1 << 24, 0, len(chapters))
    for each in chapters:
        title = each.title.encode()[:_MAX_TITLE_BYTES].decode(errors="ignore").encode()
        content += struct.pack(">QB", round(each.begin * _UNITS_PER_SECOND), len(title)) + title
    return content


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content
