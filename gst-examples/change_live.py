#!/usr/bin/python3
"""Changes the background and toggles the effect while the video plays.

    change_live.py INPUT BACKGROUND [BACKGROUND ...]

The program changes the effect every half second: it shows each background, blurs, switches the
effect off and on again, and shows a colour. All properties can be set during playback. A background
loads on a separate thread, and the old effect stays until it is ready. Without a display, the
program discards the video and only prints the changes.
"""
import itertools
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def changes(backgrounds):
    for background in backgrounds:
        yield f"background {background}", {"background-path": background, "effect": "auto"}
    yield "blur", {"effect": "blur"}
    yield "off", {"active": False}
    yield "on", {"active": True}
    yield "a colour", {"effect": "color"}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    Gst.init(None)
    has_display = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    sink = "autovideosink" if has_display else "fakesink sync=true"
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=NV12 ! "
        f"vbgfilter name=filter ! videoconvert ! {sink}"
    )
    pipeline.get_by_name("file").set_property("location", sys.argv[1])
    filter_ = pipeline.get_by_name("filter")
    loop = GLib.MainLoop()
    failures = []
    remaining = itertools.chain(changes(sys.argv[2:]), [None])

    def change():
        following = next(remaining, None)
        if following is None:
            loop.quit()
            return False
        name, values = following
        print(name, flush=True)
        for key, value in values.items():
            Gst.util_set_object_arg(filter_, key, str(value))
        return True

    def on_message(_, message):
        if message.type == Gst.MessageType.ERROR:
            failures.append(message.parse_error()[0].message)
            loop.quit()
        elif message.type == Gst.MessageType.WARNING:
            # The previous effect stays in use.
            print("warning:", message.parse_warning()[0].message, file=sys.stderr)
        elif message.type == Gst.MessageType.EOS:
            loop.quit()
        elif message.type == Gst.MessageType.STATE_CHANGED and message.src == pipeline:
            # Start only when the pipeline plays, because the network loads before that.
            if message.parse_state_changed().newstate == Gst.State.PLAYING:
                GLib.timeout_add(500, change)

    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)
    if failures:
        sys.exit(failures[0])


if __name__ == "__main__":
    main()
