"""The pipeline of a conversion: video passes through the element, other streams bypass it."""

import os
import pathlib
from dataclasses import dataclass, field
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.contents import TIME_TOLERANCE, Contents
from vbgfilter.commands.convert.encoders import configured
from vbgfilter.commands.convert.events import (
    begin_simply,
    complete_durations,
    correct_colors,
    correct_rate,
    keep_language,
    keep_plain_headers,
)
from vbgfilter.commands.convert.formats import PARSERS, PICTURE_FORMAT, SOUND, Container
from vbgfilter.commands.convert.headers import plain_caps
from vbgfilter.commands.convert.media import Media
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings

if TYPE_CHECKING:
    from gi.repository import Gst

# The size of the queue before the decoder, so that reading goes on during decoding.
_QUEUED_BYTES = 4 << 20
# The number of frames in the queue between the element and the encoder, so that both stay busy.
_FRAMES_IN_FLIGHT = 3


@dataclass
class Plan:
    """The parameters of a file's pipeline."""

    media: Media  # the source
    contents: Contents  # the pictures and sounds of the source
    pipe: IO[bytes] | None  # decoded pictures from ffmpeg, instead of the file
    target: pathlib.Path  # a file, or a folder if each frame becomes a picture
    container: Container
    encoder: "Gst.Element"
    settings: Settings
    bits: int  # the bitrate of the video, or 0
    notes: list[str] = field(default_factory=list)  # phrases about changed or lost data
    encoded: int = 0  # the bytes that the encoder wrote

    @property
    def pictures(self) -> bool:
        """Whether each frame becomes a picture file."""
        return self.container.codec == "png"

    @property
    def resampled(self) -> bool:
        """Whether the intervals between frames differ, but the container does not store them."""
        return self.contents.variable and not self.container.stores_times

    @property
    def rate(self) -> Fraction:
        """The usual frame rate."""
        return self.contents.rate(self.media.video.rates)


def counted(frames: int) -> str:
    """Returns a number of frames as text."""
    return f"{frames} frame" if frames == 1 else f"{frames} frames"


class Misread(Exception):
    """The result differs from the source. Its text continues "the result"."""


