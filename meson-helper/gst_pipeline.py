"""GStreamer pipelines of `benchmark`, `evaluate` and `soak`."""

import functools
import operator
import time

import gi

from failure import Failure

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

# The time limit for a network to load on a slow machine, in seconds.
PATIENCE = 120


def prepare():
    """Starts GStreamer. Fails if it does not find the element."""
    Gst.init(None)
    if Gst.ElementFactory.find("vbgfilter") is None:
        raise Failure("GStreamer does not find vbgfilter: run meson-helper/build")


class Pipeline:
    """A pipeline, as a context manager that starts and stops it."""

    def __init__(self, description):
        try:
            self.pipeline = Gst.parse_launch(description)
        except GLib.Error as error:
            raise Failure(error.message) from None
        self.filter = self.element("filter")
        self.sink = self.element("sink")

    def element(self, name):
        return self.pipeline.get_by_name(name)

    def begin(self):
        self.pipeline.set_state(Gst.State.PLAYING)

    def end(self, state=Gst.State.NULL):
        self.pipeline.set_state(state)

    def __enter__(self):
        self.begin()
        return self

    def __exit__(self, *_):
        self.end()

    def check(self, *others, seconds=0):
        """Waits for one of the messages. An error of the pipeline ends the program."""
        types = functools.reduce(operator.or_, others, Gst.MessageType.ERROR)
        message = self.pipeline.get_bus().timed_pop_filtered(int(seconds * Gst.SECOND), types)
        if message is not None and message.type == Gst.MessageType.ERROR:
            raise Failure(f"{message.src.get_name()}: {message.parse_error().gerror.message}")
        return message


def wait(pipelines, seconds):
    """Waits, and checks the pipelines meanwhile."""
    until = time.monotonic() + seconds
    while True:
        for pipeline in pipelines:
            pipeline.check()
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, 0.1))
