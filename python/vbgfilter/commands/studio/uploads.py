"""Stores uploaded files, after checks of their type and size."""

import asyncio
import os
import pathlib
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator
from typing import IO

from vbgfilter.commands.gstreamer import HEAD_BYTES, kind_of

PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp"})
VIDEOS = frozenset(
    {
        "video/quicktime", "video/webm", "video/x-matroska", "video/x-msvideo", "video/mpegts",
        "video/mpeg", "application/x-3gp", "application/ogg", "video/ogg",
        "video/x-flv", "video/x-ms-asf",
    }
)  # fmt: skip
# The maximum size of a background. The element accepts up to 134 million pixels, and a JPEG of
# that many is smaller.
BACKGROUND_BYTES = 64 << 20
# The maximum size of a video, about half an hour of 1080p from a camera.
VIDEO_BYTES = 2 << 30
# The maximum number of backgrounds per page.
BACKGROUNDS = 12


class Refused(Exception):
    """An upload was rejected. The text is the reason, for the user."""


def shown_name(name: str) -> str:
    """Returns a user's file name without folders and unprintable characters, or "file"."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return "".join(each for each in base if each.isprintable())[:200] or "file"


def _size(count: int) -> str:
    return f"{count >> 30} GiB" if count >= 1 << 30 else f"{count >> 20} MiB"


async def _receive(
    chunks: AsyncIterator[bytes], file: IO[bytes], name: str, kinds: frozenset[str], limit: int
) -> None:
    """Writes chunks into a file.

    Raises Refused as soon as the file exceeds the limit, or when its type turns out to be wrong.
    """
    head, count = b"", 0
    known = False
    async for chunk in chunks:
        count += len(chunk)
        if count > limit:
            raise Refused(f"{name} is larger than {_size(limit)}.")
        file.write(chunk)
        if not known:
            head += chunk
            if known := len(head) >= HEAD_BYTES:
                _check_kind(head, name, kinds)
    if not known:
        _check_kind(head, name, kinds)
    file.flush()


def _check_kind(head: bytes, name: str, kinds: frozenset[str]) -> None:
    kind = kind_of(head)
    if kind not in kinds:
        wanted = "a video"
        if PICTURES <= kinds:
            wanted = "a picture (PNG, JPEG, WebP, GIF, BMP) or a video"
        raise Refused(f"{name} is {kind or 'of an unknown kind'}; use {wanted}.")


class Uploads:
    """The uploaded files of one page. ``close`` removes all of them.

    ``folder`` is a folder that only this user can read, by default a temporary one.
    """

    def __init__(self, folder: pathlib.Path | None = None, limit: int = BACKGROUNDS) -> None:
        self._folder = folder or pathlib.Path(tempfile.mkdtemp(prefix="vbgfilter-studio-"))
        self._limit = limit
        self._video: IO[bytes] | None = None
        self._is_closed = False
        self._turn = asyncio.Lock()  # one upload at a time, to limit the disk space
        self.names: dict[str, str] = {}  # the user's file names of backgrounds, by path

    async def add_background(self, chunks: AsyncIterator[bytes], name: str) -> pathlib.Path:
        """Stores a background under a random name and returns its path."""
        if len(self.names) >= self._limit:
            text = (
                f"There are already {self._limit} backgrounds: reload the studio's page, or remove "
            )
            raise Refused(f"{text}files from the folder of the app.")
        path = self._new_path(name)
        self.names[str(path)] = name
        try:
            async with self._turn:
                with path.open("xb") as file:
                    await _receive(chunks, file, name, PICTURES | VIDEOS, BACKGROUND_BYTES)
        except BaseException:
            del self.names[str(path)]
            path.unlink(missing_ok=True)
            raise
        return path

    def _new_path(self, _name: str) -> pathlib.Path:
        return self._folder / secrets.token_hex(16)

    def path_of(self, identifier: str) -> str:
        """Returns the path of a background. Raises ValueError if there is no such background."""
        path = str(self._folder / identifier)
        if path not in self.names:
            raise ValueError("this page has no such background")
        return path

    async def set_video(self, chunks: AsyncIterator[bytes], name: str) -> pathlib.Path:
        """Stores a video in place of the previous one, and returns its path.

        The file has no name in any folder, so other users cannot open it, and it disappears when
        it is closed. The path refers to this process's descriptor.
        """
        async with self._turn:
            file = tempfile.TemporaryFile(prefix="vbgfilter-studio-")
            try:
                await _receive(chunks, file, name, VIDEOS, VIDEO_BYTES)
                if self._is_closed:
                    raise Refused("The page is closed.")
            except BaseException:
                file.close()
                raise
            if self._video is not None:
                self._video.close()
            self._video = file
        return pathlib.Path(f"/proc/{os.getpid()}/fd/{file.fileno()}")

    def close(self) -> None:
        """Removes all files. An upload that is still running fails."""
        self._is_closed = True
        if self._video is not None:
            self._video.close()
            self._video = None
        shutil.rmtree(self._folder, ignore_errors=True)
        self.names.clear()
