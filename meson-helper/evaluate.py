"""Scores the mattes of vbgfilter, seen from outside, against the truth.

DATA holds `img/` with pictures or `clip.*`, a video; and `mask/` with one 8-bit gray PNG, 255 for
the person, per picture (matched by name) or per frame (in the order of the names).

The element runs in two pipelines with effect=color, on black and on white. What shows white but
not black is background: alpha = 1 - (luma on white - luma on black) / (luma of white - of black).
A picture goes through as a stream of a few equal frames, of which the last counts; each picture
and each clip meets a new element.

  IoU      intersection over union of the silhouettes at alpha 0.5
  P10 IoU  (pictures) its tenth percentile: how bad the bad cases are
  F        F1 of the outlines with a tolerance of 0.8 % of the diagonal
  MAD      mean absolute difference of alpha, times 1000
  dtSSD    (clips) flicker: root mean square error of alpha's change between frames, times 100
"""

import argparse
import json
import pathlib
import sys

import cv2
import gi
import numpy as np

import matte_metrics

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstApp, GstVideo  # noqa: E402, F401 (for appsrc's methods)

BLACK, WHITE = "0xff000000", "0xffffffff"
RATE = 30
# Long enough for a network to load on a slow machine.
PATIENCE = 120 * Gst.SECOND
# GST_VIDEO_COLOR_RANGE_0_255, whose name begins with a digit in Python.
FULL_RANGE = 1
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
FILTER = "videoconvert ! video/x-raw,format=NV12 ! vbgfilter name=filter effect=color"
SINK = "appsink name=out sync=false max-buffers=4"


def quoted(text):
    """Text as a value in a pipeline's description."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Failure(Exception):
    """A sentence for the user."""


class Run:
    """One pipeline with a new element in it."""

    def __init__(self, source, background_color, settings):
        chosen = [("background-color", background_color), *settings]
        properties = " ".join(f"{name}={quoted(value)}" for name, value in chosen)
        try:
            self.pipeline = Gst.parse_launch(f"{source} ! {FILTER} {properties} ! {SINK}")
        except GLib.Error as error:
            raise Failure(error.message) from None
        self.sink = self.pipeline.get_by_name("out")
        self.filter = self.pipeline.get_by_name("filter")

    def element(self, name):
        return self.pipeline.get_by_name(name)

    def __enter__(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        return self

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)

    def luma(self):
        """The next frame's luma, 0 for black to 1 for white; None after the last frame."""
        sample = self.sink.try_pull_sample(PATIENCE)
        message = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message is not None:
            raise Failure(f"{message.src.get_name()}: {message.parse_error().gerror.message}")
        if sample is None:
            if self.sink.is_eos():
                return None
            raise Failure("vbgfilter gave no frame")
        return luma_of(sample)


def luma_of(sample):
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    buffer = sample.get_buffer()
    offset, stride = info.offset[0], info.stride[0]
    meta = GstVideo.buffer_get_video_meta(buffer)
    if meta is not None:
        offset, stride = meta.offset[0], meta.stride[0]
    mapped, memory = buffer.map(Gst.MapFlags.READ)
    if not mapped:
        raise Failure("a frame cannot be read")
    rows = np.frombuffer(memory.data, np.uint8, (info.height - 1) * stride + info.width, offset)
    rows = np.lib.stride_tricks.as_strided(rows, (info.height, info.width), (stride, 1))
    luma = rows.astype(np.float32)
    buffer.unmap(memory)
    if int(info.colorimetry.range) == FULL_RANGE:
        return luma / 255
    return (luma - 16) / 219


def alpha(on_black, on_white):
    """The matte in steps of 1/255, as a file would hold it."""
    matte = np.clip(1 - (on_white - on_black), 0, 1)
    return np.round(matte * 255) / np.float32(255)


def read_mask(path):
    mask = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
    if mask is None:
        raise Failure(f"{path} is not a picture")
    return mask.astype(np.float32) / 255


def picture_matte(path, frames, settings):
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise Failure(f"{path} is not a picture")
    height, width = picture.shape[:2]
    # Four bytes per pixel: rows then need no padding.
    pixels = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA).tobytes()
    caps = f"video/x-raw,format=BGRx,width={width},height={height},framerate={RATE}/1"

    def last_luma(run):
        source, luma = run.element("in"), None
        for number in range(frames):
            buffer = Gst.Buffer.new_wrapped(pixels)
            buffer.pts = number * Gst.SECOND // RATE
            buffer.duration = Gst.SECOND // RATE
            source.push_buffer(buffer)
            luma = run.luma()
        source.end_of_stream()
        return luma

    lumas = []
    for color in (BLACK, WHITE):
        with Run(f"appsrc name=in format=time caps={caps}", color, settings) as run:
            lumas.append(last_luma(run))
            network = network_of(run)
    return alpha(*lumas), network


