"""Converts one file. The result has a temporary name until it is complete."""

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import IO, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert import encoders, extras, formats
from vbgfilter.commands.convert.contents import Contents
from vbgfilter.commands.convert.formats import PICTURE_REGEX, SOUND
from vbgfilter.commands.convert.media import Media, piped, probe, read_contents
from vbgfilter.commands.convert.pipeline import Misread, Pipeline, Plan, counted
from vbgfilter.commands.errors import SOME_FAILED, UNREADABLE, USAGE, Failure
from vbgfilter.commands.names import part_of
from vbgfilter.commands.probe import check_readable
from vbgfilter.commands.properties import statistics
from vbgfilter.commands.settings import Settings

# The interval of progress reports. Reading the element's statistics is cheap.
_TICK_SECONDS = 0.2
# The conversion fails if nothing is written for this time. Loading networks, and processing a
# single frame, takes less.
_STALLED_SECONDS = 120
# The limit until the first frame is decoded. GStreamer misses the error of some broken files.
_FIRST_FRAME_SECONDS = 20
# A source is incomplete if its video and sound end before _MIN_FRACTION of the file's duration, and
# more than _MIN_LOSS_SECONDS before its end. Subtitles may last longer.
_MIN_FRACTION, _MIN_LOSS_SECONDS = 0.9, 0.5
_OFFSET_TOLERANCE_SECONDS = 0.05
# The sizes that the element accepts.
_MIN_PIXELS, _MAX_PIXELS = 16, 8192
# The formats that GStreamer reads as well as ffmpeg, if the file is intact.
_DIRECT = frozenset("mov matroska mpegts mpeg avi flv asf ogg".split())
# The least bits per second of a readable picture. A still source may have fewer, but the edge of
# the person moves. Each pixel needs _KEY_BITS in each second, and _BITS in each frame.
_MIN_BITS, _KEY_BITS, _BITS = 64_000, 0.5, 0.01
# The result has another bitrate than the one wanted if it is this many times as high.
_MAX_EXCESS = 2


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
        is_part = error.filename in (None, str(part_of(job.output)))
        path = job.output if is_part else error.filename
        result.error, result.exit_code = f"{path}: {error.strerror}", SOME_FAILED
    if result.status == "done":
        result.seconds = time.monotonic() - began
    return result


def _convert(job: Job, result: Result, progress: Progress) -> None:
    check_readable(job.source)
    media = probe(job.source)
    if media.video.hdr == "PQ":
        raise Failure(
            f"{job.source}: is HDR (PQ), for which GStreamer has no tone mapping; first convert "
            "it to standard range, for example with ffmpeg's filter tonemap",
            UNREADABLE,
        )
    sides = media.video.width, media.video.height
    if any(sides) and not _MIN_PIXELS <= min(sides) <= max(sides) <= _MAX_PIXELS:
        raise Failure(
            f"{job.source}: has frames of {sides[0]}x{sides[1]}, but the sizes "
            f"{_MIN_PIXELS}x{_MIN_PIXELS} to {_MAX_PIXELS}x{_MAX_PIXELS} are possible: scale it "
            "first, for example with ffmpeg's filter scale",
            UNREADABLE,
        )
    if job.codec == "png":
        _check_folder(job.output)
    if _is_there(job.output) and not job.overwrite:
        result.status, result.frames = "skipped", _frames_of_whole(job, media)
        return
    with _claimed(job) as target:
        _make(job, media, target, result, progress)


@contextlib.contextmanager
def _claimed(job: Job) -> Iterator[pathlib.Path]:
    """Yields the temporary path of the result, which other processes then do not use.

    Removes it at the end unless it was renamed. Raises Failure if another process uses it.
    """
    target, is_folder = part_of(job.output), job.codec == "png"
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_folder:
        target.mkdir(exist_ok=True)
    place = os.open(target, os.O_RDONLY if is_folder else os.O_RDWR | os.O_CREAT, 0o666)

    def is_ours() -> bool:
        return target.exists() and os.path.samestat(os.fstat(place), target.stat())

    try:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Before the lock, the other process may have finished and renamed the file.
            if is_ours() and (job.overwrite or not _is_there(job.output)):
                try:
                    yield target
                finally:
                    if is_ours():
                        _remove(target)
                return
        raise Failure(
            f"{job.output}: another process is writing this file: wait for it, or use another name"
        )
    finally:
        os.close(place)


