"""Reads boxes of MP4 files, for data that GStreamer does not report."""

import contextlib
import os
import pathlib
import shutil
import struct
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

# The maximum size of "moov". It is enough for several days of video.
_MAX_INDEX_BYTES = 1 << 30
# The maximum size of "elst", which normally has only a few entries.
_MAX_EDITS_BYTES = 1 << 16
# The start and end of a box's content.
Span = tuple[int, int]


def find_index(file: BinaryIO) -> Span | None:
    """Returns the box "moov", the index of the file.

    Returns None if the file has no such box, or if the box is too large.
    """
    index = find(file, b"moov", 0, pathlib.Path(file.name).stat().st_size)
    return index if index and index[1] - index[0] <= _MAX_INDEX_BYTES else None


def find(file: BinaryIO, name: bytes, begin: int, end: int) -> Span | None:
    """Returns the first box with this name, or None if there is no such box."""
    return next(find_all(file, name, begin, end), None)


def find_all(file: BinaryIO, name: bytes, begin: int, end: int) -> Iterator[Span]:
    """Yields all boxes with this name, except nested ones and those that extend beyond ``end``."""
    for found, first, last in _boxes(file, begin, end):
        if found == name and last <= end:
            yield first, last


def _boxes(file: BinaryIO, begin: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Yields the name and the span of each box. The last box may extend beyond ``end``."""
    while begin + 8 <= end:
        file.seek(begin)
        size, found = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            size, head = int.from_bytes(file.read(8)), 16
        elif size == 0:
            size = end - begin
        if size < head:
            return
        yield found, begin + head, begin + size
        begin += size


def find_unread(path: pathlib.Path) -> tuple[str, ...]:
    """Returns the kinds of tracks that GStreamer mistakes for previews, for example "soun".

    GStreamer takes tracks for previews if they last less than a fifth of the file.
    """
    return tuple(each.kind for each in _read_tracks(path) if each.is_preview)


def read_edits(path: pathlib.Path) -> list[tuple[str, float | None]]:
    """Returns the kind of each track that GStreamer reads, and the duration of its edit list.

    The duration is in seconds, or None without an edit list.
    """
    return [(each.kind, each.shown) for each in _read_tracks(path) if not each.is_preview]


def is_cut_short(path: pathlib.Path) -> bool:
    """Whether the file is truncated: it is an MP4 file and ends within its index or its media."""
    end = path.stat().st_size
    with path.open("rb") as file:
        return any(
            last > end and name in (b"moov", b"mdat") for name, _, last in _boxes(file, 0, end)
        )


@contextlib.contextmanager
def with_full_duration(path: pathlib.Path, folder: pathlib.Path) -> Iterator[pathlib.Path | None]:
    """Yields a copy of an MP4 file, whose index has the duration of the longest track.

    Yields None if the index has this duration already, or if its field is too small for it.

    GStreamer 1.22 stops reading at the duration in the index, but measures from the start of the
    media, including the part that edit lists skip. The copy is an unnamed file in ``folder``, so it
    disappears when this process ends.
    """
    with path.open("rb") as file, tempfile.TemporaryFile(dir=folder) as copy:
        index = find_index(file)
        head = index and find(file, b"mvhd", *index)
        scale, whole = _duration(file, head)
        longest = round(scale * max(each.media for each in _read_tracks(path)))
        file.seek(head[0])
        is_long = file.read(1) != b"\0"
        if not whole < longest < 1 << (64 if is_long else 32):
            yield None
            return
        file.seek(0)
        shutil.copyfileobj(file, copy, 1 << 20)
        copy.seek(head[0] + (24 if is_long else 16))
        copy.write(longest.to_bytes(8 if is_long else 4))
        copy.flush()
        yield pathlib.Path(f"/proc/{os.getpid()}/fd/{copy.fileno()}")


class _Track(NamedTuple):
    """A track."""

    kind: str
    is_preview: bool  # whether GStreamer mistakes it for a preview
    media: float  # the duration of its media in seconds
    shown: float | None  # the duration of its edit list in seconds, if there is one


def _read_tracks(path: pathlib.Path) -> list[_Track]:
    """Returns the tracks of an MP4 file.

    The list is empty for other files, and for fragmented files: their index lacks the durations.
    """
    found = []
    with path.open("rb") as file:
        index = find_index(file)
        head = index and find(file, b"mvhd", *index)
        if not head or find(file, b"mvex", *index):
            return []
        scale, whole = _duration(file, head)
        for track in find_all(file, b"trak", *index):
            media = find(file, b"mdia", *track)
            head = media and find(file, b"mdhd", *media)
            kind = media and find(file, b"hdlr", *media)
            if not head or not kind:
                continue
            file.seek(kind[0] + 8)
            name = file.read(4).decode(errors="replace")
            own_scale, own = _duration(file, head)
            seconds = own / own_scale
            shown = _shown(file, track, scale, own_scale, own)
            found.append(_Track(name, 5 * seconds < whole / scale, seconds, shown))
    return found


def _shown(file: BinaryIO, track: Span, scale: int, own_scale: int, own: int) -> float | None:
    """Returns the duration of a track's edit list in seconds, including pauses.

    Returns None if the track has no edit list.
    """
    edits = find(file, b"edts", *track)
    box = edits and find(file, b"elst", *edits)
    if not box:
        return None
    file.seek(box[0])
    data = file.read(min(box[1] - box[0], _MAX_EDITS_BYTES))
    form = struct.Struct(">QqI" if data[:1] == b"\1" else ">IiI")
    entries = data[8 : 8 + int.from_bytes(data[4:8]) * form.size]
    seconds = 0.0
    for length, begin, _ in form.iter_unpack(entries[: len(entries) // form.size * form.size]):
        rest = (own - begin) / own_scale if begin >= 0 else length / scale
        seconds += max(0, min(length / scale, rest))
    return seconds


def _duration(file: BinaryIO, head: Span) -> tuple[int, int]:
    """Returns the units per second and the duration in these units, from "mvhd" or "mdhd"."""
    file.seek(head[0])
    data = file.read(32).ljust(32, b"\0")
    scale, duration = struct.unpack_from(*((">IQ", data, 20) if data[0] else (">II", data, 12)))
    return (scale, duration) if scale else (1, 0)
