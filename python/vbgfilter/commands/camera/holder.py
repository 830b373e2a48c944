"""The process that holds the camera which other programs see.

It outlives its pipeline, the command that started it, and the terminal. When the command ends,
programs that still show the camera get black frames until they close it. Otherwise their session
manager would connect them to another camera: the real one.
"""

import asyncio
import base64
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import sys
from collections.abc import Callable
from typing import Any

import click

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.camera import saved
from vbgfilter.commands.camera.keys import Keys
from vbgfilter.commands.camera.link import runtime_folder, socket_path
from vbgfilter.commands.camera.sinks import Sink
from vbgfilter.commands.camera.virtual import VirtualCamera
from vbgfilter.commands.errors import USAGE, Failure
from vbgfilter.commands.settings import (
    Settings,
    background_properties,
    check_hidden,
    set_property,
)

# The interval between checks of the camera.
_STEP_SECONDS = 0.1
# A request for a picture keeps the real camera on for this time.
_SEEN_SECONDS = 2.0
_PICTURE_WIDTH = 640
_LINE_BYTES = 1 << 16
# Requests that make no lasting change.
_FLEETING = ("status", "describe", "picture", "own", "quit", "on", "off")
# Requests that are accepted while only other programs keep the process alive.
_AFTER_END = ("status", "describe", "picture", "own", "quit")


