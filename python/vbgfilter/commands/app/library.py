"""The backgrounds of the app: bundled pictures, and files that the user dropped onto the page."""

import os
import pathlib
import secrets
from typing import Any

import vbgfilter
from vbgfilter.commands.names import with_ending
from vbgfilter.commands.studio.uploads import Uploads

_BUNDLED = pathlib.Path(vbgfilter.__file__).parent / "backgrounds"
_MAX_FILES = 60


class Library(Uploads):
    """The files, by identifiers that contain no folder. Kept files stay when a page is closed."""

    def __init__(self) -> None:
        base = os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share"
        folder = pathlib.Path(base) / "vbgfilter" / "backgrounds"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(folder, _MAX_FILES)
        kept = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
        self.names = {str(each): each.name.partition("~")[2] or each.name for each in kept}
        self._bundled = {each.name: each for each in sorted(_BUNDLED.glob("*.jpg"))}

    def _new_path(self, name: str) -> pathlib.Path:
        return self._folder / with_ending(f"{secrets.token_hex(4)}~{name}", "")

    def list(self) -> list[dict[str, Any]]:
        """Returns the identifiers and the names for the user."""
        bundled = [
            {"id": each, "name": each.partition(".")[0].capitalize()} for each in self._bundled
        ]
        return bundled + [
            {"id": pathlib.Path(path).name, "name": name} for path, name in self.names.items()
        ]

    def path_of(self, identifier: str) -> str:
        """Returns the path of a background. Raises ValueError if there is no such background."""
        bundled = self._bundled.get(identifier)
        return str(bundled) if bundled else super().path_of(identifier)

    def identifier_of(self, path: str | None) -> str | None:
        """Returns the identifier of a path, or None if it is not in the library."""
        name = pathlib.Path(path or "").name
        return (
            name if path and (path in self.names or str(self._bundled.get(name)) == path) else None
        )

    def close(self) -> None:
        """Does nothing: the files are kept."""
