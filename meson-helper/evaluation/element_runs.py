"""Runs vbgfilter in pipelines, like a user, and examines the output.

Two runs with effect=color, on black and on white, reveal the matte. Pixels that are white on white
but not on black are background: alpha = 1 - (luma on white - luma on black) / (white - black).
"""

import contextlib
import pathlib
import tempfile

import cv2
import gi
import numpy as np

from failure import Failure
from gst_pipeline import PATIENCE, Gst, Pipeline

gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GstApp, GstVideo  # noqa: E402, F401 (for appsrc's methods)

BLACK = [("effect", "color"), ("background-color", "0xff000000")]
WHITE = [("effect", "color"), ("background-color", "0xffffffff")]
RATE = 30
# GST_VIDEO_COLOR_RANGE_0_255. Python cannot use this name, because it begins with a digit.
FULL_RANGE = 1
FILTER = "videoconvert ! video/x-raw,format=NV12 ! vbgfilter name=filter"
# GStreamer converts, because it knows the frame's colorimetry.
IN_COLORS = "videoconvert ! video/x-raw,format=BGR"
SINK = "appsink name=sink sync=false max-buffers=4"


def quoted(text):
    """Quotes a text for a value in a pipeline's description."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Run(Pipeline):
    """A pipeline with a new element, or without an element if `settings` is None."""

    def __init__(self, source, settings, in_colors=False):
        steps = [source]
        if settings is not None:
            properties = (f"{name}={quoted(value)}" for name, value in settings)
            steps.append(" ".join([FILTER, *properties]))
        if in_colors:
            steps.append(IN_COLORS)
        super().__init__(" ! ".join([*steps, SINK]))

    def sample(self):
        """Returns the next frame, or None after the last one."""
        sample = self.sink.try_pull_sample(PATIENCE * Gst.SECOND)
        self.check()
        if sample is None and not self.sink.is_eos():
            raise Failure("vbgfilter produced no frame")
        return sample

    def luma(self):
        """Returns the next frame's luma, 0 (black) to 1 (white), or None after the last."""
        sample = self.sample()
        if sample is None:
            return None
        luma, info = first_plane(sample, 1)
        if int(info.colorimetry.range) == FULL_RANGE:
            return luma.astype(np.float32) / 255
        return (luma.astype(np.float32) - 16) / 219

    def colors(self):
        """Returns the next frame as an OpenCV picture, or None after the last frame."""
        sample = self.sample()
        if sample is None:
            return None
        plane, info = first_plane(sample, 3)
        return plane.reshape(info.height, info.width, 3)

    def network(self):
        """Returns the network that ran. If the requested one is missing, this is a substitute."""
        if self.filter.find_property("stats") is None:
            return ""
        stats = self.filter.get_property("stats")
        return pathlib.Path(stats.get_string("model") or "").name if stats else ""


def first_plane(sample, bytes_per_pixel):
    """Returns a copy of a frame's first plane without row padding, and its format."""
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    buffer = sample.get_buffer()
    offset, stride = info.offset[0], info.stride[0]
    meta = GstVideo.buffer_get_video_meta(buffer)
    if meta is not None:
        offset, stride = meta.offset[0], meta.stride[0]
    width = info.width * bytes_per_pixel
    mapped, memory = buffer.map(Gst.MapFlags.READ)
    if not mapped:
        raise Failure("a frame cannot be read")
    rows = np.frombuffer(memory.data, np.uint8, (info.height - 1) * stride + width, offset)
    plane = np.lib.stride_tricks.as_strided(rows, (info.height, width), (stride, 1)).copy()
    buffer.unmap(memory)
    return plane, info


def alpha(on_black, on_white):
    """Returns the matte, rounded to steps of 1/255 as in a file."""
    matte = np.clip(1 - (on_white - on_black), 0, 1)
    return np.round(matte * 255) / np.float32(255)


