"""Measures vbgfilter in GStreamer pipelines and prints one number per line for `vbgfilter-bench`.

    pipelines.py throughput --picture FRAMES.nv12 [OPTIONS]
    pipelines.py streams --picture FRAMES.nv12 --streams N --seconds S [OPTIONS]
    pipelines.py start [OPTIONS]
    pipelines.py load --picture FRAMES.nv12 --seconds S [OPTIONS]
    pipelines.py clip --clip FILE [OPTIONS]
    pipelines.py scenes --picture FRAMES.nv12 [OPTIONS]
    pipelines.py changes --picture FRAMES.nv12 --changes N [OPTIONS]

FRAMES.nv12 holds raw frames of the size. `scenes` uses all of them, the others only the first.

throughput: the maximum frames per second of one element. `fakesrc` passes unpainted buffers, so
this measures only the element. `imagefreeze` shows the frame, and GStreamer must copy it each time.

start: milliseconds from NULL to the first output frame.

streams: live streams of 30 frames per second, each a pipeline with its own clock time, all in this
process. A frame is late if it reaches the sink more than a frame's time after its capture. The sink
then drops it and informs the element. If the element falls behind by whole frames, the camera skips
some. Both count as late: late frames are the due frames minus the shown ones.

load: a live stream of 30 frames per second into a sink that drops late frames, like a window. It
measures the shown frames per second, undisturbed and with one busy program per core. With
adaptive=true it then measures the seconds until the element returns to the requested quality.

clip: CPU seconds for a second of a clip at 30 frames per second, in addition to the same pipeline
without the element. It measures an inference for every frame, and inferences on demand. The frames
are decoded in advance. Measurements alternate, and the minimum counts.

scenes: CPU milliseconds per frame, in addition to the same pipeline without the element, with an
inference for every frame. The scenes are a person in the light and in the dark, the person twice,
an empty room, and one and two people with keep=nearest. Measurements alternate, and the minimum
counts.

changes: a live stream of 30 frames per second with 30 random property changes per second. A frame
is late if it leaves more than two frames' time after its capture. It is raw if its first rows equal
the picture's.
"""

import argparse
import os
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).parents[1])
from gst_pipeline import Failure, prepare  # noqa: E402
from measurement.frame_costs import clip, scenes, start, throughput  # noqa: E402
from measurement.live_streams import changes, load, streams  # noqa: E402


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected at least 1")
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
    try:
        prepare()
        measures[options.measure](options)
    except (Failure, OSError) as failure:
        sys.exit(f"pipelines: {failure}")


if __name__ == "__main__":
    main()
