"""``vbgfilter app``: a window that controls the camera."""

import asyncio
import shutil
import subprocess
import webbrowser
from typing import Any

import click

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import service
from vbgfilter.commands.studio import run_server

# Browsers that show a page in a window without bars.
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "brave-browser", "microsoft-edge")
# The server ends this long after its last page, or after its start if no page is opened.
_LAST_SECONDS, _FIRST_SECONDS = 20, 120


def _open(address: str) -> None:
    browser = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if browser is None:
        webbrowser.open(address)
        return
    quiet = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    subprocess.Popen([browser, f"--app={address}"], start_new_session=True, **quiet)


async def _end_without_pages(studio: Any, stop: asyncio.Event) -> None:
    idle, limit = 0, _FIRST_SECONDS
    while idle < limit:
        await asyncio.sleep(1)
        idle, limit = (0, _LAST_SECONDS) if studio.pages else (idle + 1, limit)
    stop.set()


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Only print the address, as JSON.")
def command(as_json: bool) -> None:
    """Open a window that controls the camera, and start the camera if necessary.

    The camera goes on when the window is closed.
    """
    variables = service.session_variables()
    gstreamer.start()
    # This needs GStreamer.
    from vbgfilter.commands.app.session import AppSession
    from vbgfilter.commands.studio.server import Studio

    studio = Studio(
        "127.0.0.1", lambda page: AppSession(page, variables), 8, wants_token=True, index="app.html"
    )
    run_server(
        studio, as_json=as_json, open_page=None if as_json else _open, watch=_end_without_pages
    )
