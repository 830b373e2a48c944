"""Measures the cost of frames at full speed: see pipelines.py."""

import time

from gst_pipeline import PATIENCE, Failure, Gst
from measurement.pipeline_run import (
    FRAMES_TO_SETTLE,
    RATE,
    Run,
    caps,
    element,
    frozen_frame,
    picture_of,
    statistic,
)
from measurement.scenes import dark, nobody, two


def frames_per_second(description, frames, picture=None):
    times = []
    with Run(f"{description} ! fakesink name=sink sync=false", picture) as run:

        def passed(_pad, _info):
            times.append(time.monotonic())
            return Gst.PadProbeReturn.OK

        pad = run.sink.get_static_pad("sink")
        pad.add_probe(Gst.PadProbeType.BUFFER, passed)
        if run.check(Gst.MessageType.EOS, seconds=PATIENCE + frames) is None:
            raise Failure(f"the pipeline did not end within {PATIENCE + frames} seconds: {description}")
    measured = times[FRAMES_TO_SETTLE:]
    if len(measured) < 2:
        raise Failure(f"only {len(times)} frames were output: {description}")
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
    """Returns the first frames of the clip, scaled to the size."""
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
        raise Failure(f"{options.clip} has {len(frames)} frames, of which {FRAMES_TO_SETTLE} are for warming up")
    return frames


def played(frames, middle, options):
    """Returns CPU seconds per second of the stream, and inferences per second."""
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
            raise Failure("the clip did not end")
    if len(marks) <= FRAMES_TO_SETTLE:
        raise Failure(f"only {len(marks)} of {len(frames)} frames of the clip were output")
    (began, first), (ended, last) = marks[FRAMES_TO_SETTLE - 1], marks[-1]
    seconds = (len(marks) - FRAMES_TO_SETTLE) / RATE
    return (ended - began) / seconds, (last - first) / seconds


def clip(options):
    if options.clip is None:
        raise Failure("clip requires --clip FILE")
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
    """Returns, for each scene, the function that creates it and the properties to measure with."""
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
        raise Failure(f"{options.picture} contains no frame of this size")
    count = FRAMES_TO_SETTLE + options.frames
    costs, bare = {}, {}
    for _ in range(3):
        for name, (make, middle) in scenes_of(options).items():
            made = [make(each, options.width, options.height) if make else each for each in pictures]
            buffers = [Gst.Buffer.new_wrapped(each) for each in made]
            frames = [buffers[number % len(buffers)] for number in range(count)]
            for of_name, what in ((costs, middle), (bare, "identity")):
                of_name.setdefault(name, []).append(played(frames, what, options)[0])
    for name in costs:
        print(name, 1000 * (min(costs[name]) - min(bare[name])) / RATE)
