import os
import pathlib
import select
import tempfile
import unittest
import unittest.mock

import check_pages


class PageTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.work = self.root / "work"
        self.work.mkdir()

    def page(self, text, name="README.md"):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def block(self, text, language="sh"):
        return check_pages.blocks(self.page(f"```{language}\n{text}\n```\n"))[0]

    def test_blocks_are_found_with_their_reasons(self):
        found = check_pages.blocks(self.page(
            "# A\n\n```sh\nfirst\n```\n\n<!-- not run: needs root -->\n```python\nsecond\n```\n"))
        self.assertEqual([each.language for each in found], ["sh", "python"])
        self.assertEqual([each.text for each in found], ["first\n", "second\n"])
        self.assertEqual([each.reason for each in found], [None, "needs root"])
        self.assertEqual(found[0].name, "README.md:3")

    def test_an_empty_reason_is_ignored(self):
        self.assertIsNone(
            check_pages.blocks(self.page("<!-- not run:  -->\n```sh\na\n```\n"))[0].reason)

    def test_a_successful_block_is_not_a_failure(self):
        self.assertIsNone(check_pages.run(self.block("true"), self.work, self.root))

    def test_a_failing_line_is_a_failure(self):
        failure = check_pages.run(self.block("false\ntrue"), self.work, self.root)
        self.assertIn("ends with 1", failure)
        failure = check_pages.run(self.block("false | true"), self.work, self.root)
        self.assertIn("ends with 1", failure)

    def test_a_warning_is_a_failure(self):
        failure = check_pages.run(
            self.block("echo 'WARNING: from element x'"), self.work, self.root)
        self.assertIn("from element x", failure)

    def test_a_timeout_also_ends_the_children(self):
        block = self.block("sleep 600 & echo $! >child\nwait")
        with unittest.mock.patch.object(check_pages, "SECONDS", 1):
            failure = check_pages.run(block, self.work, self.root)
        self.assertEqual(failure, "does not end within 1 seconds")
        try:
            child = os.pidfd_open(int((self.work / "child").read_text()))
        except ProcessLookupError:
            return
        self.addCleanup(os.close, child)
        self.assertTrue(select.select([child], [], [], 10)[0], "the child still runs")

    def test_python_is_run(self):
        failure = check_pages.run(
            self.block("raise SystemExit('no such thing')", "python"), self.work, self.root)
        self.assertIn("no such thing", failure)

    def test_c_is_compiled_and_run(self):
        self.assertIsNone(check_pages.run(
            self.block("int main (void) { return 0; }", "c"), self.work, self.root))
        self.assertIn("ends with", check_pages.run(
            self.block("int main (void) { return nothing; }", "c"), self.work, self.root))

    def test_replaces_cameras_and_windows_by_other_elements(self):
        shown = self.block(
            "gst-launch-1.0 v4l2src device=/dev/video0 ! x ! autovideosink sync=false\n"
            "sudo modprobe v4l2loopback devices=1\n"
            "gst-launch-1.0 videotestsrc ! v4l2sink device=/dev/video10 sync=false").shown
        self.assertEqual(shown, (
            "gst-launch-1.0 filesrc location=talk.mp4 ! x ! fakesink\ntrue\n"
            "gst-launch-1.0 videotestsrc num-buffers=30 ! fakesink\n"))

    def test_names_broken_links(self):
        self.page("# One page\n\nText, and code:\n\n```sh\n# no heading\n```\n", "docs/a.md")
        self.page(
            "[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#one-page) [d](docs/a.md#no-heading)\n"
            "![e](e.png) [f](https://example.org/f)\n")
        self.assertEqual(list(check_pages.broken_links(self.root)), [
            "README.md:1: there is no docs/b.md",
            "README.md:1: a.md has no heading #no-heading",
            "README.md:2: there is no e.png"])

    def test_a_live_pipeline_needs_a_queue_after_the_element(self):
        camera = "v4l2src ! decodebin ! queue leaky=downstream max-size-buffers=2 ! vbgfilter x=1 ! "
        self.page(f"```sh\n{camera}\\\n  queue ! videoconvert ! autovideosink\n```\n")
        self.page(f"```sh\n{camera}videoconvert ! autovideosink sync=false\n```\n", "docs/a.md")
        self.assertEqual(list(check_pages.unqueued_pipelines(self.root)), [])
        self.page(f"```sh\n{camera}\\\n  videoconvert ! autovideosink\n```\n", "docs/b.md")
        self.page(f'"{camera}"\n    "videoconvert ! autovideosink"\n', "docs/c.md")
        self.assertEqual(
            [each.partition(":")[0] for each in check_pages.unqueued_pipelines(self.root)],
            ["docs/b.md", "docs/c.md"])

    def test_a_tree_without_commands_is_a_failure(self):
        self.assertEqual(check_pages.run_all(self.root, self.work, [self.page("# A\n")]), 1)


if __name__ == "__main__":
    unittest.main()
