"""Kinds of decoded video: interlaced 4:2:2, 10 bits, odd sizes, HDR."""

import pathlib
import subprocess

import pytest
from conftest import ffmpeg, ffprobe, quick

H265 = ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none")


def brightness(path: pathlib.Path) -> int:
    """Returns the mean luma of the first frame, from 0 to 255."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf",
               "extractplanes=y,scale=1:1:flags=area,format=gray", "-f", "rawvideo",
               "-"]  # fmt: skip
    return subprocess.check_output(command)[0]


@pytest.mark.parametrize(
    "options",
    [
        ("-vf", "tinterlace=4,fieldorder=tff,format=yuv422p", "-flags", "+ildct+ilme"),
        ("-pix_fmt", "yuv420p10le", *H265),
        ("-vf", "scale=161:91,format=yuv444p"),
    ],
)
def test_converts_interlaced_10_bit_and_odd_sized_video(talk, tmp_path, options):
    source, output = tmp_path / "in.mp4", tmp_path / "out.mp4"
    ffmpeg("-i", talk, "-map", "0:v", "-t", 0.5, *options, source)
    result = quick(source, output)
    assert result.status == "done", result.error
    sizes = [
        (each["streams"][0]["width"], each["streams"][0]["height"])
        for each in (ffprobe(source), ffprobe(output))
    ]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(("transfer", "status"), [(18, "done"), (16, "failed")])
def test_hdr(talk, tmp_path, transfer, status):
    source, output = tmp_path / "in.mp4", tmp_path / "out.mp4"
    ffmpeg("-i", talk, "-map", "0:v", "-t", 0.5, "-pix_fmt", "yuv420p10le", *H265,
           "-bsf:v", "hevc_metadata=colour_primaries=9:matrix_coefficients=9:"
           f"transfer_characteristics={transfer}", source)  # fmt: skip
    result = quick(source, output)
    assert result.status == status, result.error
    if status == "failed":
        assert result.exit_code == 4 and "PQ" in result.error
        return
    assert result.notes == ["the HDR colours were converted to standard range"]
    assert ffprobe(output)["streams"][0]["color_transfer"] == "bt709"
    assert abs(brightness(output) - brightness(source)) < 25
