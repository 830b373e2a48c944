"""Composes a clip in which a second person joins the person of a clip, or passes behind.

See `compose-meetings --help` for the arguments.
"""

import argparse
import pathlib
import sys

import cv2
import numpy as np

from evaluation import images
from evaluation.data_sets import find_sets
from failure import Failure

# Times when the visitor starts to come, arrives, starts to leave and is gone, in clip lengths.
BEGIN, THERE, LEAVE, GONE = 0.1, 0.3, 0.7, 0.9
# A visitor who stays sways: the amplitude in frame widths, and the frames per radian.
SWAY, SWAY_FRAMES = 0.01, 9
# The visible upper share of a passer-by, and its lower edge as a share of the frame's height. A
# table or a sofa hides the rest.
SEEN, TABLE = 0.6, 0.7
# The size at the beginning of a person who stands apart, as a share of the size in the middle of the
# clip. The second number is the largest share of the free columns that this person fills.
FAR, FREE_SHARE = 0.7, 0.9
JPEG_QUALITY = 97


def presence(time):
    """Returns the visitor's progress at a time from 0 to 1: 0 is outside, 1 has arrived."""
    way = min((time - BEGIN) / (THERE - BEGIN), (GONE - time) / (GONE - LEAVE))
    way = min(max(way, 0), 1)
    return way * way * (3 - 2 * way)


def box(mask):
    """Returns slices of the rows and columns that a person covers."""
    rows, columns = (np.nonzero(mask.max(axis) > 127)[0] for axis in (1, 0))
    if not len(rows):
        raise Failure("a mask shows nobody")
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def cut_out(stills, name):
    """Returns the smallest crop of a picture with the whole person, and the person's mask."""
    for picture, mask in zip(stills.pictures, stills.masks):
        if name in picture.name:
            mask = cv2.imread(str(mask), cv2.IMREAD_GRAYSCALE)
            part = box(mask)
            return cv2.imread(str(picture))[part], mask[part]
    raise Failure(f"{stills.name} has no picture {name}")


class Visitor:
    """The person of a picture, who joins the person of a clip. `mask` is the clip's first."""

    def __init__(self, picture, own_mask, mask, height):
        rows, columns = box(mask)
        scale = height * (rows.stop - rows.start) / len(picture)
        size = round(picture.shape[1] * scale), round(len(picture) * scale)
        self.picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        self.mask = cv2.resize(own_mask, size, interpolation=cv2.INTER_AREA)
        self.height, self.width = mask.shape
        # Come from the side with more space, up to the person's shoulder.
        is_right = self.width - columns.stop > columns.start
        self.outside = self.width if is_right else -size[0]
        self.there = (columns.stop if is_right else columns.start) - size[0] / 2

    def at(self, number, count):
        """Returns the picture and alpha of only the visitor, in frame `number` of `count`."""
        sway = SWAY * self.width * np.sin(number / SWAY_FRAMES)
        x = self.outside + presence(number / count) * (self.there + sway - self.outside)
        return moved(self, x, self.height - len(self.mask))


class Passerby:
    """The head and chest of a picture's person, walking behind a table."""

    def __init__(self, picture, own_mask, mask, height):
        self.height, self.width = mask.shape
        seen = round(len(picture) * SEEN)
        scale = height * self.height / len(picture)
        size = round(picture.shape[1] * scale), round(seen * scale)
        self.picture = cv2.resize(picture[:seen], size, interpolation=cv2.INTER_AREA)
        self.mask = cv2.resize(own_mask[:seen], size, interpolation=cv2.INTER_AREA)

    def at(self, number, count):
        """Returns the picture and alpha of only the passer-by, in frame `number` of `count`."""
        way = min(max((number / count - BEGIN) / (GONE - BEGIN), 0), 1)
        own_height, own_width = self.mask.shape
        x = way * (self.width + own_width) - own_width
        return moved(self, x, TABLE * self.height - own_height)