class Holder:
    """The camera and its socket. ``config`` has the device, the settings and the sink."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._owner: asyncio.StreamWriter | None = None
        self._is_ending = False
        self._seen = 0.0
        self._message = ""
        self.camera = VirtualCamera(
            config["device"], Settings(**config["settings"]), Sink(**config["sink"]),
            tuple(config["size"]), self._tell,
        )  # fmt: skip
        self._keys = Keys(self.camera.element, config["backgrounds"])

    async def run(self, ready: Callable[[], None]) -> None:
        """Serves until the camera ends."""
        loop, path = asyncio.get_running_loop(), socket_path()
        path.unlink(missing_ok=True)
        os.umask(0o077)
        loop.add_signal_handler(signal.SIGTERM, self._end)
        server = await asyncio.start_unix_server(self._serve, path, limit=_LINE_BYTES)
        ready()
        try:
            while not self._is_ending or self.camera.output.watchers > 0:
                wanted = self._keys.is_on and not self._is_ending
                self.camera.step(wanted, loop.time() - self._seen < _SEEN_SECONDS)
                await asyncio.sleep(_STEP_SECONDS)
        except Failure as failure:
            self._send(failure.as_json())
        finally:
            path.unlink(missing_ok=True)
            server.close()
            self.camera.close()

    def _tell(self, text: str) -> None:
        self._message = text
        self._send({"message": text})

    def _send(self, message: dict[str, Any]) -> None:
        if self._owner is not None:
            self._owner.write(json.dumps(message).encode() + b"\n")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers a connection's requests. If the owner's connection ends, the camera ends."""
        try:
            while line := await reader.readline():
                reply = self._answer(line, writer)
                writer.write(json.dumps(reply).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError):  # a line that is too long
            pass
        finally:
            writer.close()
            if writer is self._owner:
                self._end()

    def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> dict[str, Any]:
        try:
            request = json.loads(line)
            what = request.pop("do")
            if self._is_ending and what not in _AFTER_END:
                raise Failure("the camera has ended, and shows black: start it again")
            if what == "own":
                reply = self._own(writer, **request)
            else:
                reply = self._HANDLERS[what](self, **request)
            if what not in _FLEETING:
                self._save()
            return reply or {}
        except (click.ClickException, ValueError) as error:
            return {"error": str(getattr(error, "message", error)), "exit-code": USAGE}
        except (KeyError, TypeError, AttributeError, RecursionError):
            return {"error": "this request is unknown", "exit-code": USAGE}
        except OSError as error:
            return {"error": f"{error.filename}: {error.strerror}"}

    def _save(self) -> None:
        saved.save(self._config["given"], self.camera.device, self.camera.settings())

    def _end(self) -> None:
        self._owner, self._is_ending = None, True
        self.camera.step(False)

    def _own(
        self, writer: asyncio.StreamWriter, config: dict[str, Any], keep: bool = False
    ) -> dict[str, Any]:
        """Makes a command the owner. If the last one has ended, its configuration replaces that.

        If ``keep`` is true, the camera does not end with the connection.
        """
        if self._is_ending:
            if any(config[name] != self._config[name] for name in ("sink", "size")):
                watchers = self.camera.output.watchers
                raise Failure(
                    f"{watchers} programs still show the last camera, in another size or through "
                    "another output: close them, or start with the same --to, --output and --size"
                )
            self._is_ending = False
            self.use(config)
        elif self._owner is not None or config != self._config:
            raise Failure(
                f"the camera already runs, {self._config['where']}: vbgfilter control changes it, "
                "and vbgfilter control quit ends it"
            )
        self._config, self._owner = config, None if keep else writer
        return {}

    def use(self, config: dict[str, Any]) -> None:
        """Applies the device and the settings of a configuration."""
        element = self.camera.element
        for name in self.camera.settings():
            default = properties.default(element, element.find_property(name))
            set_property(element, name, _text(default))
        Settings(**config["settings"]).apply(element)
        self.camera.device = config["device"]
        self._keys = Keys(element, config["backgrounds"])

    def _status(self) -> dict[str, Any]:
        camera, watchers = self.camera, self.camera.output.watchers
        state = "off" if not self._keys.is_on else "on" if camera.is_on else "waiting"
        state = "ended" if self._is_ending else state
        if state == "waiting" and not camera.is_open and not camera.absent:
            state = "idle"
        return {
            "state": state,
            "programs": max(watchers, 0) if watchers != -2 else None,
            "reason": camera.absent,
            "message": self._message,
            "device": camera.device,
            "output": self._config["sink"]["kind"],
            "where": self._config["where"],
            "room": "hidden",
            "settings": camera.settings(),
            "in-use": camera.state,
        }

    def _switch(self, is_on: bool) -> dict[str, Any]:
        if self._keys.is_on != is_on:
            return self._key("o")
        return {}

    def _key(self, key: str) -> dict[str, Any]:
        return {"message": self._keys.press(key)}

    def _background(self, value: str) -> dict[str, Any]:
        found = background_properties(value)
        if found.get("effect") == "transparent":
            raise ValueError("cameras have no alpha: choose blur, a picture or a colour")
        path = found.get("background-path", "")
        if path.startswith("/") and not gstreamer.is_picture_or_video(pathlib.Path(path)):
            raise ValueError(f"{value} is neither a picture nor a video")
        for name, text in found.items():
            set_property(self.camera.element, name, text)
        return {"message": f"background: {value}"}

    def _set(self, name: str, value: Any) -> dict[str, Any]:
        """Sets a property. Refuses values that show the room."""
        element = self.camera.element
        # Try it on another element, because the filter must not even get the value.
        trial = gstreamer.make("vbgfilter")
        properties.set_from_page(trial, name, value)
        check_hidden(trial)
        if name == "effect" and value == "transparent":
            raise ValueError("cameras have no alpha: choose another effect")
        properties.set_from_page(element, name, value)
        return {"message": f"{name}: {_text(properties.plain(element.get_property(name)))}"}

    def _device(self, device: str | None) -> dict[str, Any]:
        if not isinstance(device, str | None):
            raise ValueError("device must be a text")
        self.camera.device = device or None
        self.camera.restart()
        return {"message": f"camera: {device or 'the first'}"}

    def _picture(self) -> dict[str, Any]:
        self._seen = asyncio.get_running_loop().time()
        return {"jpeg": base64.b64encode(self.camera.output.picture(_PICTURE_WIDTH)).decode()}

    def _describe(self) -> dict[str, Any]:
        return {"properties": properties.describe(self.camera.element)}

    def _quit(self) -> dict[str, Any]:
        self._send({"quit": True})
        self._end()
        return {"programs": max(self.camera.output.watchers, 0)}

    _HANDLERS = {
        "status": _status,
        "on": lambda self: self._switch(True),
        "off": lambda self: self._switch(False),
        "key": _key,
        "background": _background,
        "set": _set,
        "device": _device,
        "picture": _picture,
        "describe": _describe,
        "quit": _quit,
    }


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str("" if value is None else value)


def main() -> None:
    """Reads the configuration from standard input, and prints whether the camera has started."""
    config = json.load(sys.stdin)

    def report(**values: Any) -> None:
        print(json.dumps(values), flush=True)
        # The command that reads it may end before this process.
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())

    with (runtime_folder() / "camera.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return report(busy=True)
        try:
            gstreamer.start()
            holder = Holder(config)
        except Failure as failure:
            return report(**failure.as_json())
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(holder.run(lambda: report(ready=True)))
    return None


if __name__ == "__main__":
    main()
