"""The app's page in Chromium, other users, and hostile pages."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import aiohttp
import pytest
from camera.test_control import Command, status, wait_for
from conftest import PATIENCE, PICTURE
from playwright.sync_api import Page, sync_playwright

from vbgfilter.commands.camera import link

BLUE = "#0000ff"
# On a busy machine, the next browser may start after the app would have ended without a page.
_APP = (
    "from vbgfilter.commands import main; from vbgfilter.commands.studio import server; "
    f"server._LAST_SECONDS = {PATIENCE}; main(['app', '--json'])"
)


class App:
    """A running app, for a camera that sends a red room to no program."""

    def __init__(self) -> None:
        self.camera = Command("-b", BLUE)
        line = [sys.executable, "-c", _APP]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def close(self) -> None:
        for process in (self.process, self.camera.process):
            process.terminate()
            process.wait(30)
        wait_for(lambda: not status())


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        running = App()
        yield running
        running.close()


@pytest.fixture
def page(app: App) -> Iterator[Page]:
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(app.address)
        page.wait_for_selector("#connection.open")
        yield page
        browser.close()
    assert errors == []


def corner(page: Page) -> list[int]:
    """Returns red, green and blue of the upper left corner of the preview."""
    return page.evaluate(
        """async () => {
          const image = document.getElementById("picture");
          await image.decode().catch(() => {});
          const canvas = new OffscreenCanvas(640, 360).getContext("2d");
          canvas.drawImage(image, 0, 0);
          return [...canvas.getImageData(8, 8, 1, 1).data].slice(0, 3);
        }"""
    )


def is_blue(page: Page) -> bool:
    red, green, blue = corner(page)
    assert red < 60, "the room"
    return blue > 200 and green < 60


def test_keyboard_and_preview(page: Page) -> None:
    wait_for(lambda: is_blue(page))
    assert page.inner_text("#hidden") == "Room hidden"
    page.focus("#on")
    page.keyboard.press("Space")
    wait_for(lambda: status()["state"] == "off")
    wait_for(lambda: max(corner(page)) < 20)
    page.keyboard.press("Space")
    wait_for(lambda: is_blue(page))

    # From the switch, the camera's list and then the tiles follow.
    names = []
    while "Hills" not in names:
        page.keyboard.press("Tab")
        focused = "document.activeElement"
        names.append(page.evaluate(f"{focused}.ariaLabel ?? {focused}.textContent.trim()"))
        assert len(names) < 12, names
        assert page.evaluate(f"getComputedStyle({focused}).outlineStyle") != "none"
    page.keyboard.press("Enter")
    wait_for(lambda: status()["settings"].get("background-path", "").endswith("/hills.jpg"))
    page.wait_for_selector(".tile.file[aria-pressed=true]")
    page.click(".tile.lens")
    wait_for(lambda: status()["settings"].get("blur-shape") == "lens")
    page.select_option("#property-quality", "fast")
    page.wait_for_function("document.getElementById('property-quality').value === 'fast'")
    for each in page.query_selector_all("input:not([hidden]), select, button"):
        name = each.evaluate("e => e.ariaLabel || e.labels?.[0]?.textContent || e.textContent")
        assert name.strip(), each.evaluate("e => e.outerHTML")


def test_dropped_backgrounds_are_kept(app: App, page: Page) -> None:
    page.set_input_files("#background-input", PICTURE)
    page.wait_for_selector(f".tile[aria-label='{PICTURE.name}'][aria-pressed=true]")
    path = pathlib.Path(status()["settings"]["background-path"])
    assert path.read_bytes() == PICTURE.read_bytes()
    page.reload()
    tile = page.wait_for_selector(f".tile[aria-label='{PICTURE.name}'] img")
    page.wait_for_function("image => image.naturalWidth > 0", arg=tile)
    page.click(".tile.color")
    wait_for(lambda: status()["settings"]["effect"] == "color")


def test_starts_at_login(page: Page) -> None:
    link_ = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / (
        "systemd/user/default.target.wants/vbgfilter-camera.service"
    )
    page.check("#login")
    wait_for(link_.exists)
    page.uncheck("#login")
    wait_for(lambda: not link_.exists())


def test_writes_the_rule_of_pipewire(page: Page) -> None:
    page.click("text=Write the rule")
    rule = pathlib.Path(os.environ["XDG_CONFIG_HOME"], "pipewire/client.conf.d/50-vbgfilter.conf")
    wait_for(rule.exists)
    page.reload()
    page.wait_for_selector("#steps li")
    assert "PipeWire's rule" not in page.inner_text("#steps")


def test_page_fits_narrow_windows(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


async def _say(address: str, *messages: object) -> list[dict]:
    """Sends messages like a page, and returns the refusals."""
    base, _, token = address.partition("#token=")
    told = []
    async with aiohttp.ClientSession(headers={"Origin": base.rstrip("/")}) as session:
        async with session.ws_connect(
            base + "socket", protocols=["vbgfilter-studio", token]
        ) as socket:
            for message in messages:
                await socket.send_json(message)
            with contextlib.suppress(TimeoutError):
                while len(told) < len(messages):
                    reply = await socket.receive(10)
                    if reply.type == aiohttp.WSMsgType.TEXT:
                        told.append(json.loads(reply.data))
                        told = [each for each in told if each["type"] == "refused"]
    return told


def test_hostile_messages_change_nothing(app: App) -> None:
    import asyncio

    before = status()
    messages = [
        {"type": "set", "name": "active", "value": False},
        {"type": "set", "name": "effect", "value": "none"},
        {"type": "set", "name": "blur-radius", "value": 0},
        {"type": "set", "name": "background-path", "value": "/etc/passwd"},
        {"type": "set", "name": "quality"},
        {"type": "camera", "name": "v4l2src ! tee ! pipewiresink"},
        {"type": "background", "background": "../../../../etc/passwd"},
        {"type": "background", "background": ["blur"]},
        {"type": "own"}, {"type": "_ask", "what": "quit"}, {}, [], 7, {"type": "look", "x": 1},
    ]  # fmt: skip
    assert len(asyncio.run(_say(app.address, *messages))) == len(messages)
    after = status()
    assert (after["settings"], after["device"]) == (before["settings"], before["device"])


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to act as another user")
def test_other_users_are_refused(app: App, tmp_path: pathlib.Path) -> None:
    """They know the address with its token, for example from the browser's command line."""
    base, _, token = app.address.partition("#token=")
    code = f"""
import http.client, re, socket, sys
host = {re.sub("http://|/", "", base)!r}
for path, headers in (("/", {{}}), ("/socket", {{
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Origin": "http://" + host,
        "Sec-WebSocket-Protocol": "vbgfilter-studio, {token}"}})):
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request("GET", path, headers=headers)
    print(connection.getresponse().status)
try:
    socket.socket(socket.AF_UNIX).connect({str(link.socket_path())!r})
except PermissionError:
    print("no socket")
"""
    own = [sys.executable, "-c", code]
    told = subprocess.run(own, capture_output=True, text=True)
    assert told.stdout.split() == ["200", "101"], told.stderr
    other = ["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", code]
    told = subprocess.run(other, capture_output=True, text=True, cwd="/")
    assert told.stdout.split("\n")[:3] == ["403", "403", "no socket"], told.stderr
