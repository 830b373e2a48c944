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
import functools
import operator
import os
import pathlib
import random
import resource
import subprocess
import sys
import time

import gi

from scenes import dark, nobody, two

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import GLib, Gst, GstApp  # noqa: E402, F401 (for appsrc's methods)

RATE = 30
# Frames that are not measured: the network loads, memory is touched for the first time.
FRAMES_TO_SETTLE = 30
SECONDS_TO_SETTLE = 2
# Long enough for a network to load on a slow machine.
PATIENCE = 120
BACKGROUND = pathlib.Path(__file__).parents[2] / ".deps" / "sample" / "hubble_deep_field.jpg"


class Failure(Exception):
    """A sentence for the user."""


def element(options):
    settings = f"effect={options.effect} quality={options.quality} threads={options.threads}"
    # The picture stands still: nearly all inferences would be left out. What is set later counts.
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
    """A pipeline that runs for as long as the `with` lasts."""

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
        """Waits for one of the messages; an error of the pipeline ends the program."""
        types = functools.reduce(operator.or_, others, Gst.MessageType.ERROR)
        message = self.pipeline.get_bus().timed_pop_filtered(int(seconds * Gst.SECOND), types)
        if message is not None and message.type == Gst.MessageType.ERROR:
            raise Failure(f"{message.src.get_name()}: {message.parse_error().gerror.message}")
        return message

    def shown(self):
        """Frames that the sink has shown in time so far."""
        (found, count) = self.sink.get_property("stats").get_uint64("rendered")
        return count if found else 0


def picture_of(options):
    size = options.width * options.height * 3 // 2
    with open(options.picture, "rb") as file:
        data = file.read(size)
    if len(data) != size:
        raise Failure(f"{options.picture} holds no frame of the size")
    return Gst.Buffer.new_wrapped(data)


def frames_per_second(description, frames, picture=None):
    times = []
    with Run(f"{description} ! fakesink name=sink sync=false", picture) as run:

        def passed(_pad, _info):
            times.append(time.monotonic())
            return Gst.PadProbeReturn.OK

        pad = run.sink.get_static_pad("sink")
        pad.add_probe(Gst.PadProbeType.BUFFER, passed)
        if run.check(Gst.MessageType.EOS, seconds=PATIENCE + frames) is None:
            raise Failure(f"no end within {PATIENCE + frames} seconds: {description}")
    measured = times[FRAMES_TO_SETTLE:]
    if len(measured) < 2:
        raise Failure(f"{len(times)} frames came out: {description}")
    return (len(measured) - 1) / (measured[-1] - measured[0])


def unpainted_frames(options, count):
    size = options.width * options.height * 3 // 2
    return (
        f"fakesrc num-buffers={count} sizetype=fixed sizemax={size} filltype=nothing ! "
        f"{caps(options, RATE)}"
    )


def start(options):
    description = f"{unpainted_frames(options, 1)} ! {element(options)}"
    began = time.monotonic()
    with Run(f"{description} ! fakesink sync=false") as run:
        if run.check(Gst.MessageType.EOS, seconds=PATIENCE) is None:
            raise Failure(f"no frame within {PATIENCE} seconds: {description}")
        print("first-frame", 1000 * (time.monotonic() - began))


def throughput(options):
    count = options.frames + FRAMES_TO_SETTLE
    bare = f"{unpainted_frames(options, count)} ! {element(options)}"
    print("fakesrc", frames_per_second(bare, options.frames))
    person = f"{frozen_frame(options, RATE, f'num-buffers={count}')} ! {element(options)}"
    print("imagefreeze", frames_per_second(person, options.frames, picture_of(options)))


def decoded(options):
    """The first frames of the clip, scaled to the size."""
    frames, until = [], time.monotonic() + PATIENCE
    description = (
        f'filesrc location="{options.clip}" ! decodebin ! videoconvert ! videoscale ! '
        f"video/x-raw,format=NV12,width={options.width},height={options.height},colorimetry=bt709 ! "
        "appsink name=sink sync=false max-buffers=4"
    )
    with Run(description) as run:
        while len(frames) < options.frames:
            sample = run.sink.try_pull_sample(Gst.SECOND)
            if sample is not None:
                frames.append(sample.get_buffer().copy_deep())
                continue
            run.check()
            if run.sink.get_property("eos") or time.monotonic() > until:
                break
    if len(frames) <= FRAMES_TO_SETTLE:
        raise Failure(f"{options.clip} has {len(frames)} frames, of which {FRAMES_TO_SETTLE} settle")
    return frames


