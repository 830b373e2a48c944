#!/usr/bin/python3
"""Increases the blur over the first seconds of a video and writes an MP4.

    fade.py INPUT OUTPUT.mp4 [SECONDS]

Numeric properties can be bound to a controller. Here blur-radius increases linearly from 4 to 20.
Smaller values do not hide the background, and with 0 it would not be blurred at all.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstController", "1.0")
from gi.repository import Gst, GstController  # noqa: E402


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    seconds = float(sys.argv[3]) if len(sys.argv) == 4 else 1
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! videoflip video-direction=auto ! "
        "video/x-raw,format=NV12 ! "
        "vbgfilter name=filter effect=blur ! "
        "videoconvert ! x264enc speed-preset=veryfast ! mp4mux ! filesink name=output"
    )
    pipeline.get_by_name("file").set_property("location", sys.argv[1])
    pipeline.get_by_name("output").set_property("location", sys.argv[2])

    line = GstController.InterpolationControlSource.new()
    line.set_property("mode", GstController.InterpolationMode.LINEAR)
    line.set(0, 4)
    line.set(int(seconds * Gst.SECOND), 20)
    filter_ = pipeline.get_by_name("filter")
    binding = GstController.DirectControlBinding.new_absolute(filter_, "blur-radius", line)
    if not filter_.add_control_binding(binding):
        sys.exit("blur-radius cannot be controlled")

    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR
    )
    radius = filter_.get_property("blur-radius")
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)
    print(f"blur-radius at the end: {radius:g}")


if __name__ == "__main__":
    main()
