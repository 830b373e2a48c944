"""The pipeline of a conversion: video passes through the element, other streams bypass it."""

import os
import pathlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert import subtitles
from vbgfilter.commands.convert.events import (
    begin_at_zero,
    is_matroska,
    keep_plain_headers,
    remove_pictures,
)
from vbgfilter.commands.convert.formats import PARSERS, PICTURE_FORMAT, SOUND, Container
from vbgfilter.commands.convert.headers import plain_caps
from vbgfilter.commands.convert.sizes import Size, size_of
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.probe import Video
from vbgfilter.commands.settings import Settings

if TYPE_CHECKING:
    from gi.repository import Gst

# The size of the queue before the decoder. In files, the sound follows the video of the same time
# within fewer bytes.
_INTERLEAVE_BYTES = 64 << 20
# The number of frames in the queue between the element and the encoder, so that both stay busy.
_FRAMES_IN_FLIGHT = 3
# The caps of text subtitles for muxers.
_PLAIN = "text/x-raw, format=utf8"
_SUBTITLES = ("subtitle/", "subpicture/", "application/x-ssa", "application/x-ass")


@dataclass
class Plan:
    """The parameters of a file's pipeline."""

    source: pathlib.Path
    target: pathlib.Path  # a file, or a folder if each frame becomes a picture
    container: Container
    encoder: "Gst.Element"
    settings: Settings
    video: Video
    size: Size | None = None  # the size of all frames, by default the first frame's
    notes: list[str] = field(default_factory=list)  # phrases about changed or lost data

    @property
    def pictures(self) -> bool:
        """Whether each frame becomes a picture file."""
        return self.container.codec == "png"


