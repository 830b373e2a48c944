"""Unusual files: lossless cuts, changing frame sizes, and names with any bytes."""

import json
import os
import pathlib

import pytest
from conftest import ffmpeg, ffprobe, frame_times, quick, run

from vbgfilter.commands.convert.media import probe, read_contents

LONGEST = "x" * 245 + ".mp4"


def seconds(path: pathlib.Path) -> dict[str, float]:
    """Returns the duration of each kind of stream."""
    return {each["codec_type"]: float(each["duration"]) for each in ffprobe(path)["streams"]}


@pytest.mark.parametrize("distance", [10, 60])
def test_keeps_the_visible_part_of_a_lossless_cut(tmp_path, distance):
    whole, cut, output = (tmp_path / f"{each}.mp4" for each in ("whole", "cut", "out"))
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=96x64:r=30", "-f", "lavfi", "-i", "sine", "-t", 4,
           "-c:v", "libx264", "-g", distance, "-c:a", "aac", whole)  # fmt: skip
    # The cut keeps the frames since the last key frame, and an edit list hides them.
    ffmpeg("-ss", 1.3, "-i", whole, "-c", "copy", cut)
    result = quick(cut, output)
    assert (result.status, result.notes) == ("done", []), result.error
    assert result.frames == 81
    for kind, length in seconds(cut).items():
        assert abs(seconds(output)[kind] - length) < 0.1, kind
    assert quick(cut, output).status == "skipped"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["cut.mp4", "out.mp4", "whole.mp4"]


def concatenated(folder: pathlib.Path, codec: str, *sizes: str) -> pathlib.Path:
    """Makes a recording with ten frames of each size, as browsers do."""
    ending = {"libvpx": "ivf", "libx264": "ts"}[codec]
    names = []
    for number, size in enumerate(sizes):
        names.append(f"{number}.{ending}")
        ffmpeg("-f", "lavfi", "-i", f"testsrc=s={size}:r=30", "-frames:v", 10, "-c:v", codec,
               "-pix_fmt", "yuv420p", "-g", 5, folder / names[-1])  # fmt: skip
    if ending == "ts":
        joined = folder / "call.ts"
        joined.write_bytes(b"".join((folder / each).read_bytes() for each in names))
        return joined
    (folder / "list").write_text("".join(f"file {each}\n" for each in names))
    ffmpeg("-f", "concat", "-i", folder / "list", "-c", "copy", folder / "call.webm")
    return folder / "call.webm"


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".webm"])
def test_a_recording_with_changing_sizes_gets_one_size(tmp_path, suffix):
    source = concatenated(tmp_path, "libvpx", "160x90", "320x180", "90x160")
    output = tmp_path / f"out{suffix}"
    result = quick(source, output, "#0000ff")
    assert (result.status, result.frames) == ("done", 30), result.error
    assert "the frame size changes: all were scaled to 320x180" in result.notes
    # The sizes of the decoded frames.
    ffmpeg("-i", output, "-f", "framemd5", tmp_path / "sums")
    lines = [each for each in (tmp_path / "sums").read_text().splitlines() if each[0] != "#"]
    assert [int(each.split(",")[4]) for each in lines] == 30 * [320 * 180 * 3 // 2]


def test_sizes_of_parsed_streams_are_known(tmp_path):
    source = concatenated(tmp_path, "libx264", "160x90", "320x180")
    assert read_contents(probe(source), decoded=True).size == (320, 180)


def test_a_movie_of_pictures_is_complete(talk, tmp_path):
    ffmpeg("-i", talk, "-map", "0:v", "-map_chapters", -1, "-frames:v", 10, "-c:v", "png",
           tmp_path / "in.mov")  # fmt: skip
    result = quick(tmp_path / "in.mov", tmp_path / "out.mov")
    assert (result.status, result.frames) == ("done", 10), result.error
    assert len(frame_times(tmp_path / "out.mov")) == 10


def test_accepts_names_with_any_bytes(talk, tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    odd = os.fsdecode(b"caf\xe9 %d.mp4")
    for name in ("a.mp4", odd, LONGEST):
        (source / name).write_bytes(talk.read_bytes())
    result = run("convert", source, "-o", tmp_path / "out", "-q", "fast", "--json")
    lines = [json.loads(each) for each in result.stdout.splitlines()]
    assert [each["status"] for each in lines] == 3 * ["done"], result.stdout + result.stderr
    names = {each.name for each in (tmp_path / "out").iterdir()}
    assert names == {"a.mp4", odd, LONGEST}
    pictures = tmp_path / os.fsdecode(b"100 %s \xff")
    result = quick(source / odd, pictures, codec="png")
    assert result.status == "done", ascii(result.error)
    assert len(list(pictures.glob("*.png"))) == 30
    assert run("convert", source / odd, "-o", tmp_path / "b.mp4", "-q", "fast").returncode == 0


def test_refuses_a_background_with_a_name_that_is_not_utf8(talk, tmp_path):
    picture = tmp_path / os.fsdecode(b"b\xfcro.jpg")
    picture.touch()
    result = run("convert", talk, "-o", tmp_path / "out.mp4", "-b", picture)
    assert (result.returncode, "not UTF-8" in result.stderr) == (2, True), result.stderr