def played(frames, middle, options):
    """Seconds that the cores computed for a second of the stream, and its inferences a second."""
    marks, filter_ = [], "filter" in middle
    source = f"appsrc name=picture format=time block=true max-buffers=4 caps={caps(options, RATE)}"
    with Run(f"{source} ! {middle} ! fakesink name=sink sync=false") as run:

        def passed(_pad, _info):
            marks.append((time.process_time(), statistic(run, "inferences") if filter_ else 0))
            return Gst.PadProbeReturn.OK

        run.sink.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, passed)
        picture = run.pipeline.get_by_name("picture")
        for number, frame in enumerate(frames):
            copy = frame.copy_deep()
            copy.pts, copy.duration = number * Gst.SECOND // RATE, Gst.SECOND // RATE
            picture.push_buffer(copy)
        picture.end_of_stream()
        if run.check(Gst.MessageType.EOS, seconds=PATIENCE + len(frames)) is None:
            raise Failure("no end of the clip")
    if len(marks) <= FRAMES_TO_SETTLE:
        raise Failure(f"{len(marks)} of {len(frames)} frames of the clip came out")
    (began, first), (ended, last) = marks[FRAMES_TO_SETTLE - 1], marks[-1]
    seconds = (len(marks) - FRAMES_TO_SETTLE) / RATE
    return (ended - began) / seconds, (last - first) / seconds


def clip(options):
    if options.clip is None:
        raise Failure("clip wants --clip FILE")
    frames = decoded(options)
    middles = {"without": "identity"}
    for inference in ("every-frame", "when-needed"):
        middles[inference] = f"{element(options)} inference={inference}"
    costs = {name: [] for name in middles}
    for _ in range(3):
        for name, middle in middles.items():
            costs[name].append(played(frames, middle, options))
    least = {name: min(cost for cost, _ in of_name) for name, of_name in costs.items()}
    every, needed = (least[name] - least["without"] for name in ("every-frame", "when-needed"))
    print("every-frame", every)
    print("when-needed", needed)
    print("share", needed / every)
    print("inferences-a-second", costs["when-needed"][0][1])


def scenes_of(options):
    """What a scene is made by, and with which properties it is shown."""
    nearest = f"{element(options)} keep=nearest"
    return {
        "person": (None, element(options)),
        "dark": (dark, element(options)),
        "two": (two, element(options)),
        "nobody": (nobody, element(options)),
        "person-nearest": (None, nearest),
        "two-nearest": (two, nearest),
    }


def scenes(options):
    with open(options.picture, "rb") as file:
        data = file.read()
    size = options.width * options.height * 3 // 2
    pictures = [data[at : at + size] for at in range(0, len(data) - size + 1, size)]
    if not pictures:
        raise Failure(f"{options.picture} holds no frame of the size")
    count = FRAMES_TO_SETTLE + options.frames
    costs = {}
    for _ in range(3):
        for name, (make, middle) in scenes_of(options).items():
            made = [make(each, options.width, options.height) if make else each for each in pictures]
            buffers = [Gst.Buffer.new_wrapped(each) for each in made]
            frames = [buffers[number % len(buffers)] for number in range(count)]
            costs.setdefault(name, []).append(
                played(frames, middle, options)[0] - played(frames, "identity", options)[0]
            )
    for name, of_name in costs.items():
        print(name, 1000 * min(of_name) / RATE)


def resident_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


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
            raise Failure("a stream did not begin")
        wait(runs, 0.1)


def streams(options):
    picture = picture_of(options)
    middle = "identity" if options.without else element(options)
    description = (
        f"{frozen_frame(options, RATE, 'is-live=true')} ! {middle} ! "
        "fakesink name=sink sync=true qos=true max-lateness=0 "
        f"processing-deadline={Gst.SECOND // RATE}"
    )
    runs = []
    try:
        for number in range(options.streams):
            runs.append(Run(description, picture).__enter__())
            if number == 0:
                wait_for_frames(runs)
                wait(runs, SECONDS_TO_SETTLE)
                first = resident_megabytes()
            # Cameras do not take their pictures at the same moment: spread over a frame's time.
            time.sleep(1.37 / RATE)
        wait_for_frames(runs)
        wait(runs, SECONDS_TO_SETTLE)

        # A look at a stream takes time: each has its own beginning and end.
        began = [(time.monotonic(), run.shown()) for run in runs]
        inferred = -inferences(runs, options)
        processor = time.process_time()
        wait(runs, options.seconds)
        processor = time.process_time() - processor
        inferred += inferences(runs, options)
        ended = [(time.monotonic(), run.shown()) for run in runs]
        last = resident_megabytes()
        failures = 0 if options.without else sum(statistic(run, "failures") for run in runs)
    finally:
        for run in runs:
            run.__exit__()

    late = [
        # One frame may lie on the border of the time.
        max(0, round((end - begin) * RATE) - 1 - (shown_at_end - shown_at_begin))
        for (begin, shown_at_begin), (end, shown_at_end) in zip(began, ended)
    ]
    growth = (last - first) / max(1, options.streams - 1)
    if options.without:
        print("growth", growth)
        return
    print("streams", options.streams)
    print("frames", round(sum(end - begin for (begin, _), (end, _) in zip(began, ended)) * RATE))
    print("late", sum(late))
    print("streams-with-late", sum(1 for each in late if each))
    print("failures", failures)
    print("cores-used", processor / options.seconds)
    print("inferences-a-second", inferred / options.streams / options.seconds)
    print("MB-first", first)
    print("MB-per-further", growth)
    print("MB-of-it-without-element", growth_without(options))


