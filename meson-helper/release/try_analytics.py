"""Finds the matte among GStreamer's analytics metas, and replaces a network by a mask.

    try_analytics.py FRAMES

FRAMES is a file of raw NV12 frames with 512x512 pixels.

Needs GStreamer 1.26 or later and its Python overrides.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstAnalytics", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstAnalytics, GstApp, GstVideo  # noqa: E402, F401

SIDE = 512


def check(condition, text):
    if not condition:
        sys.exit(text)


def first_sample(pipeline):
    """Starts a pipeline and returns its sink's first sample. If there is none, ends the program."""
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").try_pull_sample(60 * Gst.SECOND)
    if sample is None:
        message = pipeline.get_bus().timed_pop_filtered(0, Gst.MessageType.ERROR)
        sys.exit(f"no frame: {message and message.parse_error()}")
    pipeline.set_state(Gst.State.NULL)
    return sample


def check_attached_mask(frames):
    """Checks the mask that the element attaches to a frame.

    It is 1 for the person, who covers only a part of the frame.
    """
    sample = first_sample(Gst.parse_launch(
        f"filesrc location={frames} ! rawvideoparse format=nv12 width={SIDE} height={SIDE} ! "
        "vbgfilter quality=fast attach-matte=true ! appsink name=sink sync=false"))
    relations = GstAnalytics.buffer_get_analytics_relation_meta(sample.get_buffer())
    check(relations is not None, "no analytics meta")
    mtds = list(relations)
    kinds = [type(each).__name__ for each in mtds]
    check(kinds == ["SegmentationMtd", "ClsMtd"], f"attached: {kinds}")
    segmentation, classes = mtds
    names = [GLib.quark_to_string(classes.get_quark(i)) for i in range(classes.get_length())]
    check(names == ["background", "person"], f"classes: {names}")
    mask, *place = segmentation.get_mask()
    check(place == [0, 0, SIDE, SIDE], f"place: {place}")
    values = mask.extract_dup(0, mask.get_size())
    share = values.count(1) / len(values)
    print(f"{kinds} of {names}; {share:.2f} of the mask is the person")
    check(0.2 < share < 0.8 and set(values) == {0, 1}, f"values: {set(values)}, {share}")


def check_given_mask(frames):
    """Checks that the element uses a mask as its matte. The mask marks the left half."""
    text = (
        f"appsrc name=source caps=video/x-raw,format=NV12,width={SIDE},height={SIDE},framerate=30/1 "
        "format=time ! vbgfilter quality=fast effect=matte ! video/x-raw,format=GRAY8 "
        "! appsink name=sink sync=false")
    pipeline = Gst.parse_launch(text)
    with open(frames, "rb") as file:
        picture = file.read(SIDE * SIDE * 3 // 2)
    buffer = Gst.Buffer.new_wrapped(picture)
    buffer.pts = 0
    mask = Gst.Buffer.new_wrapped(bytes(int(x < SIDE // 2) for x in range(SIDE)) * SIDE)
    GstVideo.buffer_add_video_meta(
        mask, GstVideo.VideoFrameFlags.NONE, GstVideo.VideoFormat.GRAY8, SIDE, SIDE)
    relations = GstAnalytics.buffer_add_analytics_relation_meta(buffer)
    names = [GLib.quark_from_string(name) for name in ("background", "person")]
    _, segmentation = relations.add_segmentation_mtd(
        mask, GstAnalytics.SegmentationType.SEMANTIC, [0, 1], 0, 0, SIDE, SIDE)
    _, classes = relations.add_cls_mtd([0.5, 0.5], names)
    relations.set_relation(GstAnalytics.RelTypes.N_TO_N, segmentation.id, classes.id)
    pipeline.get_by_name("source").emit("push-buffer", buffer)
    found = first_sample(pipeline).get_buffer()
    matte = found.extract_dup(0, found.get_size())
    left, right = (matte[SIDE // 2 * SIDE + x] for x in (SIDE // 4, SIDE * 3 // 4))
    print(f"matte: {left} on the left, {right} on the right")
    check(left == 255 and right == 0, "the mask was not used")


def main():
    Gst.init(None)
    check_attached_mask(sys.argv[1])
    check_given_mask(sys.argv[1])


main()
