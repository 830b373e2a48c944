"""Uploaded files: accepted kinds, limits, and removal."""

import asyncio
import os
import pathlib
import stat
from collections.abc import AsyncIterator

import pytest
from studio.support import CLIP, ROOT

from vbgfilter.commands.studio import uploads

PICTURE = ROOT / ".deps" / "sample" / "astronaut.png"


@pytest.fixture(autouse=True)
def _started(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


async def pieces(data: bytes) -> AsyncIterator[bytes]:
    for begin in range(0, len(data), 1000):
        yield data[begin : begin + 1000]


def test_keeps_pictures_and_videos_until_the_end(tmp_path: pathlib.Path) -> None:
    files = uploads.Uploads()
    path = asyncio.run(files.add_background(pieces(PICTURE.read_bytes()), "a.png"))
    assert path.read_bytes() == PICTURE.read_bytes()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert files.path_of(path.name) == str(path)
    for wrong in ["x", "../" + path.name, "/etc/passwd", ""]:
        with pytest.raises(ValueError):
            files.path_of(wrong)
    video = asyncio.run(files.set_video(pieces(CLIP.read_bytes()), "person.mp4"))
    assert video.read_bytes() == CLIP.read_bytes()
    assert [each for each in tmp_path.rglob("*") if each.is_file()] == [path]
    before = len(os.listdir("/proc/self/fd"))
    asyncio.run(files.set_video(pieces(CLIP.read_bytes()), "again.mp4"))
    assert len(os.listdir("/proc/self/fd")) == before
    files.close()
    assert not list(tmp_path.iterdir())
    assert len(os.listdir("/proc/self/fd")) == before - 1


@pytest.mark.parametrize(
    ("data", "word"),
    [(b"", "unknown kind"), (b"some text\n" * 1000, "text/plain"), (b"\0" * 2000, "unknown kind"),
     (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>' + b" " * 200, "image/svg"),
     (PICTURE.read_bytes()[:100] + b"x" * (1 << 20), "larger than 1 MiB")],
)  # fmt: skip
def test_refuses_by_content_and_size(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, data: bytes, word: str
) -> None:
    monkeypatch.setattr(uploads, "BACKGROUND_BYTES", 1 << 20)
    files = uploads.Uploads()
    with pytest.raises(uploads.Refused, match=word):
        asyncio.run(files.add_background(pieces(data), "wall.png"))
    assert not files.names
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]
    with pytest.raises(uploads.Refused):
        asyncio.run(files.set_video(pieces(PICTURE.read_bytes()), "picture.mp4"))
    files.close()


def test_accepts_a_limited_number_of_files() -> None:
    files = uploads.Uploads()
    for _ in range(uploads.BACKGROUNDS):
        asyncio.run(files.add_background(pieces(PICTURE.read_bytes()), "a.png"))
    with pytest.raises(uploads.Refused, match="already"):
        asyncio.run(files.add_background(pieces(PICTURE.read_bytes()), "a.png"))
    files.close()


def test_an_upload_that_ends_after_its_page_leaves_no_file() -> None:
    files = uploads.Uploads()
    before = len(os.listdir("/proc/self/fd"))

    async def closing() -> AsyncIterator[bytes]:
        yield CLIP.read_bytes()
        files.close()

    with pytest.raises(uploads.Refused, match="closed"):
        asyncio.run(files.set_video(closing(), "person.mp4"))
    assert len(os.listdir("/proc/self/fd")) == before


def test_uploads_wait_for_each_other() -> None:
    files = uploads.Uploads()
    read: list[str] = []

    async def told(name: str) -> AsyncIterator[bytes]:
        for piece in (CLIP.read_bytes()[:1000], CLIP.read_bytes()[1000:]):
            read.append(name)
            await asyncio.sleep(0)
            yield piece

    async def both() -> None:
        await asyncio.gather(*(files.set_video(told(each), each) for each in "ab"))

    asyncio.run(both())
    assert read == ["a", "a", "b", "b"]
    files.close()


def test_names_have_no_folders_and_no_control_characters() -> None:
    assert uploads.shown_name("../../etc/pass\nwd\x1b") == "passwd"
    assert uploads.shown_name("C:\\x\\wall.png") == "wall.png"
    assert uploads.shown_name("") == "file"