def _make(job: Job, media: Media, target: pathlib.Path, result: Result, progress: Progress) -> None:
    """Creates the result, and completes ``result``."""
    plan, made, counts = _first_right(job, media, target, progress)
    plan.notes += _losses(plan, made)
    with extras.completed(plan, made) as whole:
        if plan.pictures:
            _remove(job.output)
        os.replace(whole, job.output)
    result.status, result.frames, result.hidden = "done", made.frames, counts["failures"]
    result.statistics = counts
    result.encoder, result.notes = plan.encoder.get_factory().get_name(), plan.notes


def _first_right(
    job: Job, media: Media, target: pathlib.Path, progress: Progress
) -> tuple[Plan, Contents, dict[str, Any]]:
    """Converts until the result shows the same as the source, and compares them."""
    difference: str | None = None
    container = formats.container_of(job.output, job.codec)
    for contents, through_ffmpeg in _readings(media, container.stores_times):
        if job.codec == "png":
            for each in target.iterdir():
                each.unlink()
        with contextlib.ExitStack() as stack:
            is_sampled = contents.variable and not container.stores_times
            rate = contents.rate(media.video.rates) if is_sampled else None
            source = piped(media, contents.size, rate) if through_ffmpeg else None
            pipe = stack.enter_context(source) if source else None
            plan = _plan(job, media, contents, pipe, target)
            try:
                counts = _run(plan, progress)
                if plan.container.muxer in ("mp4mux", "qtmux"):
                    extras.correct_opus(target)
                made = _read(target, contents, decoded=True)
                difference = made.differs_from(contents, _grid(plan.container, plan.rate))
            except Misread as misread:
                difference = str(misread)
        if difference is None and not plan.pictures and probe(target).others:
            raise Failure(f"{media.path}: the result contains a picture that was not filtered")
        if difference is None:
            return plan, made, counts
    advice = "" if job.output.suffix == ".mkv" else "; a .mkv file may be possible"
    raise Failure(
        f"{media.path}: the conversion failed, although the source can be decoded: the result "
        f"{difference}{advice}"
    )


def _readings(media: Media, stores_times: bool) -> Iterator[tuple[Contents, bool]]:
    """Yields the contents of the source, and whether ffmpeg must decode it, for each attempt.

    - GStreamer reads the source, and should show all packets. Most files need no other attempt.
    - Otherwise ffmpeg decodes the source, to find the frames that players show.
    - If GStreamer does not show the same, ffmpeg decodes the source for the pipeline.

    ffmpeg also decodes it if the intervals between frames differ and the result cannot store them.
    """
    is_direct = bool(_DIRECT.intersection(media.container.split(","))) and not media.video.rgb
    packets = read_contents(media, decoded=False)
    if packets is None or packets.variable:
        is_direct = is_direct and stores_times
    if packets is not None and packets.frames and not packets.doubles and is_direct:
        yield packets, False
    shown = read_contents(media, decoded=True)
    if not shown.frames:
        why = f" ({shown.problem})" if shown.problem else ""
        raise Failure(f"{media.path}: no picture can be decoded{why}", UNREADABLE)
    if packets is not None and not media.video.interlaced and media.video.codec != "vp8":
        lost = packets.frames + packets.doubles - shown.frames - shown.doubles
        shown = dataclasses.replace(shown, lost=max(0, lost), problem=packets.problem)
    else:
        shown = dataclasses.replace(shown, problem="")
    is_new = packets is None or shown.differs_from(packets)
    if is_direct and is_new and not shown.size and not shown.doubles:
        yield shown, False
    yield shown, True


