"""Conversion of chapters and subtitles between containers."""

import pathlib
import subprocess

import pytest
from conftest import ffmpeg, ffprobe, quick

PLAIN = 'Tom & Jerry said "it\'s < 3"'
MARKED = "<i>Tom</i> & <b>Jerry</b>"


def titles(path: pathlib.Path) -> list[tuple[float, str]]:
    found = ffprobe(path)["chapters"]
    return [(float(each["start_time"]), each["tags"]["title"]) for each in found]


def subtitled(talk: pathlib.Path, source: pathlib.Path, text: str) -> None:
    written = source.with_suffix(".srt")
    written.write_text(f"1\n00:00:00,100 --> 00:00:00,800\n{text}\n")
    ffmpeg("-i", talk, "-i", written, "-map", "0:v", "-map", 1, "-c:v", "copy", "-c:s", "srt",
           source)  # fmt: skip


def shown(path: pathlib.Path) -> str:
    """Returns the text of the only subtitle, as stored in the file."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:s", "-c", "copy", "-f", "data", "-"]
    data = subprocess.check_output(command)
    if path.suffix != ".mp4":
        return data.decode()
    # MP4 files store the length of the text in two bytes before it, and empty texts for pauses.
    data = data.lstrip(b"\0")
    return data[1 : 1 + data[0]].decode()


@pytest.mark.parametrize(
    ("before", "after"), [(".mp4", ".mov"), (".mkv", ".mp4"), (".mp4", ".mkv"), (".mp4", ".webm")]
)
def test_chapters_are_kept(talk, tmp_path, before, after):
    source, output = tmp_path / f"in{before}", tmp_path / f"out{after}"
    ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-c", "copy", source)
    result = quick(source, output)
    assert result.status == "done", result.error
    assert not any("chapter" in each for each in result.notes), result.notes
    assert titles(source) == [(0.0, "First"), (0.4, "Second")]
    for (begin, title), (before, old) in zip(titles(output), titles(source), strict=True):
        assert title == old and abs(begin - before) < 0.01


def test_reports_omitted_chapters(talk, tmp_path):
    assert "the chapters were left out" in quick(talk, tmp_path / "out.ts").notes
    assert "the chapters were left out" in quick(talk, tmp_path / "out", codec="png").notes


def test_keeps_the_chapters_of_a_track(talk, tmp_path):
    # Hide the box with the chapters, so that only their track remains, as in QuickTime files.
    source = tmp_path / "track.mov"
    ffmpeg("-i", talk, "-map", "0:v", "-c", "copy", source)
    data = source.read_bytes()
    source.write_bytes(data.replace(b"chpl", b"free"))
    assert quick(source, tmp_path / "out.mov").notes == []
    assert titles(tmp_path / "out.mov") == [(0.0, "First"), (0.4, "Second")]


@pytest.mark.parametrize(
    ("text", "suffix", "expected"),
    [
        (PLAIN, ".mkv", PLAIN),
        (PLAIN, ".mp4", PLAIN),
        (MARKED, ".mkv", MARKED),
        (MARKED, ".mp4", "Tom & Jerry"),
    ],
)
def test_keeps_the_text_of_subtitles(talk, tmp_path, text, suffix, expected):
    subtitled(talk, tmp_path / "in.mkv", text)
    result = quick(tmp_path / "in.mkv", tmp_path / f"out{suffix}")
    assert (result.status, result.notes) == ("done", []), result.error
    assert shown(tmp_path / f"out{suffix}") == expected


def test_reports_omitted_subtitles(talk, tmp_path):
    subtitled(talk, tmp_path / "in.mkv", PLAIN)
    result = quick(tmp_path / "in.mkv", tmp_path / "out.ts")
    assert result.status == "done", result.error
    assert "a stream was left out: SubRip subtitle" in result.notes
