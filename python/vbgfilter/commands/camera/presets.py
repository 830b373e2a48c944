"""Presets for the camera: a TOML file with one table per preset."""

import pathlib
import tomllib
from typing import Any

from vbgfilter.commands.camera.service import user_folder
from vbgfilter.commands.errors import UNREADABLE, USAGE, Failure
from vbgfilter.commands.settings import Settings, make_settings

_KEYS = ("background", "quality", "keep", "preset", "set")


def default_file() -> pathlib.Path:
    """Returns the default path of the presets' file."""
    return user_folder("XDG_CONFIG_HOME") / "vbgfilter/presets.toml"


def read_presets(file: pathlib.Path) -> dict[str, dict[str, Any]]:
    """Returns the presets of a file by name, or an empty dictionary if there is no file.

    Raises Failure with UNREADABLE if the file is not TOML, and with USAGE if a preset is invalid.
    """
    if not file.exists():
        return {}
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"{file}: {error.strerror}", UNREADABLE) from error
    except UnicodeDecodeError as error:
        raise Failure(f"{file}: is not UTF-8 text: save it as UTF-8", UNREADABLE) from error
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{file}: is not valid TOML: {error}", UNREADABLE) from error
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise Failure(f"{file}: {name} must be in a table such as [home]", USAGE)
        unknown = ", ".join(sorted(set(table) - set(_KEYS)))
        if unknown:
            known = ", ".join(_KEYS)
            raise Failure(f"{file}: [{name}] has unknown keys: {unknown}; known: {known}", USAGE)
        for key, value in table.items():
            if not isinstance(value, dict if key == "set" else str):
                kind = "a table" if key == "set" else "a quoted text"
                raise Failure(f"{file}: [{name}]: {key} must be {kind}, not {value}", USAGE)
    return tables


def with_preset(settings: Settings, tables: dict[str, dict[str, Any]]) -> Settings:
    """Returns the settings, with missing values from the preset that they name.

    If the file has no preset with this name, returns the settings unchanged: the name may be that
    of a preset of the element.
    """
    table = tables.get(settings.preset or "")
    if table is None:
        return settings
    assignments = [f"{key}={_text(value)}" for key, value in table.get("set", {}).items()]
    below = make_settings(
        background=table.get("background"),
        quality=table.get("quality"),
        keep=table.get("keep"),
        preset=table.get("preset"),
        assignments=assignments,
    )
    return Settings(below.properties | settings.properties, below.preset)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
