"""Quality metrics of mattes from papers on segmentation and video matting.

Mattes are float arrays of height x width in [0, 1], 1 for the person.
"""

import cv2
import numpy as np

# A pixel belongs to the person above this alpha.
THRESHOLD = 0.5
# The maximum error of an outline that still counts, as a share of the picture's diagonal.
BOUNDARY_TOLERANCE = 0.008
# The visible share of people to hide that counts as notable.
NOTABLE_OTHERS = 0.1
# A picture counts as showing the real background if more than this percentage of it is visible.
# Smaller parts are hardly recognizable.
NOTABLE_ROOM = 1


def intersection_over_union(matte, truth):
    """Returns the overlap of two silhouettes: 1 if they are equal, also if both are empty."""
    found, wanted = matte > THRESHOLD, truth > THRESHOLD
    union = np.count_nonzero(found | wanted)
    return np.count_nonzero(found & wanted) / union if union else 1.0


def outline(silhouette):
    """Returns the pixels of a silhouette at its edge. The picture's rim is not an edge."""
    solid = silhouette.astype(np.uint8)
    return (solid - cv2.erode(solid, np.ones((3, 3), np.uint8))).astype(bool)


def boundary_f(matte, truth):
    """Returns the F1 score of the outlines: the shares near the other outline, as in DAVIS."""
    found, wanted = outline(matte > THRESHOLD), outline(truth > THRESHOLD)
    if not found.any() and not wanted.any():
        return 1.0
    radius = max(1, round(BOUNDARY_TOLERANCE * float(np.hypot(*truth.shape))))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))

    def share_near(outline_a, outline_b):
        near = cv2.dilate(outline_b.astype(np.uint8), disk).astype(bool)
        return np.count_nonzero(outline_a & near) / max(1, np.count_nonzero(outline_a))

    precision, recall = share_near(found, wanted), share_near(wanted, found)
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def room_shown(matte, truth):
    """Returns the percentage of the real background that is visible.

    Ignores the person's outline, up to three times the tolerance for outlines.
    """
    radius = max(1, round(3 * BOUNDARY_TOLERANCE * float(np.hypot(*truth.shape))))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    room = ~cv2.dilate((truth > 0).astype(np.uint8), disk).astype(bool)
    return 100 * np.count_nonzero(room & (matte > THRESHOLD)) / max(1, np.count_nonzero(room))


def mean_absolute_difference(matte, truth):
    """Returns the mean difference of alpha, times 1000."""
    return float(np.abs(matte - truth).mean()) * 1000


def change_error(matte, previous_matte, truth, previous_truth):
    """Returns the RMS change between two frames beyond the truth's change, times 100."""
    error = (matte - previous_matte) - (truth - previous_truth)
    return float(np.sqrt(np.square(error).mean())) * 100


def share_shown(matte, others):
    """Returns the visible share of people to hide. `others` is their alpha, not empty."""
    return float(np.minimum(matte, others).sum() / others.sum())


def scaled_to(truth, matte):
    """Scales the matte to the size of its truth."""
    if matte.shape == truth.shape:
        return matte
    height, width = truth.shape
    return cv2.resize(matte, (width, height), interpolation=cv2.INTER_LINEAR)


class Score:
    """Collects the metrics of a set of stills, or of a clip's frames in their order."""

    def __init__(self, is_clip):
        self.is_clip = is_clip
        # For each picture or frame: metric -> value.
        self.cases = []
        self.previous = None

    def add(self, matte, truth, others=None):
        """Adds a case. `others` is the visible area of people to hide, if the set has it."""
        matte = scaled_to(truth, matte)
        case = {
            "IoU": intersection_over_union(matte, truth),
            "F": boundary_f(matte, truth),
            "MAD": mean_absolute_difference(matte, truth),
            "room": room_shown(matte, truth),
        }
        if others is not None and others.any():
            case["others"] = share_shown(scaled_to(others, matte), others)
        if self.is_clip and self.previous and self.previous[0].shape == matte.shape:
            case["dtSSD"] = change_error(matte, self.previous[0], truth, self.previous[1])
        self.previous = matte, truth
        self.cases.append(case)

    def values(self, metric):
        return [case[metric] for case in self.cases if metric in case]

    def summary(self):
        """Returns a dictionary from metrics to values over all cases."""
        means = {
            metric: float(np.mean(self.values(metric)))
            for metric in ("IoU", "F", "MAD", "dtSSD", "others")
            if self.values(metric)
        }
        result = {"n": len(self.cases), **means}
        # The share of the pictures, in percent.
        result["shows"] = 100 * float(np.mean([each > NOTABLE_ROOM for each in self.values("room")]))
        if self.is_clip and "others" in result:
            result["seen"] = sum(each > NOTABLE_OTHERS for each in self.values("others"))
        if not self.is_clip:
            result["P10 IoU"] = float(np.percentile(self.values("IoU"), 10))
        return result
