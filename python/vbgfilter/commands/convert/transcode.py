"""Converts one file. The result has a temporary name until it is complete."""

import contextlib
import os
import pathlib
import shutil
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert import chapters, encoders, formats, matroska
from vbgfilter.commands.convert.formats import PICTURE_REGEX, SOUND
from vbgfilter.commands.convert.mp4 import is_cut_short, read_edits, with_full_duration
from vbgfilter.commands.convert.pipeline import Pipeline, Plan
from vbgfilter.commands.convert.verify import Contents, read_contents
from vbgfilter.commands.errors import SOME_FAILED, UNREADABLE, USAGE, Failure
from vbgfilter.commands.names import part_of
from vbgfilter.commands.probe import Media, check_readable, probe
from vbgfilter.commands.settings import Settings

# The interval of progress reports. Reading the element's statistics is cheap.
_TICK_SECONDS = 0.2
# The conversion fails if nothing is written for this time. Loading networks, and processing a
# single frame, takes less.
_STALLED_SECONDS = 120
# A source is truncated if its video and sound end too early: before _MIN_FRACTION of the file's
# duration, and more than _MIN_LOSS_SECONDS before its end. Subtitles may last longer.
_MIN_FRACTION, _MIN_LOSS_SECONDS = 0.9, 0.25
# GStreamer may leave out the first packets of the sound and the last one.
_EDIT_TOLERANCE_SECONDS = 0.1


@dataclass(frozen=True)
class Job:
    """One file to convert."""

    source: pathlib.Path
    output: pathlib.Path
    settings: Settings
    codec: str | None = None
    bitrate: int | None = None  # bits per second
    encoder: str | None = None
    overwrite: bool = False


@dataclass
class Result:
    """The outcome of a job. ``status`` is done, skipped or failed."""

    job: Job
    status: str
    frames: int = 0
    hidden: int = 0  # frames without a matte, which were hidden completely
    seconds: float = 0.0  # the time that the conversion took
    encoder: str = ""
    notes: list[str] = field(default_factory=list)
    statistics: dict[str, Any] = field(default_factory=dict)  # the element's, at the end
    error: str = ""
    exit_code: int = 0

    def as_json(self) -> dict[str, Any]:
        """Returns a line of ``--json``."""
        return {
            "source": str(self.job.source),
            "output": str(self.job.output),
            "status": self.status,
            "frames": self.frames,
            "hidden-frames": self.hidden,
            "seconds": round(self.seconds, 3),
            "frames-per-second": round(self.frames / self.seconds, 1) if self.seconds else 0,
            "encoder": self.encoder,
            "notes": self.notes,
            "error": self.error,
            "exit-code": self.exit_code,
        }


# Called with the number of converted frames and the number of all frames.
Progress = Callable[[int, int], None]


def convert(job: Job, progress: Progress) -> Result:
    """Converts a file unless its result exists.

    A failure is returned as a result with the status failed, and its partial files are removed.
    KeyboardInterrupt is not caught.
    """
    began = time.monotonic()
    result = Result(job, "failed")
    try:
        _convert(job, result, progress)
    except Failure as failure:
        # Do not show the temporary name to the user.
        error = failure.message.replace(str(part_of(job.output)), str(job.output))
        result.error, result.exit_code = error, failure.exit_code
    except OSError as error:
        path = error.filename or job.output
        result.error, result.exit_code = f"{path}: {error.strerror}", SOME_FAILED
    except struct.error:  # the file shrank during reading
        result.error, result.exit_code = f"{job.source}: the index is damaged", UNREADABLE
    if result.status == "done":
        result.seconds = time.monotonic() - began
    return result


def _convert(job: Job, result: Result, progress: Progress) -> None:
    check_readable(job.source)
    if is_cut_short(job.source):
        raise Failure(
            f"{job.source}: is truncated: the file is shorter than its index says; copy or "
            "download it again",
            UNREADABLE,
        )
    media = probe(job.source)
    if not media.videos:
        raise Failure(f"{job.source}: contains no video", UNREADABLE)
    if media.videos[0].hdr == "PQ":
        raise Failure(
            f"{job.source}: is HDR (PQ), for which GStreamer has no tone mapping; first convert "
            "it to standard range, for example with ffmpeg's filter tonemap",
            UNREADABLE,
        )
    with _opened(job) as (path, source):
        _make(job, path, media, source, result, progress)


@contextlib.contextmanager
def _opened(job: Job) -> Iterator[tuple[pathlib.Path, Contents]]:
    """Yields the path and the contents of the source, or of a corrected copy.

    The copy is necessary if GStreamer would not read the source to its end.
    """
    source = read_contents(job.source)
    if _reads_edits(job.source, source):
        yield job.source, source
        return
    job.output.parent.mkdir(parents=True, exist_ok=True)
    with with_full_duration(job.source, job.output.parent) as path:
        try:
            if path is not None:
                source = read_contents(path)
            if path is None or not _reads_edits(path, source):
                raise Failure(
                    f"{job.source}: GStreamer cannot read this file to the end of its edit lists; "
                    "re-encode it first, for example with ffmpeg -i IN.mp4 OUT.mp4",
                    UNREADABLE,
                )
            yield path, source
        except Failure as failure:
            text = failure.message.replace(str(path), str(job.source))
            raise Failure(text, failure.exit_code) from failure


