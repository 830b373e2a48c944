"""A pipeline with the measured element."""

import pathlib
import time

import gi

from gst_pipeline import PATIENCE, Failure, Gst, Pipeline, wait

gi.require_version("GstApp", "1.0")
from gi.repository import GstApp  # noqa: E402, F401 (for appsrc's methods)

RATE = 30
# Frames before the measurement, while the network loads and memory is first touched.
FRAMES_TO_SETTLE = 30
SECONDS_TO_SETTLE = 2
BACKGROUND = pathlib.Path(__file__).parents[2] / ".deps" / "sample" / "hubble_deep_field.jpg"


def element(options):
    settings = f"effect={options.effect} quality={options.quality} threads={options.threads}"
    # With the still picture, the element would skip nearly all inferences. Later settings win.
    settings += " inference=every-frame"
    if options.effect == "replace":
        settings += f' background-path="{BACKGROUND}"'
    for each in options.set:
        name, _, value = each.partition("=")
        settings += f' {name}="{value}"'
    return f"vbgfilter name=filter {settings}"


def caps(options, rate):
    return (
        f"video/x-raw,format=NV12,width={options.width},height={options.height},"
        f"framerate={rate}/1,colorimetry=bt709"
    )


def frozen_frame(options, rate, properties):
    return (
        f"appsrc name=picture format=time caps={caps(options, rate)} ! imagefreeze {properties} ! "
        f"video/x-raw,framerate={rate}/1"
    )


class Run(Pipeline):
    """A pipeline that may show a picture."""

    def __init__(self, description, picture=None):
        super().__init__(description)
        self.picture = picture

    def begin(self):
        super().begin()
        if self.picture is not None:
            self.element("picture").push_buffer(self.picture.copy())

    def shown(self):
        """Returns the number of frames that the sink has shown in time."""
        (found, count) = self.sink.get_property("stats").get_uint64("rendered")
        return count if found else 0


def picture_of(options):
    size = options.width * options.height * 3 // 2
    with open(options.picture, "rb") as file:
        data = file.read(size)
    if len(data) != size:
        raise Failure(f"{options.picture} contains no frame of this size")
    return Gst.Buffer.new_wrapped(data)


def statistic(run, name):
    found, count = run.filter.get_property("stats").get_uint64(name)
    return count if found else 0


def wait_for_frames(runs):
    until = time.monotonic() + PATIENCE
    while any(run.shown() == 0 for run in runs):
        if time.monotonic() > until:
            raise Failure("a stream did not start")
        wait(runs, 0.1)