def _losses(plan: Plan, made: Contents) -> Iterator[str]:
    """Yields notes about parts that the source lacks, or that the result lacks."""
    media, contents = plan.media, plan.contents
    if contents.lost:
        yield f"{counted(contents.lost)} of the source cannot be decoded: players leave out the same"
    if contents.size:
        yield "the frame size changes: all were scaled to {}x{}".format(*contents.size)
    if contents.doubles:
        yield f"{counted(contents.doubles)} left out, with the same time as another"
    stated = 0.0 if "mpeg" in media.container else media.seconds  # only an estimate
    if contents.seconds < min(_MIN_FRACTION * stated, stated - _MIN_LOSS_SECONDS):
        yield f"the source is incomplete: it contains {contents.seconds:.1f} s of {stated:.1f} s"
    elif contents.problem and not contents.lost:
        yield f"the source is damaged: {contents.problem}"
    if not plan.container.stores_times:
        begin = contents.begin - max(0.0, contents.lead)
        slots = len({round((each - begin) * plan.rate) for each in contents.times})
        more, less = made.frames - slots, contents.frames - slots
        if more > 0 or less:
            text = f"{counted(max(0, more))} repeated, {counted(less)} left out"
            yield f"{text}: the file cannot store times"
    if plan.pictures and contents.sounds and abs(contents.lead) > _OFFSET_TOLERANCE_SECONDS:
        where = "before" if contents.lead > 0 else "after"
        yield f"{SOUND} begins {abs(contents.lead):.2f} s {where} the first picture"
    bits = 8 * plan.encoded / max(made.seconds, 1)
    if plan.bits and bits > _MAX_EXCESS * plan.bits:
        name = plan.encoder.get_factory().get_name()
        yield f"{name} wrote {bits / 1e6:.2f} Mb/s instead of {plan.bits / 1e6:.2f}"


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


def _frames_of_whole(job: Job, media: Media) -> int:
    """Returns the number of frames of an existing result.

    Compares packets, and if they differ the decoded contents. Raises a usage Failure (exit code 2)
    if the result is not a conversion of the whole source.
    """
    output, container = job.output, formats.container_of(job.output, job.codec)
    try:
        for decoded in (False, True):
            source = read_contents(media, decoded)
            if source is not None:
                done = _read(output, source, decoded)
                if done and done.shows(source):
                    raise Misread("contains unchanged pictures of its source, without the filter")
                grid = _grid(container, source.rate(media.video.rates))
                difference = done.differs_from(source, grid) if done else ""
                if difference is None:
                    return done.frames
    except Misread as misread:
        difference = str(misread)
    raise Failure(f"{output}: {difference}; --overwrite replaces it", USAGE)


def _grid(container: formats.Container, rate: Fraction) -> float:
    """Returns the interval between frames if the container stores no times, or else 0."""
    return 0.0 if container.stores_times else float(1 / rate)


def _plan(
    job: Job, media: Media, contents: Contents, pipe: IO[bytes] | None, target: pathlib.Path
) -> Plan:
    video = media.video
    container = formats.container_of(job.output, job.codec)
    notes = [f"a stream was left out: {each}" for each in media.others]
    codec = job.codec or ("prores" if job.settings.transparent else None)
    if codec is None:
        codec = video.codec.replace("hevc", "h265")  # ffmpeg's name, and GStreamer's
        if codec not in formats.CODECS or not encoders.fits(container.muxer, codec):
            notes.append(f"the video is {container.codec}, not {video.title} as in the source")
            codec = container.codec
    elif job.settings.transparent:
        formats.check_alpha(job.output, codec)
    if codec != "png" and not encoders.fits(container.muxer, codec):
        known = ((name, each.muxer) for name, each in formats.CONTAINERS.items())
        others = [e for e, muxer in known if gstreamer.has(muxer) and encoders.fits(muxer, codec)]
        why = ", which stores transparency" if job.settings.transparent else ""
        text = f"a {job.output.suffix} file cannot contain {codec}{why}; "
        text += f"suitable files: {', '.join(others)}"
        raise Failure(f"{job.output}: {text}", USAGE)
    size = contents.size or (video.width, video.height)
    encoder = encoders.make_encoder(codec, size, job.encoder)
    if contents.variable or not container.stores_times:
        encoders.avoid_reordering(encoder)
    bits = 0
    if (job.encoder is None or job.bitrate is not None) and codec not in ("prores", "ffv1", "png"):
        bits = job.bitrate or _video_bitrate(media, contents)
    if bits:
        encoders.set_bitrate(encoder, bits)
    elif job.bitrate:
        notes.append(f"--bitrate has no effect on {codec}")
    return Plan(media, contents, pipe, target, container, encoder, job.settings, bits, notes)


