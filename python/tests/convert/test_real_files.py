"""Files as cameras, recorders and editors make them: cut, damaged, incomplete, or out of step."""

import array
import os
import pathlib
import subprocess
import sys
import time

import pytest
from conftest import ffmpeg, ffprobe, quick, run

X264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
BARS = ("-f", "lavfi", "-i", "testsrc2=s=96x64:r=30", "-f", "lavfi", "-i", "sine")


def decode(path: pathlib.Path, *arguments: str) -> bytes:
    """Returns the output of ffmpeg for a file."""
    return subprocess.check_output(["ffmpeg", "-v", "quiet", "-i", path, *arguments, "-"])


def shown(path: pathlib.Path) -> int:
    """Returns the number of pictures that ffmpeg shows."""
    out = decode(path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5").decode()
    return sum(1 for line in out.splitlines() if not line.startswith("#"))


def distance(path: pathlib.Path) -> float:
    """Returns the time from the beginning of the tone to the first white picture."""
    video = ("-map", "0:v", "-vf", "scale=1:1:flags=area,format=gray", "-fps_mode", "passthrough",
             "-enc_time_base", "-1", "-c:v", "rawvideo", "-f")  # fmt: skip
    sound = ("-map", "0:a", "-af", "aresample=8000:async=1:first_pts=0", "-ac", "1", "-f", "s16le")
    made = [path.with_name(f"measured.{each}") for each in ("times", "luma", "pcm")]
    # One command, so that all of its outputs have the same origin.
    ffmpeg("-i", path, *video, "framecrc", made[0], *video, "rawvideo", made[1], *sound, made[2])
    lines = made[0].read_text().splitlines()
    unit = next(eval(line[6:]) for line in lines if line.startswith("#tb 0"))
    times = [int(line.split(",")[2]) * unit for line in lines if not line.startswith("#")]
    white = next(time for time, luma in zip(times, made[1].read_bytes(), strict=True) if luma > 140)
    tone = array.array("h", made[2].read_bytes())
    return white - next(at for at, each in enumerate(tone) if abs(each) > 1500) / 8000


@pytest.fixture(scope="module")
def clap(tmp_path_factory) -> pathlib.Path:
    """A white picture and a tone at the same time."""
    path = tmp_path_factory.mktemp("clap") / "clap.mkv"
    when = "between(t,0.8,1)"
    ffmpeg("-f", "lavfi", "-i", f"color=black:s=64x48:r=30:d=1.4,drawbox=c=white:t=fill:"
           f"enable='{when}'", "-f", "lavfi", "-i", f"sine=880:r=48000:d=1.4,volume='{when}':eval="
           "frame", *X264, "-c:a", "libopus", path)  # fmt: skip
    return path


@pytest.mark.parametrize(
    ("before", "after", "late"),
    [
        (".mkv", ".avi", 0.25), (".mkv", ".avi", -0.25), (".mp4", ".ts", -0.25),
        (".ts", ".mp4", 0.25), (".mkv", ".mp4", -0.25), (".mp4", ".webm", 0.25),
    ],
)  # fmt: skip
def test_sound_and_picture_keep_their_distance(clap, tmp_path, before, after, late):
    source, output = tmp_path / f"in{before}", tmp_path / f"out{after}"
    codec = ("-c:a", "libopus" if before == ".mkv" else "aac")
    ffmpeg("-itsoffset", max(0, late), "-i", clap, "-itsoffset", max(0, -late), "-i", clap,
           "-map", "0:v", "-map", "1:a", "-c:v", "copy", *codec, source)  # fmt: skip
    result = quick(source, output)
    assert result.status == "done", result.error
    assert abs(distance(source) - late) < 0.05
    assert abs(distance(output) - distance(source)) < 0.045


@pytest.mark.parametrize("kind", ["open GOP", "middle of a GOP", "pause", "equal times"])
def test_converts_what_players_show(tmp_path, kind):
    whole, source = tmp_path / "whole.ts", tmp_path / "in.ts"
    ffmpeg(*BARS, "-t", 2, *X264, "-bf", 2, "-x264-params",
           "keyint=30:min-keyint=30:scenecut=0:open-gop=1", "-c:a", "aac", whole)  # fmt: skip
    notes = []
    if kind == "open GOP":
        source = tmp_path / "in.mkv"
        ffmpeg("-ss", 0.8, "-i", whole, "-c", "copy", source)
        notes = ["2 frames of the source cannot be decoded"]
    elif kind == "middle of a GOP":
        data = whole.read_bytes()
        source.write_bytes(data[len(data) // 188 // 4 * 188 :])
        notes = ["cannot be decoded"]
    elif kind == "pause":
        for name, begin in (("1.ts", 0), ("2.ts", 4)):
            ffmpeg("-i", whole, "-t", 1, "-c", "copy", "-output_ts_offset", begin, tmp_path / name)
        source.write_bytes(b"".join((tmp_path / each).read_bytes() for each in ("1.ts", "2.ts")))
    else:
        source = tmp_path / "in.mkv"
        ffmpeg(*BARS[:4], "-t", 1, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", tmp_path / "mjpeg.mkv")
        ffmpeg("-i", tmp_path / "mjpeg.mkv", "-c", "copy", "-bsf:v",
               "setts=ts='if(eq(N,9),PREV_OUTPTS,PTS)'", source)  # fmt: skip
        notes = ["1 frame left out, with the same time"]
    output = tmp_path / f"out{source.suffix}"
    result = quick(source, output)
    assert result.status == "done", result.error
    assert result.frames == shown(output) == shown(source) - (kind == "equal times")
    assert all(any(note in each for each in result.notes) for note in notes), result.notes
    before, after = (float(ffprobe(each)["format"]["duration"]) for each in (source, output))
    assert abs(before - after) < 0.2


@pytest.mark.parametrize("suffix", [".mp4", ".flv", ".mov"])
def test_converts_incomplete_recordings_and_reports_the_loss(tmp_path, suffix):
    whole, source = tmp_path / f"whole{suffix}", tmp_path / f"in{suffix}"
    flags = {".mp4": "frag_keyframe+empty_moov", ".mov": "faststart"}.get(suffix)
    ffmpeg(*BARS, "-t", 3, *X264, "-g", 15, "-c:a", "aac", *(["-movflags", flags] if flags else []),
           whole)  # fmt: skip
    data = whole.read_bytes()
    source.write_bytes(data[: len(data) // 2])
    result = quick(source, tmp_path / "out.mp4")
    assert result.status == "done", result.error
    assert 20 < result.frames == shown(source) < 80
    assert any("the source is" in each for each in result.notes), result.notes


def test_dropped_and_damaged_frames_of_mjpeg_keep_the_others(tmp_path):
    source, output = tmp_path / "in.avi", tmp_path / "out.avi"
    ffmpeg(*BARS[:4], "-t", 1, "-vf", "select='not(eq(mod(n,10),5))'", "-fps_mode", "passthrough",
           "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", source)  # fmt: skip
    data = bytearray(source.read_bytes())
    at = -1
    for _ in range(20):
        at = data.index(b"00dc", at + 1)
    size = int.from_bytes(data[at + 4 : at + 8], "little")
    data[at + 8 : at + 8 + size] = bytes(size)
    source.write_bytes(data)
    result = quick(source, output)
    assert result.status == "done", result.error
    assert shown(output) == 30
    assert any("repeated" in each for each in result.notes), result.notes


def test_avi_files_show_each_frame_until_the_next(tmp_path):
    source, output = tmp_path / "in.mkv", tmp_path / "out.avi"
    ffmpeg("-f", "lavfi", "-i", "color=black:s=64x48:r=30:d=2,drawbox=c=white:t=fill:enable="
           "'gte(t,1)'", "-vf", "select='eq(n,0)+eq(n,30)+eq(n,40)'", "-fps_mode", "vfr", *X264,
           source)  # fmt: skip
    result = quick(source, output)
    assert result.status == "done", result.error
    luma = decode(output, "-vf", "scale=1:1,format=gray", "-f", "rawvideo")
    rate = eval(ffprobe(output)["streams"][0]["avg_frame_rate"])
    assert abs(next(at for at, each in enumerate(luma) if each > 140) / rate - 1) < 0.1


@pytest.mark.parametrize("suffix", [".mp4", ".mov"])
def test_full_range_keeps_black_and_white(tmp_path, suffix):
    source, output = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    ffmpeg("-f", "lavfi", "-i", "color=0x141414:s=64x64:r=10:d=0.5", "-vf",
           "scale=out_color_matrix=bt709:out_range=pc,format=yuvj420p", "-color_range", "pc",
           "-colorspace", "bt709", *X264[:4], "-crf", 5, source)  # fmt: skip
    result = quick(source, output)
    assert result.status == "done", result.error
    pixel = ("-frames:v", "1", "-vf", "scale=1:1,format=rgb24", "-f", "rawvideo")
    assert abs(decode(output, *pixel)[0] - decode(source, *pixel)[0]) < 4


def test_keeps_a_matrix_without_other_colours(tmp_path):
    source, output = tmp_path / "in.webm", tmp_path / "out.webm"
    ffmpeg(*BARS[:4], "-frames:v", 5, "-colorspace", "bt709", "-c:v", "libvpx-vp9", source)
    assert quick(source, output).status == "done"
    assert ffprobe(output)["streams"][0]["color_space"] == "bt709"


def test_prores_in_matroska_is_complete(tmp_path):
    ffmpeg(*BARS[:4], "-t", 0.5, "-c:v", "prores_ks", tmp_path / "in.mkv")
    result = quick(tmp_path / "in.mkv", tmp_path / "out.mkv", "transparent")
    assert (result.status, result.frames) == ("done", 15), result.error


@pytest.mark.parametrize(
    ("name", "options", "suffix", "codec"),
    [
        ("range.mp4", ("-pix_fmt", "yuv420p", *X264[:2]), ".avi", "mjpeg"),
        ("rgb.mkv", ("-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "gbrp"), ".mkv", "h264"),
    ],
)
def test_other_ranges_and_rgb_keep_their_brightness(tmp_path, name, options, suffix, codec):
    source, output = tmp_path / name, tmp_path / f"out{suffix}"
    ffmpeg("-f", "lavfi", "-i", "color=0x1e1e1e:s=64x64:r=10:d=0.3", *options, source)
    result = quick(source, output, codec=codec)
    assert result.status == "done", result.error
    pixel = ("-frames:v", "1", "-vf", "scale=1:1,format=rgb24", "-f", "rawvideo")
    assert all(abs(each - 0x1E) < 6 for each in decode(output, *pixel))


@pytest.mark.parametrize("suffix", [".mp4", ".avi"])
def test_sound_is_complete_at_low_sample_rates(clap, tmp_path, suffix):
    source, output = tmp_path / "in.mp4", tmp_path / f"out{suffix}"
    ffmpeg("-i", clap, "-c:v", "copy", "-c:a", "aac", "-ar", 8000, "-ac", 1, source)
    result = quick(source, output)
    assert result.status == "done", result.error
    samples = decode(output, "-map", "0:a", "-f", "s16le", "-ar", "8000", "-ac", "1")
    assert abs(len(samples) / 2 / 8000 - 1.4) < 0.05
    assert 1.1 < max(float(each["duration"]) for each in ffprobe(output)["streams"]) < 1.6


def test_matroska_files_state_the_end_of_late_sound(clap, tmp_path):
    source, output = tmp_path / "in.mkv", tmp_path / "out.mkv"
    ffmpeg("-i", clap, "-itsoffset", 1, "-i", clap, "-map", "0:v", "-map", "1:a", "-c", "copy",
           source)  # fmt: skip
    assert quick(source, output).status == "done"
    assert abs(float(ffprobe(output)["format"]["duration"]) - 2.4) < 0.1


def test_sound_with_more_channels_than_a_container_takes_is_reencoded(tmp_path):
    source = tmp_path / "in.mp4"
    ffmpeg(*BARS, "-t", 0.5, *X264, "-c:a", "aac", "-ac", 6, source)
    result = quick(source, tmp_path / "out.avi")
    assert result.status == "done", result.error
    assert any("was re-encoded" in each for each in result.notes), result.notes


def test_a_late_beginning_is_not_a_loss(tmp_path):
    source = tmp_path / "in.mkv"
    ffmpeg("-itsoffset", 10, "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=0.5", *X264, "-copyts",
           source)  # fmt: skip
    result = quick(source, tmp_path / "out.mkv")
    assert (result.status, result.notes) == ("done", []), result.error


def test_an_animated_gif_is_a_source(tmp_path):
    ffmpeg(*BARS[:4], "-t", 0.5, "-r", 10, tmp_path / "in.gif")
    result = quick(tmp_path / "in.gif", tmp_path / "out.mp4")
    assert (result.status, result.frames) == ("done", 5), result.error


def test_opus_in_mp4_begins_at_once(clap, tmp_path):
    # GStreamer 1.22 writes the number of samples to skip in the wrong order of bytes.
    assert quick(clap, tmp_path / "out.mp4").status == "done"
    assert ffprobe(tmp_path / "out.mp4")["streams"][1]["codec_name"] == "opus"
    samples = decode(tmp_path / "out.mp4", "-map", "0:a", "-f", "s16le")
    assert abs(len(samples) / 2 / 48000 - 1.4) < 0.05


@pytest.mark.parametrize(
    ("suffix", "codec", "bits"),
    [(".mkv", "av1", 60_000), (".webm", "vp9", 20_000_000), (".mkv", "h264", 60_000)],
)
def test_bit_rates_are_kept_without_losing_frames(tmp_path, suffix, codec, bits):
    source, output = tmp_path / "in.mp4", tmp_path / f"out{suffix}"
    ffmpeg(*BARS[:4], "-t", 1, *X264, source)
    result = quick(source, output, codec=codec, bitrate=bits)
    assert (result.status, result.frames) == ("done", 30), result.error
    assert shown(output) == 30
    # The first picture of such a short clip needs more.
    assert output.stat().st_size * 8 < 3 * bits
    assert bits < 1e6 or result.notes == []


def test_reports_an_encoder_that_ignores_the_bit_rate(tmp_path):
    ffmpeg(*BARS[:4], "-t", 1, *X264, tmp_path / "in.mp4")
    for codec, words in (("mjpeg", "instead of 0.02"), ("ffv1", "has no effect")):
        result = quick(tmp_path / "in.mp4", tmp_path / f"{codec}.mkv", codec=codec, bitrate=20_000)
        assert any(words in each for each in result.notes), result.notes


def test_a_still_source_gives_a_readable_picture(tmp_path):
    source, output = tmp_path / "in.mp4", tmp_path / "out.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=1:d=0.5", "-vf", "loop=-1:1,setpts=N/5/TB",
           "-r", 5, "-t", 8, *X264[:2], "-pix_fmt", "yuv420p", "-crf", 40, source)  # fmt: skip
    assert quick(source, output).status == "done"
    luma = decode(output, "-frames:v", "1", "-vf", "scale=40:24,format=gray", "-f", "rawvideo")
    assert max(luma) - min(luma) > 80


def test_a_wrong_frame_rate_in_the_header_does_not_starve_the_encoder(tmp_path):
    source, output = tmp_path / "in.ts", tmp_path / "out.ts"
    ffmpeg("-f", "lavfi", "-i", "color=white:s=160x120:r=30:d=1", *X264, "-enc_time_base:v",
           "1/1000", source)  # fmt: skip
    assert quick(source, output).status == "done"
    luma = decode(output, "-vf", "scale=1:1,format=gray", "-f", "rawvideo")
    assert min(luma) > 240


def test_frames_that_stay_cause_no_messages(tmp_path):
    """The demuxer sends GAP events for a picture that stays for a second."""
    source = tmp_path / "in.mkv"
    ffmpeg(*BARS[:4], "-frames:v", 20, "-vf", "setpts='if(eq(N,0),0,N+40)'", "-fps_mode", "vfr",
           *X264, source)  # fmt: skip
    result = run("convert", source, "-o", tmp_path / "out.mkv", "-q", "fast", "--json")
    assert (result.returncode, result.stderr.strip()) == (0, "")


@pytest.mark.parametrize("size", ["14x14", "8640x32"])
def test_names_the_possible_sizes(tmp_path, size):
    ffmpeg("-f", "lavfi", "-i", f"color=s={size}:r=10:d=0.2", "-c:v", "ffv1", tmp_path / "in.mkv")
    result = quick(tmp_path / "in.mkv", tmp_path / "out.mkv")
    assert result.exit_code == 4 and "16x16 to 8192x8192" in result.error


def test_a_slash_at_the_end_means_a_folder(talk, tmp_path):
    result = run("convert", talk, "-o", f"{tmp_path}/talks.2026/", "-q", "fast")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "talks.2026" / "talk.mp4").is_file()


def test_one_of_two_commands_with_the_same_output_wins(tmp_path):
    source, output = tmp_path / "in.mp4", tmp_path / "out.mp4"
    ffmpeg(*BARS[:4], "-t", 2, *X264, source)
    line = [sys.executable, "-m", "vbgfilter", "convert", source, "-o", output, "-q", "fast"]
    processes = []
    for _ in range(2):
        processes.append(subprocess.Popen(line, stderr=subprocess.PIPE, text=True))
        while not (tmp_path / "out.mp4.part").exists() and processes[0].poll() is None:
            time.sleep(0.02)
    errors = [each.communicate(timeout=60)[1] for each in processes]
    assert [each.returncode for each in processes] == [0, 1], errors
    assert "another process is writing this file" in errors[1]
    assert sorted(os.listdir(tmp_path)) == ["in.mp4", "out.mp4"]


def test_names_the_package_of_ffmpeg(talk, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = quick(talk, tmp_path / "out.mp4")
    assert (result.exit_code, "apt install ffmpeg" in result.error) == (3, True), result.error
