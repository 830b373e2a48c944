"""Starts the process that holds the camera (``holder.py``), or finds the one that runs."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from vbgfilter.commands.camera.link import Link, NotRunning, ask
from vbgfilter.commands.camera.service import VARIABLES
from vbgfilter.commands.camera.sinks import Sink, choose_sink, open_window
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings


def where() -> str:
    """Returns the place of this command, for the user."""
    place = f"in process {os.getpid()}"
    if "INVOCATION_ID" in os.environ and not sys.stdin.isatty():
        return f"{place}, started by systemd"
    return f"{place} of {os.ttyname(0)}" if sys.stdin.isatty() else place


def make_config(
    device: str | None,
    settings: Settings,
    given: dict[str, Any],
    place: str,
    sink: Sink | None = None,
    size: tuple[int, int] = (1280, 720),
    backgrounds: Sequence[str] = (),
) -> dict[str, Any]:
    """Returns the configuration of a camera, by default with the first sink that is installed."""
    settings.check(is_live=True)
    return {
        "device": device, "settings": asdict(settings), "given": given, "where": place,
        "sink": asdict(open_window(sink or choose_sink(None, None))), "size": list(size),
        "backgrounds": list(backgrounds),
    }  # fmt: skip


def launch(config: dict[str, Any], variables: Mapping[str, str]) -> None:
    """Starts the camera, so that it runs until it is ended. Raises Failure if it cannot be opened.

    ``variables`` must come from ``session_variables``: later values are valid only in this process.
    """
    others = {name: each for name, each in os.environ.items() if name not in VARIABLES}
    # A new session, because the end of the terminal must not end the camera.
    process = subprocess.Popen(
        [sys.executable, "-m", f"{__package__}.holder"], start_new_session=True, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=others | variables,
    )  # fmt: skip
    with process.stdin, process.stdout:
        json.dump(config, process.stdin)
        process.stdin.close()
        line = process.stdout.readline()
    reply = json.loads(line) if line else {"error": "the camera's process ended", "exit-code": 1}
    if "error" in reply:
        raise Failure(reply["error"], reply["exit-code"])
    if "busy" in reply:
        # Take over the camera of a command that has ended.
        ask("own", config=config, keep=True)


def own(config: dict[str, Any], variables: Mapping[str, str]) -> Link:
    """Starts the camera, and returns a link that owns it: the camera ends with the link.

    If the camera of an ended command still runs, takes that one over. Raises Failure if the camera
    of another command runs.
    """
    try:
        link = Link()
    except NotRunning:
        launch(config, variables)
        link = Link()
    link.ask("own", config=config)
    return link
