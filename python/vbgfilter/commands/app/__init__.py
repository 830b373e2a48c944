"""``vbgfilter app``: a window that controls the camera."""

import shutil
import subprocess
import webbrowser

import click

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import service
from vbgfilter.commands.studio import run_server

# Browsers that show a page in a window without bars.
_CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "brave-browser", "microsoft-edge")


def _open(address: str) -> None:
    browser = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if browser is None:
        webbrowser.open(address)
        return
    nowhere = subprocess.DEVNULL
    line = [browser, f"--app={address}"]
    subprocess.Popen(line, start_new_session=True, stdin=nowhere, stdout=nowhere, stderr=nowhere)


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

    studio = Studio("127.0.0.1", lambda page: AppSession(page, variables), 8, is_app=True)
    run_server(studio, as_json=as_json, open_page=None if as_json else _open)
