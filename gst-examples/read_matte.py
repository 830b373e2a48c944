#!/usr/bin/python3
"""Reads the mattes that vbgfilter attaches to its frames, from Python.

    read_matte.py VIDEO-OF-A-PERSON

Needs python3-gi. Once per second of video, the program prints which part of the picture the person
covers. gst-examples/read-matte.c does the same in C.
"""
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def coverage(matte):
    """Returns the mean of the matte: 0 without a person, 1 if the person fills the picture."""
    alpha, width, height, stride = (
        matte.get_value(name) for name in ("alpha", "width", "height", "stride"))
    samples = alpha.extract_dup(0, alpha.get_size())
    rows = (samples[y * stride:y * stride + width] for y in range(height))
    return sum(map(sum, rows)) / (255 * width * height)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "uridecodebin name=source ! videoconvert ! vbgfilter attach-matte=true ! "
        "fakesink name=sink signal-handoffs=true")
    pipeline.get_by_name("source").set_property("uri", pathlib.Path(sys.argv[1]).absolute().as_uri())
    seconds = set()

    def read_matte(_sink, buffer, _pad):
        # GStreamer calls this on the streaming thread. A frame without a matte, which vbgfilter has
        # hidden completely, has no meta.
        meta = buffer.get_custom_meta("GstVBGMatte")
        second = buffer.pts // Gst.SECOND
        if meta is None or second in seconds:
            return
        seconds.add(second)
        print(f"{second} s: {100 * coverage(meta.get_structure()):.1f} % person")

    pipeline.get_by_name("sink").connect("handoff", read_matte)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR | Gst.MessageType.EOS)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)
    sys.exit(0 if seconds else "no frame had a matte")


if __name__ == "__main__":
    main()