def read_picture(path, mode):
    picture = cv2.imread(str(path), mode)
    if picture is None:
        raise Failure(f"{path} is not a picture")
    return picture


def read_mask(path):
    return read_picture(path, cv2.IMREAD_GRAYSCALE).astype(np.float32) / 255


class PictureRun(Run):
    """A run over a picture, as a stream of a few equal frames."""

    def __init__(self, path, settings, in_colors=False):
        picture = read_picture(path, cv2.IMREAD_COLOR)
        height, width = picture.shape[:2]
        # With four bytes per pixel, rows need no padding.
        self.pixels = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA).tobytes()
        caps = f"video/x-raw,format=BGRx,width={width},height={height},framerate={RATE}/1"
        super().__init__(f"appsrc name=in format=time caps={caps}", settings, in_colors)

    def last(self, frames, read):
        """Returns the result of `read` for the last of `frames` frames."""
        source, result = self.element("in"), None
        for number in range(frames):
            buffer = Gst.Buffer.new_wrapped(self.pixels)
            buffer.pts = number * Gst.SECOND // RATE
            buffer.duration = Gst.SECOND // RATE
            source.push_buffer(buffer)
            result = read()
        source.end_of_stream()
        return result


class ClipRun(Run):
    """A run over a clip."""

    def __init__(self, clip, settings, in_colors=False):
        uri = Gst.filename_to_uri(str(clip.resolve()))
        source = f"uridecodebin uri={quoted(uri)} caps=video/x-raw"
        super().__init__(source, settings, in_colors)


def picture_matte(path, frames, settings):
    """Returns the matte of a picture, and the network that made it."""
    lumas = []
    for background in (BLACK, WHITE):
        with PictureRun(path, settings + background) as run:
            lumas.append(run.last(frames, run.luma))
            network = run.network()
    return alpha(*lumas), network


def mattes(data, frames, settings):
    """Yields (matte, mask path, network) for each picture or frame of a set."""
    if data.clip is None:
        for path, mask in zip(data.pictures, data.masks):
            matte, network = picture_matte(path, frames, settings)
            yield matte, mask, network
        return
    # Run them one after the other, because streams of one process share inference time.
    with tempfile.TemporaryFile() as on_black:
        with ClipRun(data.clip, settings + BLACK) as black:
            for luma in clip_lumas(black, data):
                np.save(on_black, luma)
            network = black.network()
        on_black.seek(0)
        with ClipRun(data.clip, settings + WHITE) as white:
            for mask, luma in zip(data.masks, clip_lumas(white, data), strict=True):
                yield alpha(np.load(on_black), luma), mask, network


def clip_lumas(run, data):
    """Yields the luma of each frame of a clip. The clip must have one mask per frame."""
    count = len(data.masks)
    for _ in range(count):
        luma = run.luma()
        if luma is None:
            raise Failure(f"{data.clip} has fewer frames than masks: {count}")
        yield luma
    if run.luma() is not None:
        raise Failure(f"{data.clip} has more frames than masks: {count}")


def views(data, indices, frames, backgrounds, settings):
    """Yields (index, input, result on each background) for some pictures or frames."""
    looks = [None, *(settings + background for background in backgrounds)]
    if data.clip is None:
        for index in indices:
            path = data.pictures[index]
            results = []
            for look in looks[1:]:
                with PictureRun(path, look, in_colors=True) as run:
                    results.append(run.last(frames, run.colors))
            yield index, read_picture(path, cv2.IMREAD_COLOR), *results
        return
    with contextlib.ExitStack() as stack:
        runs = [stack.enter_context(ClipRun(data.clip, look, in_colors=True)) for look in looks]
        for index in range(max(indices) + 1):
            shown = [run.colors() for run in runs]
            if any(picture is None for picture in shown):
                raise Failure(f"{data.clip} ended at frame {index + 1}")
            if index in indices:
                yield index, *shown
