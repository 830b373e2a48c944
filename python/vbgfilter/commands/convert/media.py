"""Reads files with ffmpeg, which reads damaged and unusual files as players do."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import IO, Any, NamedTuple

from vbgfilter.commands.convert.contents import MIN_INTERVAL, Contents, Spans, distinct, joined
from vbgfilter.commands.errors import UNREADABLE, Failure, missing

# Formats that contain all of their data. Playlists could name files and servers.
_FORMATS = (
    "mov,matroska,mpegts,mpeg,avi,flv,live_flv,asf,ogg,gif,apng,nut,mxf,ivf,dv,rm,wtv,mpegvideo,"
    "m4v,h264,hevc,obu,yuv4mpegpipe"
)
# A transport stream may begin with seconds of sound before the first key frame.
_INPUT = (
    "-protocol_whitelist", "file", "-format_whitelist", _FORMATS,
    "-analyzeduration", "60M", "-probesize", "200M",
)  # fmt: skip
# Keeps the times of pictures. By default, ffmpeg rounds them, and drops some before the time 0.
_EXACT = ("-fps_mode:v", "passthrough", "-enc_time_base:v", "-1")
# Longer jumps of timestamps in transport streams mean a new clock, not a pause.
_MAX_PAUSE_SECONDS = 600
# The codecs that ffmpeg copies to Matroska and GStreamer reads there.
_COPIED_SOUND = frozenset(
    "aac ac3 alac dts eac3 flac mp2 mp3 opus pcm_f32le pcm_s16le pcm_s24le vorbis".split()
)
# FFV1 keeps these without loss.
_PIXELS = "yuv420p|yuv422p|yuv444p|yuv420p10le|yuv422p10le|yuv444p10le"
# Of libavcodec: the time of packets without time, and the flag of packets that are not shown.
_NO_TIME, _DISCARD = -(1 << 63), 4
_HDR = {"smpte2084": "PQ", "arib-std-b67": "HLG"}


class Track(NamedTuple):
    """A stream of sound or subtitles."""

    index: int
    codec: str  # ffmpeg's name
    title: str  # the codec's name for the user
    header_bytes: int
    tags: dict[str, str]


@dataclass(frozen=True)
class Video:
    """A video stream. ``rates`` are guesses. ``bitrate`` is 0 if it is unknown."""

    index: int
    codec: str  # ffmpeg's name
    title: str  # the codec's name for the user
    width: int
    height: int
    rates: tuple[Fraction, ...]
    bitrate: int
    interlaced: bool
    hdr: str  # PQ or HLG, empty for standard range
    full_range: bool
    rgb: bool


@dataclass(frozen=True)
class Media:
    """A file, without the pictures and the sound themselves."""

    path: pathlib.Path
    container: str  # ffmpeg's names of the format
    seconds: float  # the duration according to the file, or 0
    video: Video
    sounds: tuple[Track, ...]  # those that can be decoded
    texts: tuple[Track, ...]  # subtitles
    others: tuple[str, ...]  # the names of the other streams
    sound_bits: int  # the sum of the bitrates
    chapters: tuple[str, ...]  # the longest text of each
    tags: dict[str, str]  # titles and comments


def probe(path: pathlib.Path) -> Media:
    """Examines a file. Raises Failure with UNREADABLE if it is not a video."""
    shown = ("-show_streams", "-show_format", "-show_chapters")
    with _run("ffprobe", *_INPUT, "-of", "json", *shown, _url(path)) as (out, problems):
        found, problem = json.loads(out.read() or b"{}"), problems(path)
    streams = found.get("streams", [])
    # The titles of chapters are tracks, too.
    titles = ("data", "text")
    streams = [e for e in streams if (e["codec_type"], e.get("codec_tag_string")) != titles]
    videos = [
        each for each in streams
        if each["codec_type"] == "video" and not each["disposition"]["attached_pic"]
    ]  # fmt: skip
    if "not on whitelist" in problem:
        raise Failure(f"{path}: is a picture or a playlist: use a video", UNREADABLE)
    if not streams:
        raise Failure(f"{path}: is not a video that ffmpeg can read: {problem}", UNREADABLE)
    if not videos:
        raise Failure(f"{path}: contains no video", UNREADABLE)
    sounds = [each for each in streams if each["codec_type"] == "audio" and each.get("channels")]
    texts = [each for each in streams if each["codec_type"] == "subtitle"]
    kept = [videos[0], *sounds, *texts]
    whole = found["format"]
    chapters = [each.get("tags", {}).values() for each in found.get("chapters", [])]
    return Media(
        path=path,
        container=whole["format_name"],
        # Matroska files state the end instead of the duration.
        seconds=max(float(each.get("duration", 0)) for each in (videos[0], *sounds))
        or float(whole.get("duration", 0)) - float(whole.get("start_time", 0)),
        video=_video(videos[0]),
        sounds=tuple(map(_track, sounds)),
        texts=tuple(map(_track, texts)),
        others=tuple(_title(each) for each in streams if each not in kept),
        sound_bits=sum(int(each.get("bit_rate", 0)) for each in sounds),
        chapters=tuple(max(each, key=len, default="") for each in chapters),
        tags=whole.get("tags", {}),
    )


def read_contents(media: Media, decoded: bool) -> Contents | None:
    """Reads the times of the pictures and of the sound.

    Without ``decoded``, these are the times of the packets, which is many times faster. Returns
    None if the file marks some packets as hidden. With ``decoded``, these are the times that a
    player shows, without pictures that cannot be decoded.
    """
    codecs = ("-c", "copy", "-copyinkf")
    # Sizes of decoded pictures tell whether they change. The loop filter does not change them.
    faster = ("-skip_loop_filter:v", "all", "-noautorotate") if decoded else ()
    if decoded:
        codecs = ("-noautoscale", *_EXACT, "-c:v", "rawvideo", "-c:a", "pcm_s16le")
    indices = (media.video.index, *(each.index for each in media.sounds))
    maps = [part for index in indices for part in ("-map", f"0:{index}")]
    with _run("ffmpeg", *_source(media.path, faster), *maps, *codecs, "-f", "framecrc", "-") as (
        out, problems,
    ):  # fmt: skip
        found = _parse(out, 1 + len(media.sounds))
        if found is None:
            return None
        problem = problems(media.path)
    frames, sounds, packets, pictures = found
    sizes = {each.partition(",")[0] for each in packets}
    size = _largest(media) if decoded and len(sizes) > 1 else None
    times = distinct(frames)
    end = max((begin + length for begin, length in frames.items()), default=0.0)
    if times and end == times[-1] and len(times) > 1:  # the last duration is unknown
        end += times[-1] - times[-2]
    unchanged = frozenset(() if decoded else packets)
    doubles = pictures - len(times)
    return Contents(times, end, sounds, size, problem, doubles=doubles, packets=unchanged)


@contextlib.contextmanager
def piped(media: Media, size: tuple[int, int] | None, rate: Fraction | None) -> Iterator[IO[bytes]]:
    """Yields a Matroska stream of pictures that ffmpeg has decoded, with sound.

    ``size`` is the size of all pictures if they have several sizes. ``rate`` is the frame rate if
    pictures must be repeated and left out.
    """
    once = f"select='isnan(prev_selected_t)+gt(t,prev_selected_t+{MIN_INTERVAL})'"
    filters = [once]
    if not size:  # when the size changes, yadif loses a frame
        filters.append("yadif=deint=interlaced")
    else:
        width, height = size
        fitted = f"scale={width}:{height}:force_original_aspect_ratio=decrease"
        filters += ["scale=iw*sar:ih", fitted, f"pad={width}:{height}:-1:-1", "setsar=1"]
    if rate:
        filters.append(f"fps={rate}")
    filters.append(f"format={_PIXELS}")
    # Leave out sound before the edit list begins.
    line = ["-copypriorss", "0", "-map", f"0:{media.video.index}", "-vf", ",".join(filters),
            *_EXACT, "-c:v", "ffv1", "-level", "3", "-coder", "0"]  # fmt: skip
    for at, each in enumerate(media.sounds):
        # Without seeking, ffmpeg cannot write the header of sound that lacks it.
        lacks_header = each.codec == "aac" and media.container == "mpegts"
        is_copied = each.codec in _COPIED_SOUND and not lacks_header
        how = "copy" if is_copied else "pcm_s16le"
        line += ["-map", f"0:{each.index}", f"-c:a:{at}", how]
    with _run("ffmpeg", *_source(media.path), *line, "-f", "matroska", "-") as (out, _):
        yield out


def mux(
    first: pathlib.Path, second: pathlib.Path, shift: float, how: list[str], made: pathlib.Path
) -> None:
    """Writes a file with streams of two others. ``shift`` delays the second, in seconds."""
    files = ["-y", "-i", _url(first), "-itsoffset", f"{shift:.6f}", *_source(second)]
    with _run("ffmpeg", *files, "-strict", "-2", *how, _url(made)) as (out, _):
        out.read()


def _source(path: pathlib.Path, more: Sequence[str] = ()) -> list[str]:
    pause = ("-dts_delta_threshold", str(_MAX_PAUSE_SECONDS))
    return ["-nostdin", *pause, *_INPUT, *more, "-i", _url(path)]


def _url(path: pathlib.Path) -> str:
    """Returns a name that ffmpeg takes for a file, even if it contains ``:`` or ``%``."""
    return f"file:{path.absolute()}"


@contextlib.contextmanager
def _run(program: str, *arguments: str) -> Iterator[tuple[IO[bytes], Any]]:
    """Runs a program of ffmpeg. Yields its output, and a function that returns its first error."""
    if shutil.which(program) is None:
        raise missing(program, apt="ffmpeg")
    with tempfile.TemporaryFile() as errors:

        def problem(path: pathlib.Path) -> str:
            process.wait()
            errors.seek(0)
            text = re.sub(r"^\[[^]]*\] *", "", errors.readline().decode(errors="replace").strip())
            return text.removeprefix(f"{_url(path)}: ").removeprefix(f"{path}: ")

        with subprocess.Popen(
            [program, "-v", "error", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
        ) as process:  # fmt: skip
            try:
                yield process.stdout, problem
            finally:
                process.kill()


def _parse(
    lines: IO[bytes], count: int
) -> tuple[dict[float, float], tuple[Spans, ...], set[str], int] | None:
    """Reads ffmpeg's format framecrc: streams, times, durations, sizes and checksums of packets."""
    units = [1.0] * count
    frames: dict[float, float] = {}
    sounds: list[list[tuple[float, float]]] = [[] for _ in range(count - 1)]
    packets, pictures = set(), 0
    for line in lines:
        if line.startswith(b"#tb"):
            stream, unit = line[3:].split(b":")
            units[int(stream)] = float(Fraction(unit.strip().decode()))
        if line.startswith(b"#"):
            continue
        fields = [each.strip() for each in line.split(b",")]
        stream, decoding, showing, length = map(int, fields[:4])
        hidden = any(int(each[2:], 16) & _DISCARD for each in fields if each[:2] == b"F=")
        begin = (showing if showing != _NO_TIME else decoding) * units[stream]
        length = max(0, length) * units[stream]
        if stream > 0 and not hidden:
            sounds[stream - 1].append((begin, begin + length))
        elif stream == 0:
            if hidden or decoding == showing == _NO_TIME:
                return None
            frames[begin] = length
            packets.add(b",".join(fields[4:6]).decode())
            pictures += 1
    return frames, tuple(joined(each) for each in sounds), packets, pictures


