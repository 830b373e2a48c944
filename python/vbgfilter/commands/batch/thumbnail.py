"""Thumbnails of results. They show frames from the element, never frames of a source."""

import base64
import pathlib

from vbgfilter.commands import gstreamer

_WIDTH = 192
_PATIENCE_SECONDS = 20
# JPEG has no alpha. So the compositor puts a checker pattern behind transparent areas.
_PIPELINE = (
    "filesrc name=file ! decodebin expose-all-streams=false caps=video/x-raw(ANY) ! videoconvert ! "
    "videoscale ! video/x-raw,width={width},pixel-aspect-ratio=1/1 ! "
    "compositor background=checker ! videoconvert ! jpegenc quality=75 ! "
    "appsink name=out max-buffers=1 sync=false"
)


def make_thumbnail(result: pathlib.Path) -> str:
    """Returns a frame from the middle of a result as JPEG in base 64, or "" if that fails."""
    gst = gstreamer.start()
    from gi.repository import GLib

    try:
        pipeline = gst.parse_launch(_PIPELINE.format(width=_WIDTH))
    except GLib.Error:
        return ""
    gstreamer.set_file(pipeline.get_by_name("file"), result)
    sink = pipeline.get_by_name("out")
    patience = _PATIENCE_SECONDS * gst.SECOND
    try:
        pipeline.set_state(gst.State.PAUSED)
        if pipeline.get_state(patience)[0] != gst.StateChangeReturn.SUCCESS:
            return ""
        known, duration = pipeline.query_duration(gst.Format.TIME)
        if known:
            flags = gst.SeekFlags.FLUSH | gst.SeekFlags.KEY_UNIT
            pipeline.seek_simple(gst.Format.TIME, flags, duration // 2)
            pipeline.get_state(patience)
        sample = sink.emit("try-pull-preroll", patience)
        if sample is None:
            return ""
        buffer = sample.get_buffer()
        return base64.b64encode(buffer.extract_dup(0, buffer.get_size())).decode()
    finally:
        pipeline.set_state(gst.State.NULL)
