"""Values that the command accepts, and the script of the Debian package."""


import pytest
from conftest import PERSON, ROOT, ffmpeg, run

from vbgfilter.commands import camera, gstreamer
from vbgfilter.commands.convert.options import parse_bitrate
from vbgfilter.commands.settings import background_properties


def test_help_needs_no_further_library():
    code = """import sys; sys.modules["fsspec"] = sys.modules["distributed"] = None
from vbgfilter.commands import main; main()"""
    told = run("batch", "--help", program=("-c", code))
    assert (told.returncode, "s3://bucket" in told.stdout) == (0, True), told.stderr
    told = run("batch", "a", "b", program=("-c", code))
    assert (told.returncode, "python3-fsspec" in told.stderr) == (3, True), told.stderr


def test_batch_works_from_the_debian_package(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    ffmpeg("-i", PERSON, "-frames:v", 5, "-vf", "scale=160:90", source / "a.mp4")
    options = ("batch", source, tmp_path / "out", "-q", "fast", "-w", 2)
    told = run(*options, program=(ROOT / "python/bin/vbgfilter",))
    assert told.returncode == 0, told.stderr
    assert (tmp_path / "out" / "a.mp4").stat().st_size > 0


@pytest.mark.parametrize("text", ["2m", "2M", "2000k", "2000K", "2000000"])
def test_bitrates(text):
    assert parse_bitrate(None, None, text) == 2_000_000


def test_sizes():
    assert camera.parse_size(None, None, "720p") == (1280, 720)
    assert camera.parse_size(None, None, "1080P") == (1920, 1080)
    assert camera.parse_size(None, None, "480p") == (854, 480)


def test_names_of_effects_in_capitals():
    assert background_properties("Blur") == {"effect": "blur"}


def test_backgrounds_of_every_kind(tmp_path):
    gstreamer.start()
    names = ["a.bmp", "b.tiff", "c.m4v", "d.jpg"]
    for name in names:
        ffmpeg("-i", PERSON, "-frames:v", 1, "-f", "mp4" if "m4v" in name else "image2",
               tmp_path / name)  # fmt: skip
    (tmp_path / "notes.jpg").write_text("no picture")
    assert camera._backgrounds(tmp_path) == [str(tmp_path / name) for name in names]