def _make(
    job: Job, path: pathlib.Path, media: Media, source: Contents, result: Result,
    progress: Progress,
) -> None:  # fmt: skip
    """Creates the result from ``path`` unless it exists, and completes ``result``."""
    pictures = job.codec == "png"
    whole = max(source.seconds, *source.sounds, 0)
    if whole < min(_MIN_FRACTION * media.seconds, media.seconds - _MIN_LOSS_SECONDS):
        raise Failure(
            f"{job.source}: is truncated: it ends after {source.seconds:.1f} s of "
            f"{media.seconds:.1f} s; copy or download it again",
            UNREADABLE,
        )
    if pictures:
        _check_folder(job.output)
    if _is_there(job.output) and not job.overwrite:
        result.status, result.frames = "skipped", _frames_of_whole(job.output, source)
        return
    plan = _plan(job, path, media, source)
    if source.variable or plan.container.muxer == "avimux":  # AVI stores no timestamps
        encoders.avoid_reordering(plan.encoder)
    _remove(plan.target)
    try:
        if pictures:
            plan.target.mkdir(parents=True)
        else:
            plan.target.parent.mkdir(parents=True, exist_ok=True)
        statistics = _run(plan, source.frames, progress)
        made = _read(plan.target, source)
        _check(job, made, source)
        if plan.container.muxer in ("matroskamux", "webmmux") and not pictures:
            matroska.unquote_texts(plan.target, source.texts)
        if source.unread:
            kinds = ", ".join(source.unread)
            plan.notes.append(f"short streams that GStreamer does not read were left out: {kinds}")
        if not _has_chapters(plan, made, source):
            plan.notes.append("the chapters were left out")
        if pictures:
            _remove(job.output)
        os.replace(plan.target, job.output)
    finally:
        _remove(plan.target)
    result.status, result.frames, result.hidden = "done", made.frames, statistics["failures"]
    result.statistics = statistics
    result.encoder, result.notes = plan.encoder.get_factory().get_name(), plan.notes


def _reads_edits(path: pathlib.Path, source: Contents) -> bool:
    """Whether GStreamer reads an MP4 file to the end of its edit lists."""
    shown = read_edits(path)
    sounds = [each for kind, each in shown if kind == "soun"]
    pairs = [(each, source.seconds) for kind, each in shown if kind == "vide"][:1]
    if len(sounds) == len(source.sounds):
        pairs += zip(sounds, source.sounds, strict=True)
    return all(
        wanted is None or found > wanted - _EDIT_TOLERANCE_SECONDS for wanted, found in pairs
    )


def _is_there(output: pathlib.Path) -> bool:
    """Whether a result exists already. An empty folder does not count."""
    return any(output.iterdir()) if output.is_dir() else output.exists()


def _check_folder(output: pathlib.Path) -> None:
    """Raises a usage Failure (exit code 2) if the folder for pictures contains other files.

    The conversion replaces the folder, so it would delete them.
    """
    others = [each.name for each in output.iterdir()] if output.is_dir() else []
    others = [each for each in others if each != SOUND and not PICTURE_REGEX.fullmatch(each)]
    if others or (output.exists() and not output.is_dir()):
        what = f"contains {others[0]}" if others else "is a file"
        raise Failure(f"{output}: {what}; use a separate folder for the pictures", USAGE)


def _frames_of_whole(output: pathlib.Path, source: Contents) -> int:
    """Returns the number of frames of an existing result.

    Raises a usage Failure (exit code 2) if it is not a conversion of the whole source.
    """
    try:
        done = _read(output, source)
        difference = done.differs_from(source)
    except Failure as failure:
        difference = failure.message.removeprefix(f"{output}: ")
    if difference is not None:
        raise Failure(f"{output}: {difference}; --overwrite replaces it", USAGE)
    return done.frames


def _has_chapters(plan: Plan, made: Contents, source: Contents) -> bool:
    """Whether the result has all chapters of its source. Adds them if it is an MP4 file."""
    if source.chapters and plan.container.muxer in ("mp4mux", "qtmux"):
        return chapters.write_mp4(plan.target, source.chapters)
    return source.chapters is not None and len(made.chapters) == len(source.chapters)


