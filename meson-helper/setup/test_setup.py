"""The files that set-up installs, and its check for completeness. Run by `check`."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import fetch

HERE = pathlib.Path(__file__).resolve().parent


class Stamps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        store = fetch.Store(self.root)
        ready = store.scratch / "ready"
        (ready / "libs").mkdir(parents=True)
        (ready / "libs" / "one.so").write_bytes(b"as it was fetched")
        store.replace("part/of", "key", ready)
        store.close()
        store.lock.close()

    def is_complete(self, key="key"):
        return fetch.Stamps(self.root).is_complete("part/of", key)

    def test_fetched_files_are_complete(self):
        self.assertTrue(self.is_complete())
        self.assertFalse(self.is_complete("another"))

    def test_an_altered_file_of_the_same_size_is_noticed(self):
        (self.root / "part" / "of" / "libs" / "one.so").write_bytes(b"as it was altered")
        self.assertFalse(self.is_complete())

    def test_detects_an_added_or_removed_file(self):
        more = self.root / "part" / "of" / "libs" / "two.so"
        more.write_bytes(b"")
        self.assertFalse(self.is_complete())
        more.unlink()
        self.assertTrue(self.is_complete())
        (self.root / "part" / "of" / "libs" / "one.so").unlink()
        self.assertFalse(self.is_complete())

    def test_does_not_install_an_incomplete_folder(self):
        found = subprocess.run(
            [sys.executable, "-B", str(HERE / "fetch.py"), str(self.root), "verify"],
            capture_output=True, text=True)
        self.assertNotEqual(found.returncode, 0)
        self.assertIn("is not what was fetched", found.stderr)


class Packages(unittest.TestCase):
    """A system without any of the packages, on which the user may install them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.trace = self.root / "trace"
        programs = {
            "dpkg-query": "exit 1",
            "apt-get": f'echo "$@" >>{self.trace}',
            "sudo": f'echo "$@" >>{self.trace}',
        }
        for name, line in programs.items():
            (self.root / name).write_text(f"#!/bin/sh\n{line}\n")
            (self.root / name).chmod(0o755)

    def run_here(self, *command):
        path = f"{self.root}:{os.environ['PATH']}"
        return subprocess.run(
            command, env=dict(os.environ, PATH=path), capture_output=True, text=True)

    def test_meson_does_not_install_packages_and_shows_the_command(self):
        found = self.run_here("meson", "setup", str(self.root / "build"), str(HERE.parent))
        self.assertFalse(self.trace.exists(), self.trace.exists() and self.trace.read_text())
        self.assertNotEqual(found.returncode, 0)
        self.assertIn("apt-get install", found.stdout + found.stderr)
        self.assertIn("libgstreamer1.0-dev", found.stdout + found.stderr)


class MovedTrees(unittest.TestCase):
    """SwiftPM's and Meson's folders name the sources by absolute paths."""

    def test_builds_of_another_place_are_dropped(self):
        root = HERE.parent.parent
        with tempfile.TemporaryDirectory() as folder:
            deps = pathlib.Path(folder)
            for name, text in {
                "build/release.yaml": f'"{root}/Sources/A.swift"',
                "meson/build.ninja": f'"{root}/meson-helper/build"',
                "old-build/debug.yaml": f'"{root}/copy/Sources/A.swift"',
                "old-meson/build.ninja": '"/elsewhere/meson-helper/build"',
                "models/network.onnx": "",
            }.items():
                (deps / name).parent.mkdir()
                (deps / name).write_text(text)
            script = '. "$1/common.sh" && deps=$2 && drop_builds_of_another_place'
            subprocess.run(
                ["bash", "-c", script, "bash", str(HERE.parent), folder], check=True,
                stdout=subprocess.DEVNULL)
            self.assertEqual(sorted(os.listdir(deps)), ["build", "meson", "models"])


if __name__ == "__main__":
    unittest.main()
