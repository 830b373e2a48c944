"""Streams that ``vbgfilter convert`` keeps, drops and rejects, according to ffprobe."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from conftest import PATIENCE, PERSON, PICTURE, ffmpeg, ffprobe, frame_times, quick, run

from vbgfilter.commands import COMMANDS, main


def streams(path: pathlib.Path, kind: str) -> list[dict]:
    return [each for each in ffprobe(path)["streams"] if each["codec_type"] == kind]


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_keeps_sound_subtitles_chapters_and_texts(talk, tmp_path, suffix):
    source, output = talk, tmp_path / f"out{suffix}"
    if suffix == ".mkv":
        source = tmp_path / "talk.mkv"
        ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-map", "0:s:0", "-c", "copy",
               "-c:s", "srt", source)  # fmt: skip
    result = quick(source, output)
    assert (result.status, result.frames, result.notes) == ("done", 30, []), result.error
    before, after = ffprobe(source), ffprobe(output)
    texts = {key.lower(): value for key, value in after["format"]["tags"].items()}
    assert texts["title"] == 'A talk, "said"'
    assert texts["artist"] == "Ada"
    assert "Said once" in texts.values()
    assert [each["tags"]["title"] for each in after["chapters"]] == ["First", "Second"]
    assert streams(output, "audio")[0]["tags"]["language"] in ("deu", "ger")
    assert len(streams(output, "subtitle")) == 1
    assert [each["codec_name"] for each in after["streams"]][:2] == ["h264", "aac"]
    # The packets are identical. MP4 files lack the first one, which only primes decoders, and
    # GStreamer 1.22 also drops the last one.
    old, new = packets(source), packets(output)
    assert new in ([old[1:-1], old[1:]] if suffix == ".mp4" else [old])
    assert abs(float(before["format"]["duration"]) - float(after["format"]["duration"])) < 0.1
    assert list(tmp_path.glob("*.part")) == []


def test_converts_clips_of_a_few_frames(talk, tmp_path):
    source, output = tmp_path / "short.mp4", tmp_path / "out.mp4"
    ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-map_chapters", -1, "-vf", "trim=end_frame=5",
           "-af", "atrim=end_sample=1024", "-c:a", "aac", source)  # fmt: skip
    assert quick(source, output).status == "done"
    # GStreamer does not read this track: its one packet lasts less than a fifth of the file.
    assert len(packets(output)) == 1


def packets(path: pathlib.Path) -> list[str]:
    """Returns the checksums of the sound packets."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-copyinkf",
               "-f", "framemd5", "-"]  # fmt: skip
    lines = subprocess.check_output(command, text=True).splitlines()
    return [line.rpartition(",")[2] for line in lines if not line.startswith("#")]


def test_drops_pictures_of_the_room(talk, tmp_path):
    cover, source = tmp_path / "cover.jpg", tmp_path / "covered.mp4"
    ffmpeg("-i", PERSON, "-frames:v", 1, "-vf", "scale=64:36", cover)
    ffmpeg("-i", talk, "-i", cover, "-map", "0:v", "-map", "0:a", "-map", 1, "-c", "copy",
           "-disposition:v:1", "attached_pic", source)  # fmt: skip
    attached = tmp_path / "attached.mkv"
    ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-c", "copy", "-attach", cover,
           "-metadata:s:t", "mimetype=image/jpeg", attached)  # fmt: skip
    for each in (source, attached):
        assert len(streams(each, "video")) + len(streams(each, "attachment")) == 2
        output = tmp_path / f"out{each.suffix}"
        assert quick(each, output).status == "done"
        kinds = {stream["codec_type"] for stream in ffprobe(output)["streams"]}
        assert {"audio", "video"} <= kinds <= {"audio", "video", "data"}  # titles of chapters
        assert len(streams(output, "video")) == 1
        assert b"\xff\xd8\xff\xe0" not in output.read_bytes()


def test_turns_rotated_clips_upright(talk, tmp_path):
    source, output = tmp_path / "turned.mp4", tmp_path / "out.mp4"
    copy = ("-map", "0:v", "-c", "copy")
    try:
        ffmpeg("-display_rotation", 90, "-i", talk, *copy, source)
    except subprocess.CalledProcessError:  # before ffmpeg 6
        ffmpeg("-i", talk, *copy, "-metadata:s:v:0", "rotate=90", source)
    assert streams(source, "video")[0]["side_data_list"]
    assert quick(source, output).status == "done"
    video = streams(output, "video")[0]
    assert (video["width"], video["height"]) == (108, 192)
    assert "side_data_list" not in video


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_keeps_variable_times(talk, tmp_path, suffix):
    source, output = tmp_path / f"variable{suffix}", tmp_path / f"out{suffix}"
    ffmpeg("-i", talk, "-map", "0:v", "-vf", "select='not(mod(n,3))+lt(n,10)'", "-fps_mode", "vfr",
           "-deadline", "realtime", source)  # fmt: skip
    assert quick(source, output).status == "done"
    before, after = frame_times(source), frame_times(output)
    assert len(before) == len(after) == 16
    shift = after[0] - before[0]
    assert all(abs(b + shift - a) < 0.002 for b, a in zip(before, after, strict=True))
    assert sum(1 for _ in decoded(output)) == 16


