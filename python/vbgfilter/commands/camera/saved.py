"""The choices made while the camera runs, for its next start: ``camera.json`` by the presets."""

import json
import pathlib
from typing import Any

import click

from vbgfilter.commands.camera.presets import default_file
from vbgfilter.commands.names import part_of
from vbgfilter.commands.settings import Settings


def read_choices(
    device: str | None, settings: Settings
) -> tuple[str | None, Settings, dict[str, Any]]:
    """Returns the device and the settings for the options, and the options for ``save``.

    Saved choices win over the options of the start at which they were made, for example the options
    of the unit that starts the camera at login. They lose against other options.
    """
    given = {"device": device, "preset": settings.preset, "properties": settings.properties}
    try:
        saved = json.loads(default_file().with_name("camera.json").read_bytes())
        chosen = {str(name): str(value) for name, value in saved["properties"].items()}
        path = chosen.get("background-path", "")
        if path.startswith("/") and not pathlib.Path(path).exists():
            chosen |= {"effect": "blur", "background-path": ""}
        Settings(chosen).check(is_live=True)
        if saved["given"] == given:
            return saved["device"], Settings(chosen), given
        device = device or saved["device"]
    # The file is absent or damaged, or of another version of the element.
    except (OSError, ValueError, KeyError, TypeError, AttributeError, click.UsageError):
        return device, settings, given
    return device, settings if settings.preset else Settings(chosen | settings.properties), given


def save(given: dict[str, Any], device: str | None, properties: dict[str, str]) -> None:
    """Saves the choices. Only this user can read them."""
    file = default_file().with_name("camera.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = part_of(file)
    part.touch(mode=0o600)
    part.write_text(json.dumps({"given": given, "device": device, "properties": properties}))
    part.replace(file)
