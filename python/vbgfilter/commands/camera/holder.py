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
from vbgfilter.commands.camera.link import runtime_folder, socket_path
from vbgfilter.commands.camera.sinks import Sink, Watchers
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
# Requests that change the settings for the next start, too.
_KEPT = ("background", "set", "device")


class Holder:
    """The camera and its socket. ``config`` has the device, the settings and the sink.

    The methods ``do_*`` answer the requests. They raise Failure or ValueError to refuse one.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._owner: asyncio.StreamWriter | None = None
        self._is_on, self._is_ending = True, False
        self._seen = 0.0
        sink, settings = Sink(**config["sink"]), Settings(**config["settings"])
        self.camera = VirtualCamera(
            config["device"], settings, sink, tuple(config["size"]), self._tell
        )

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
                is_seen = loop.time() - self._seen < _SEEN_SECONDS
                self.camera.step(self._is_on and not self._is_ending, is_seen)
                await asyncio.sleep(_STEP_SECONDS)
        except Failure as failure:
            self._send(failure.as_json())
        finally:
            path.unlink(missing_ok=True)
            server.close()
            self.camera.close()

    def _tell(self, text: str) -> None:
        self._send({"message": text})

    def _send(self, message: dict[str, Any]) -> None:
        if self._owner is not None:
            self._owner.write(json.dumps(message).encode() + b"\n")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers a connection's requests. If the owner's connection ends, the camera ends."""
        try:
            while line := await reader.readline():
                writer.write(json.dumps(self._answer(line, writer)).encode() + b"\n")
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
            if self._is_ending and what in ("on", "off", "toggle", *_KEPT):
                raise Failure("the camera has ended, and shows black: start it again")
            if what == "own":
                request["writer"] = writer
            reply = getattr(self, f"do_{what}")(**request)
            if what in _KEPT:
                saved.save(self._config["given"], self.camera.device, self.camera.settings())
            return reply or {}
        except (click.ClickException, ValueError) as error:
            return {"error": str(getattr(error, "message", error)), "exit-code": USAGE}
        except (KeyError, TypeError, AttributeError, RecursionError):
            return {"error": "this request is unknown", "exit-code": USAGE}
        except OSError as error:
            return {"error": f"{error.filename}: {error.strerror}"}

    def _end(self) -> None:
        self._owner, self._is_ending = None, True
        self.camera.step(False)

    def do_own(
        self, writer: asyncio.StreamWriter, config: dict[str, Any], keep: bool = False
    ) -> None:
        """Makes a command the owner. If the last one has ended, its configuration replaces that.

        If ``keep`` is true, the camera does not end with the connection.
        """
        if self._is_ending:
            if any(config[name] != self._config[name] for name in ("sink", "size")):
                raise Failure(
                    f"{self.camera.output.watchers} programs still show the last camera, in another"
                    " size or through another output: close them, or start with the same --to, "
                    "--output and --size"
                )
            self.camera.use(config["device"], Settings(**config["settings"]))
            self._is_on, self._is_ending = True, False
        elif self._owner is not None or config != self._config:
            raise Failure(
                f"the camera already runs, {self._config['where']}: vbgfilter control changes it, "
                "and vbgfilter control quit ends it"
            )
        self._config, self._owner = config, None if keep else writer

    def do_status(self) -> dict[str, Any]:
        """Returns the state for the user. ``programs`` is None if their number is unknown."""
        camera, watchers = self.camera, self.camera.output.watchers
        is_idle = not camera.is_open and not camera.absent
        states = {
            "ended": self._is_ending, "off": not self._is_on, "on": camera.is_on, "idle": is_idle,
            "waiting": True,
        }  # fmt: skip
        return {
            "state": next(name for name, applies in states.items() if applies),
            "programs": max(watchers, 0) if watchers != Watchers.UNKNOWN else None,
            "reason": camera.absent,
            "device": camera.device,
            "output": self._config["sink"]["kind"],
            "where": self._config["where"],
            "room": "hidden",
            "settings": camera.settings(),
            "in-use": camera.state,
        }

    def do_on(self) -> dict[str, Any]:
        self._is_on = True
        return {"message": "on"}

    def do_off(self) -> dict[str, Any]:
        self._is_on = False
        return {"message": "off: the camera is released, the output is black"}

    def do_toggle(self) -> dict[str, Any]:
        return self.do_off() if self._is_on else self.do_on()

    def do_background(self, value: str) -> dict[str, Any]:
        """Sets the background to a value of --background, except a transparent one."""
        found = background_properties(value)
        if found.get("effect") == "transparent":
            raise ValueError("cameras have no alpha: choose blur, a picture or a colour")
        path = found.get("background-path", "")
        if path.startswith("/") and not gstreamer.is_picture_or_video(pathlib.Path(path)):
            raise ValueError(f"{value} is neither a picture nor a video")
        for name, text in found.items():
            set_property(self.camera.element, name, text)
        return {"message": f"background: {value}"}

    def do_set(self, name: str, value: Any) -> dict[str, Any]:
        """Sets a property. Refuses values that show the room."""
        # Try it on another element, because the filter must not even get the value.
        trial = gstreamer.make("vbgfilter")
        properties.set_from_page(trial, name, value)
        check_hidden(trial)
        if name == "effect" and value == "transparent":
            raise ValueError("cameras have no alpha: choose another effect")
        properties.set_from_page(self.camera.element, name, value)
        return {"message": f"{name}: {properties.text(trial.get_property(name))}"}

    def do_device(self, device: str | None) -> dict[str, Any]:
        if not isinstance(device, str | None):
            raise ValueError("device must be a text")
        self.camera.device = device or None
        self.camera.stop()
        return {"message": f"camera: {device or 'the first'}"}

    def do_picture(self) -> dict[str, Any]:
        self._seen = asyncio.get_running_loop().time()
        return {"jpeg": base64.b64encode(self.camera.output.picture(_PICTURE_WIDTH)).decode()}

    def do_quit(self) -> dict[str, Any]:
        """Ends the camera. Returns the number of programs that get black until they close it."""
        self._send({"quit": True})
        self._end()
        return {"programs": max(self.camera.output.watchers, 0)}


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
            gstreamer.start()
            holder = Holder(config)
        except BlockingIOError:
            return report(**Failure("another camera starts or ends: try again").as_json())
        except Failure as failure:
            return report(**failure.as_json())
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(holder.run(report))
    return None


if __name__ == "__main__":
    main()
