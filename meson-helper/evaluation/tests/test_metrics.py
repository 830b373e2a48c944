"""Compares the metrics of `evaluate` with values computed by hand."""

import unittest

import cv2
import numpy as np

from evaluation import metrics


def square(left, size=40, extent=200):
    """A silhouette of size x size pixels, 40 from the top of a picture of extent x extent."""
    matte = np.zeros((extent, extent), np.float32)
    matte[40 : 40 + size, left : left + size] = 1
    return matte


class Metrics(unittest.TestCase):
    def test_overlap_of_shifted_squares(self):
        # 40 x 40, shifted by 10: 30 columns are shared and 50 covered.
        self.assertAlmostEqual(
            metrics.intersection_over_union(square(40), square(50)), 30 / 50
        )

    def test_two_empty_mattes_agree(self):
        empty = np.zeros((8, 8), np.float32)
        self.assertEqual(metrics.intersection_over_union(empty, empty), 1)
        self.assertEqual(metrics.boundary_f(empty, empty), 1)

    def test_alpha_of_one_half_is_background(self):
        half = np.full((8, 8), 0.5, np.float32)
        self.assertEqual(metrics.intersection_over_union(half, np.ones((8, 8))), 0)

    def test_outline_of_a_square(self):
        self.assertEqual(np.count_nonzero(metrics.outline(square(40) > 0.5)), 4 * 39)

    def test_the_border_of_the_picture_is_not_an_outline(self):
        # 40 x 40 at the left rim has three sides. Their two corners count once.
        self.assertEqual(np.count_nonzero(metrics.outline(square(0) > 0.5)), 3 * 40 - 2)

    def test_outlines_within_the_tolerance_count(self):
        # The diagonal is 283 pixels, so the tolerance is 2.
        self.assertEqual(metrics.boundary_f(square(40), square(42)), 1)
        self.assertLess(metrics.boundary_f(square(40), square(44)), 0.8)
        self.assertEqual(metrics.boundary_f(square(0), square(120)), 0)

    def test_shown_room_is_measured_away_from_the_outline(self):
        # The diagonal is 283 pixels, so the 7 pixels around the person are ignored.
        self.assertEqual(metrics.room_shown(square(45), square(40)), 0)
        room = 200 * 200 - np.count_nonzero(cv2.dilate(
            square(40).astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15))))
        self.assertAlmostEqual(metrics.room_shown(square(120), square(40)), 100 * 1600 / room)
        score = metrics.Score(is_clip=False)
        score.add(square(40), square(40))
        score.add(square(120), square(40))
        self.assertEqual(score.summary()["shows"], 50)

    def test_mean_difference_is_per_thousand(self):
        truth = np.zeros((10, 10), np.float32)
        matte = truth.copy()
        matte[0] = 0.5
        self.assertAlmostEqual(metrics.mean_absolute_difference(matte, truth), 50, places=4)

    def test_flicker_is_the_change_that_the_truth_lacks(self):
        still, moved = square(40), square(50)
        self.assertEqual(metrics.change_error(moved, still, moved, still), 0)
        # Two strips of 10 x 40 change by one: sqrt(800 / 40000).
        self.assertAlmostEqual(
            metrics.change_error(moved, still, still, still), 100 * 0.02**0.5, places=4
        )

    def test_a_clip_is_scored_with_flicker_and_stills_with_their_worst(self):
        clip, stills = metrics.Score(is_clip=True), metrics.Score(is_clip=False)
        for matte in (square(40), square(50)):
            clip.add(matte, square(40))
            stills.add(matte, square(40))
        self.assertAlmostEqual(clip.summary()["dtSSD"], 100 * 0.02**0.5, places=4)
        self.assertAlmostEqual(stills.summary()["IoU"], 0.8)
        # The tenth percentile of 0.6 and 1, between which it is interpolated.
        self.assertAlmostEqual(stills.summary()["P10 IoU"], 0.64)

    def test_pictures_without_others_are_left_out_of_their_score(self):
        score = metrics.Score(is_clip=False)
        # A quarter of the other square, 10 of its 40 columns, is shown.
        score.add(square(40), square(40), square(70))
        score.add(square(40), square(40), square(90))
        score.add(square(40), square(40), square(0) * 0)
        self.assertEqual(score.values("others"), [0.25, 0])
        self.assertEqual(score.summary()["others"], 0.125)

    def test_frames_of_a_clip_that_show_others_are_counted(self):
        score = metrics.Score(is_clip=True)
        # 10, 3 and 0 of 40 columns are visible.
        for other in (70, 77, 90):
            score.add(square(40), square(40), square(other))
        self.assertEqual(score.summary()["seen"], 1)

    def test_a_matte_is_scaled_to_its_truth(self):
        score = metrics.Score(is_clip=False)
        score.add(np.ones((10, 20), np.float32), np.ones((20, 40), np.float32))
        self.assertEqual(score.summary()["IoU"], 1)


if __name__ == "__main__":
    unittest.main()
