"""Measures live streams of 30 frames per second, like a camera's: see pipelines.py."""

import os
import random
import resource
import subprocess
import sys
import time

from gst_pipeline import Failure, Gst, wait
from measurement.pipeline_run import (
    BACKGROUND,
    RATE,
    SECONDS_TO_SETTLE,
    Run,
    element,
    frozen_frame,
    picture_of,
    statistic,
    wait_for_frames,
)


def resident_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


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
            # Cameras are not synchronized, so spread the streams over a frame's time.
            time.sleep(1.37 / RATE)
        wait_for_frames(runs)
        wait(runs, SECONDS_TO_SETTLE)

        # Reading a stream takes time, so each stream has its own begin and end.
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
        # Allow for one frame at the edge of the period.
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
    """Returns the inferences of all streams so far."""
    return 0 if options.without else sum(statistic(run, "inferences") for run in runs)


def growth_without(options):
    """Runs the same streams without vbgfilter in a separate program."""
    command = [sys.executable, "-B", "-s", sys.argv[0], *sys.argv[1:], "--without"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    if result.returncode != 0:
        raise Failure("the streams without the element failed")
    return float(result.stdout.split()[1])


class Burners:
    """A context manager that runs one busy program per core."""

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


def load(options):
    picture = picture_of(options)
    for adaptive in (False, True):
        description = (
            f"{frozen_frame(options, RATE, 'is-live=true')} ! "
            f"{element(options)} adaptive={adaptive} ! "
            # The maximum lateness of sinks for windows, and a frame's time for the work.
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


# Always use the cheap network, so that frames have time to spare. The test is about loading.
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
    "inference": ("when-needed", "every-frame"),
    "attach-matte": ("true", "false"),
    "matte-grow": ("-3", "0", "3"),
    "matte-feather": ("-4", "0", "4"),
    "smoothing": ("0", "0.5", "1"),
    "despill": ("true", "false"),
    "light-wrap": ("0", "0.5"),
    "match-light": ("0", "0.7"),
    "on-failure": ("blur", "color", "hold"),
    "stats-interval": ("0", "100"),
}


def changes(options):
    picture = picture_of(options)
    # The first rows show the wall above the head.
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
