"""The manual page of the command."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_manual_page_matches_the_help() -> None:
    script = ROOT / "meson-helper" / "checks" / "write_manual.py"
    subprocess.run([sys.executable, "-B", script, ROOT, "--check"], check=True)
