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

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.app.library import Library
from vbgfilter.commands.camera import link, saved, service, start
from vbgfilter.commands.camera.devices import find_cameras
from vbgfilter.commands.doctor.installed import check_camera
from vbgfilter.commands.errors import Failure
from vbgfilter.commands.settings import Settings

_REPORT_SECONDS = 0.5
# Properties that the page sets otherwise, or that are only for pipelines.
_HIDDEN = ("active", "effect", "background-path", "attach-matte", "stats-interval",
           "input-orientation")  # fmt: skip
# Requests that pages may send to the camera as they are.
_PASSED = ("on", "off", "set", "quit")


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
        await self._on_start()
        reporter = asyncio.create_task(self._report())
        try:
            async for message in self._socket:
                if message.type == WSMsgType.TEXT:
                    await self._receive(message.data)
        finally:
            reporter.cancel()

    async def _on_start(self) -> None:
        """Starts the camera unless it runs, and describes everything to the page."""
        self._told = {}
        if (await self._status())["state"] == "ended":
            await self._try(self._launch)
        found, steps = await asyncio.gather(
            asyncio.to_thread(find_cameras), asyncio.to_thread(lambda: [*check_camera()])
        )
        self._cameras = [each.name for each in found if not each.is_virtual]
        described = properties.describe(gstreamer.make("vbgfilter"))
        await self._tell(
            "hello",
            session=self.identifier,
            properties=[each for each in described if each["name"] not in _HIDDEN],
            backgrounds=self.uploads.list(),
            cameras=self._cameras,
            steps=[each.as_json() for each in steps if each.remedy],
            login=service.is_enabled(),
        )

    def _launch(self) -> None:
        device, settings, given = saved.read_choices(None, Settings({"quality": "auto"}))
        config = start.make_config(device, settings, given, "started by vbgfilter app")
        start.own(config, self._variables, keep=True).close()

    async def _try(self, call: Any, *words: Any, **values: Any) -> None:
        """Calls a function on another thread. If it fails, reports that to the page."""
        try:
            await asyncio.to_thread(call, *words, **values)
        except click.ClickException as error:  # a Failure, or a saved choice that is not valid
            await self._tell("refused", text=error.message)

    async def _tell(self, kind: str, **values: Any) -> None:
        with contextlib.suppress(ConnectionError):  # the page is closed
            await self._socket.send_json({"type": kind, **values})

    async def _status(self) -> dict[str, Any]:
        try:
            return await asyncio.to_thread(link.ask, "status")
        except Failure:
            return {"state": "ended", "settings": {}}

    async def _report(self) -> None:
        while True:
            status = await self._status()
            path = status["settings"].pop("background-path", None)
            status["background"] = self.uploads.identifier_of(path)
            if status != self._told:
                self._told = status
                await self._tell("status", **status)
            await asyncio.sleep(_REPORT_SECONDS)

    async def _receive(self, data: str) -> None:
        try:
            message = json.loads(data)
            kind = message.pop("type")
            if kind in _PASSED:
                await self._try(link.ask, kind, **message)
            else:
                await getattr(self, f"_on_{kind}")(**message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            await self._tell("refused", text="the page sent an unknown message")

    async def _on_look(self) -> None:
        """Sends the picture that others see. The page asks for each one, so they do not pile up."""
        try:
            reply = await asyncio.to_thread(link.ask, "picture")
        except Failure:
            reply = {"jpeg": ""}
        with contextlib.suppress(ConnectionError):  # the page is closed
            await self._socket.send_bytes(base64.b64decode(reply["jpeg"]))

    async def _on_background(self, background: str) -> None:
        """Shows a file of the library, a colour or blur."""
        if background in ("blur", "lens"):
            shape = "lens" if background == "lens" else "gaussian"
            await self._try(link.ask, "set", name="blur-shape", value=shape)
            background = "blur"
        elif not background.startswith("#"):
            background = self.uploads.path_of(background)
        await self._try(link.ask, "background", value=background)

    async def _on_camera(self, name: str) -> None:
        # A page may choose only among the cameras: other texts could describe any source.
        if name and name not in self._cameras:
            raise ValueError(name)
        await self._try(link.ask, "device", device=name or None)

    async def _on_login(self, on: bool) -> None:
        if on:
            service.install(["--quality", "auto"], self._variables)
        else:
            service.disable()

    async def _on_rule(self) -> None:
        service.install_rule()
