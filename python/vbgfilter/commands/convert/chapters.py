"""Chapters of MP4 files, copied as they are: GStreamer neither reads nor writes them.

In Matroska files GStreamer's muxer writes them.
"""

import pathlib
import struct
from typing import BinaryIO

# Of "moov": a file of days has no larger one.
_LARGEST = 1 << 30


def copy(source: pathlib.Path, target: pathlib.Path) -> bool:
    """Copies the chapters of one MP4 file into another, whose index stands behind its frames.

    Returns False where the source has chapters that the target cannot take.
    """
    with source.open("rb") as file:
        index = _find(file, b"moov", 0, source.stat().st_size)
        if index and index[1] - index[0] > _LARGEST:
            return True
        user = index and _find(file, b"udta", *index)
        found = user and _find(file, b"chpl", *user)
        if not found:
            return True
        file.seek(found[0])
        chapters = _box(b"chpl", file.read(found[1] - found[0]))
    if target.suffixes[-2:-1] not in ([".mp4"], [".m4v"], [".mov"]):
        return False
    size = target.stat().st_size
    with target.open("r+b") as file:
        index = _find(file, b"moov", 0, size)
        frames = _find(file, b"mdat", 0, size)
        # The index tells where in the file the frames are: they must not move.
        if not index or not frames or frames[0] > index[0]:
            return False
        user = _find(file, b"udta", *index)
        file.seek(user[1] if user else index[1])
        rest = file.read()
        added = chapters if user else _box(b"udta", chapters)
        file.seek(-len(rest), 2)
        file.write(added + rest)
        for begin, end in filter(None, (index, user)):
            file.seek(begin - 8)
            file.write(struct.pack(">I", end - begin + 8 + len(added)))
    return True


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content


def _find(file: BinaryIO, name: bytes, begin: int, end: int) -> tuple[int, int] | None:
    """Where the content of a box begins and ends; None where there is no box of the name."""
    while begin + 8 <= end:
        file.seek(begin)
        size, found = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = struct.unpack(">Q", file.read(8))[0], 16
        elif size == 0:
            size = end - begin
        if size < head or begin + size > end:
            return None
        if found == name:
            return begin + head, begin + size
        begin += size
    return None
