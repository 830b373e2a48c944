#!/usr/bin/python3
"""Pushes frames into vbgfilter from Python and pulls the results.

    push_pull.py

Needs python3-gi and gir1.2-gst-plugins-base-1.0. The frames in this example are plain grey. Replace
them by your NV12 data: the luma plane, then the interleaved chroma plane at half the width and
height.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401 (GstApp gives appsrc its methods)

WIDTH, HEIGHT, FRAMES, RATE = 640, 360, 30, 30


def main():
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "appsrc name=in format=time caps=video/x-raw,format=NV12,"
        f"width={WIDTH},height={HEIGHT},framerate={RATE}/1 ! "
        "vbgfilter effect=color background-color=0xff204060 ! appsink name=out sync=false"
    )
    source, sink = pipeline.get_by_name("in"), pipeline.get_by_name("out")
    pipeline.set_state(Gst.State.PLAYING)

    frame = bytes([128]) * (WIDTH * HEIGHT * 3 // 2)
    received = 0
    for number in range(FRAMES):
        buffer = Gst.Buffer.new_wrapped(frame)
        buffer.pts = number * Gst.SECOND // RATE
        buffer.duration = Gst.SECOND // RATE
        if source.push_buffer(buffer) != Gst.FlowReturn.OK:
            break
        sample = sink.try_pull_sample(10 * Gst.SECOND)
        if sample is None:
            break
        received += 1

    source.end_of_stream()
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if error:
        sys.exit(error.parse_error()[0].message)
    print(f"{received} of {FRAMES} frames came back")
    sys.exit(0 if received == FRAMES else 1)


if __name__ == "__main__":
    main()
