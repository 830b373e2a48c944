"""Folders and buckets: their clips, and the transfer of files to and from them."""

import os
import pathlib
from dataclasses import dataclass
from typing import Any

from vbgfilter.commands.convert.formats import is_video_name
from vbgfilter.commands.errors import NOT_INSTALLED, USAGE, Failure
from vbgfilter.commands.names import part_of

# The folder in the target for the record of each clip and the clip list of an array job.
NOTES = ".vbgfilter"


@dataclass(frozen=True)
class Clip:
    """A video in a place. ``version`` changes when the file is rewritten."""

    name: str  # relative to the place, with slashes
    size: int  # bytes
    version: str


class Place:
    """A folder, or an address that fsspec supports (s3://bucket/folder).

    The initializer raises Failure if the address is invalid. All methods raise OSError if the
    place cannot be reached.
    """

    def __init__(self, address: str) -> None:
        if address.startswith(("http://", "https://")):
            text = "is neither a folder nor a bucket: use a folder, or s3://bucket/folder"
            raise Failure(f"{address}: {text}", USAGE)
        # Import it late, so that --help works without it.
        import fsspec
        from fsspec.implementations.local import LocalFileSystem

        try:
            self._files, root = fsspec.core.url_to_fs(address)
        except ImportError as error:  # fsspec names the package for the address
            raise Failure(f"{address}: {error}", NOT_INSTALLED) from error
        except ValueError as error:
            text = f"{error}: use a folder, or s3://bucket/folder"
            raise Failure(f"{address}: {text}", USAGE) from error
        self.is_local = isinstance(self._files, LocalFileSystem)
        # Workers may run in other folders, so make the path absolute. Resolve links, so that
        # ``contains`` compares real paths.
        self._root = os.path.realpath(root) if self.is_local else root.rstrip("/")
        self.address = self._root if self.is_local else address

    def path(self, name: str) -> pathlib.Path:
        """Returns the path of a file in a local place."""
        return pathlib.Path(self.full(name))

    def contains(self, other: "Place") -> bool:
        """Whether another place is the same as this one or inside it."""
        same = self._files == other._files
        return same and f"{other._root}/".startswith(f"{self._root}/")

    def videos(self) -> dict[str, Clip]:
        """Returns all videos by name, or an empty dictionary if the place does not exist yet."""
        self._files.invalidate_cache()
        found = {}
        for path, info in self._files.find(self._root, detail=True).items():
            name = path.removeprefix(self._root).lstrip("/")
            if is_video_name(pathlib.PurePosixPath(name)):
                found[name] = _clip(name, info)
        return found

    def look_up(self, name: str) -> Clip | None:
        """Returns the clip with this name, or None if it does not exist."""
        self._files.invalidate_cache()
        try:
            return _clip(name, self._files.info(self.full(name)))
        except FileNotFoundError:
            return None

    def remove(self, name: str) -> None:
        """Removes a file."""
        self._files.rm_file(self.full(name))

    def fetch(self, name: str, target: pathlib.Path) -> None:
        """Copies a file of the place to a path on this machine."""
        target.parent.mkdir(parents=True, exist_ok=True)
        self._files.get_file(self.full(name), str(target))

    def store(self, name: str, source: pathlib.Path) -> None:
        """Stores a file of this machine in the place. It appears there only when it is complete.

        If the place is local, the file is moved. Otherwise it is uploaded and stays.
        """
        if not self.is_local:
            self._files.put_file(str(source), self.full(name))
            return
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        source.replace(path)

    def write(self, name: str, data: bytes) -> None:
        """Writes a small file, which appears only when it is complete."""
        if not self.is_local:
            self._files.pipe_file(self.full(name), data)
            return
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = part_of(path)
        part.write_bytes(data)
        part.replace(path)

    def read(self, name: str) -> bytes:
        """Reads a small file. Raises FileNotFoundError if it does not exist."""
        return self._files.cat_file(self.full(name))

    def read_all(self, folder: str, suffix: str) -> list[bytes]:
        """Reads all small files with a suffix below a folder, concurrently if possible."""
        self._files.invalidate_cache()
        paths = [each for each in self._files.find(self.full(folder)) if each.endswith(suffix)]
        return list(self._files.cat(paths).values()) if paths else []

    def full(self, name: str) -> str:
        """Returns the address of a file, without the scheme."""
        return f"{self._root}/{name}"


def _clip(name: str, info: dict[str, Any]) -> Clip:
    version = info.get("ETag") or info.get("mtime") or info.get("LastModified") or ""
    return Clip(name, info["size"], str(version))
