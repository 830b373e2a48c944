"""Runs ``vbgfilter batch`` and inspects its results and its remains."""

import json
import pathlib
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import psutil
from conftest import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[3]
PERSON = ROOT / ".deps" / "clip" / "person.mp4"
DAMAGED = "damaged.mp4"
# A clip long enough to kill its worker during the conversion.
LONG = "long.mp4"


def ffmpeg(*arguments: object) -> bytes:
    """Runs ffmpeg and returns its standard output."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def count_frames(path: pathlib.Path) -> int:
    """Returns the number of frames of a file, by decoding it."""
    shown = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
         "stream=nb_read_frames", "-of", "csv=p=0", path],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return int(shown.stdout.strip().rstrip(","))


@dataclass
class Command:
    """Runs ``vbgfilter batch`` as a user would, and finds its remains."""

    environment: dict[str, str]
    mark: str

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        """Starts the command in its own session."""
        words = [sys.executable, "-m", "vbgfilter", "batch", *map(str, arguments)]
        return subprocess.Popen(
            words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip

    def run(self, *arguments: object, code: int = 0) -> list[dict[str, Any]]:
        """Runs the command with --json and returns the lines."""
        return self.end(self.start(*arguments, "--json"), code)

    def end(self, process: "subprocess.Popen[str]", code: int) -> list[dict[str, Any]]:
        """Waits for the end of the command and returns the lines of --json."""
        out, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code, errors
        assert "Traceback" not in errors and "distributed" not in errors, errors
        return [json.loads(line) for line in out.splitlines()]

    def processes(self) -> list[psutil.Process]:
        """Returns the running processes that the command started, even orphaned ones."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("MARK") == self.mark:
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def converting(self) -> list[psutil.Process]:
        """Returns the processes that convert a clip."""
        return [each for each in self.processes() if "guard.py" in " ".join(each.cmdline())]
