"""Chapters. GStreamer neither reads nor writes chapters of MP4 files, so this module does."""

import pathlib
import struct
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert import mp4

if TYPE_CHECKING:
    from gi.repository import Gst

# The MP4 box "chpl" stores the count and the lengths of titles in one byte each, and times in units
# of 100 ns.
_MAX_CHAPTERS, _MAX_TITLE_BYTES, _UNITS_PER_SECOND = 255, 255, 10_000_000


class Chapter(NamedTuple):
    """A chapter, which lasts until the next one."""

    begin: float  # seconds
    title: str


def read_mp4(path: pathlib.Path) -> tuple[Chapter, ...] | None:
    """Returns the chapters of an MP4 file.

    Returns an empty tuple for other files, and None if the chapters cannot be read.
    """
    with path.open("rb") as file:
        index = mp4.find_index(file)
        if not index:
            return ()
        user = mp4.find(file, b"udta", *index)
        found = user and mp4.find(file, b"chpl", *user)
        if found:
            file.seek(found[0])
            try:
                return _parse(file.read(found[1] - found[0]))
            except (struct.error, IndexError):  # the box is damaged
                return None
        return None if _has_track(file, index) else ()


def write_mp4(path: pathlib.Path, chapters: tuple[Chapter, ...]) -> bool:
    """Adds chapters to an MP4 file without chapters. Returns False if that is impossible."""
    if len(chapters) > _MAX_CHAPTERS:
        return False
    added = _box(b"chpl", _format(chapters))
    with path.open("r+b") as file:
        index = mp4.find_index(file)
        frames = mp4.find(file, b"mdat", 0, path.stat().st_size)
        # The index contains the positions of the frames. So the frames must come before the index:
        # then they do not move when the index grows.
        if not index or not frames or frames[0] > index[0]:
            return False
        user = mp4.find(file, b"udta", *index)
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


def from_toc(toc: "Gst.Toc") -> tuple[Chapter, ...]:
    """Returns the chapters of a table of contents of GStreamer, without nested chapters."""
    gst = gstreamer.start()
    found = []
    for entry in toc.get_entries():
        inner = entry.get_sub_entries() if entry.is_alternative() else [entry]
        found += [each for each in inner if each.get_entry_type() == gst.TocEntryType.CHAPTER]
    return tuple(_chapter(each) for each in found)


def _chapter(entry: Any) -> Chapter:
    gst = gstreamer.start()
    _, begin, _ = entry.get_start_stop_times()
    tags = entry.get_tags()
    title = tags.get_string(gst.TAG_TITLE)[1] if tags is not None else None
    return Chapter(begin / gst.SECOND, title or "")


def _parse(box: bytes) -> tuple[Chapter, ...]:
    at = 8 if box[:1] != b"\0" else 4
    count, at = box[at], at + 1
    found = []
    for _ in range(count):
        begin, length = struct.unpack_from(">QB", box, at)
        title = box[at + 9 : at + 9 + length].decode(errors="replace")
        found.append(Chapter(begin / _UNITS_PER_SECOND, title))
        at += 9 + length
    return tuple(found)


def _format(chapters: tuple[Chapter, ...]) -> bytes:
    content = struct.pack(">IIB", 1 << 24, 0, len(chapters))
    for each in chapters:
        title = each.title.encode()[:_MAX_TITLE_BYTES].decode(errors="ignore").encode()
        content += struct.pack(">QB", round(each.begin * _UNITS_PER_SECOND), len(title)) + title
    return content


def _has_track(file: BinaryIO, index: mp4.Span) -> bool:
    """Whether a track refers to a chapter track, as in QuickTime files."""
    links = (mp4.find(file, b"tref", *each) for each in mp4.find_all(file, b"trak", *index))
    return any(mp4.find(file, b"chap", *each) for each in links if each)


def _box(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content) + 8, name) + content
