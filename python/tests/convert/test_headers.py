"""Headers of sound and subtitles bypass the element: pictures in them must not reach the result."""

import pathlib
import struct
import subprocess

import pytest
from conftest import ffmpeg, ffprobe, quick

from vbgfilter.commands import gstreamer
from vbgfilter.commands.convert.headers import plain_caps

# Long binary data in place of a picture.
SECRET = b"\xff\xd8\xff\xe0" + bytes(range(1, 256)) * 20
MARK = SECRET[:64]
MARK_AS_TEXT = MARK.decode("latin-1")[4:40].encode()
ASS = """[Script Info]
; note {mark}
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Graphics]
filename: room.jpg
{mark}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.10,0:00:00.80,Default,,0,0,0,,Hello
"""


def block(kind: int, data: bytes) -> bytes:
    """Returns a metadata block of a FLAC file."""
    return bytes([kind]) + len(data).to_bytes(3, "big") + data


def flac(folder: pathlib.Path, talk: pathlib.Path) -> pathlib.Path:
    """Makes a Matroska file with FLAC sound, into which GStreamer copies the FLAC metadata."""
    ffmpeg("-i", talk, "-vn", folder / "plain.flac")
    data = (folder / "plain.flac").read_bytes()
    picture = struct.pack(">II10sI16xI", 3, 10, b"image/jpeg", 0, len(SECRET)) + SECRET
    blocks = block(2, b"room" + SECRET) + block(1, SECRET) + block(6, picture)
    first = bytes([data[4] & 0x7F]) + data[5:42]
    (folder / "secret.flac").write_bytes(b"fLaC" + first + blocks + data[42:])
    line = f"matroskamux name=m ! filesink location={folder}/in.mkv filesrc location={talk} "
    line += f"! qtdemux ! h264parse ! m. filesrc location={folder}/secret.flac ! flacparse ! m."
    subprocess.run(["gst-launch-1.0", "-q", *line.split()], check=True)
    assert MARK in (folder / "in.mkv").read_bytes()
    return folder / "in.mkv"


def ogg(folder: pathlib.Path, talk: pathlib.Path, codec: str) -> pathlib.Path:
    """Makes an Ogg file with a long comment."""
    text = MARK.decode("latin-1") * 300
    ffmpeg("-i", talk, "-map", "0:v", "-map", "0:a", "-map_chapters", -1, "-c:v", "libtheora",
           "-c:a", codec, "-metadata:s:a", f"comment={text}", folder / "in.ogv")  # fmt: skip
    assert (folder / "in.ogv").read_bytes().count(MARK_AS_TEXT) > 100
    return folder / "in.ogv"


SOUNDS = {
    "flac": flac,
    "vorbis": lambda folder, talk: ogg(folder, talk, "libvorbis"),
    "opus": lambda folder, talk: ogg(folder, talk, "libopus"),
}


@pytest.mark.parametrize("codec", list(SOUNDS))
def test_headers_of_sound_carry_no_pictures(talk, tmp_path, codec):
    result = quick(SOUNDS[codec](tmp_path, talk), tmp_path / "out.mkv")
    assert result.status == "done", result.error
    assert not any("sound" in each for each in result.notes), result.notes
    data = (tmp_path / "out.mkv").read_bytes()
    assert not any(each in data for each in (MARK, MARK_AS_TEXT))
    sound = next(e for e in ffprobe(tmp_path / "out.mkv")["streams"] if e["codec_type"] == "audio")
    assert sound["codec_name"] == codec
    ffmpeg("-xerror", "-i", tmp_path / "out.mkv", "-vn", "-f", "null", "-")


@pytest.mark.parametrize(
    "caps",
    [
        f"audio/mpeg, codec_data=(buffer)1188{SECRET.hex()}",
        f"audio/x-alac, codec_data=(buffer){SECRET.hex()}",
        f"audio/x-vorbis, streamheader=(buffer)< 01, 02, {SECRET.hex()} >",
        f"audio/x-vorbis, streamheader=(buffer)< {SECRET.hex()}, 02, 03 >",
    ],
)
def test_sound_is_reencoded_if_the_decoder_needs_the_whole_header(caps):
    assert plain_caps(gstreamer.start().Caps.from_string(caps)) is None


def test_headers_of_subtitles_carry_no_pictures(talk, tmp_path):
    mark = "M+3%" * 40
    (tmp_path / "in.ass").write_text(ASS.format(mark=mark))
    ffmpeg("-i", talk, "-i", tmp_path / "in.ass", "-map", "0:v", "-map", 1, "-c", "copy",
           tmp_path / "in.mkv")  # fmt: skip
    assert mark.encode() in (tmp_path / "in.mkv").read_bytes()
    result = quick(tmp_path / "in.mkv", tmp_path / "out.mkv")
    assert (result.status, result.notes) == ("done", []), result.error
    data = (tmp_path / "out.mkv").read_bytes()
    assert mark.encode() not in data
    assert b"Hello" in data