def inferences(runs, options):
    """Of all streams so far."""
    return 0 if options.without else sum(statistic(run, "inferences") for run in runs)


class Burners:
    """Programs that work without pause, one for each core, for as long as the `with` lasts."""

    def __enter__(self):
        self.programs = [
            subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
            for _ in os.sched_getaffinity(0)
        ]

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
            program.wait()


def rate_shown(run, seconds):
    began, shown = time.monotonic(), run.shown()
    wait([run], seconds)
    return (run.shown() - shown) / (time.monotonic() - began)


def statistic(run, name):
    found, count = run.pipeline.get_by_name("filter").get_property("stats").get_uint64(name)
    return count if found else 0


def load(options):
    picture = picture_of(options)
    for adaptive in (False, True):
        description = (
            f"{frozen_frame(options, RATE, 'is-live=true')} ! "
            f"{element(options)} adaptive={adaptive} ! "
            # As late as the sinks that draw into windows take it; a frame's time for the work.
            f"fakesink name=sink sync=true qos=true max-lateness={5 * Gst.MSECOND} "
            f"processing-deadline={Gst.SECOND // RATE}"
        )
        with Run(description, picture) as run:
            wait_for_frames([run])
            wait([run], SECONDS_TO_SETTLE)
            undisturbed = rate_shown(run, options.seconds)
            with Burners():
                wait([run], SECONDS_TO_SETTLE)
                loaded = rate_shown(run, options.seconds)
                level = statistic(run, "adaptive-level")
            if not adaptive:
                print("undisturbed", undisturbed)
                print("loaded", loaded)
                continue
            print("undisturbed-adaptive", undisturbed)
            print("loaded-adaptive", loaded)
            print("steps-down", level)
            ended = time.monotonic()
            while statistic(run, "adaptive-level") > 0 and time.monotonic() < ended + 30:
                wait([run], 0.05)
            print("seconds-back", time.monotonic() - ended)


# The cheap network serves all, so that the frames have time to spare; loading is what is tested.
CHANGES = {
    "effect": ("auto", "blur", "replace", "color", "matte", "transparent"),
    "background-path": (str(BACKGROUND), str(BACKGROUND.with_name("astronaut.png")), "missing.png"),
    "background-color": ("0xff00ff00", "0xff204060"),
    "blur-radius": ("5", "12.5", "60"),
    "target-fps": ("0", "10", "20"),
    "pacing": ("reuse-matte", "repeat-frame"),
    "model": ("", "selfie_segmentation.tflite", "missing.onnx"),
    "fit": ("cover", "contain", "stretch"),
    "keep": ("everyone", "nearest", "tracked"),
    "skip-still": ("true", "false"),
    "inference": ("when-needed", "every-frame"),
    "attach-matte": ("true", "false"),
    "matte-grow": ("-3", "0", "3"),
    "matte-feather": ("-4", "0", "4"),
    "smoothing": ("0", "0.5", "1"),
    "despill": ("true", "false"),
    "light-wrap": ("0", "0.5"),
    "on-failure": ("blur", "color", "hold"),
    "stats-interval": ("0", "100"),
}


def changes(options):
    picture = picture_of(options)
    # Rows of the wall behind the person, above the head.
    length = options.width * (options.height // 20)
    first_rows = picture.extract_dup(0, length)
    delays, raw = [], 0
    description = (
        f"{frozen_frame(options, RATE, 'is-live=true')} ! {element(options)} ! "
        "fakesink name=sink sync=false"
    )
    with Run(description, picture) as run:
        filter_ = run.pipeline.get_by_name("filter")

        def passed(_pad, info):
            nonlocal raw
            buffer = info.get_buffer()
            now = run.pipeline.get_clock().get_time() - run.pipeline.get_base_time()
            delays.append(now - buffer.pts)
            raw += buffer.extract_dup(0, length) == first_rows
            return Gst.PadProbeReturn.OK

        wait_for_frames([run])
        wait([run], SECONDS_TO_SETTLE)
        run.sink.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, passed)
        chosen = random.Random(1)
        began = time.monotonic()
        for number in range(options.changes):
            name = chosen.choice(list(CHANGES))
            Gst.util_set_object_arg(filter_, name, chosen.choice(CHANGES[name]))
            wait([run], max(0, began + number / RATE - time.monotonic()))
        wait([run], 1)
        print("changes", options.changes)
        print("frames", len(delays))
        print("late", sum(delay > 2 * Gst.SECOND // RATE for delay in delays))
        print("latest-ms", max(delays) / Gst.MSECOND)
        print("raw", raw)


def growth_without(options):
    """The same streams without vbgfilter, in a program of their own."""
    command = [sys.executable, "-B", "-s", __file__, *sys.argv[1:], "--without"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    if result.returncode != 0:
        raise Failure("the streams without the element failed")
    return float(result.stdout.split()[1])


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