def decoded(path: pathlib.Path) -> list[str]:
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-fps_mode",
               "passthrough", "-"]  # fmt: skip
    out = subprocess.check_output(command, text=True)
    return [line for line in out.splitlines() if not line.startswith("#")]


def test_writes_alpha(talk, tmp_path):
    movie = tmp_path / "out.mov"
    assert quick(talk, movie, "transparent").status == "done"
    video = streams(movie, "video")[0]
    assert (video["codec_name"], video["codec_tag_string"]) == ("prores", "ap4h")
    assert video["pix_fmt"].startswith("yuva444")
    folder = tmp_path / "pictures"
    assert quick(talk, folder, "transparent", codec="png").status == "done"
    assert len(list(folder.glob("*.png"))) == 30
    assert streams(folder / "000001.png", "video")[0]["pix_fmt"] == "rgba"
    assert len(streams(folder / "sound.mka", "audio")) == 1
    # The person is visible, and the corner of the room is not.
    command = ["ffmpeg", "-v", "error", "-i", folder / "000020.png", "-vf", "alphaextract",
               "-f", "rawvideo", "-pix_fmt", "gray", "-"]  # fmt: skip
    alpha = subprocess.check_output(command)
    assert alpha[0] < 10
    assert max(alpha) > 245
    assert quick(talk, folder, "transparent", codec="png").status == "skipped"
    refused = quick(talk, tmp_path / "out.webm", "transparent")
    assert (refused.status, refused.exit_code) == ("failed", 2)
    assert ".mov" in refused.error