def network_of(run):
    """What the element says it ran; a quality falls to another network if its own is missing."""
    if run.filter.find_property("stats") is None:
        return ""
    stats = run.filter.get_property("stats")
    return pathlib.Path(stats.get_string("model") or "").name if stats else ""


def pictures(data):
    paths = sorted(path for path in (data / "img").iterdir() if path.suffix.lower() in PICTURES)
    if not paths:
        raise Failure(f"{data}/img holds no pictures")
    for path in paths:
        mask = data / "mask" / f"{path.stem}.png"
        if not mask.exists():
            raise Failure(f"{mask} is missing")
        yield path, mask


def evaluate_pictures(data, frames, settings, keep):
    score = matte_metrics.Score(is_clip=False)
    for path, mask in pictures(data):
        matte, network = picture_matte(path, frames, settings)
        score.add(matte, read_mask(mask))
        keep(path.stem, matte)
    return score.summary(), network


def evaluate_clip(clip, masks, settings, keep):
    score = matte_metrics.Score(is_clip=True)
    uri = Gst.filename_to_uri(str(clip.resolve()))
    source = f"uridecodebin uri={quoted(uri)} caps=video/x-raw"
    with Run(source, BLACK, settings) as black, Run(source, WHITE, settings) as white:
        for mask in masks:
            lumas = black.luma(), white.luma()
            if lumas[0] is None or lumas[1] is None:
                raise Failure(f"{clip} has fewer frames than masks: {len(masks)}")
            matte = alpha(*lumas)
            score.add(matte, read_mask(mask))
            keep(mask.stem, matte)
        if black.luma() is not None:
            raise Failure(f"{clip} has more frames than masks: {len(masks)}")
        return score.summary(), network_of(black)


def evaluate(data, quality, options):
    settings = [("quality", quality), *options.set]

    def keep(name, matte):
        if options.save:
            folder = options.save / quality
            folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / f"{name}.png"), np.round(matte * 255).astype(np.uint8))

    if (data / "img").is_dir():
        return evaluate_pictures(data, options.frames, settings, keep)
    clips = sorted(data.glob("clip.*"))
    masks = sorted((data / "mask").glob("*.png"))
    if len(clips) != 1 or not masks:
        raise Failure(f"{data} holds neither img/ and mask/ nor one clip.* and mask/")
    return evaluate_clip(clips[0], masks, settings, keep)


def print_table(results):
    columns = list(next(iter(results.values())))
    rows = [["quality", *columns]]
    for quality, values in results.items():
        cells = (values[column] for column in columns)
        rows.append([quality, *(f"{x:.4f}" if isinstance(x, float) else str(x) for x in cells)])
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def setting(text):
    name, separator, value = text.partition("=")
    if not separator or name in ("effect", "background-color", "quality"):
        raise argparse.ArgumentTypeError(
            f"{text}: NAME=VALUE is wanted, of a property that the measurement does not set itself"
        )
    return name, value


def main():
    parser = argparse.ArgumentParser(
        prog="evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=pathlib.Path, metavar="DATA")
    parser.add_argument(
        "--quality",
        default="fast,balanced,accurate",
        help="one or more, joined by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=setting,
        metavar="NAME=VALUE",
        help="another property of the element; may be repeated",
    )
    parser.add_argument(
        "--frames", type=int, default=5, help="frames per picture (default: %(default)s)"
    )
    parser.add_argument("--json", type=pathlib.Path, help="write the numbers to a file")
    parser.add_argument(
        "--save", type=pathlib.Path, help="keep the mattes as PNG, in a folder per quality"
    )
    options = parser.parse_args()
    if options.frames < 1:
        parser.error("--frames: at least 1")

    Gst.init(None)
    results = {}
    try:
        if Gst.ElementFactory.find("vbgfilter") is None:
            raise Failure("GStreamer does not find vbgfilter")
        for quality in options.quality.split(","):
            summary, network = evaluate(options.data, quality, options)
            results[quality] = {**summary, "network": network}
    except (Failure, OSError) as failure:
        sys.exit(f"evaluate: {failure}")
    print_table(results)
    if options.json:
        report = {"data": str(options.data), "results": results}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
