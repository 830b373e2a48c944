"""The examples on a photo from a camera that was held sideways."""

from conftest import ROOT, ffmpeg, ffprobe, run_program

# An Exif segment with orientation 6: turn clockwise by 90 degrees.
EXIF = (
    b"\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08"
    b"\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
)


def test_makes_an_upright_sticker(tmp_path):
    photo, sticker = tmp_path / "photo.jpg", tmp_path / "sticker.png"
    sample = ROOT / ".deps" / "sample" / "astronaut.png"
    ffmpeg("-i", sample, "-vf", "scale=96:128,transpose=2", photo)
    stored = photo.read_bytes()
    photo.write_bytes(stored[:2] + EXIF + stored[2:])
    example = ROOT / "gst-examples" / "sticker.sh"
    done = run_program([example, photo, sticker, "quality=fast"])
    assert done.returncode == 0, done.stderr
    stream = ffprobe(sticker)["streams"][0]
    assert (stream["width"], stream["height"]) == (96, 128)
