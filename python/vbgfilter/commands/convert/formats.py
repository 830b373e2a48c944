"""Containers and codecs: the muxer of each container, and its default codecs."""

import pathlib
import re
from dataclasses import dataclass

from vbgfilter.commands.errors import USAGE, Failure

# The names of codecs, and the caps of their streams. MPEG-4 Part 2 is missing, because GStreamer's
# MP4 muxer rejects the output of GStreamer's MPEG-4 encoder.
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
# Parsers that convert a stream to a form that muxers accept.
PARSERS = {
    "video/x-h264": "h264parse",
    "video/x-h265": "h265parse",
    "video/x-av1": "av1parse",
    "audio/mpeg": "aacparse",
}


@dataclass(frozen=True)
class Container:
    """A kind of file, with its muxer.

    If the container does not support a codec of the source, the stream is re-encoded.
    """

    muxer: str
    codec: str  # the video codec for re-encoding, a name in CODECS
    sound: str  # the audio encoder for re-encoding
    form: str = ""  # ffmpeg's name, if it can add parts to the file
    texts: str = ""  # ffmpeg's codec for subtitles

    @property
    def stores_times(self) -> bool:
        """Whether each frame has its own time."""
        return self.muxer != "avimux"


_MP4 = Container("mp4mux", "h264", "avenc_aac", "mp4", "mov_text")
_MOV = Container("qtmux", "h264", "avenc_aac", "mov", "mov_text")
_MKV = Container("matroskamux", "h264", "opusenc", "matroska", "subrip")
CONTAINERS = {
    ".mp4": _MP4,
    ".m4v": _MP4,
    ".mov": _MOV,
    ".mkv": _MKV,
    ".webm": Container("webmmux", "vp9", "opusenc", "webm", "webvtt"),
    ".ts": Container("mpegtsmux", "h264", "avenc_aac"),
    ".avi": Container("avimux", "h264", "lamemp3enc"),
}
# A folder of pictures, with the sound in a separate file.
PICTURES = Container("matroskamux", "png", "opusenc")
# The file names of pictures: the printf format for multifilesink, and the expression that matches.
PICTURE_FORMAT, PICTURE_REGEX = "%06d.png", re.compile(r"\d{6,}\.png")
SOUND = "sound.mka"
# The suffixes of videos that the commands look for in folders. GStreamer reads all of these.
SUFFIXES = frozenset(CONTAINERS) | {
    ".3gp", ".flv", ".m2ts", ".mpg", ".mpeg", ".mts", ".ogv", ".wmv",
}  # fmt: skip
# The codecs that GStreamer can write with alpha. GStreamer 1.22 reads VP9 with alpha, but cannot
# write it.
ALPHA_CODECS = ("prores", "png")


def is_video_name(path: pathlib.PurePath) -> bool:
    """Whether a file in a folder counts as a video.

    Hidden files (such as ``._talk.mp4``) and files in hidden folders do not.
    """
    hidden = any(each.startswith(".") for each in path.parts)
    return path.suffix.lower() in SUFFIXES and not hidden


def container_of(output: pathlib.Path, codec: str | None) -> Container:
    """Returns the container of an output, which its suffix determines except for codec png.

    Raises a usage Failure (exit code 2) if the suffix is unknown.
    """
    if codec == "png":
        return PICTURES
    container = CONTAINERS.get(output.suffix.lower())
    if container is None:
        known = ", ".join(CONTAINERS)
        text = f"unknown type of file; the name must end in one of {known}, or in / for a folder"
        raise Failure(f"{output}: {text}", USAGE)
    return container


def output_suffix(source: pathlib.Path, codec: str | None, transparent: bool) -> str:
    """Returns the suffix for a result's name if the user gave only the output folder."""
    if codec == "png":
        return ""
    if codec == "prores" or (transparent and codec is None):
        return ".mov"
    suffix = source.suffix.lower()
    return suffix if suffix in CONTAINERS else ".mkv"


def check_alpha(output: pathlib.Path, codec: str) -> None:
    """Raises a usage Failure (exit code 2) unless a codec can store alpha."""
    if codec not in ALPHA_CODECS:
        known = " or ".join(ALPHA_CODECS)
        raise Failure(
            f"{output}: GStreamer cannot write {codec} with alpha; use --codec {known}", USAGE
        )
