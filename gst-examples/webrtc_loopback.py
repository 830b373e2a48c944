#!/usr/bin/python3
"""Sends filtered video by WebRTC, and receives it in the same program.

    webrtc_loopback.py INPUT|camera [FRAMES]

Two webrtcbin elements communicate over this machine's network. The first sends vbgfilter's output,
as it would to a browser. The second receives it. A real application needs a signalling channel for
the offer, the answer and the ICE candidates. This program passes them directly.

The program ends after it has received FRAMES frames. Without a display, the default is 60. With a
display, the program shows the video, by default until it is interrupted. If no frame arrives for a
minute, it ends with an error.

A lost packet costs little: the receiver asks for the packet again, and, if that fails, for a key
frame.
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402, F401 (types of the signals)

PATIENCE = 60


class Loopback:
    def __init__(self, location, frames):
        self.frames = frames
        self.received = 0
        self.failure = None
        self.loop = GLib.MainLoop()
        is_camera = location == "camera"
        self.pipeline = Gst.parse_launch(
            f"{'v4l2src' if is_camera else 'filesrc name=file'} ! decodebin ! "
            "videoconvert ! videoflip video-direction=auto ! videoscale ! videorate ! "
            "video/x-raw,format=NV12,width=640,height=360,framerate=30/1 ! clocksync ! "
            "vbgfilter quality=fast ! videoconvert ! queue ! "
            "vp8enc deadline=1 cpu-used=8 keyframe-max-dist=30 ! rtpvp8pay pt=96 ! "
            "application/x-rtp,media=video,encoding-name=VP8,payload=96,rtcp-fb-nack-pli=true ! "
            "webrtcbin name=sender bundle-policy=max-bundle "
            "webrtcbin name=receiver bundle-policy=max-bundle"
        )
        if not is_camera:
            self.pipeline.get_by_name("file").set_property("location", location)
        self.sender = self.pipeline.get_by_name("sender")
        self.receiver = self.pipeline.get_by_name("receiver")
        for peer in (self.sender, self.receiver):
            peer.connect("on-new-transceiver", self.ask_again)
        self.sender.emit("get-transceiver", 0).set_property("do-nack", True)
        self.sender.connect("on-negotiation-needed", self.offer)
        self.sender.connect("on-ice-candidate", self.hand_over, self.receiver)
        self.receiver.connect("on-ice-candidate", self.hand_over, self.sender)
        self.receiver.connect("pad-added", self.show)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self.on_error)

    @staticmethod
    def hand_over(_element, line, candidate, other):
        other.emit("add-ice-candidate", line, candidate)

    @staticmethod
    def ask_again(_element, transceiver):
        transceiver.set_property("do-nack", True)

    def offer(self, _element):
        def created(promise):
            # Keep the reply: it owns the description.
            reply = promise.get_reply()
            description = reply.get_value("offer")
            self.sender.emit("set-local-description", description, Gst.Promise.new())
            self.receiver.emit("set-remote-description", description, Gst.Promise.new())
            answered = Gst.Promise.new_with_change_func(self.answer)
            self.receiver.emit("create-answer", None, answered)

        self.sender.emit("create-offer", None, Gst.Promise.new_with_change_func(created))

    def answer(self, promise):
        reply = promise.get_reply()
        description = reply.get_value("answer")
        self.receiver.emit("set-local-description", description, Gst.Promise.new())
        self.sender.emit("set-remote-description", description, Gst.Promise.new())

    def show(self, _element, pad):
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        has_display = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
        sink = "autovideosink" if has_display else "fakesink"
        player = Gst.parse_bin_from_description(
            f"rtpvp8depay request-keyframe=true wait-for-keyframe=true ! vp8dec name=decoder ! videoconvert ! {sink}", True
        )
        decoder = player.get_by_name("decoder")
        decoder.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self.count)
        self.pipeline.add(player)
        player.sync_state_with_parent()
        pad.link(player.get_static_pad("sink"))

    def count(self, _pad, _info):
        self.received += 1
        if self.frames and self.received == self.frames:
            GLib.idle_add(self.loop.quit)
        return Gst.PadProbeReturn.OK

    def on_error(self, _bus, message):
        self.failure = message.parse_error()[0].message
        self.loop.quit()

    def watch(self, received):
        if self.received == received and self.frames:
            self.failure = f"only {received} frames arrived, and none in {PATIENCE} seconds"
            self.loop.quit()
        else:
            GLib.timeout_add_seconds(PATIENCE, self.watch, self.received)
        return False

    def run(self):
        GLib.timeout_add_seconds(PATIENCE, self.watch, 0)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)
        if self.failure:
            sys.exit(self.failure)
        print(f"{self.received} frames arrived")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Gst.init(None)
    for name in ("webrtcbin", "nicesrc", "vp8enc"):
        if Gst.ElementFactory.find(name) is None:
            sys.exit(f"{name} is missing: install gstreamer1.0-plugins-bad, -good and -nice")
    has_display = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    frames = int(sys.argv[2]) if len(sys.argv) == 3 else 0 if has_display else 60
    Loopback(sys.argv[1], frames).run()


if __name__ == "__main__":
    main()
