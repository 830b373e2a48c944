"""The backgrounds of the app: bundled pictures, and files that the user dropped onto the page."""

import pathlib
import secrets

import vbgfilter
from vbgfilter.commands.camera.service import user_folder
from vbgfilter.commands.names import with_ending
from vbgfilter.commands.studio.uploads import Uploads

_BUNDLED = pathlib.Path(vbgfilter.__file__).parent / "backgrounds"
_MAX_FILES = 60


class Library(Uploads):
    """The files, by identifiers that contain no folder. Kept files stay when a page is closed."""

    def __init__(self) -> None:
        folder = user_folder("XDG_DATA_HOME") / "vbgfilter/backgrounds"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(folder, _MAX_FILES)
        kept = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)
        self.names = {str(each): each.name.partition("~")[2] or each.name for each in kept}
        self._bundled = {each.name: str(each) for each in sorted(_BUNDLED.glob("*.jpg"))}

    def _new_path(self, name: str) -> pathlib.Path:
        return self._folder / with_ending(f"{secrets.token_hex(4)}~{name}", "")

    def list(self) -> list[dict[str, str]]:
        """Returns the identifiers and the names for the user."""
        bundled = {name: name.removesuffix(".jpg").capitalize() for name in self._bundled}
        kept = {pathlib.Path(path).name: name for path, name in self.names.items()}
        return [{"id": each, "name": name} for each, name in (bundled | kept).items()]

    def path_of(self, identifier: str) -> str:
        """Returns the path of a background. Raises ValueError if there is no such background."""
        return self._bundled.get(identifier) or super().path_of(identifier)

    def identifier_of(self, path: str | None) -> str | None:
        """Returns the identifier of a path, or None if it is not in the library."""
        is_known = path in (*self.names, *self._bundled.values())
        return pathlib.Path(path).name if is_known else None

    def close(self) -> None:
        """Does nothing: the files are kept."""
