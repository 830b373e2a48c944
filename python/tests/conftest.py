"""What the tests of the commands share: clips that are made once, the command as users run it."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from vbgfilter.commands.convert.transcode import Job, Result, convert
from vbgfilter.commands.settings import make_settings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PERSON = ROOT / ".deps" / "clip" / "person.mp4"
PICTURE = ROOT / ".deps" / "sample" / "hubble_deep_field.jpg"
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
    """Runs ffmpeg; its words are shown if it fails."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def ffprobe(path: pathlib.Path) -> dict:
    """What ffprobe says of a file; streams have the number of their packets."""
    command = ["ffprobe", "-v", "error", "-of", "json", "-count_packets"]
    shown = ["-show_streams", "-show_format", "-show_chapters"]
    return json.loads(subprocess.check_output([*command, *shown, path]))


def frame_times(path: pathlib.Path) -> list[float]:
    """When the frames of a video are shown."""
    shown = ["-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
    out = subprocess.check_output(["ffprobe", "-v", "error", *shown, path], text=True)
    return sorted(float(each.strip(",")) for each in out.split())


def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
    """Runs the command, with a limit above its own waits for broken files."""
    line = [sys.executable, "-m", "vbgfilter", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=180, **options)


def quick(
    source: pathlib.Path, output: pathlib.Path, background: str = "blur", **choices: object
) -> Result:
    """Converts a file by the cheapest network, in this process."""
    settings = make_settings(background=background, quality="fast")
    return convert(Job(source, output, settings, **choices), lambda done, frames: None)


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A second of a person: sound, subtitles, chapters, texts; 30 frames of 192x108."""
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
    # No cache and no settings of the user's.
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        os.environ[name] = str(tmp_path_factory.mktemp(name.lower()))
