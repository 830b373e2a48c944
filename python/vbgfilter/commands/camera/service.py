"""The files of --install: the unit for the start at login, the menu entry, PipeWire's rule."""

import os
import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence

import vbgfilter

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
# The process that holds the camera ends when no program shows it any more.
KillMode=process

[Install]
WantedBy=default.target
"""
# Variables that a systemd unit does not inherit from the session.
VARIABLES = ("GST_PLUGIN_PATH", "GST_PRESET_PATH", "PYTHONPATH", "VBGFILTER_RUNTIME_DIR")
# Keeps programs from changing to another camera if this one is killed.
_RULE = """stream.rules = [ {
  matches = [ { media.type = "Video" media.category = "Capture" media.role = "Camera" } ]
  actions = { update-props = { node.dont-reconnect = true } }
} ]
"""
_DESKTOP = pathlib.Path(vbgfilter.__file__).parent / "desktop"
_FOLDERS = {"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share"}


def user_folder(variable: str) -> pathlib.Path:
    """Returns a folder of the user from its variable, or its default."""
    return pathlib.Path(os.environ.get(variable) or pathlib.Path.home() / _FOLDERS[variable])


def _link_path() -> pathlib.Path:
    return user_folder("XDG_CONFIG_HOME") / "systemd/user/default.target.wants" / _NAME


def is_enabled() -> bool:
    """Whether the camera starts at login."""
    return _link_path().exists()


def disable() -> None:
    """Stops the start at login. The unit stays."""
    _link_path().unlink(missing_ok=True)


def rule_path() -> pathlib.Path:
    """Returns the path of PipeWire's rule."""
    return user_folder("XDG_CONFIG_HOME") / "pipewire/client.conf.d/50-vbgfilter.conf"


def install_rule() -> None:
    """Writes PipeWire's rule. Programs read it when they start."""
    _write(rule_path(), _RULE)


def _write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def install_entry(variables: Mapping[str, str]) -> None:
    """Writes the entry of the application menu and its icon, unless Debian's package has them."""
    if vbgfilter.is_debian():
        return
    line = ["env", *(f"{name}={value}" for name, value in variables.items()), sys.executable]
    words = " ".join(_entry_quote(each) for each in [*line, "-m", "vbgfilter", "app"])
    entry = (_DESKTOP / "vbgfilter.desktop").read_text()
    data, icon = user_folder("XDG_DATA_HOME"), "vbgfilter.svg"
    _write(data / "applications/vbgfilter.desktop", entry.replace("vbgfilter app", words))
    _write(data / "icons/hicolor/scalable/apps" / icon, (_DESKTOP / icon).read_text())


def _entry_quote(word: str) -> str:
    """Quotes a word for the key Exec of a desktop entry."""
    for each in '\\"`$':
        word = word.replace(each, "\\" + each)
    # The values of all keys have escapes with backslashes, too.
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'


def session_variables() -> dict[str, str]:
    """Returns the environment variables that locate the element.

    Call this before the element is registered: in a wheel, registration sets some of them to values
    that are only valid in this process.
    """
    return {name: os.environ[name] for name in VARIABLES if name in os.environ}


def install(arguments: Sequence[str], variables: Mapping[str, str]) -> pathlib.Path:
    """Writes a unit that runs the command with these arguments, and enables it for logins.

    Returns the path of the unit.
    """
    link = _link_path()
    unit = link.parent.parent / _NAME
    line = [sys.executable, "-m", "vbgfilter", "camera", *arguments]
    environment = "".join(
        f"Environment={_quote(f'{name}={value}')}\n" for name, value in variables.items()
    )
    # Escape $ only in the command: systemd expands variables there and nowhere else.
    command = " ".join(_quote(each).replace("$", "$$") for each in line)
    started_in = _escape(os.getcwd())
    _write(unit, _UNIT.format(command=command, folder=started_in, environment=environment))
    link.parent.mkdir(exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(unit)
    return unit


def _escape(text: str) -> str:
    return text.replace("%", "%%")


def _quote(text: str) -> str:
    """Quotes a word for systemd, which also interprets % and backslashes."""
    return shlex.quote(_escape(text).replace("\\", "\\\\"))
