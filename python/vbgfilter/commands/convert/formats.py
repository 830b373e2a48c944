"""Containers and codecs: the muxer of each container, and its codecs."""

import pathlib
import re
from dataclasses import dataclass

from vbgfilter.commands.errors import USAGE, Failure

# Common names of codecs, and the caps of their streams. MPEG-4 Part 2 is missing, because
# GStreamer's MP4 muxer rejects the output of its encoder.
CODECS = {
    "h264": "video/x-h264",
    "h265": "video/x-h265",
    "av1": "video/x-av1",
    "vp8": "video/x-vp8",
    "vp9": "video/x-vp9",
    "prores": "video/x-prores",
    "ffv1": "video/x-ffv, ffvversion=1",
    "mjpeg": "image/jpeg",
    "png": "image/png",
}
# Parsers that convert a stream for the muxers, if necessary.
PARSERS = {
    "video/x-h264": "h264parse",
    "video/x-h265": "h265parse",
    "video/x-av1": "av1parse",
    "audio/mpeg": "aacparse",
}


@dataclass(frozen=True)
class Container:
    """A kind of file: its muxer, and codecs to replace unsupported ones of a source."""

    muxer: str
    codec: str
    sound: str  # an encoder


_MP4 = Container("mp4mux", "h264", "avenc_aac")
_MOV = Container("qtmux", "h264", "avenc_aac")
_MKV = Container("matroskamux", "h264", "opusenc")
CONTAINERS = {
    ".mp4": _MP4,
    ".m4v": _MP4,
    ".mov": _MOV,
    ".mkv": _MKV,
    ".webm": Container("webmmux", "vp9", "opusenc"),
    ".ts": Container("mpegtsmux", "h264", "avenc_aac"),
    ".avi": Container("avimux", "h264", "lamemp3enc"),
}
# A folder of pictures, with the sound in a separate file.
PICTURES = Container("matroskamux", "png", "opusenc")
PICTURE_PATTERN, PICTURE = "%06d.png", re.compile(r"\d{6,}\.png")
SOUND = "sound.mka"
# Common video files that GStreamer reads. The commands look for them in folders.
SUFFIXES = frozenset(CONTAINERS) | {
    ".3gp", ".flv", ".m2ts", ".mpg", ".mpeg", ".mts", ".ogv", ".wmv",
}  # fmt: skip
# GStreamer 1.22 reads VP9 with alpha, but cannot write it.
ALPHA_CODECS = ("prores", "png")


def is_video_name(path: pathlib.PurePath) -> bool:
    """Whether a file in a folder counts as a video. Hidden files (``._talk.mp4``) do not."""
    hidden = any(each.startswith(".") for each in path.parts)
    return path.suffix.lower() in SUFFIXES and not hidden


def container_of(output: pathlib.Path, codec: str | None) -> Container:
    """Returns the container of an output by its name. Failure 2 if the name is unknown."""
    if codec == "png":
        return PICTURES
    container = CONTAINERS.get(output.suffix.lower())
    if container is None:
        known = ", ".join(CONTAINERS)
        raise Failure(f"{output}: unknown type of file; the name must end in one of {known}", USAGE)
    return container


def output_suffix(source: pathlib.Path, codec: str | None, transparent: bool) -> str:
    """Returns the suffix of a result's name, if the user gave only its folder."""
    if codec == "png":
        return ""
    if codec == "prores" or (transparent and codec is None):
        return ".mov"
    suffix = source.suffix.lower()
    return suffix if suffix in CONTAINERS else ".mkv"


def check_alpha(output: pathlib.Path, codec: str) -> None:
    """Raises Failure 2 if a codec keeps no alpha, or if a file cannot contain the codec."""
    is_movie = output.suffix.lower() in (".mov", ".mkv")
    if codec not in ALPHA_CODECS or (codec == "prores" and not is_movie):
        raise Failure(
            f"{output}: GStreamer cannot write alpha to this file; use a .mov, which becomes "
            "ProRes 4444, or --codec png",
            USAGE,
        )