class Pipeline:
    """A pipeline that is ready to start. ``element`` is the filter."""

    def __init__(self, plan: Plan) -> None:
        self._gst = gstreamer.start()
        self._plan = plan
        self._has_video = False
        self.failure: Exception | None = None  # the reason why a stream could not be linked
        self.pipeline = self._gst.Pipeline.new(None)
        self.element = gstreamer.make("vbgfilter")
        plan.settings.apply(self.element)
        self._muxer: Any = None
        self._folder: int | None = None
        self._plain = self._gst.Caps.from_string(_PLAIN)
        source = self._add("filesrc")
        gstreamer.set_file(source, plan.source)
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

    def _queue(self, **limits: int) -> Any:
        """Adds a queue that has only the given limits."""
        limits = {"max_size_buffers": 0, "max_size_bytes": 0, "max_size_time": 0} | limits
        return self._add("queue", **limits)

    def _link(self, *elements: Any) -> Any:
        for one, next_one in zip(elements, elements[1:], strict=False):
            if not one.link(next_one):
                names = [each.get_factory().get_name() for each in (one, next_one)]
                raise Failure(f"{self._plan.source}: {' does not link to '.join(names)}")
        return elements[-1]

    def _join(self, pad: Any, sink: Any) -> None:
        linked = pad.link(sink)
        if linked != self._gst.PadLinkReturn.OK:
            name = sink.get_parent_element().get_factory().get_name()
            text = f"a stream does not link to {name} ({linked.value_nick})"
            raise Failure(f"{self._plan.source}: {text}")

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
        # Rotate frames upstream of the element: its networks only recognize upright people.
        flip = self._add("videoflip", video_direction=8)  # automatic, from the tag
        stages = [*self._to_one_size(), flip]
        if plan.video.interlaced:
            stages.insert(0, self._add("deinterlace", fields=1))  # frames, not fields
        # videoflip and deinterlace do not accept all decoded formats, such as 4:2:2 or ten bits.
        stages = self._to_common_form() + stages
        stages += [
            self._add("videoconvert"), self._adopt(self.element),
            self._queue(max_size_buffers=_FRAMES_IN_FLIGHT), self._add("videoconvert"),
        ]  # fmt: skip
        size = plan.size or plan.video
        if size.width % 2 or size.height % 2:
            # x264enc and x265enc support 4:2:0 only for even sizes.
            caps = self._gst.Caps.from_string("video/x-raw, format=Y444")
            if plan.encoder.get_factory().get_name() in ("x264enc", "x265enc"):
                stages.append(self._add("capsfilter", caps=caps))
        if plan.settings.transparent:
            form = "RGBA" if plan.pictures else "A444_10LE"
            caps = self._gst.Caps.from_string(f"video/x-raw, format={form}")
            stages.append(self._add("capsfilter", caps=caps))
            # Restrict the element's output to its own formats with alpha, which have eight bits.
            caps = self._gst.Caps.from_string("video/x-raw, format={ AYUV, RGBA }")
            stages.insert(stages.index(self.element) + 1, self._add("capsfilter", caps=caps))
        stages.append(self._adopt(plan.encoder))
        last = self._link(*stages)
        if plan.pictures:
            # The folder's path need not be UTF-8, and it may contain %, so avoid it in the format.
            self._folder = os.open(plan.target, os.O_PATH)
            location = f"/proc/self/fd/{self._folder}/{PICTURE_FORMAT}"
            self._link(last, self._add("multifilesink", location=location, index=1))
        else:
            self._to_muxer(last.get_static_pad("src"), "video")
        return stages[0]

    def _to_one_size(self) -> list[Any]:
        """Adds elements that scale all frames to one size, because a track can have only one."""
        scale, form = self._add("videoscale", add_borders=True), self._add("capsfilter")
        wanted = self._plan.size
        came: set[Size] = set()

        def look(_: Any, info: Any) -> Any:
            nonlocal wanted
            event = info.get_event()
            if event.type == self._gst.EventType.CAPS:
                came.add(size := size_of(event.parse_caps()))
                wanted = wanted or size
                caps = self._gst.Caps.from_string(f"video/x-raw, {wanted.as_caps()}")
                form.set_property("caps", caps)
                if len(came) == 2:
                    shown = f"{wanted.width}x{wanted.height}"
                    text = f"the frame size changes: all were scaled to {shown}"
                    self._plan.notes.append(text)
            return self._gst.PadProbeReturn.OK

        scale.get_static_pad("sink").add_probe(self._gst.PadProbeType.EVENT_DOWNSTREAM, look)
        return [scale, form]

    def _to_common_form(self) -> list[Any]:
        """Adds elements that convert frames to formats that all later elements accept."""
        if not self._plan.video.hdr:
            return [self._add("videoconvert")]
        # HLG is designed to be displayable as standard range, so only relabel it. GStreamer's own
        # conversion makes the frames too dark.
        self._plan.notes.append("the HDR colours were converted to standard range")
        standard = self._gst.Caps.from_string("video/x-raw, colorimetry=bt2020")
        # gamma_mode=1 is remap, primaries_mode=1 is merge-only, n_threads=0 is one per core.
        convert = self._add("videoconvert", gamma_mode=1, primaries_mode=1, n_threads=0)
        caps = self._gst.Caps.from_string("video/x-raw, format=I420, colorimetry=bt709")
        return [
            self._add("capssetter", caps=standard), convert, self._add("capsfilter", caps=caps)
        ]  # fmt: skip

    def _to_muxer(self, pad: Any, kind: str) -> None:
        """Links an encoder's output to the muxer, through a parser if necessary."""
        caps = pad.query_caps(None)
        parser = PARSERS.get(caps.get_structure(0).get_name()) if caps.get_size() else None
        if kind == "video" and parser is not None and gstreamer.has(parser):
            element = pad.get_parent_element()
            following = self._add(parser)
            if element.link(following):
                pad = following.get_static_pad("src")
        template = self._template(kind, pad.query_caps(None))
        if template is None:
            kind = gstreamer.describe(caps) if caps.get_size() else kind
            raise Failure(f"{self._plan.target}: a file of this kind cannot contain {kind}")
        self._join(pad, self._open_muxer().request_pad_simple(template))

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
            self.failure = error
            self.pipeline.get_bus().post(self._gst.Message.new_eos(self.pipeline))

    def _route(self, pad: Any) -> None:
        if is_matroska(self._plan.source):
            begin_at_zero(pad)
        caps = pad.get_current_caps() or pad.query_caps(None)
        kind = caps.get_structure(0).get_name()
        if kind == self._plan.video.codec and not self._has_video:
            self._has_video = True
            self._take_video(pad)
        elif kind.startswith("audio/"):
            self._take_sound(pad, caps)
        elif kind == "text/x-raw" and self._template("subtitle", self._plain):
            setter = self._add("capssetter", caps=self._plain, replace=True)
            if caps.get_structure(0).get_string("format") != "utf8":
                # Matroska's text subtitles may contain tags such as <i>. MP4 does not support them.
                is_matroska_too = self._plan.container.muxer == "matroskamux"
                subtitles.write_as_is(setter.get_static_pad("src"), keeps_tags=is_matroska_too)
            self._pass(pad, [setter], "subtitle", self._plain)
        elif kind.startswith(_SUBTITLES) and self._template("subtitle", caps) and plain_caps(caps):
            self._pass(pad, [], "subtitle", caps)
        else:
            self._drop(pad, gstreamer.describe(caps))

    def _take_video(self, pad: Any) -> None:
        queue = self._queue(max_size_bytes=_INTERLEAVE_BYTES)
        # Hardware decoders may output memory that some later elements cannot read.
        decoder = self._add("decodebin", force_sw_decoders=True)
        decoder.connect("pad-added", lambda _, raw: raw.link(self._decoded.get_static_pad("sink")))
        self._link(queue, decoder)
        self._join(pad, queue.get_static_pad("sink"))

    def _take_sound(self, pad: Any, caps: Any) -> None:
        is_plain = plain_caps(caps) is not None
        if is_plain and self._template("audio", caps) is not None:
            self._pass(pad, [], "audio", caps)
            return
        name = is_plain and PARSERS.get(caps.get_structure(0).get_name())
        factory = name and self._gst.ElementFactory.find(name)
        if factory and factory.can_sink_any_caps(caps) and self._fits(factory):
            self._pass(pad, [self._add(name)], "audio", None)
            return
        encoder = self._add(self._plan.container.sound)
        self._plan.notes.append(f"the sound ({gstreamer.describe(caps)}) was re-encoded")
        decoder = self._add("decodebin")
        head = self._add("audioconvert")
        decoder.connect("pad-added", lambda _, raw: raw.link(head.get_static_pad("sink")))
        queue = self._queue()
        self._link(queue, decoder)
        tail = self._link(head, self._add("audioresample"), encoder)
        self._finish(tail.get_static_pad("src"), "audio", None)
        self._join(pad, queue.get_static_pad("sink"))

    def _fits(self, factory: Any) -> bool:
        return any(
            self._template("audio", each.get_caps()) is not None
            for each in factory.get_static_pad_templates()
            if each.direction == self._gst.PadDirection.SRC
        )

    def _pass(self, pad: Any, between: list[Any], kind: str, caps: Any) -> None:
        """Sends a stream to the muxer unchanged."""
        queue = self._queue()
        tail = self._link(queue, *between)
        self._finish(tail.get_static_pad("src"), kind, caps)
        self._join(pad, queue.get_static_pad("sink"))

    def _finish(self, pad: Any, kind: str, caps: Any) -> None:
        template = self._template(kind, caps or pad.query_caps(None))
        remove_pictures(pad)
        keep_plain_headers(pad)
        self._join(pad, self._open_muxer().request_pad_simple(template))

    def _drop(self, pad: Any, kind: str) -> None:
        """Drops a stream. Only sound and known subtitles may bypass the element."""
        self._plan.notes.append(f"a stream was left out: {kind}")
        sink = self._add("fakesink", sync=False, **{"async": False})
        self._join(pad, sink.get_static_pad("sink"))
