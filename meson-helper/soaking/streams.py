"""The streams of `soak`, their changes, and the timing."""

import gc
import os
import pathlib
import random
import sys
import time

from failure import Failure
from gst_pipeline import PATIENCE, Gst, Pipeline, prepare, wait
from soaking import record
from soaking.server import Server

# Seconds between two backgrounds, between two counts, and without changes before a count.
SWAP, COUNT, CALM = 5, 30, 5

CHANGES = {
    "active": ("true", "true", "true", "false"),
    "adaptive": ("true", "false"),
    "attach-matte": ("true", "false"),
    "background-color": ("0xff00ff00", "0xff204060"),
    "blur-shape": ("gaussian", "lens"),
    "blur-radius": ("0.5", "5", "12.5", "60"),
    "cpu-budget": ("0", "0.1", "1"),
    "despill": ("true", "false"),
    "effect": ("auto", "blur", "replace", "color", "matte", "transparent", "none"),
    "fit": ("cover", "contain", "stretch"),
    "framing": ("fixed", "follow"),
    "input-orientation": ("auto", "90r", "180", "ur-ll"),
    "keep": ("everyone", "nearest", "tracked"),
    "light-wrap": ("0", "0.5"),
    "match-light": ("0", "0.7"),
    "low-light": ("0", "1"),
    "matte-feather": ("-4", "0", "4"),
    "matte-grow": ("-3", "0", "3"),
    "max-zoom": ("1", "1.5", "2"),
    "model": ("", "u2netp.onnx", "missing.onnx"),
    "on-failure": ("blur", "color", "hold", "drop"),
    "pacing": ("reuse-matte", "repeat-frame", "drop-frame"),
    "quality": ("fast", "balanced", "accurate", "auto"),
    "inference": ("when-needed", "every-frame"),
    "smoothing": ("0", "0.5", "1"),
    "stats-interval": ("0", "100"),
    "subjects": ("person", "person,dog"),
    "target-fps": ("0", "5", "20"),
}
# Changes that are not properties: to READY and back, the background every five seconds, and the
# temporary stream.
OTHERS = ("restart", "swap", "pipeline")


def make_video(folder, name, picture, encoder, muxer):
    """Creates a short test video with motion."""
    path = folder / name
    pipeline = Pipeline(
        f'filesrc location="{picture}" ! decodebin ! videoconvert ! videoscale ! '
        "video/x-raw,width=640,height=360,pixel-aspect-ratio=1/1 ! imagefreeze num-buffers=50 ! "
        "video/x-raw,framerate=25/1 ! timeoverlay ! videoconvert ! "
        f'{encoder} ! {muxer} ! filesink location="{path}"'
    )
    with pipeline:
        if pipeline.check(Gst.MessageType.EOS, seconds=PATIENCE) is None:
            raise Failure(f"could not make {path}")
    return path


class Stream(Pipeline):
    """A live stream of the person in the sample."""

    def __init__(self, picture, width, height, rate, settings):
        self.frames = 0
        self.settings = settings
        super().__init__(
            f'filesrc location="{picture}" ! pngdec ! videoconvert ! videoscale ! '
            f"video/x-raw,format=NV12,width={width},height={height},pixel-aspect-ratio=1/1 ! "
            f"imagefreeze is-live=true ! video/x-raw,framerate={rate}/1 ! "
            f"vbgfilter name=filter {settings} ! fakesink name=sink sync=false"
        )
        self.pad = self.sink.get_static_pad("sink")
        self.probe = self.pad.add_probe(Gst.PadProbeType.BUFFER, self.count)
        self.begin()

    def count(self, _pad, _info):
        self.frames += 1
        return Gst.PadProbeReturn.OK

    def dispose(self):
        """Ends the stream permanently. Removes the probe, which would keep the stream alive."""
        self.end()
        self.pad.remove_probe(self.probe)

    def set(self, name, value):
        Gst.util_set_object_arg(self.filter, name, value)


