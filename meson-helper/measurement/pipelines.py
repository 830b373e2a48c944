"""Measures vbgfilter in GStreamer pipelines; a number a line, for `vbgfilter-bench` to read.

    pipelines.py throughput --picture FRAMES.nv12 [OPTIONS]
    pipelines.py streams --picture FRAMES.nv12 --streams N --seconds S [OPTIONS]
    pipelines.py start [OPTIONS]
    pipelines.py load --picture FRAMES.nv12 --seconds S [OPTIONS]
    pipelines.py clip --clip FILE [OPTIONS]
    pipelines.py scenes --picture FRAMES.nv12 [OPTIONS]
    pipelines.py changes --picture FRAMES.nv12 --changes N [OPTIONS]

FRAMES.nv12 holds raw frames of the size, of which the first is shown; all of them by `scenes`.

throughput: as many frames a second as one element can do. `fakesrc` hands over buffers that nobody
has painted: the element and nothing else. `imagefreeze` shows the frame, for which GStreamer has to
copy it each time.

start: milliseconds from NULL to the first frame that comes out.

streams: live streams of 30 frames a second, each a pipeline with its own clock time, all in this
process. A frame is late when it reaches the sink more than a frame's time after it was taken; the
sink then drops it, and tells the element so. When the element falls behind by whole frames, the
camera skips some. Both count as late: the frames that were due less those that were shown.

load: a live stream of 30 frames a second, shown as by a window: frames that are too late are not.
How many a second are shown, undisturbed and while as many other programs as there are cores work
without pause; then, with adaptive=true, seconds until the element is back at what was asked for.

clip: seconds that the cores compute for a second of a clip of 30 frames a second, beyond what they do
without the element: with an inference for every frame, and where one is needed. The frames are decoded
before. Each is measured in turns, and the least taken.

scenes: milliseconds that the cores compute for a frame, beyond what they do without the element, with
an inference for every frame: of a person in the light and in the dark, of the same person twice, of
nobody, and of one and two with keep=nearest. Each is measured in turns, and the least taken.

changes: a live stream of 30 frames a second while a property is changed at random 30 times a second.
A frame is late when it goes out more than two frames' time after it was taken, and raw when its first
rows are those of the picture.
"""

import argparse
import os
import sys

from frame_costs import clip, scenes, start, throughput
from live_streams import changes, load, streams
from pipeline_run import Failure, Gst


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least 1")
    return number


def main():
    parser = argparse.ArgumentParser(
        prog="pipelines", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    measures = (throughput, streams, start, load, clip, scenes, changes)
    measures = {measure.__name__: measure for measure in measures}
    parser.add_argument("measure", choices=measures)
    parser.add_argument("--picture", metavar="FRAMES.nv12", default=os.devnull)
    parser.add_argument("--clip", metavar="FILE")
    for name, value in (("width", 1280), ("height", 720), ("threads", 1)):
        parser.add_argument(f"--{name}", type=positive, default=value)
    for name, value in (("frames", 300), ("streams", 32), ("seconds", 10), ("changes", 1000)):
        parser.add_argument(f"--{name}", type=positive, default=value)
    parser.add_argument("--effect", choices=("replace", "blur"), default="blur")
    parser.add_argument("--quality", default="fast")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[])
    parser.add_argument("--without", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    Gst.init(None)
    try:
        if Gst.ElementFactory.find("vbgfilter") is None:
            raise Failure("GStreamer does not find vbgfilter: run meson-helper/build")
        measures[options.measure](options)
    except (Failure, OSError) as failure:
        sys.exit(f"pipelines: {failure}")


if __name__ == "__main__":
    main()
