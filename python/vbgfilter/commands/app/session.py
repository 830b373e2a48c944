"""The session of one page of the app: it passes the page's wishes on to the running camera."""

import asyncio
import base64
import contextlib
import json
import secrets
from collections.abc import Mapping
from typing import Any

import click
from aiohttp import WSMsgType, web

from vbgfilter.commands.app.library import Library
from vbgfilter.commands.camera import link, saved, service, start
from vbgfilter.commands.camera.devices import find_cameras
from vbgfilter.commands.doctor.installed import check_camera
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings

_REPORT_SECONDS = 0.5
# Properties that the page sets otherwise, or that are only for pipelines.
_HIDDEN = (
    "active",
    "effect",
    "background-path",
    "attach-matte",
    "stats-interval",
    "input-orientation",
)
_OPTIONS = ["--quality", "auto"]


class AppSession:
    """A page of the app. Not thread-safe: use it only on the event loop's thread."""

    def __init__(self, socket: web.WebSocketResponse, variables: Mapping[str, str]) -> None:
        self.identifier = secrets.token_urlsafe(24)
        self.uploads = Library()
        self._socket = socket
        self._variables = variables
        self._told: dict[str, Any] = {}
        self._cameras: list[str] = []

    async def run(self) -> None:
        """Serves the page until it disconnects."""
        await self._start()
        reporter = asyncio.create_task(self._report())
        try:
            async for message in self._socket:
                if message.type == WSMsgType.TEXT:
                    await self._receive(message.data)
        finally:
            reporter.cancel()

    async def _start(self, **_: Any) -> None:
        """Starts the camera unless it runs, and describes everything to the page."""
        self._told = {}
        try:
            is_ended = (await asyncio.to_thread(link.ask, "status"))["state"] == "ended"
        except Failure:
            is_ended = True
        if is_ended:
            await self._try(asyncio.to_thread(self._launch))
        described: dict[str, Any] = {}
        with contextlib.suppress(Failure):  # it has been reported
            described = await asyncio.to_thread(link.ask, "describe")
        found, steps = await asyncio.gather(
            asyncio.to_thread(find_cameras), asyncio.to_thread(lambda: [*check_camera()])
        )
        self._cameras = [each.name for each in found if not each.is_virtual]
        await self._tell(
            "hello",
            session=self.identifier,
            properties=[p for p in described.get("properties", []) if p["name"] not in _HIDDEN],
            backgrounds=self.uploads.list(),
            cameras=self._cameras,
            steps=[each.as_json() for each in steps if each.remedy],
            login=service.is_enabled(),
        )

    def _launch(self) -> None:
        device, settings, given = saved.read_choices(None, Settings({"quality": "auto"}))
        start.launch(
            start.make_config(device, settings, given, "started by vbgfilter app"), self._variables
        )

    async def _try(self, work: Any) -> Any:
        """Awaits a result. If it fails, reports that to the page, and returns an empty dictionary."""
        try:
            return await work
        except click.ClickException as error:  # a Failure, or a saved choice that is not valid
            await self._tell("refused", text=error.message)
            return {}

    async def _ask(self, what: str, **values: Any) -> dict[str, Any]:
        return await self._try(asyncio.to_thread(link.ask, what, **values))

    async def _tell(self, kind: str, **values: Any) -> None:
        try:
            await self._socket.send_json({"type": kind, **values})
        except ConnectionError:
            pass

    async def _report(self) -> None:
        while True:
            try:
                status = await asyncio.to_thread(link.ask, "status")
            except Failure:
                status = {"state": "ended"}
            path = status.get("settings", {}).pop("background-path", None)
            status["background"] = self.uploads.identifier_of(path)
            if status != self._told:
                self._told = status
                await self._tell("status", **status)
            await asyncio.sleep(_REPORT_SECONDS)

    async def _receive(self, data: str) -> None:
        try:
            message = json.loads(data)
            await self._HANDLERS[message.pop("type")](self, **message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            await self._tell("refused", text="the page sent an unknown message")

    async def _look(self) -> None:
        """Sends the picture that others see. The page asks for each one, so they do not pile up."""
        try:
            reply = await asyncio.to_thread(link.ask, "picture")
        except Failure:
            reply = {"jpeg": ""}
        await self._socket.send_bytes(base64.b64decode(reply["jpeg"]))

    async def _switch(self, on: bool) -> None:
        await self._ask("on" if on else "off")

    async def _set(self, name: str, value: Any) -> None:
        await self._ask("set", name=name, value=value)

    async def _rule(self) -> None:
        service.install_rule()

    async def _background(self, background: str) -> None:
        """Shows a file of the library, a colour or blur."""
        if background in ("blur", "lens"):
            shape = "lens" if background == "lens" else "gaussian"
            await self._ask("set", name="blur-shape", value=shape)
            background = "blur"
        elif not background.startswith("#"):
            background = self.uploads.path_of(background)
        await self._ask("background", value=background)

    async def _camera(self, name: str) -> None:
        # A page may choose only among the cameras: other texts could describe any source.
        if name and name not in self._cameras:
            raise ValueError(name)
        await self._ask("device", device=name or None)

    async def _login(self, on: bool) -> None:
        if on:
            service.install(_OPTIONS, self._variables)
        else:
            service.disable()

    async def _quit(self) -> None:
        await self._ask("quit")

    _HANDLERS = {
        "look": _look,
        "switch": _switch,
        "set": _set,
        "background": _background,
        "camera": _camera,
        "login": _login,
        "rule": _rule,
        "start": _start,
        "quit": _quit,
    }
