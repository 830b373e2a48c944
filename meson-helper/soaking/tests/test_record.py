"""The verdict of `soak` on its counts."""

import unittest
import xml.etree.ElementTree as tree

from soaking import record


def run(counts=24, **holds):
    """Returns the counts of a run. Each number is an argument or a function of the count."""

    def value(name, number, usual):
        held = holds.get(name, usual)
        return held(number) if callable(held) else held

    return [
        record.Count(
            seconds=30.0 * number,
            changes=60 * number,
            frames=900 * number,
            resident=value("resident", number, 300.0),
            heap=value("heap", number, 90.0),
            free=value("free", number, 100.0),
            descriptors=value("descriptors", number, 30),
            threads=value("threads", number, 20),
        )
        for number in range(counts)
    ]


class Judgement(unittest.TestCase):
    def test_constant_counts_pass(self):
        self.assertEqual(record.judge(run()), [])

    def test_the_first_quarter_is_for_warming_up(self):
        warming = run(resident=lambda number: min(300.0, 100 + 50.0 * number))
        self.assertEqual(record.judge(warming), [])

    def test_a_peak_is_not_growth(self):
        peak = run(heap=lambda number: 300.0 if number in (9, 21) else 90.0)
        self.assertEqual(record.judge(peak), [])

    def test_growth_is_reported_by_name(self):
        for name in ("resident", "heap", "descriptors", "threads"):
            with self.subTest(name):
                faults = record.judge(run(**{name: lambda number: 100 + 10 * number}))
                self.assertEqual(len(faults), 1)
                self.assertTrue(faults[0].startswith(name), faults)

    def test_growth_of_free_heap_alone_passes(self):
        self.assertEqual(record.judge(run(free=lambda number: 50.0 * number)), [])

    def test_a_short_run_shows_nothing(self):
        self.assertIn("too short", record.judge(run(counts=4))[0])
        self.assertTrue(record.judge([]))


class Record(unittest.TestCase):
    def test_a_row_has_the_columns_of_the_head(self):
        row = record.Count.now(1.5, 2, 3).row().split("\t")
        self.assertEqual(len(row), len(record.HEAD.split("\t")))
        self.assertGreater(float(row[3]), 0)

    def test_the_chart_is_a_picture(self):
        tree.fromstring(record.chart(run()))
        tree.fromstring(record.chart(run(counts=1)))


if __name__ == "__main__":
    unittest.main()
