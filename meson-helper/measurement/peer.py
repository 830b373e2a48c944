"""Hides the background as other programs on Linux do, for comparison with vbgfilter.

    peer.py FRAMES.nv12 WIDTH HEIGHT ORDER

MediaPipe's Python package finds the person, and OpenCV and numpy do the rest. FRAMES.nv12 holds raw
frames. They are converted to BGR before the measurement, as if OpenCV had read them from a camera.
With the ORDER `again` each request starts with the first frame, which follows the last one. With
`on` a request continues after the previous one, and a clip is played forwards and backwards.

The program reads requests, lines `RECIPE EFFECT COUNT`. For each it prints a line with the times of
COUNT frames in nanoseconds. So the caller can alternate between this program and vbgfilter. RECIPE
is `tutorial` or `best`, EFFECT is `blur` or `replace`. The RECIPE `conversion` is the additional
cost of an NV12 stream: to BGR and back to I420, because OpenCV cannot convert to NV12.
"""

import os
import sys
import time
import types

import cv2
import numpy as np

# vbgfilter's default, for equal looks: a sigma of 10 pixels in a frame of 720 lines.
SIGMA_AT_720_LINES = 10


def import_segmentation():
    """Imports only MediaPipe's segmentation class.

    The whole package would import plotting, audio and language models, which are irrelevant here.
    So this skips its `__init__` files.
    """
    (folder,) = (path for path in sys.path if os.path.isdir(os.path.join(path, "mediapipe")))
    for name in ("mediapipe", "mediapipe.python.solutions"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(folder, *name.split("."))]
        sys.modules[name] = package
    import mediapipe.python  # noqa: F401 (loads the native half)
    from mediapipe.python.solutions import selfie_segmentation

    return selfie_segmentation.SelfieSegmentation


class Tutorial:
    """The recipe of the tutorials, at the frame's full size.

    Their kernel is always 55x55 pixels, and they cut the mask at a threshold.
    """

    def __init__(self, segmentation, background):
        self.segmentation = segmentation
        self.background = background

    def run(self, frame, effect):
        found = self.segmentation.process(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
        is_person = np.stack((found.segmentation_mask,) * 3, axis=-1) > 0.1
        background = self.background
        if effect == "blur":
            background = cv2.GaussianBlur(frame, (55, 55), 0)
        return np.where(is_person, frame, background)


class Best:
    """The best recipe with the same packages.

    The network gets a picture of its own size, the blur works on a quarter of the size, and OpenCV
    blends the pictures.
    """

    def __init__(self, segmentation, background):
        self.segmentation = segmentation
        self.background = background

    def run(self, frame, effect):
        height, width = frame.shape[:2]
        small = cv2.resize(frame, (256, 144), interpolation=cv2.INTER_LINEAR)
        found = self.segmentation.process(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
        alpha = cv2.resize(found.segmentation_mask, (width, height))
        background = self.background
        if effect == "blur":
            quarter = cv2.resize(frame, (width // 4, height // 4), interpolation=cv2.INTER_LINEAR)
            quarter = cv2.GaussianBlur(quarter, (0, 0), SIGMA_AT_720_LINES * height / 720 / 4)
            background = cv2.resize(quarter, (width, height))
        return cv2.blendLinear(frame, background, alpha, 1 - alpha)


class Conversion:
    """The conversions that the recipes leave out."""

    def run(self, picture, _effect):
        return cv2.cvtColor(to_bgr(picture), cv2.COLOR_BGR2YUV_I420)


def to_bgr(picture):
    return cv2.cvtColor(picture, cv2.COLOR_YUV2BGR_NV12)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    width, height = int(sys.argv[2]), int(sys.argv[3])
    pictures = np.fromfile(sys.argv[1], np.uint8).reshape(-1, height * 3 // 2, width)
    frames = [to_bgr(picture) for picture in pictures]
    background = frames[-1][:, ::-1].copy()
    # Give each recipe its own segmentation with the landscape network, because the sizes differ.
    segmentation = import_segmentation()
    recipes = {
        "tutorial": Tutorial(segmentation(model_selection=1), background),
        "best": Best(segmentation(model_selection=1), background),
        "conversion": Conversion(),
    }
    print("ready", flush=True)
    positions = dict.fromkeys(recipes, 0)
    for line in sys.stdin:
        recipe, effect, count = line.split()
        inputs = pictures if recipe == "conversion" else frames
        first = positions[recipe]
        if sys.argv[4] == "on":
            positions[recipe] += int(count)
            inputs = [*inputs, *inputs[-2:0:-1]]
        times = []
        for number in range(first, first + int(count)):
            frame = inputs[number % len(inputs)]
            began = time.monotonic_ns()
            recipes[recipe].run(frame, effect)
            times.append(time.monotonic_ns() - began)
        print(*times, flush=True)


if __name__ == "__main__":
    main()
