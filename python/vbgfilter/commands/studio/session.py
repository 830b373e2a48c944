"""The session of one open page: its WebSocket, its element and its stream."""

import asyncio
import functools
import json
import pathlib
import secrets
import time
from typing import Any

from aiohttp import WSMsgType, web

from vbgfilter.commands import gstreamer, properties
from vbgfilter.commands.properties import launch_line
from vbgfilter.commands.studio import uploads
from vbgfilter.commands.studio.stream import Source, Stream

# The number of statistics messages per second. Five are enough for a smooth plot.
_STATISTICS_RATE = 5
# The addresses for the video if the page can reach the server through the loopback interface.
_LOOPBACK = ["127.0.0.1"]


class Session:
    """The page's element, its files, and its stream if one runs.

    Not thread-safe: use it only on the event loop's thread. ``identifier`` names the session in
    uploads. It is random, and only the page receives it.
    """

    def __init__(self, socket: web.WebSocketResponse, given: pathlib.Path | None, is_local: bool):
        self.identifier = secrets.token_urlsafe(24)
        self.uploads = uploads.Uploads()
        self._socket = socket
        self._given = given
        self._is_local = is_local
        self._effect = gstreamer.make("vbgfilter")
        self._source = Source(given, given.name) if given else Source()
        self._video: Source | None = None  # the page's video file
        self._stream: Stream | None = None
        self._run = 0  # the page's number of the stream, to detect messages for earlier streams
        self._changing = asyncio.Lock()
        self._ending: asyncio.Task[None] | None = None  # the event loop holds no strong reference
        # A single task sends all messages, so that they stay in order.
        self._outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def run(self) -> None:
        """Serves the page until it disconnects. Then stops the stream and removes the uploads."""
        writer = asyncio.create_task(self._write())
        reporter = asyncio.create_task(self._report())
        try:
            self._greet()
            async for message in self._socket:
                if message.type == WSMsgType.TEXT:
                    await self._receive(message.data)
        finally:
            writer.cancel()
            reporter.cancel()
            await asyncio.gather(writer, reporter, return_exceptions=True)
            await self._stop()
            self.uploads.close()

    def _greet(self) -> None:
        self._tell(
            {
                "type": "hello",
                "session": self.identifier,
                "properties": properties.describe(self._effect),
                "given": self._given.name if self._given else None,
            }
        )
        self._tell_line()

    async def _write(self) -> None:
        while True:
            message = await self._outbox.get()
            try:
                await self._socket.send_json(message)
            except ConnectionError:
                return

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(1 / _STATISTICS_RATE)
            # If the page does not read its messages, do not add more.
            if self._stream is not None and self._outbox.empty():
                self._tell(self._statistics(self._stream))

    def _statistics(self, stream: Stream) -> dict[str, Any]:
        return {
            "type": "statistics",
            "run": self._run,
            "time": time.monotonic(),
            "stats": self._without_folders(properties.statistics(self._effect)),
            "state": self._without_folders(properties.read_only_values(self._effect)),
            "position": stream.position(),
        }

    def _tell(self, message: dict[str, Any]) -> None:
        if "text" in message:
            message["text"] = self._without_paths(message["text"])
        self._outbox.put_nowait(message)

    def _without_paths(self, text: str) -> str:
        """Returns a text of the element, with paths replaced by the user's file names."""
        for path, name in self.uploads.names.items():
            text = text.replace(path, name)
        if self._source.path is not None:
            text = text.replace(str(self._source.path), self._source.name)
        return text

    def _without_folders(self, values: dict[str, Any]) -> dict[str, Any]:
        """Returns the element's values, with paths reduced to file names."""
        return {
            name: pathlib.PurePath(self._without_paths(value)).name
            if isinstance(value, str)
            else value
            for name, value in values.items()
        }

    def _tell_line(self) -> None:
        words = "v4l2src"
        if self._source.path is not None:
            is_given = self._source.path == self._given
            shown = str(self._given) if is_given else self._source.name
            words = f"filesrc {properties.assignment('location', shown)}"
        line = launch_line(self._effect, words, self.uploads.names)
        self._outbox.put_nowait({"type": "line", "line": line})

    async def _receive(self, data: str) -> None:
        try:
            message = json.loads(data)
            handler = self._HANDLERS[message["type"]]
            await handler(self, message)
        except ValueError as error:
            self._tell({"type": "refused", "text": str(error)})
        except (KeyError, TypeError, AttributeError, RecursionError):
            self._tell({"type": "refused", "text": "the page sent an unknown message"})

    async def _start(self, message: dict[str, Any]) -> None:
        """Stops the running stream, if any, and starts a new one."""
        source = {
            "camera": Source(),
            "file": self._video,
            "given": Source(self._given, self._given.name) if self._given else None,
        }[message["source"]]
        if source is None:
            raise ValueError("no file is open: choose one")
        run = message["run"]
        if not isinstance(run, int) or run.bit_length() > 53:
            raise ValueError("run must be the number of a stream")
        await self._stop()
        async with self._changing:
            self._source, self._run = source, run
            self._tell_line()
            addresses = _LOOPBACK if self._is_local and message["loopback"] is True else []
            tell = functools.partial(self._on_stream, run)
            self._stream = Stream(self._effect, source, addresses, tell)
            await self._stream.start()

    async def _stop(self, _message: dict[str, Any] | None = None) -> None:
        async with self._changing:
            stream, self._stream = self._stream, None
            if stream is not None:
                await stream.stop()

    def _on_stream(self, run: int, message: dict[str, Any]) -> None:
        self._tell(message | {"run": run})
        if message["type"] == "failed":
            self._ending = asyncio.create_task(self._end(run))

    async def _end(self, run: int) -> None:
        if run == self._run:
            await self._stop()

    async def _describe(self, message: dict[str, Any]) -> None:
        """Handles a session description from the page. Ignores it if it is for another stream."""
        if self._stream is None or message["run"] != self._run:
            return
        kind = message["type"]
        link = self._stream.links.get("up" if kind == "offer" else "down")
        if link is None:
            raise ValueError("the stream of a file accepts no camera")
        link.take(kind, message["sdp"])

    async def _set(self, message: dict[str, Any]) -> None:
        properties.set_from_page(self._effect, message["name"], message["value"])
        # The element may have adjusted the value.
        self._tell_value(message["name"])

    def _tell_value(self, name: str) -> None:
        value = properties.plain(self._effect.get_property(name))
        self._tell({"type": "value", "name": name, "value": self.uploads.names.get(value, value)})
        self._tell_line()

    async def _use_background(self, message: dict[str, Any]) -> None:
        """Sets an uploaded file as the background. An empty identifier removes the background."""
        path = self.uploads.path_of(message["background"]) if message["background"] else None
        self._effect.set_property("background-path", path)
        self._tell_value("background-path")

    def set_video(self, path: pathlib.Path, name: str) -> None:
        """Sets the uploaded video for the page's next message ``start``."""
        self._video = Source(path, name)

    _HANDLERS = {
        "start": _start,
        "stop": _stop,
        "offer": _describe,
        "answer": _describe,
        "set": _set,
        "background": _use_background,
    }
