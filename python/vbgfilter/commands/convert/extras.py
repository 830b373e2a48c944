"""Adds titles, chapters and subtitles to a result. ffmpeg converts them between containers."""

import contextlib
import mmap
import pathlib
import re
import struct
from collections.abc import Iterator

from vbgfilter.commands.convert.contents import Contents
from vbgfilter.commands.convert.formats import Container
from vbgfilter.commands.convert.media import Media, Track, mux, probe, read_contents
from vbgfilter.commands.convert.pipeline import Plan
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.names import part_of

_BITMAPS = ("dvb_subtitle", "dvd_subtitle", "hdmv_pgs_subtitle")
_TEXTS = ("ass", "eia_608", "mov_text", "subrip", "text", "webvtt")
# A result without one of these is incomplete.
_TITLES = ("title", "artist", "album", "comment", "description", "copyright", "genre")
# These describe the source's file.
_TECHNICAL = ("encoder", "major_brand", "minor_version", "compatible_brands")
_END_TOLERANCE = 0.25  # seconds
# Longer texts and headers may be pictures: Vorbis comments and XMP store pictures as text.
_MAX_TEXT_LENGTH, _MAX_HEADER_BYTES = 4096, 512
# MP4's header of Opus: version, channels, and in this order samples to skip, sample rate and gain.
_OPUS = re.compile(rb"dOps\0.[\0-\xff]{8}", re.DOTALL)


def correct_opus(path: pathlib.Path) -> None:
    """Corrects the order of bytes in the headers of Opus in an MP4 file.

    GStreamer 1.22 writes them in the wrong order. Players then skip a third of a second.
    """
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        index = max(0, data.rfind(b"moov"))  # the muxer writes it at the end
        for found in _OPUS.finditer(data, index):
            head, skipped, rate, gain = struct.unpack("<6sHIh", found[0])
            if rate < 1 << 20:  # it would be at least this if the order was right
                data[found.start() : found.end()] = struct.pack(">6sHIh", head, skipped, rate, gain)


@contextlib.contextmanager
def completed(plan: Plan, made: Contents) -> Iterator[pathlib.Path]:
    """Yields the path of a result with all titles, chapters and subtitles of its source.

    This is the plan's target if no part is missing, or if ffmpeg fails. ``made`` are its
    contents. Adds notes about parts that are left out.
    """
    media, container, path = plan.media, plan.container, plan.target
    kept = [each for each in media.texts if _fits(each, container)]
    plan.notes += [f"a stream was left out: {e.title}" for e in media.texts if e not in kept]
    whole = part_of(path)
    try:
        if container.form:
            found = probe(path)
            titles = [text for key, text in media.tags.items() if key.lower() in _TITLES]
            titles += [each.tags["title"] for each in media.sounds if "title" in each.tags]
            is_whole = not kept and set(titles) <= set(found.tags.values())
            is_whole = is_whole and len(found.chapters) == len(media.chapters)
            # GStreamer 1.22 states a wrong duration of Matroska files if the sound begins late.
            is_wrong = "webm" in found.container and made.seconds - found.seconds > _END_TOLERANCE
            if is_wrong or not is_whole:
                if _add(plan, found, made.begin - plan.contents.begin, kept, whole):
                    path = whole
                elif not is_whole:
                    plan.notes.append("the titles, chapters and subtitles were left out")
        elif media.chapters:
            plan.notes.append("the chapters were left out")
        yield path
    finally:
        whole.unlink(missing_ok=True)


def _fits(text: Track, container: Container) -> bool:
    if text.codec in _BITMAPS:
        return container.muxer == "matroskamux" and text.header_bytes <= _MAX_HEADER_BYTES
    return bool(container.texts) and text.codec in _TEXTS


def _add(plan: Plan, made: Media, shift: float, kept: list[Track], whole: pathlib.Path) -> bool:
    """Writes a complete copy of a result. Returns False if this fails."""
    media, container = plan.media, plan.container
    is_short = all(len(each) <= _MAX_TEXT_LENGTH for each in media.chapters)
    # GStreamer 1.22 marks no packet of sound in Matroska files as a key frame.
    line = ["-map", "0", "-c", "copy", "-copyinkf"]
    line += ["-map_chapters", "1" if is_short else "-1"]
    # Remove all titles, because GStreamer 1.22 writes quotes around them in Matroska files.
    line += [part for key in made.tags for part in ("-metadata", f"{key}=")]
    for number, each in enumerate(kept):
        codec = "copy" if each.codec in _BITMAPS else container.texts
        line += ["-map", f"1:{each.index}", f"-c:s:{number}", codec]
        long = (key for key, text in each.tags.items() if len(text) > _MAX_TEXT_LENGTH)
        line += [part for key in long for part in (f"-metadata:s:s:{number}", f"{key}=")]
    for key, text in media.tags.items():
        if key not in _TECHNICAL and len(text) <= _MAX_TEXT_LENGTH:
            line += ["-metadata", f"{key}={text}"]
    for number, each in enumerate(media.sounds):
        if len(title := each.tags.get("title", "")) in range(1, _MAX_TEXT_LENGTH):
            line += [f"-metadata:s:a:{number}", f"title={title}"]
    try:
        mux(made.path, media.path, shift, [*line, "-f", container.form], whole)
        before, after = (read_contents(each, decoded=False) for each in (made, probe(whole)))
    except Failure:
        return False
    return before is not None and after is not None and not after.differs_from(before)