def _largest(media: Media) -> tuple[int, int] | None:
    """Returns the largest size of pictures, or None if they have only one."""
    shown = ("-select_streams", str(media.video.index), "-show_entries", "frame=width,height")
    with _run("ffprobe", *_INPUT, *shown, "-of", "csv=p=0", _url(media.path)) as (out, _):
        found = (re.match(rb"(\d+),(\d+)", line) for line in out)
        sizes = {(int(each[1]), int(each[2])) for each in found if each}
    return max(sizes, key=lambda each: each[0] * each[1]) if len(sizes) > 1 else None


def _video(stream: dict[str, Any]) -> Video:
    rates = (stream.get(each, "0/0") for each in ("r_frame_rate", "avg_frame_rate"))
    return Video(
        index=stream["index"],
        codec=stream.get("codec_name", ""),
        title=_title(stream),
        width=stream.get("width", 0),
        height=stream.get("height", 0),
        rates=tuple(Fraction(each) for each in rates if not each.endswith("/0")),
        bitrate=int(stream.get("bit_rate", 0)),
        interlaced=stream.get("field_order", "progressive") not in ("progressive", "unknown"),
        hdr=_HDR.get(stream.get("color_transfer", ""), ""),
        full_range=stream.get("color_range") == "pc",
        rgb=stream.get("pix_fmt", "").startswith("gbr"),
    )


def _track(stream: dict[str, Any]) -> Track:
    header, tags = stream.get("extradata_size", 0), stream.get("tags", {})
    return Track(stream["index"], stream.get("codec_name", ""), _title(stream), header, tags)


def _title(stream: dict[str, Any]) -> str:
    known = stream.get("codec_long_name") or "unknown"
    return f"unknown {stream['codec_type']}" if known == "unknown" else known.split(" / ")[0]
