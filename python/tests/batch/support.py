"""Runs ``vbgfilter batch`` and looks at what it makes and leaves behind."""

import json
import pathlib
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import psutil

ROOT = pathlib.Path(__file__).resolve().parents[3]
PERSON = ROOT / ".deps" / "clip" / "person.mp4"
DAMAGED = "damaged.mp4"
# One that takes long enough for its worker to be killed meanwhile.
LONG = "long.mp4"


def ffmpeg(*arguments: object) -> bytes:
    """Runs ffmpeg; returns what it writes to standard output."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def count_frames(path: pathlib.Path) -> int:
    """The frames of a file, decoded."""
    shown = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
         "stream=nb_read_frames", "-of", "csv=p=0", path],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return int(shown.stdout.strip().rstrip(","))


@dataclass
class Command:
    """Runs ``vbgfilter batch`` as a user would, and finds what it leaves behind."""

    environment: dict[str, str]
    mark: str

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        """Starts it, in a session of its own."""
        words = [sys.executable, "-m", "vbgfilter", "batch", *map(str, arguments)]
        return subprocess.Popen(
            words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip

    def run(self, *arguments: object, code: int = 0) -> list[dict[str, Any]]:
        """Runs it with --json; returns the lines."""
        return self.end(self.start(*arguments, "--json"), code)

    def end(self, process: "subprocess.Popen[str]", code: int) -> list[dict[str, Any]]:
        """Waits for its end; returns the lines of --json."""
        out, errors = process.communicate(timeout=120)
        assert process.returncode == code, errors
        assert "Traceback" not in errors and "distributed" not in errors, errors
        return [json.loads(line) for line in out.splitlines()]

    def processes(self) -> list[psutil.Process]:
        """All processes that it has started and that run, whoever their parent is now."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("MARK") == self.mark:
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def converting(self) -> list[psutil.Process]:
        """Those that convert a clip."""
        return [each for each in self.processes() if "guard.py" in " ".join(each.cmdline())]
