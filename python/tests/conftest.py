"""Fixtures and functions of all command tests: clips made once, and the command itself."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from vbgfilter.commands.convert.transcode import Job, Result, convert
from vbgfilter.commands.settings import make_settings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERSON = ROOT / ".deps" / "clip" / "person.mp4"
PICTURE = ROOT / ".deps" / "sample" / "hubble_deep_field.jpg"
# The time limit of a program or an event in seconds, on a busy machine too. It exceeds the command's
# own waits for broken files.
PATIENCE = 180
_SUBTITLES = """1
00:00:00,100 --> 00:00:00,400
Hello

2
00:00:00,500 --> 00:00:00,900
There
"""
_METADATA = """;FFMETADATA1
title=A talk, "said"
artist=Ada
comment=Said once
[CHAPTER]
TIMEBASE=1/1000
START=0
END=400
title=First
[CHAPTER]
TIMEBASE=1/1000
START=400
END=1000
title=Second
"""


def ffmpeg(*arguments: object) -> None:
    """Runs ffmpeg, with its messages on standard error."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def ffprobe(path: pathlib.Path) -> dict:
    """Returns ffprobe's description of a file, with the number of packets per stream."""
    command = ["ffprobe", "-v", "error", "-of", "json", "-count_packets"]
    shown = ["-show_streams", "-show_format", "-show_chapters"]
    return json.loads(subprocess.check_output([*command, *shown, path]))


def frame_times(path: pathlib.Path) -> list[float]:
    """Returns the presentation times of a video's frames."""
    shown = ["-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
    out = subprocess.check_output(["ffprobe", "-v", "error", *shown, path], text=True)
    return sorted(float(each.strip(",")) for each in out.split())


def run_program(line: list[object], **options: object) -> subprocess.CompletedProcess:
    """Runs a program, and kills it with its children after the time limit."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        line, stdout=pipe, stderr=pipe, text=True, start_new_session=True, **options
    ) as process:
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(line, process.returncode, output, errors)


def run(
    *arguments: object, program: tuple[object, ...] = ("-m", "vbgfilter"), **options: object
) -> subprocess.CompletedProcess:
    """Runs the command."""
    return run_program([sys.executable, *map(str, program), *map(str, arguments)], **options)


def quick(
    source: pathlib.Path, output: pathlib.Path, background: str = "blur", **choices: object
) -> Result:
    """Converts a file with the cheapest network, in this process."""
    settings = make_settings(background=background, quality="fast")
    return convert(Job(source, output, settings, **choices), lambda done, frames: None)


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A second of a person: sound, subtitles, chapters and metadata, 30 frames of 192x108."""
    folder = tmp_path_factory.mktemp("talk")
    (folder / "subtitles.srt").write_text(_SUBTITLES)
    (folder / "texts.txt").write_text(_METADATA)
    ffmpeg(
        "-i", PERSON, "-f", "lavfi", "-i", "sine=440:sample_rate=48000",
        "-i", folder / "subtitles.srt", "-i", folder / "texts.txt",
        "-map", "0:v", "-map", "1:a", "-map", "2", "-map_metadata", 3, "-map_chapters", 3,
        "-vf", "scale=192:108", "-c:v", "libx264", "-b:v", "200k", "-c:a", "aac",
        "-c:s", "mov_text", "-metadata:s:a", "language=deu", "-t", 1, folder / "talk.mp4",
    )  # fmt: skip
    return folder / "talk.mp4"


@pytest.fixture(scope="session", autouse=True)
def _environment(tmp_path_factory: pytest.TempPathFactory) -> None:
    # Do not use the user's cache and settings.
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        os.environ[name] = str(tmp_path_factory.mktemp(name.lower()))
