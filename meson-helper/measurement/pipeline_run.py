"""A pipeline with the measured element."""

import functools
import operator
import pathlib
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import GLib, Gst, GstApp  # noqa: E402, F401 (for appsrc's methods)

RATE = 30
# Frames before the measurement, while the network loads and memory is first touched.
FRAMES_TO_SETTLE = 30
SECONDS_TO_SETTLE = 2
# Long enough for a network to load on a slow machine.
PATIENCE = 120
BACKGROUND = pathlib.Path(__file__).parents[2] / ".deps" / "sample" / "hubble_deep_field.jpg"


class Failure(Exception):
    """An error, described by a sentence for the user."""


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


class Run:
    """A pipeline, as a context manager that starts and stops it."""

    def __init__(self, description, picture=None):
        try:
            self.pipeline = Gst.parse_launch(description)
        except GLib.Error as error:
            raise Failure(error.message) from None
        self.sink = self.pipeline.get_by_name("sink")
        self.picture = picture

    def __enter__(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        if self.picture is not None:
            self.pipeline.get_by_name("picture").push_buffer(self.picture.copy())
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def check(self, *others, seconds=0):
        """Waits for one of the messages. An error of the pipeline ends the program."""
        types = functools.reduce(operator.or_, others, Gst.MessageType.ERROR)
        message = self.pipeline.get_bus().timed_pop_filtered(int(seconds * Gst.SECOND), types)
        if message is not None and message.type == Gst.MessageType.ERROR:
            raise Failure(f"{message.src.get_name()}: {message.parse_error().gerror.message}")
        return message

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
    found, count = run.pipeline.get_by_name("filter").get_property("stats").get_uint64(name)
    return count if found else 0


def wait(runs, seconds):
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        for run in runs:
            run.check()
        time.sleep(min(left, 0.1))


def wait_for_frames(runs):
    until = time.monotonic() + PATIENCE
    while any(run.shown() == 0 for run in runs):
        if time.monotonic() > until:
            raise Failure("a stream did not start")
        wait(runs, 0.1)
