"""The clips that `compose-meetings` makes, of a grey person in a dark room and a white visitor."""

import pathlib
import tempfile
import unittest

import cv2
import numpy as np

from evaluation import images, meetings
from evaluation.data_sets import EvaluationSet, find_sets
from failure import Failure

COUNT = 40


def block(rows, columns):
    mask = np.zeros((96, 160), np.uint8)
    mask[rows, columns] = 255
    return mask


class Meetings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        person = block(slice(32, 96), slice(16, 80))
        code = cv2.VideoWriter_fourcc(*"MJPG")
        clip = self.folder / "clip.avi"
        writer = cv2.VideoWriter(str(clip), code, 30, (160, 96))
        masks = []
        for number in range(COUNT):
            writer.write(cv2.cvtColor(person // 2, cv2.COLOR_GRAY2BGR))
            masks.append(self.folder / f"{number:02d}.png")
            images.write(masks[-1], person)
        writer.release()
        self.clip = EvaluationSet("clip", masks, clip=clip)
        visitor = block(slice(16, 80), slice(40, 72))
        self.visitor = visitor[meetings.box(visitor)]

    def compose(self, kind=meetings.Visitor, height=0.75, in_front=False):
        def visitor_of(mask):
            picture = cv2.cvtColor(self.visitor, cv2.COLOR_GRAY2BGR)
            return kind(picture, self.visitor, mask, height)

        out = self.folder / "out"
        meetings.compose(self.clip, visitor_of, out, in_front)

        def read(kind):
            paths = sorted((out / kind).iterdir())
            return [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE).astype(int) for path in paths]

        return out, read("mask"), read("other")

    def test_a_person_comes_touches_and_leaves(self):
        out, masks, others = self.compose()
        self.assertEqual((len(masks), len(others)), (COUNT, COUNT))
        for number in (0, COUNT - 1):
            self.assertFalse(others[number].any())
        # The person ends at column 80 and hides the half of the visitor behind.
        columns = np.nonzero(others[COUNT // 2].max(0) > 127)[0]
        self.assertEqual(columns[0], 80)
        self.assertLess(columns[-1], 96)
        self.assertTrue(all((mask == masks[0]).all() for mask in masks))
        video = cv2.VideoCapture(str(out / "clip.avi"))
        frames = [video.read()[1] for _ in range(COUNT)]
        self.assertGreater(frames[COUNT // 2][70, 85].min(), 230)
        self.assertLess(frames[0][70, 85].max(), 30)

    def test_a_person_in_front_hides_the_other(self):
        _, masks, others = self.compose(in_front=True)
        hidden = masks[0] - masks[COUNT // 2]
        self.assertGreater(np.count_nonzero(hidden > 127), 48 * 8)
        self.assertTrue((others[COUNT // 2][hidden > 127] > 127).all())

    def test_a_person_passes_in_the_background(self):
        _, masks, others = self.compose(meetings.Passerby, height=0.5)
        for number in (0, COUNT - 1):
            self.assertFalse(others[number].any())
        # The passer-by walks behind the person, from left to right.
        middles = [np.nonzero(other.max(0) > 127)[0].mean() for other in others if other.any()]
        self.assertLess(middles[0], 16)
        self.assertGreater(middles[-1], 120)
        self.assertTrue(all((mask == masks[0]).all() for mask in masks))
        # 60 % of half of the frame's height, and the table at 70 % of it.
        rows = np.nonzero(others[-8].max(1) > 127)[0]
        self.assertAlmostEqual(len(rows), 0.3 * 96, delta=2)
        self.assertAlmostEqual(rows[-1], 0.7 * 96, delta=2)

    def test_a_third_person_stands_apart_and_leaves(self):
        out, _, before = self.compose()
        self.clip = find_sets(out)[0]

        def visitor_of(mask):
            picture = cv2.cvtColor(self.visitor, cv2.COLOR_GRAY2BGR)
            return meetings.Bystander(picture, self.visitor, mask, 0.5)

        meetings.compose(self.clip, visitor_of, self.folder / "three", False)
        paths = sorted((self.folder / "three" / "other").iterdir())
        after = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE).astype(int) for path in paths]
        columns = [
            np.nonzero((new - old).max(0) > 127)[0] for new, old in zip(after, before)
        ]
        # The person has the columns from 16 to 80, and the visitor those to the right.
        self.assertTrue(0 < len(columns[0]) < len(columns[COUNT // 2]))
        self.assertLess(columns[COUNT // 2][-1], 16)
        self.assertEqual(len(columns[-1]), 0)
        self.assertTrue((after[COUNT // 2] >= before[COUNT // 2] - 1).all())

    def test_reports_an_empty_mask(self):
        with self.assertRaisesRegex(Failure, "shows nobody"):
            meetings.box(np.zeros((4, 4), np.uint8))


if __name__ == "__main__":
    unittest.main()
