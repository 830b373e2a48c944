"""The data sets that `evaluate` finds in a folder, and its page of results."""

import pathlib
import tempfile
import unittest

import cv2
import numpy as np

from evaluation import data_sets, images, result_page


class Sets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"
        self.put("stills/rooms/img/b.jpg", "stills/rooms/img/a.png", "stills/rooms/img/notes.txt")
        self.put("stills/rooms/mask/a.png", "stills/rooms/mask/b.png")
        self.put("clips/sofa/clip.mkv", "clips/sofa/mask/00.png", "clips/sofa/mask/01.png")
        self.put("README.md")

    def put(self, *names):
        for name in names:
            path = self.data / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()

    def names(self, folder="", wanted=()):
        return [each.name for each in data_sets.find_sets(self.data / folder, wanted)]

    def test_sets_are_found_at_any_depth(self):
        clip, stills = data_sets.find_sets(self.data)
        self.assertEqual((clip.name, stills.name), ("clips/sofa", "stills/rooms"))
        self.assertEqual([path.name for path in stills.pictures], ["a.png", "b.jpg"])
        self.assertEqual([path.name for path in stills.masks], ["a.png", "b.png"])
        self.assertEqual(clip.clip.name, "clip.mkv")
        self.assertEqual([path.name for path in clip.masks], ["00.png", "01.png"])

    def test_masks_of_others_are_found_in_a_folder_of_the_set(self):
        self.assertEqual(data_sets.find_sets(self.data, ["rooms"])[0].others, [])
        self.put("stills/rooms/other/a.png", "stills/rooms/other/b.png")
        others = data_sets.find_sets(self.data, ["rooms"])[0].others
        self.assertEqual([path.name for path in others], ["a.png", "b.png"])
        (self.data / "stills/rooms/other/b.png").unlink()
        with self.assertRaisesRegex(data_sets.Failure, "other/b.png is missing"):
            data_sets.find_sets(self.data, ["rooms"])

    def test_a_single_set_has_the_name_of_its_folder(self):
        self.assertEqual(self.names("stills/rooms"), ["rooms"])

    def test_selects_sets_by_name_or_by_the_end_of_the_name(self):
        self.assertEqual(self.names(wanted=["sofa"]), ["clips/sofa"])
        self.assertEqual(self.names(wanted=["stills/rooms"]), ["stills/rooms"])

    def test_names_mistakes_in_the_arguments_and_folders(self):
        def complains(words, folder="", wanted=()):
            with self.assertRaisesRegex(data_sets.Failure, words):
                self.names(folder, wanted)

        complains("no set kitchen, only clips/sofa, stills/rooms", wanted=["kitchen"])
        complains("not a folder", "missing")
        complains("img contains no pictures", self.empty("c/img"))
        complains("contains neither", self.empty("d/mask"))
        complains("contains no set", self.empty("e/nothing"))
        (self.data / "stills/rooms/mask/b.png").unlink()
        complains("b.png is missing", "stills")
        # Unwanted sets do not matter.
        self.assertEqual(self.names(wanted=["sofa"]), ["clips/sofa"])

    def empty(self, name):
        (self.data.parent / name).mkdir(parents=True)
        return self.data.parent / name.partition("/")[0]


class Choice(unittest.TestCase):
    def test_the_lowest_overlap_is_worst_and_then_the_largest_difference(self):
        cases = [{"IoU": 0.9, "MAD": 1}, {"IoU": 0.8, "MAD": 2}, {"IoU": 0.8, "MAD": 3}]
        self.assertEqual(result_page.worst_mattes(cases, 2, is_clip=False), [2, 1])

    def test_frames_of_a_clip_are_not_neighbours(self):
        cases = [{"IoU": 1 - frame / 100, "MAD": 0} for frame in range(25)]
        self.assertEqual(result_page.worst_mattes(cases, 10, is_clip=True), [24, 14, 4])

    def test_frames_without_flicker_are_not_shown(self):
        cases = [{}] + [{"dtSSD": value} for value in (0, 3, 2, *[0] * 20, 1)]
        self.assertEqual(result_page.worst_changes(cases, 10), [2, 24])


class Table(unittest.TestCase):
    every = {"set": "a<b", "quality": "fast", "n": 3, "IoU": 0.9, "MAD": 10.0}
    results = [{**every, "network": "net"}]

    def test_each_metric_has_its_number_of_digits(self):
        head, row = result_page.table(self.results)
        self.assertEqual(head, ["set", "quality", "n", "IoU", "MAD", "network"])
        self.assertEqual(row, ["a<b", "fast", "3", "0.9000", "10.00", "net"])

    def test_a_sentence_names_the_most_accurate_quality(self):
        pictures = {**self.every, "set": "rooms", "shows": 100 / 3}
        clip = {**pictures, "set": "sofa", "dtSSD": 1.0, "n": 40}
        results = [pictures, {**pictures, "quality": "accurate", "IoU": 0.95, "shows": 0.0}, clip]
        self.assertEqual(
            list(result_page.sentences(results)),
            [
                "rooms: accurate has an IoU of 0.950 with the truth (fast 0.900); 0 % of its 3"
                " pictures show more than a hundredth of the room.",
                "sofa: fast has an IoU of 0.900 with the truth; 33 % of its 40 frames show more"
                " than a hundredth of the room.",
            ],
        )

    def test_the_page_has_the_names_and_the_numbers(self):
        _, _, row, _ = result_page.html_table(self.results)
        self.assertIn("<td>a&lt;b</td>", row)
        self.assertIn('<td class="number">0.9000</td>', row)


class Pictures(unittest.TestCase):
    def test_too_much_is_red_and_too_little_blue(self):
        truth, amount = np.float32([[0, 1, 0]]), np.float32([[1, -1, 0]])
        too_much, too_little, right = images.tinted(truth, amount)[0].tolist()
        self.assertEqual(np.argmax(too_much), 2)
        self.assertEqual(np.argmax(too_little), 0)
        self.assertEqual(right, [30, 30, 30])

    def test_large_pictures_are_scaled_down_for_the_page_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path, large = pathlib.Path(folder) / "new/large.png", np.zeros((100, 2560), np.uint8)
            images.write(path, large)
            self.assertEqual(cv2.imread(str(path)).shape, (100, 2560, 3))
            images.write_for_page(path, large)
            self.assertEqual(cv2.imread(str(path)).shape, (50, 1280, 3))


if __name__ == "__main__":
    unittest.main()
