"""A systemd user unit that starts the virtual camera at login."""

import os
import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence

_NAME = "vbgfilter-camera.service"
_UNIT = """[Unit]
Description=Camera that hides the room
After=pipewire.service

[Service]
WorkingDirectory={folder}
ExecStart={command}
{environment}Restart=on-failure
RestartSec=5
SuccessExitStatus=130

[Install]
WantedBy=default.target
"""
# Variables that a systemd unit does not inherit from the session.
_VARIABLES = ("GST_PLUGIN_PATH", "GST_PRESET_PATH", "PYTHONPATH", "VBGFILTER_RUNTIME_DIR")


def session_variables() -> dict[str, str]:
    """Returns the environment variables that locate the element.

    Call this before the element is registered: in a wheel, registration sets some of them to values
    that are only valid in this process.
    """
    return {name: os.environ[name] for name in _VARIABLES if name in os.environ}


def install(arguments: Sequence[str], variables: Mapping[str, str]) -> pathlib.Path:
    """Writes a unit that runs the command with these arguments, and enables it for logins.

    Returns the path of the unit.
    """
    base = os.environ.get("XDG_CONFIG_HOME") or pathlib.Path.home() / ".config"
    folder = pathlib.Path(base) / "systemd" / "user"
    wants = folder / "default.target.wants"
    wants.mkdir(parents=True, exist_ok=True)
    line = [sys.executable, "-m", "vbgfilter", "camera", *arguments]
    environment = "".join(
        f"Environment={_quote(f'{name}={value}')}\n" for name, value in variables.items()
    )
    unit = folder / _NAME
    # Escape $ only in the command: systemd expands variables there and nowhere else.
    command = " ".join(_quote(each).replace("$", "$$") for each in line)
    started_in = _escape(os.getcwd())
    unit.write_text(_UNIT.format(command=command, folder=started_in, environment=environment))
    link = wants / _NAME
    link.unlink(missing_ok=True)
    link.symlink_to(unit)
    return unit


def _escape(text: str) -> str:
    return text.replace("%", "%%")


def _quote(text: str) -> str:
    """Quotes a word for systemd, which also interprets % and backslashes."""
    return shlex.quote(_escape(text).replace("\\", "\\\\"))