def _plan(job: Job, path: pathlib.Path, media: Media, source: Contents) -> Plan:
    video = media.videos[0]
    size = source.size or video
    container = formats.container_of(job.output, job.codec)
    notes = []
    codec = job.codec or ("prores" if job.settings.transparent else None)
    if codec is None:
        codec = encoders.codec_name(video.caps)
        if codec is None or not encoders.fits(container.muxer, codec):
            kind = gstreamer.describe(gstreamer.start().Caps.from_string(video.caps))
            notes.append(f"the video is {container.codec}, not {kind} as in the source")
            codec = container.codec
    elif job.settings.transparent:
        formats.check_alpha(job.output, codec)
    if codec != "png" and not encoders.fits(container.muxer, codec):
        others = ", ".join(encoders.suffixes_for(codec))
        text = f"a {job.output.suffix} file cannot contain {codec}; suitable files: {others}"
        raise Failure(f"{job.output}: {text}", USAGE)
    encoder = encoders.make_encoder(codec, (size.width, size.height), job.encoder)
    if job.encoder is None or job.bitrate is not None:
        bits = job.bitrate or _video_bitrate(media)
        if bits and codec not in ("prores", "ffv1", "png"):
            encoders.set_bitrate(encoder, bits)
    target = part_of(job.output)
    return Plan(
        path, target, container, encoder, job.settings, video, source.size, notes
    )


def _video_bitrate(media: Media) -> int:
    """Returns the source's video bitrate, or an estimate from the sizes of file and sound.

    Returns 0 if neither is known.
    """
    if media.videos[0].bitrate:
        return media.videos[0].bitrate
    if not media.seconds:
        return 0
    whole = media.path.stat().st_size * 8 / media.seconds
    return max(0, round(whole) - sum(each.bitrate for each in media.audios))


def _run(plan: Plan, frames: int, progress: Progress) -> dict[str, Any]:
    """Runs the pipeline to its end. Returns the element's statistics."""
    gst = gstreamer.start()
    running = Pipeline(plan)
    bus = running.pipeline.get_bus()
    kinds = gst.MessageType.EOS | gst.MessageType.ERROR | gst.MessageType.WARNING
    moved, last = time.monotonic(), None
    try:
        running.pipeline.set_state(gst.State.PLAYING)
        while True:
            message = bus.timed_pop_filtered(round(_TICK_SECONDS * gst.SECOND), kinds)
            if message is not None and message.type == gst.MessageType.WARNING:
                warning = gstreamer.warning_of(message, running.element)
                if warning and warning not in plan.notes:
                    plan.notes.append(warning)
                continue
            counts = _counts(running.element)
            if running.failure is not None:
                raise running.failure
            if message is not None and message.type == gst.MessageType.EOS:
                progress(counts["frames-out"], frames)
                return counts
            if message is not None:
                error, _ = message.parse_error()
                is_sink = "filesink" in (message.src.get_name() if message.src else "")
                path = plan.target if is_sink else plan.source
                text = _writing_problem(gst, error) if is_sink else ""
                raise Failure(f"{path}: {text or error.message}", _code(gst, error))
            # After the last frame, the encoder or longer sound may still write data.
            now = (counts["frames-in"], _written(plan.target))
            if now != last:
                moved, last = time.monotonic(), now
                progress(counts["frames-out"], frames)
            elif time.monotonic() - moved > _STALLED_SECONDS:
                raise Failure(f"{plan.source}: no data for {_STALLED_SECONDS} s", UNREADABLE)
    finally:
        running.close()


def _written(target: pathlib.Path) -> tuple[int, int] | None:
    """Returns a value that changes while a file or a folder is being written."""
    found = target.stat() if target.exists() else None
    return (found.st_size, found.st_mtime_ns) if found else None


def _counts(element: Any) -> dict[str, Any]:
    statistics = element.get_property("stats")
    names = [statistics.nth_field_name(index) for index in range(statistics.n_fields())]
    return {name: statistics.get_value(name) for name in names}


def _code(gst: Any, error: Any) -> int:
    unreadable = error.matches(gst.StreamError.quark(), gst.StreamError.DECODE) or error.matches(
        gst.StreamError.quark(), gst.StreamError.DEMUX
    )
    return UNREADABLE if unreadable else SOME_FAILED


def _writing_problem(gst: Any, error: Any) -> str:
    """Returns the cause and the remedy of an error of filesink, or "" if it is another error."""
    if error.matches(gst.ResourceError.quark(), gst.ResourceError.NO_SPACE_LEFT):
        return "the disk is full: free some space, and run the command again"
    if error.matches(gst.ResourceError.quark(), gst.ResourceError.OPEN_WRITE):
        return "cannot be written: check the permissions of its folder"
    return ""


def _check(job: Job, made: Contents, source: Contents) -> None:
    difference = made.differs_from(source)
    if difference is not None:
        raise Failure(
            f"{job.source}: the result {difference}. The source is damaged, or a "
            f"{job.output.suffix} file cannot contain it: try .mkv",
            UNREADABLE,
        )
    if made.pictures:
        raise Failure(f"{job.source}: the result contains a picture that was not filtered")


def _read(path: pathlib.Path, source: Contents) -> Contents:
    """Returns the contents of a file or of a folder of pictures.

    Pictures have no timestamps, so they get the source's.
    """
    if not path.is_dir():
        return read_contents(path)
    sound = path / SOUND
    sounds = read_contents(sound).sounds if sound.exists() else ()
    count = sum(1 for each in path.iterdir() if each.name != SOUND)
    return Contents(source.times[:count], source.seconds, sounds, False)


def _remove(path: pathlib.Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