def _video_bitrate(media: Media, contents: Contents) -> int:
    """Returns the source's video bitrate, or an estimate from the sizes of file and sound.

    Returns more if a readable picture needs more.
    """
    whole = media.path.stat().st_size * 8 / contents.seconds if contents.seconds else 0
    bits = media.video.bitrate or max(0, round(whole) - media.sound_bits)
    width, height = contents.size or (media.video.width, media.video.height)
    rate = contents.rate(media.video.rates)
    return max(bits, _MIN_BITS, round(width * height * (_KEY_BITS + _BITS * rate)))


def _run(plan: Plan, progress: Progress) -> dict[str, Any]:
    """Runs the pipeline to its end. Returns the element's statistics.

    Raises Misread if another way of reading the source may help.
    """
    gst = gstreamer.start()
    running = Pipeline(plan)
    bus = running.pipeline.get_bus()
    kinds = gst.MessageType.EOS | gst.MessageType.ERROR | gst.MessageType.WARNING
    began = moved = time.monotonic()
    last, frames = None, plan.contents.frames
    try:
        running.pipeline.set_state(gst.State.PLAYING)
        while True:
            message = bus.timed_pop_filtered(round(_TICK_SECONDS * gst.SECOND), kinds)
            if message is not None and message.type == gst.MessageType.WARNING:
                warning = gstreamer.warning_of(message, running.element)
                if warning and warning not in plan.notes:
                    plan.notes.append(warning)
                continue
            counts = statistics(running.element)
            if running.failure is not None:
                raise running.failure
            if message is not None and message.type == gst.MessageType.EOS:
                progress(counts["frames-out"], frames)
                return counts
            if message is not None:
                raise _failure(plan, message)
            # After the last frame, the encoder or longer sound may still write data.
            written = plan.target.stat()
            now = counts["frames-in"], written.st_size, written.st_mtime_ns
            if now != last:
                moved, last = time.monotonic(), now
                progress(counts["frames-out"], frames)
            elif time.monotonic() - moved > _STALLED_SECONDS:
                raise Misread(f"has no further data after {_STALLED_SECONDS} s")
            if not running.decoded and time.monotonic() - began > _FIRST_FRAME_SECONDS:
                raise Misread("has no frames")
    finally:
        running.close()


def _failure(plan: Plan, message: Any) -> Exception:
    """Returns the exception for an error message of the pipeline."""
    gst = gstreamer.start()
    error, _ = message.parse_error()
    factory = message.src.get_factory() if isinstance(message.src, gst.Element) else None
    name = factory.get_name() if factory is not None else ""
    problem = error.code if error.matches(gst.ResourceError.quark(), error.code) else None
    if "filesink" in name:
        remedies = {
            gst.ResourceError.NO_SPACE_LEFT: "the disk is full: free some space, and try again",
            gst.ResourceError.OPEN_WRITE: "cannot be written: check the permissions of its folder",
        }
        return Failure(f"{plan.target}: {remedies.get(problem, error.message)}")
    if name == "vbgfilter" and problem is not None:
        return Failure(f"{plan.media.path}: {error.message}")
    return Misread(f"is incomplete: {error.message.removesuffix('.')} ({name})")


def _read(path: pathlib.Path, source: Contents, decoded: bool) -> Contents | None:
    """Returns the contents of a result, which is a file or a folder of pictures.

    Pictures have no timestamps, so they get the source's. Raises Misread if it cannot be read.
    """
    if not path.is_dir():
        try:
            return read_contents(probe(path), decoded)
        except Failure as failure:
            raise Misread(failure.message.removeprefix(f"{path}: ")) from failure
    count = sum(1 for each in path.iterdir() if each.name != SOUND)
    sounds = source.sounds if (path / SOUND).exists() else ()
    times = source.times[:count]
    return dataclasses.replace(source, times=times, sounds=sounds, packets=frozenset())


def _remove(path: pathlib.Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