class Pipeline:
    """A pipeline that is ready to start. ``element`` is the filter."""

    def __init__(self, plan: Plan) -> None:
        self._gst = gstreamer.start()
        self._plan = plan
        self._has_video = False
        self.failure: Exception | None = None  # the reason why it must stop
        self.decoded = 0  # frames
        self.pipeline = self._gst.Pipeline.new(None)
        self.element = gstreamer.make("vbgfilter")
        plan.settings.apply(self.element)
        self._muxer: Any = None
        self._folder: int | None = None
        if plan.pipe is not None:
            source = self._add("fdsrc", fd=plan.pipe.fileno())
        else:
            source = self._add("filesrc")
            gstreamer.set_file(source, plan.media.path)
        parser = self._add("parsebin")
        source.link(parser)
        parser.connect("pad-added", self._take)
        self._decoded = self._video_branch()

    def close(self) -> None:
        """Stops the pipeline and closes the folder of pictures."""
        self.pipeline.set_state(self._gst.State.NULL)
        if self._folder is not None:
            os.close(self._folder)

    def _add(self, factory: str, **values: Any) -> Any:
        return self._adopt(gstreamer.make(factory), **values)

    def _adopt(self, element: Any, **values: Any) -> Any:
        for name, value in values.items():
            element.set_property(name.replace("_", "-"), value)
        self.pipeline.add(element)
        element.sync_state_with_parent()
        return element

    def _form(self, fields: str) -> Any:
        """Adds a filter that restricts raw video."""
        return self._add("capsfilter", caps=self._gst.Caps.from_string(f"video/x-raw, {fields}"))

    def _queue(self, **limits: int) -> Any:
        """Adds a queue that has only the given limits."""
        limits = {"max_size_buffers": 0, "max_size_bytes": 0, "max_size_time": 0} | limits
        return self._add("queue", **limits)

    def _link(self, *elements: Any) -> Any:
        for one, next_one in zip(elements, elements[1:], strict=False):
            if not one.link(next_one):
                names = [each.get_factory().get_name() for each in (one, next_one)]
                raise Failure(f"{self._plan.media.path}: {' does not link to '.join(names)}")
        return elements[-1]

    def _join(self, pad: Any, sink: Any) -> None:
        linked = pad.link(sink)
        if linked != self._gst.PadLinkReturn.OK:
            name = sink.get_parent_element().get_factory().get_name()
            text = f"a stream does not link to {name} ({linked.value_nick})"
            raise Failure(f"{self._plan.media.path}: {text}")

    def _open_muxer(self) -> Any:
        """Returns the muxer. The first call creates the muxer and its file."""
        if self._muxer is None:
            self._muxer = self._add(self._plan.container.muxer)
            target = self._plan.target
            sink = gstreamer.make("filesink")
            gstreamer.set_file(sink, target / SOUND if self._plan.pictures else target)
            self._link(self._muxer, self._adopt(sink))
        return self._muxer

    def _video_branch(self) -> Any:
        """Builds the branch from decoded frames to the file. Returns its first element."""
        plan = self._plan
        # Rotate frames as their tag requires, upstream of the element: its networks only recognize
        # upright people. The output has frames, not fields.
        stages = [self._add("deinterlace", fields=1), self._add("videoflip", video_direction=8)]
        # videoflip and deinterlace do not accept all decoded formats, such as 4:2:2 or ten bits.
        stages = self._to_common_form() + stages
        stages += [
            self._add("videoconvert"), self._adopt(self.element),
            self._queue(max_size_buffers=_FRAMES_IN_FLIGHT), self._add("videoconvert"),
        ]  # fmt: skip
        if not plan.container.stores_times:
            stages += self._to_constant_rate()
        width, height = plan.contents.size or (plan.media.video.width, plan.media.video.height)
        name = plan.encoder.get_factory().get_name()
        if (width % 2 or height % 2) and name in ("x264enc", "x265enc"):
            # They support 4:2:0 only for even sizes.
            stages.append(self._form("format=Y444"))
        if "jpeg" in name and (plan.pipe is not None or plan.media.video.codec != "mjpeg"):
            # JPEG is BT.601 in full range. videoconvert changes no range without another format.
            stages += [self._form("format=RGB"), self._add("videoconvert")]
            stages.append(self._form("format=I420, colorimetry=1:4:0:0"))
        if plan.settings.transparent:
            stages.append(self._form(f"format={'RGBA' if plan.pictures else 'A444_10LE'}"))
            # Restrict the element's output to its own formats with alpha, which have eight bits.
            own = self._form("format={ AYUV, RGBA }")
            stages.insert(stages.index(self.element) + 1, own)
        stages.append(self._adopt(plan.encoder))
        last = self._link(*stages)
        self._measure(last.get_static_pad("src"))
        if plan.pictures:
            # The folder's path need not be UTF-8, and it may contain %, so avoid it in the format.
            self._folder = os.open(plan.target, os.O_PATH)
            location = f"/proc/self/fd/{self._folder}/{PICTURE_FORMAT}"
            self._link(last, self._add("multifilesink", location=location, index=1))
        else:
            self._to_muxer(last.get_static_pad("src"))
        return stages[0]

    def _measure(self, pad: Any) -> None:
        def look(_: Any, info: Any) -> Any:
            self._plan.encoded += info.get_buffer().get_size()
            return self._gst.PadProbeReturn.OK

        pad.add_probe(self._gst.PadProbeType.BUFFER, look)

    def _from_zero(self) -> Any:
        """Adds an element that sends running times, so that later elements fill the beginning."""
        return self._add("identity", single_segment=True)

    def _to_constant_rate(self) -> list[Any]:
        """Adds elements that repeat and drop frames, for containers without times."""
        rate = self._plan.rate
        # Without skip-to-first, the first frame is repeated from the beginning of the sound.
        repeat = self._add("videorate", skip_to_first=False)
        form = f"framerate={rate.numerator}/{rate.denominator}"
        return [self._from_zero(), repeat, self._form(form)]

    def _to_common_form(self) -> list[Any]:
        """Adds elements that convert frames to formats that all later elements accept."""
        if not self._plan.media.video.hdr:
            return [self._add("videoconvert")]
        # HLG is designed to be displayable as standard range, so only relabel it. GStreamer's own
        # conversion makes the frames too dark.
        self._plan.notes.append("the HDR colours were converted to standard range")
        standard = self._gst.Caps.from_string("video/x-raw, colorimetry=bt2020")
        # gamma_mode=1 is remap, primaries_mode=1 is merge-only, n_threads=0 is one per core.
        convert = self._add("videoconvert", gamma_mode=1, primaries_mode=1, n_threads=0)
        form = self._form("format=I420, colorimetry=bt709")
        return [self._add("capssetter", caps=standard), convert, form]

    def _to_muxer(self, pad: Any) -> None:
        """Links the encoder's output to the muxer, through a parser if necessary."""
        caps = pad.query_caps(None)
        parser = PARSERS.get(caps.get_structure(0).get_name()) if caps.get_size() else None
        if parser is not None and gstreamer.has(parser):
            element = pad.get_parent_element()
            following = self._add(parser)
            if element.link(following):
                pad = following.get_static_pad("src")
        template = self._template("video", pad.query_caps(None))
        if template is None:
            kind = gstreamer.describe(caps) if caps.get_size() else "it"
            raise Failure(f"{self._plan.target}: a file of this kind cannot contain {kind}")
        # The muxer may wait for sound that comes much later in the file.
        queue = self._queue()
        self._link(pad.get_parent_element(), queue)
        self._join(queue.get_static_pad("src"), self._open_muxer().request_pad_simple(template))

    def _template(self, kind: str, caps: Any) -> str | None:
        """Returns the name of the muxer's pad template for a stream of this kind with these caps.

        Returns None if the muxer does not accept the stream.
        """
        factory = self._gst.ElementFactory.find(self._plan.container.muxer)
        for static in factory.get_static_pad_templates():
            fits = static.direction == self._gst.PadDirection.SINK and (
                static.name_template.startswith(kind) or static.name_template.startswith("sink")
            )
            if fits and static.get_caps().can_intersect(caps):
                return static.name_template
        return None

    def _take(self, _: Any, pad: Any) -> None:
        """Links a stream of the source. GStreamer calls this on a streaming thread."""
        try:
            self._route(pad)
        except Exception as error:  # an exception in a signal handler would get lost
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.failure = self.failure or error
        self.pipeline.get_bus().post(self._gst.Message.new_eos(self.pipeline))

    def _route(self, pad: Any) -> None:
        begin_simply(pad, self._plan.pipe is not None or "matroska" in self._plan.media.container)
        caps = pad.get_current_caps() or pad.query_caps(None)
        kind = caps.get_structure(0).get_name()
        if kind.startswith(("video/", "image/")) and not self._has_video:
            self._has_video = True
            self._take_video(pad)
        elif kind.startswith("audio/"):
            self._take_sound(pad, caps)
        else:  # only sound may bypass the element
            sink = self._add("fakesink", sync=False, **{"async": False})
            self._join(pad, sink.get_static_pad("sink"))

    def _take_video(self, pad: Any) -> None:
        queue = self._queue(max_size_bytes=_QUEUED_BYTES)
        # Hardware decoders may output memory that some later elements cannot read.
        decoder = self._add("decodebin", force_sw_decoders=True)
        rate = self._plan.rate

        def link(_: Any, raw: Any) -> None:
            if self._plan.pipe is None:
                correct_colors(raw, self._plan.media.video.full_range)
            correct_rate(raw, rate)
            self._watch(raw)
            if not self._plan.container.stores_times:
                # Move the frames to the times of the result, so that no frame must be dropped.
                late = max(0.0, self._plan.contents.lead)
                shift = max(0.0, round(late * rate) / rate - late)
                raw.set_offset(round(shift * self._gst.SECOND))
            raw.link(self._decoded.get_static_pad("sink"))

        def prepare(_: Any, __: Any, element: Any) -> None:
            # Like players, show no pictures that refer to missing ones.
            if element.find_property("output-corrupt") is not None:
                element.set_property("output-corrupt", False)

        decoder.connect("deep-element-added", prepare)
        decoder.connect("pad-added", link)
        self._link(queue, decoder)
        self._join(pad, queue.get_static_pad("sink"))

    def _watch(self, pad: Any) -> None:
        """Compares the times of decoded frames with the times that a player shows."""
        times = self._plan.contents.times
        segment, first, size = None, 0.0, None

        def look(_: Any, info: Any) -> Any:
            nonlocal segment, first, size
            if info.type & self._gst.PadProbeType.EVENT_DOWNSTREAM:
                event = info.get_event()
                if event.type == self._gst.EventType.SEGMENT:
                    segment = event.parse_segment()
                elif event.type == self._gst.EventType.CAPS:
                    frame = event.parse_caps().get_structure(0)
                    before, size = size, [frame.get_value(each) for each in ("width", "height")]
                    if before not in (None, size):  # a track can have only one size
                        self._fail(Misread("changes its frame size"))
                return self._gst.PadProbeReturn.OK
            time = segment.to_running_time(self._gst.Format.TIME, info.get_buffer().pts)
            if time == self._gst.CLOCK_TIME_NONE:
                self._fail(Misread("has a frame without a time"))
                return self._gst.PadProbeReturn.DROP
            time /= self._gst.SECOND
            first = first if self.decoded else time
            self.decoded += 1
            if self._plan.resampled:
                return self._gst.PadProbeReturn.OK
            if self.decoded > len(times):
                self._fail(Misread("has more frames than its source"))
            elif abs(time - first - times[self.decoded - 1] + times[0]) > TIME_TOLERANCE:
                text = f"shows frame {self.decoded - 1} after {time - first:.3f} s"
                self._fail(Misread(text))
            return self._gst.PadProbeReturn.OK

        pad.add_probe(self._gst.PadProbeType.BUFFER | self._gst.PadProbeType.EVENT_DOWNSTREAM, look)

    def _take_sound(self, pad: Any, caps: Any) -> None:
        plan = self._plan
        # ffmpeg decodes sounds that it cannot pipe.
        is_raw = caps.get_structure(0).get_name() == "audio/x-raw" and plan.pipe is not None
        fills = not plan.container.stores_times and plan.contents.silent_parts
        is_plain = plain_caps(caps) is not None and not is_raw and not fills
        stages = self._unchanged(caps) if is_plain else None
        queue = self._queue()
        if stages is not None:
            tail = self._link(queue, *stages)
        else:
            encoder = self._adopt(configured(plan.container.sound))
            why = " with silence in its pauses, which the file cannot store" if fills else ""
            name = plan.media.sounds[0].codec if is_raw else gstreamer.describe(caps)
            plan.notes.append(f"the sound ({name}) was re-encoded{why}")
            decoder, head = self._add("decodebin"), self._add("audioconvert")
            decoder.connect("pad-added", lambda _, raw: raw.link(head.get_static_pad("sink")))
            self._link(queue, decoder)
            fill = [self._from_zero(), self._add("audiorate", skip_to_first=False)] if fills else []
            # At low sample rates, the priming sound of AAC lasts long.
            rates = self._gst.Caps.from_string("audio/x-raw, rate=[ 32000, 192000 ]")
            usual = [self._add("audioresample"), self._add("capsfilter", caps=rates)]
            tail = self._link(head, *fill, *usual, encoder)
        source = tail.get_static_pad("src")
        keep_language(source)
        keep_plain_headers(source)
        complete_durations(source)
        template = self._template("audio", source.query_caps(None))
        self._join(source, self._open_muxer().request_pad_simple(template))
        self._join(pad, queue.get_static_pad("sink"))

    def _unchanged(self, caps: Any) -> list[Any] | None:
        """Returns the elements before the muxer for unchanged sound, or None if it rejects it."""
        if self._template("audio", caps) is not None:
            return []
        name = PARSERS.get(caps.get_structure(0).get_name())
        factory = name and self._gst.ElementFactory.find(name)
        form = caps.copy()
        for each in ("stream-format", "framed", "parsed", "codec_data"):  # a parser adapts them
            form.get_structure(0).remove_field(each)
        is_parsed = factory and factory.can_sink_any_caps(caps) and self._template("audio", form)
        return [self._add(name)] if is_parsed else None