def test_hides_the_room(talk, tmp_path):
    output = tmp_path / "out.mkv"
    assert quick(talk, output, "#0000ff").status == "done"
    command = ["ffmpeg", "-v", "error", "-i", output, "-vf", "crop=16:16:0:0,scale=1:1",
               "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]  # fmt: skip
    corners = subprocess.check_output(command)
    assert len(corners) == 3 * 30
    assert all(corners[at] < 40 and corners[at + 2] > 200 for at in range(0, len(corners), 3))


def test_a_second_run_skips_complete_results(talk, tmp_path):
    source = tmp_path / "many"
    (source / "deep").mkdir(parents=True)
    for name in ("a.mp4", "deep/b.mp4"):
        (source / name).write_bytes(talk.read_bytes())
    (source / "broken.mp4").write_bytes(talk.read_bytes()[:9000])
    (source / "notes.txt").write_text("no video")
    output = tmp_path / "out"
    line = ("convert", source, "-o", output, "-q", "fast", "-b", PICTURE, "--json")
    first = run(*line)
    results = [json.loads(each) for each in first.stdout.splitlines()]
    assert first.returncode == 1, first.stderr
    assert [each["status"] for each in results] == ["done", "failed", "done"]
    assert "broken.mp4" in results[1]["error"]
    assert results[1]["exit-code"] == 4
    written = (output / "deep" / "b.mp4").stat().st_mtime_ns
    # Cut the file after its index. The command itself never leaves such a file.
    (output / "a.mp4").write_bytes((output / "a.mp4").read_bytes()[:-3000])
    again = [json.loads(each)["status"] for each in run(*line).stdout.splitlines()]
    assert again == ["failed", "failed", "skipped"]
    assert (output / "deep" / "b.mp4").stat().st_mtime_ns == written
    assert sorted(each.name for each in output.rglob("*") if each.is_file()) == ["a.mp4", "b.mp4"]


def test_names_the_option_that_replaces_an_unreadable_result(talk, tmp_path):
    (tmp_path / "out.mp4").write_bytes(b"no video")
    result = quick(talk, tmp_path / "out.mp4")
    assert (result.status, result.exit_code) == ("failed", 2)
    assert "--overwrite replaces it" in result.error


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_copies_of_the_source_do_not_count_as_results(talk, tmp_path, suffix):
    copy = tmp_path / f"copy{suffix}"
    ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-c", "copy", copy)
    result = quick(talk, copy)
    assert (result.status, result.exit_code) == ("failed", 2)
    assert "without the filter; --overwrite replaces it" in result.error


def test_results_in_a_folder_of_the_sources_are_not_converted(talk, tmp_path):
    (tmp_path / "a.mp4").write_bytes(talk.read_bytes())
    # macOS puts such a file next to each file on a memory card.
    (tmp_path / "._a.mp4").write_bytes(b"no video")
    line = ("convert", tmp_path, "-o", tmp_path / "hidden", "-q", "fast", "--json")
    for status in ("done", "skipped"):
        result = run(*line)
        assert result.returncode == 0, result.stdout + result.stderr
        assert [json.loads(each)["status"] for each in result.stdout.splitlines()] == [status]


def test_pictures_replace_no_other_files(talk, tmp_path):
    folder = tmp_path / "holiday"
    folder.mkdir()
    assert quick(talk, folder, codec="png").status == "done"
    assert quick(talk, folder, codec="png", overwrite=True).status == "done"
    (folder / "beach.png").touch()
    result = quick(talk, folder, codec="png", overwrite=True)
    assert (result.status, result.exit_code) == ("failed", 2)
    assert "contains beach.png" in result.error
    assert len(list(folder.iterdir())) == 32


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_no_files(tmp_path, number):
    output = tmp_path / "out.mp4"
    line = [sys.executable, "-m", "vbgfilter", "convert", PERSON, "-o", output]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + PATIENCE
        part = tmp_path / "out.mp4.part"
        while not (part.exists() and part.stat().st_size):
            assert time.monotonic() < deadline
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE) == 130
        assert "interrupted" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nothing.mp4", "-o", "out.mp4"], 4, "nothing.mp4: does not exist"),
        (["http://a.example/b.mp4", "-o", "out.mp4"], 4, "use a file or folder"),
        (["/dev/null", "-o", "out.mp4"], 4, "/dev/null: is not a file"),
        ([__file__, "-o", "out.mp4"], 4, "is not a video that ffmpeg can read"),
        ([PICTURE, "-o", "out.mp4"], 4, "is a picture or a playlist"),
        ([PERSON, "-o", "out.mp4", "-b", "transparent"], 2, "prores, which stores transparency"),
        ([PERSON, "-o", f"{__file__}/out.mp4"], 2, f"{__file__}: is not a folder"),
        ([PERSON, PERSON, "-o", "out.mp4"], 2, "several inputs need a folder"),
        ([PERSON, "-o", "out.webm", "--codec", "h264"], 2, "suitable files: .mp4, "),
        ([PERSON], 2, "--output"),
        ([PERSON, "-o", "out.xyz"], 2, ".mkv"),
        ([PERSON, "-o", "2026.11.28"], 2, "or in / for a folder"),
        ([PERSON, "-o", "-"], 2, "cannot write to a pipe"),
        ([PERSON, "-o", "out.mp4", "-b", "nowhere.jpg"], 2, "nowhere.jpg is neither a file"),
        ([PERSON, "-o", "out.mp4", "-b", "#ff"], 2, "#rrggbb, #rgb"),
        ([PERSON, "-o", "out.mp4", "--set", "matte-grow=99"], 2, "from -50.0 to 50.0"),
        ([PERSON, "-o", "out.mp4", "--set", "active=false"], 2, "shows the room"),
        ([PERSON, "-o", "out.mp4", "--set", "effect=none"], 2, "is set by --background"),
        ([PERSON, "-o", "out.mp4", "--set", "parent=1"], 2, "no writable property parent"),
        ([PERSON, "-o", "out.mp4", "--set", "blur-radius=0e0"], 2, "shows the room"),
        ([PERSON, "-o", "out.mp4", "--preset", "nix"], 2, "no preset nix; known: "),
        ([PERSON, "-o", "out.mp4", "--bitrate", "fast"], 2, "2.5M"),
        ([PERSON, "-o", "out.mp4", "--bitrate", "0"], 2, "2.5M"),
        ([PERSON, "-o", "out.mp4", "--quality", "auto"], 2, "choose fast, balanced or accurate"),
        ([PERSON, "-o", "out.mp4", "--encoder", "nixenc"], 3, "apt install"),
        ([PERSON, "-o", PERSON], 2, "is a source"),
    ],
)
def test_refuses_invalid_arguments(tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["convert", *map(str, arguments)])
    assert (result.exit_code, words in result.output) == (code, True), result.output
    assert list(tmp_path.iterdir()) == []


def test_reports_a_full_disk_without_a_traceback():
    for line in (["--help"], ["doctor", "--quick", "--json"]):
        command = [sys.executable, "-m", "vbgfilter", *line]
        with open("/dev/full", "w") as full:
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        assert result.returncode == 1
        expected = "Error: the output cannot be written: No space left on device\n"
        assert result.stderr == expected


def test_reports_warnings_of_the_element(tmp_path, talk):
    """Without weights for faces, people who touch stay together."""
    runtime = pathlib.Path(os.environ["GST_PLUGIN_PATH"].partition(":")[0]).parent / "vbgfilter"
    for each in runtime.iterdir():
        if each.name != "models":
            (tmp_path / each.name).symlink_to(each.resolve())
    (tmp_path / "models").mkdir()
    for each in (runtime / "models").glob("selfie*"):
        (tmp_path / "models" / each.name).symlink_to(each.resolve())
    arguments = ("convert", talk, "-o", tmp_path / "out.mp4", "-q", "fast", "--keep", "nearest")
    variables = os.environ | {"VBGFILTER_RUNTIME_DIR": str(tmp_path)}
    result = run(*arguments, "--json", env=variables)
    assert result.returncode == 0, result.stderr
    (note,) = json.loads(result.stdout)["notes"]
    assert "keep=nearest cannot separate people who touch" in note


def test_help_fits_a_screen():
    for name in ("", *COMMANDS):
        lines = CliRunner().invoke(main, [*name.split(), "--help"]).output.splitlines()
        assert 5 < len(lines) <= 24
        assert max(map(len, lines)) <= 80
