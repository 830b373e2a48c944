"""Fixtures of the studio's tests: servers, Chromium with a simulated camera, pages."""

import pathlib
import subprocess
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from vbgfilter.commands.studio import needs

# Check before the tests import modules that use GStreamer.
needs.check_installed()

from studio.support import CLIP, Server, Studio  # noqa: E402

CHROMIUM = "/usr/bin/chromium"


@pytest.fixture
def studio(tmp_path: pathlib.Path) -> Iterator[Callable[..., Server]]:
    """Starts servers on free ports. They end with the test."""
    servers: list[Server] = []

    def start(*arguments: str) -> Server:
        folder = tmp_path / f"temporary-{len(servers)}"
        folder.mkdir()
        server = Server(*arguments, folder=folder)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.kill()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium with a camera that shows the person of the sample clip."""
    camera = tmp_path_factory.mktemp("camera") / "person.mjpeg"
    subprocess.run(
        f"gst-launch-1.0 -q filesrc location={CLIP} ! decodebin ! videoconvert ! videoscale "
        f"! video/x-raw,width=640,height=360 ! jpegenc ! filesink location={camera}",
        shell=True, check=True,
    )  # fmt: skip
    options = [
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={camera}",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[str], Studio]]:
    """Opens pages, each in its own window. They close with the test."""
    contexts: list[BrowserContext] = []
    pages: list[Studio] = []

    def open_one(address: str) -> Studio:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        contexts.append(context)
        pages.append(Studio(context, address))
        return pages[-1]

    yield open_one
    errors = [error for page in pages for error in page.errors]
    for context in contexts:
        context.close()
    assert errors == []