class Soak:
    """The streams, and their changes one after the other."""

    def __init__(self, options, picture, backgrounds, unusable):
        self.options = options
        self.picture = picture
        self.backgrounds, self.unusable = backgrounds, unusable
        self.random = random.Random(options.seed)
        self.names = [*CHANGES, *OTHERS]
        if options.only:
            unknown = set(options.only) - set(self.names)
            if unknown:
                raise Failure(f"unknown changes: {', '.join(unknown)}; known: {', '.join(self.names)}")
            self.names = [name for name in self.names if name in options.only]
        self.at_any_time = [name for name in self.names if name not in OTHERS[1:]]
        self.main = Stream(picture, 1280, 720, 30, "quality=fast")
        self.calm = {name: self.main.filter.get_property(name) for name in CHANGES}
        self.calm["background-path"] = None
        self.beside = Stream(picture, 640, 360, 10, "quality=fast")
        self.guest = None
        self.past_frames = 0
        self.changes = 0

    @property
    def streams(self):
        return [each for each in (self.main, self.beside, self.guest) if each is not None]

    @property
    def frames(self):
        return self.past_frames + sum(each.frames for each in self.streams)

    def wait(self, seconds):
        wait(self.streams, seconds)

    def wait_for_frames(self):
        """Waits until each stream has shown another frame."""
        streams = self.streams
        before = [stream.frames for stream in streams]
        until = time.monotonic() + PATIENCE
        while any(stream.frames == count for stream, count in zip(streams, before)):
            if time.monotonic() > until:
                raise Failure(f"a stream showed no frame for {PATIENCE} seconds")
            self.wait(0.1)

    def change(self):
        if not self.at_any_time:
            return
        name = self.random.choice(self.at_any_time)
        self.changes += 1
        if name == "restart":
            self.restart()
        else:
            self.main.set(name, self.random.choice(CHANGES[name]))

    def restart(self):
        """Restarts the stream through READY. First unsets unusable files: they prevent a start."""
        self.main.end(Gst.State.READY)
        self.main.check()
        self.main.set("model", "")
        self.main.set("subjects", "person")
        if self.main.filter.get_property("background-path") in self.unusable:
            self.main.set("background-path", self.random.choice(self.backgrounds))
        self.main.begin()

    def swap(self):
        if "swap" in self.names:
            self.changes += 1
            choice = self.random.choice(self.backgrounds + self.unusable)
            self.main.set("background-path", choice)
        if "pipeline" in self.names:
            self.changes += 1
            if self.guest is None:
                self.guest = Stream(self.picture, 640, 360, 10, "quality=fast")
            else:
                self.dismiss()

    def dismiss(self):
        if self.guest is not None:
            self.guest.dispose()
            self.past_frames += self.guest.frames
            self.guest = None

    def settle(self):
        """Restores the initial state."""
        self.dismiss()
        for name, value in self.calm.items():
            self.main.filter.set_property(name, value)
        until = time.monotonic() + PATIENCE
        # The last requested network may still be loading.
        while self.main.filter.get_property("stats").get_string("quality") != "fast":
            if time.monotonic() > until:
                raise Failure(f"the first network was not restored within {PATIENCE} seconds")
            self.wait(0.1)
        self.wait_for_frames()
        self.wait(CALM)
        gc.collect()

    def end(self):
        for stream in self.streams:
            stream.dispose()

    def run(self, table, picture):
        began = time.monotonic()
        counts = []
        print(record.HEAD, file=table, flush=True)
        print(record.HEAD, flush=True)
        next_swap = next_count = 0.0
        while True:
            now = time.monotonic() - began
            if now >= next_count:
                self.settle()
                now = time.monotonic() - began
                counts.append(record.Count.now(now, self.changes, self.frames))
                for file in (table, sys.stdout):
                    print(counts[-1].row(), file=file, flush=True)
                picture.write_text(record.chart(counts))
                if now >= self.options.minutes * 60:
                    return counts
                next_count = now + COUNT
                next_swap = now
            if now >= next_swap:
                self.swap()
                next_swap = now + SWAP
            self.change()
            self.wait(1 / self.options.rate)


def run(options):
    """Runs the soak test. Returns the errors as sentences."""
    # A proxy would intercept the requests to the server on this machine.
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        os.environ.pop(name, None)
    folder = options.deps / "soak"
    folder.mkdir(exist_ok=True)
    picture = options.deps / "sample" / "astronaut.png"
    sky = options.deps / "sample" / "hubble_deep_field.jpg"
    with Server(sky.read_bytes()) as server:
        prepare()
        broken = folder / "broken.png"
        broken.write_bytes(picture.read_bytes()[:20000])
        backgrounds = [
            sky,
            picture,
            make_video(folder, "sky.mkv", sky, "jpegenc", "matroskamux"),
            make_video(folder, "sky.webm", sky, "vp8enc deadline=1", "webmmux"),
            options.deps / "clip" / "person.mp4",
        ]
        unusable = [pathlib.Path("missing.png"), broken]
        unusable = [*unusable, f"{server.address}/never", f"{server.address}/half"]
        soak = Soak(options, picture, list(map(str, backgrounds)), list(map(str, unusable)))
        try:
            with open(folder / "table.tsv", "w") as table:
                counts = soak.run(table, folder / "chart.svg")
        finally:
            soak.end()
    return record.judge(counts)
