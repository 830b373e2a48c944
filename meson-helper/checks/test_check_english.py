import contextlib
import io
import pathlib
import subprocess
import tempfile
import unittest

import check_english

HARD = "Its size lies beside that of the picture"


class EnglishTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *arguments):
        subprocess.run(
            ["git", "-C", self.root, "-c", "user.name=check", "-c", "user.email=check@localhost",
             *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "state")

    def run_check(self, *arguments):
        """Returns whether the check succeeds, and its output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as end:
            check_english.main([str(self.root), *arguments])
        return not end.exception.code, output.getvalue()

    def texts(self, name, text):
        return check_english.texts(self.file(name, text))

    def phrases(self, text):
        return [phrase for phrase, _ in check_english.hits(text)]

    def test_comments_are_read(self):
        self.assertEqual(
            self.texts("a.swift", "/// One.\nlet a = 1  // Two.\nlet b = 2\n"), {1: "One.", 2: "Two."})
        self.assertEqual(self.texts("a.c", "/* One.\n * Two. */\n*p = 1;\n"), {1: "One.", 2: "Two. */"})
        self.assertEqual(self.texts("a", "#!/bin/sh\n# One.\n"), {2: "One."})
        self.assertEqual(self.texts("LICENSE", "# One.\n"), {})
        self.assertEqual(self.texts("a.svg", "# One.\n"), {})

    def test_documentation_strings_are_read_and_other_strings_are_not(self):
        self.assertEqual(
            self.texts("a.py", 'A = """\na;\n"""\n\n\ndef f():\n    """One.\n\n    Two.\n    """\n'),
            {7: "One.", 9: "Two."})

    def test_names_of_tests_are_read(self):
        self.assertEqual(
            self.texts("a.swift", '@Test("one") func a() {}\n@Suite(\n  "two", .serialized)\n'),
            {1: "one", 3: "two"})

    def test_pages_are_read_without_their_blocks(self):
        self.assertEqual(
            self.texts("a.md", "One.\n\n```sh\ntwo\n```\n| --- |\n<!-- not run: x -->\n"), {1: "One."})

    def test_hard_phrases_are_found(self):
        self.assertEqual(self.phrases(HARD), ["lies", "that of", "beside"])
        self.assertEqual(self.phrases("Failed. Whoever waits is to end; none is."),
                         ["Whoever", ";", "is to end", "none"])
        self.assertEqual(self.phrases("a visitor who knows what is no name"), ["what", "who", "is no"])

    def test_plain_phrases_are_not_found(self):
        for text in ["people who wait", "there is no name", "What is a matte?", "`none` or `b; c`",
                     "[a page](who.md)", "It is no longer here."]:
            with self.subTest(text):
                self.assertEqual(self.phrases(text), [])

    def test_a_tree_without_git_is_read(self):
        self.file("a.md", "One.\n" * 500 + f"{HARD}.\n")
        self.file(".deps/a.md", f"{HARD}.\n" * 9)
        self.assertEqual(self.run_check(), (True, (
            "code: 0 lines, 0.00 hits per 100, maximum 0.8\n"
            "pages: 501 lines, 0.60 hits per 100, maximum 0.6\n")))

    def test_files_that_git_does_not_track_are_skipped(self):
        self.file("a.md", "One.\n")
        self.commit()
        self.file("b.md", f"{HARD}.\n")
        self.assertTrue(self.run_check()[0])

    def test_a_high_rate_is_a_failure(self):
        self.file("a.md", f"{HARD}.\n")
        succeeds, output = self.run_check()
        self.assertFalse(succeeds)
        self.assertIn("a.md:1: beside (again, next to, sometimes, failed)\n", output)

    def test_only_new_lines_of_a_change_count(self):
        self.file("a.md", f"{HARD}.\n" * 9)
        self.commit()
        self.file("a.md", f"{HARD}.\n" * 9 + "It is stored beside it.\n")
        self.assertEqual(self.run_check("--change", "HEAD"), (True, (
            "a.md:10: beside (again, next to, sometimes, failed)\n"
            "the change: 1 lines, 100.00 hits per 100, maximum 5\n")))
        self.file("a.md", f"One.\n{HARD}.\n" + f"{HARD}.\n" * 9)
        succeeds, output = self.run_check("--change", "HEAD")
        self.assertFalse(succeeds)
        self.assertIn("the change: 2 lines, 150.00 hits", output)

    def test_an_unknown_commit_is_a_failure(self):
        self.file("a.md", "One.\n")
        self.commit()
        self.assertFalse(self.run_check("--change", "no-such-commit")[0])


if __name__ == "__main__":
    unittest.main()
