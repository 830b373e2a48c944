"""Starts the process that holds the camera (``holder.py``), or finds the one that runs."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from vbgfilter.commands.camera.link import Link, NotRunning
from vbgfilter.commands.camera.service import VARIABLES
from vbgfilter.commands.camera.sinks import Sink, choose_sink, open_window
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings


def make_config(
    device: str | None,
    settings: Settings,
    given: dict[str, Any],
    place: str,
    sink: Sink | None = None,
    size: tuple[int, int] = (1280, 720),
) -> dict[str, Any]:
    """Returns the configuration of a camera, by default with the first sink that is installed.

    ``place`` names the command that has started it, for the user.
    """
    settings.check(is_live=True)
    sink = open_window(sink or choose_sink(None, None))
    return {
        "device": device, "settings": asdict(settings), "given": given, "where": place,
        "sink": asdict(sink), "size": list(size),
    }  # fmt: skip


def own(config: dict[str, Any], variables: Mapping[str, str], keep: bool = False) -> Link:
    """Starts the camera, and returns a link that owns it: the camera ends with the link.

    If the camera of an ended command still runs, takes that one over. If ``keep`` is true, the
    camera goes on without the link. Raises Failure if the camera cannot be opened, or if the camera
    of another command runs. ``variables`` must come from ``session_variables``: later values are
    valid only in this process.
    """
    try:
        link = Link()
    except NotRunning:
        _launch(config, variables)
        link = Link()
    link.ask("own", config=config, keep=keep)
    return link


def _launch(config: dict[str, Any], variables: Mapping[str, str]) -> None:
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
    reply = json.loads(line or '{"error": "the process of the camera has ended"}')
    if "error" in reply:
        raise Failure(reply["error"], reply.get("exit-code", 1))
