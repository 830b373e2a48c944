"""Examines media files with GStreamer's discoverer, without displaying or writing anything."""

import os
import pathlib
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.errors import UNREADABLE, Failure

# The time limit of each attempt. GStreamer 1.22 sometimes misses the error of a broken file and
# waits until the limit, so the first attempts are short. A slow network disk may need the last one.
_TIMEOUTS_SECONDS = (3, 3, 30)


@dataclass(frozen=True)
class Video:
    """A video stream. ``rate`` and ``bitrate`` are 0 if they vary or are unknown."""

    codec: str  # the name of the caps, for example video/x-h264
    width: int
    height: int
    rate: Fraction
    bitrate: int
    interlaced: bool
    hdr: str  # PQ or HLG, empty for standard range
    caps: str


@dataclass(frozen=True)
class Audio:
    """An audio stream."""

    codec: str
    channels: int
    sample_rate: int
    bitrate: int
    language: str
    caps: str


@dataclass(frozen=True)
class Media:
    """A media file. ``seconds`` is 0 if unknown. ``pictures`` counts covers and thumbnails."""

    path: pathlib.Path
    container: str
    seconds: float
    videos: tuple[Video, ...]
    audios: tuple[Audio, ...]
    subtitles: int
    pictures: int

    @property
    def frames(self) -> int:
        """The number of frames of the first video, estimated from its rate. 0 if unknown."""
        return round(self.seconds * self.videos[0].rate) if self.videos else 0

    def as_json(self) -> dict[str, Any]:
        """Returns the fields for ``--json``."""
        plain = asdict(self) | {"path": str(self.path), "frames": self.frames}
        for video in plain["videos"]:
            video["rate"] = float(video["rate"])
        return plain


def check_readable(path: pathlib.Path) -> None:
    """Raises Failure with UNREADABLE unless the path is that of a file with data to read."""
    if not path.exists():
        reason = "does not exist: check the path"
    elif not path.is_file():
        reason = "is not a file"
    elif not os.access(path, os.R_OK):
        reason = "cannot be read: check its permissions"
    elif not path.stat().st_size:
        reason = "is empty: copy or download it again"
    else:
        return
    raise Failure(f"{path}: {reason}", UNREADABLE)


def probe(path: pathlib.Path) -> Media:
    """Examines a file.

    Raises Failure with UNREADABLE if the file cannot be read, and with NOT_INSTALLED if GStreamer
    has no plugin for it.
    """
    gst = gstreamer.start()
    from gi.repository import GLib, GstPbutils

    check_readable(path)
    for timeout in _TIMEOUTS_SECONDS:
        discoverer = GstPbutils.Discoverer.new(timeout * gst.SECOND)
        try:
            info = discoverer.discover_uri(path.resolve().as_uri())
        except GLib.Error as error:
            raise gstreamer.read_failure(path, error) from error
        result = info.get_result()
        if result != GstPbutils.DiscovererResult.TIMEOUT:
            break
    if result == GstPbutils.DiscovererResult.MISSING_PLUGINS:
        details = ", ".join(info.get_missing_elements_installer_details() or ())
        raise gstreamer.no_decoder(path, f" ({details.split('|')[-2:][0]})")
    if result != GstPbutils.DiscovererResult.OK:
        raise Failure(f"{path}: cannot be read ({result.value_nick})", UNREADABLE)
    return _media(path, info)


def _media(path: pathlib.Path, info: Any) -> Media:
    streams = info.get_video_streams()
    videos = [each for each in streams if not each.is_image()]
    duration = info.get_duration()
    stream = info.get_stream_info()
    caps = stream.get_caps() if stream is not None else None
    return Media(
        path=path,
        container=_name(caps),
        # GStreamer uses values from 2^63 for "unknown".
        seconds=duration / 1e9 if duration < 1 << 63 else 0.0,
        videos=tuple(_video(each) for each in videos),
        audios=tuple(_audio(each) for each in info.get_audio_streams()),
        subtitles=len(info.get_subtitle_streams()),
        pictures=len(streams) - len(videos),
    )


def _name(caps: Any) -> str:
    return caps.get_structure(0).get_name() if caps is not None and caps.get_size() else ""


def _video(info: Any) -> Video:
    numerator, denominator = info.get_framerate_num(), info.get_framerate_denom()
    return Video(
        codec=_name(info.get_caps()),
        width=info.get_width(),
        height=info.get_height(),
        rate=Fraction(numerator, denominator) if denominator else Fraction(0),
        bitrate=info.get_bitrate() or info.get_max_bitrate(),
        interlaced=info.is_interlaced(),
        hdr=_hdr(info.get_caps()),
        caps=info.get_caps().to_string(),
    )


def _hdr(caps: Any) -> str:
    from gi.repository import GstVideo

    colors = GstVideo.VideoColorimetry()
    text = caps.get_structure(0).get_string("colorimetry")
    if text is None or not colors.from_string(text):
        return ""
    transfers = GstVideo.VideoTransferFunction
    return {transfers.SMPTE2084: "PQ", transfers.ARIB_STD_B67: "HLG"}.get(colors.transfer, "")


def _audio(info: Any) -> Audio:
    return Audio(
        codec=_name(info.get_caps()),
        channels=info.get_channels(),
        sample_rate=info.get_sample_rate(),
        bitrate=info.get_bitrate() or info.get_max_bitrate(),
        language=info.get_language() or "",
        caps=info.get_caps().to_string(),
    )
