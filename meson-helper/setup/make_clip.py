"""Creates a clip from a picture, as if a camera panned and zoomed over it.

    make_clip.py PICTURE CLIP.mp4 [FRAMES]

Use it to try vbgfilter without a camera: the picture moves, and the person stays visible.
"""

import os
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstController", "1.0")
from gi.repository import Gst, GstController  # noqa: E402

WIDTH, HEIGHT = 960, 540
FRAMES, RATE = 120, 30
# The compositor uses whole pixels. In a larger drawing its steps are smaller than a pixel.
OVERSAMPLING = 2
# The camera's path: second -> (left, top, width) of its view, as shares of the picture's width.
VIEWS = {
    0.0: (0.0, 0.0, 1.0),
    1.5: (0.14, 0.0, 0.72),
    2.5: (0.04, 0.01, 0.78),
    4.0: (0.0, 0.0, 1.0),
}


def bind(pad, name, points):
    source = GstController.InterpolationControlSource.new()
    source.set_property("mode", GstController.InterpolationMode.CUBIC_MONOTONIC)
    for second, value in points.items():
        source.set(int(second * Gst.SECOND), value)
    pad.add_control_binding(GstController.DirectControlBinding.new_absolute(pad, name, source))


def move_camera(pad, aspect):
    """Animates the position of the whole picture, so that the output shows the camera's view."""
    scale = {time: OVERSAMPLING * WIDTH / width for time, (_, _, width) in VIEWS.items()}
    bind(pad, "width", scale)
    bind(pad, "height", {time: scale[time] * aspect for time in VIEWS})
    bind(pad, "xpos", {time: -scale[time] * left for time, (left, _, _) in VIEWS.items()})
    bind(pad, "ypos", {time: -scale[time] * top for time, (_, top, _) in VIEWS.items()})


def main():
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    picture, clip = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    frames = int(sys.argv[3]) if len(sys.argv) == 4 else FRAMES
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "filesrc name=picture ! decodebin ! videoconvert ! "
        f"imagefreeze num-buffers={frames} ! video/x-raw,framerate={RATE}/1 ! "
        "compositor name=camera background=black ! "
        f"video/x-raw,width={WIDTH * OVERSAMPLING},height={HEIGHT * OVERSAMPLING} ! "
        f"videoconvert ! videoscale ! video/x-raw,format=I420,width={WIDTH},height={HEIGHT} ! "
        "x264enc pass=quant quantizer=16 speed-preset=veryfast ! h264parse ! mp4mux ! "
        "filesink name=clip"
    )
    pipeline.get_by_name("picture").set_property("location", str(picture))
    # Write to a temporary name, so that the clip is either complete or absent.
    unfinished = clip.with_name(f"{clip.name}.{os.getpid()}")
    pipeline.get_by_name("clip").set_property("location", str(unfinished))
    (pad,) = pipeline.get_by_name("camera").sinkpads
    move_camera(pad, aspect=1.0)

    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR | Gst.MessageType.EOS
    )
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"{picture}: {message.parse_error().gerror.message}")
    unfinished.replace(clip)


if __name__ == "__main__":
    main()
