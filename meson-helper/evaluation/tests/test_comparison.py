"""The output of `evaluate --compare`."""

import json
import pathlib
import tempfile
import unittest

from evaluation import comparison


def result(iou, quality="fast"):
    case = {"name": "a", "IoU": iou}
    return {"set": "rooms", "quality": quality, "IoU": iou, "cases": [case]}


class Comparison(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "before.json"

    def differences(self, before, *results):
        self.file.write_text(json.dumps({"results": before}))
        return comparison.differences(comparison.read(self.file), results)

    def test_prints_nothing_for_equal_runs(self):
        self.assertEqual(self.differences([result(0.1 + 0.2)], result(0.1 + 0.2)), [])

    def test_names_the_set_and_the_values_that_differ(self):
        self.assertEqual(
            self.differences([result(0.5)], result(0.50001)),
            ["rooms, fast: 1 of 1 differ; IoU 0.500000 -> 0.500010"],
        )

    def test_names_a_result_that_was_not_saved(self):
        self.assertEqual(
            self.differences([result(0.5)], result(0.5, "balanced")),
            ["rooms, balanced: not in the saved run"],
        )

    def test_refuses_another_file(self):
        for text in ("", "[]", "{}", '{"results": [1]}'):
            self.file.write_text(text)
            with self.assertRaisesRegex(ValueError, "not written by evaluate"):
                comparison.read(self.file)