class Bystander:
    """The person of a picture, who stands apart, comes nearer and leaves.

    This person is at the side with less space, because a visitor comes from the other.
    """

    def __init__(self, picture, own_mask, mask, height):
        rows, columns = box(mask)
        self.height, self.width = mask.shape
        left, right = columns.start, self.width - columns.stop
        self.is_right = right <= left
        scale = height * (rows.stop - rows.start) / len(picture)
        self.scale = min(scale, FREE_SHARE * min(left, right) / picture.shape[1])
        self.middle = self.width - right / 2 if self.is_right else left / 2
        self.original = picture, own_mask

    def at(self, number, count):
        """Returns the picture and alpha of only this person, in frame `number` of `count`."""
        time = number / count
        scale = self.scale * (FAR + (1 - FAR) * min(2 * time, 1))
        size = [max(round(scale * side), 1) for side in self.original[0].shape[1::-1]]
        self.picture, self.mask = (
            cv2.resize(image, size, interpolation=cv2.INTER_AREA) for image in self.original
        )
        outside = self.width if self.is_right else -size[0]
        x = outside + presence(max(time, THERE)) * (self.middle - size[0] / 2 - outside)
        return moved(self, x, self.height - size[1])


def moved(person, x, y):
    """Returns the picture and alpha of a person with the upper left corner at (x, y)."""
    move, size = np.float32([[1, 0, x], [0, 1, y]]), (person.width, person.height)
    alpha = cv2.warpAffine(person.mask, move, size).astype(np.float32) / 255
    return cv2.warpAffine(person.picture, move, size, borderMode=cv2.BORDER_REPLICATE), alpha


def compose(clip, visitor_of, out, in_front):
    """Writes the set. Calls visitor_of once, with the first mask.

    People whom the clip's truth already hides are still hidden.
    """
    video = cv2.VideoCapture(str(clip.clip))
    rate = video.get(cv2.CAP_PROP_FPS)
    out.mkdir(parents=True, exist_ok=True)
    visitor = writer = None
    for number, path in enumerate(clip.masks):
        is_read, frame = video.read()
        if not is_read:
            raise Failure(f"{clip.clip} has fewer frames than masks")
        mask = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        if writer is None:
            visitor = visitor_of(mask)
            code = cv2.VideoWriter_fourcc(*"MJPG")
            writer = cv2.VideoWriter(str(out / "clip.avi"), code, rate, mask.shape[::-1])
            writer.set(cv2.VIDEOWRITER_PROP_QUALITY, JPEG_QUALITY)
        picture, other = visitor.at(number, len(clip.masks))
        own = mask.astype(np.float32) / 255
        if in_front:
            own *= 1 - other
        else:
            other *= 1 - own
        hidden = other
        if clip.others:
            before = cv2.imread(str(clip.others[number]), cv2.IMREAD_GRAYSCALE)
            hidden = np.maximum(other, before.astype(np.float32) / 255 * (1 - other))
        mixed = frame + (picture.astype(np.float32) - frame) * other[..., None]
        writer.write(np.round(mixed).astype(np.uint8))
        for kind, matte in (("mask", own), ("other", hidden)):
            images.write(out / kind / f"{number:05d}.png", images.gray(matte))
    writer.release()


def main():
    parser = argparse.ArgumentParser(prog="compose-meetings")
    for name in ("clip", "stills", "out"):
        parser.add_argument(name, type=pathlib.Path, metavar=name.upper())
    parser.add_argument("--person", default="")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--in-front", action="store_true")
    way.add_argument("--passes", action="store_true")
    way.add_argument("--apart", action="store_true")
    parser.add_argument("--height", type=float)
    options = parser.parse_args()
    try:
        clip, stills = (find_sets(folder)[0] for folder in (options.clip, options.stills))
        if clip.clip is None or not stills.pictures:
            raise Failure("CLIP must be a set with a clip, and STILLS a set with pictures")
        picture, own_mask = cut_out(stills, options.person)
        kind, usual = (Passerby, 0.25) if options.passes else (Visitor, 0.8)
        if options.apart:
            kind = Bystander
        height = usual if options.height is None else options.height
        if not 0 < height <= 4:
            raise Failure("--height: expected a number above 0, at most 4")
        compose(
            clip,
            lambda mask: kind(picture, own_mask, mask, height),
            options.out,
            options.in_front,
        )
    except Failure as error:
        sys.exit(f"compose-meetings: {error}")


if __name__ == "__main__":
    main()
