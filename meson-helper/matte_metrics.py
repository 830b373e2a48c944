"""How good a matte is, by the metrics that papers on segmentation and video matting use.

Mattes are float arrays of height x width in [0, 1], 1 for the person.
"""

import cv2
import numpy as np

# A pixel belongs to the person above this alpha.
THRESHOLD = 0.5
# How far an outline may be off and still count, as a part of the picture's diagonal.
BOUNDARY_TOLERANCE = 0.008


def intersection_over_union(matte, truth):
    """Overlap of the two silhouettes: 1 is exact. Two empty ones agree."""
    found, wanted = matte > THRESHOLD, truth > THRESHOLD
    union = np.count_nonzero(found | wanted)
    return np.count_nonzero(found & wanted) / union if union else 1.0


def outline(silhouette):
    """The pixels of a silhouette that touch what is outside of it; the picture's rim does not."""
    solid = silhouette.astype(np.uint8)
    return (solid - cv2.erode(solid, np.ones((3, 3), np.uint8))).astype(bool)


def boundary_f(matte, truth):
    """F1 of the outlines: how much of each lies near the other one, as DAVIS measures it."""
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


def mean_absolute_difference(matte, truth):
    """Mean difference of alpha, times 1000."""
    return float(np.abs(matte - truth).mean()) * 1000


def change_error(matte, previous_matte, truth, previous_truth):
    """Of two frames: root mean square of the change that the truth does not have, times 100."""
    error = (matte - previous_matte) - (truth - previous_truth)
    return float(np.sqrt(np.square(error).mean())) * 100


class Score:
    """Collects the metrics of a set of stills, or of a clip's frames in their order."""

    def __init__(self, is_clip):
        self.is_clip = is_clip
        self.overlaps, self.outlines, self.differences, self.changes = [], [], [], []
        self.previous = None

    def add(self, matte, truth):
        if matte.shape != truth.shape:
            height, width = truth.shape
            matte = cv2.resize(matte, (width, height), interpolation=cv2.INTER_LINEAR)
        self.overlaps.append(intersection_over_union(matte, truth))
        self.outlines.append(boundary_f(matte, truth))
        self.differences.append(mean_absolute_difference(matte, truth))
        if self.is_clip and self.previous and self.previous[0].shape == matte.shape:
            self.changes.append(change_error(matte, self.previous[0], truth, self.previous[1]))
        self.previous = matte, truth

    def summary(self):
        """Metric -> value over all that was added."""
        result = {
            "n": len(self.overlaps),
            "IoU": float(np.mean(self.overlaps)),
            "F": float(np.mean(self.outlines)),
            "MAD": float(np.mean(self.differences)),
        }
        if not self.is_clip:
            result["P10 IoU"] = float(np.percentile(self.overlaps, 10))
        elif self.changes:
            result["dtSSD"] = float(np.mean(self.changes))
        return result
