"""The studio's server: serves the page, and manages sessions and uploads."""

import asyncio
import contextlib
import errno
import importlib.resources
import pathlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

from aiohttp import web

from vbgfilter.commands.studio.connections import Connections
from vbgfilter.commands.studio.guard import PROTOCOL, Guard, add_headers
from vbgfilter.commands.studio.uploads import Refused, shown_name

_TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
}  # fmt: skip
# The server pings each page at this interval. If a page does not answer, its connection is closed.
_HEARTBEAT_SECONDS = 20
# The maximum size of a message. The largest messages are session descriptions.
MESSAGE_BYTES = 256 << 10
# The app's server ends this long after its last page, or after its start if no page is opened.
_LAST_SECONDS, _FIRST_SECONDS = 20, 120
# The WebSocket close code "Try again later".
_FULL = 1013


class Studio:
    """Serves a page, with one session per open page and at most ``max_pages`` open pages.

    ``make_session`` makes the session of a page. If ``is_app`` is true, serves the page of the app,
    and only to this user.
    """

    def __init__(
        self,
        host: str,
        make_session: Callable[[web.WebSocketResponse], Any],
        max_pages: int,
        wants_token: bool = False,
        is_app: bool = False,
    ) -> None:
        self.host = host
        self._make_session = make_session
        self._max_pages = max_pages
        self._is_app = is_app
        self.guard = Guard(host, wants_token, is_app)
        self._sessions: dict[str, Any] = {}
        self._pages: set[web.WebSocketResponse] = set()
        # Read the files only at the start, so that an upgrade of the package does not mix versions.
        folder = importlib.resources.files(__package__) / "page"
        self._files = {
            each.name: (each.read_bytes(), _TYPES[pathlib.PurePath(each.name).suffix])
            for each in folder.iterdir()
        }
        page = "app.html" if is_app else "index.html"
        head, body = self._files["head.html"][0], self._files[page][0]
        self._files[""] = (head + body, _TYPES[".html"])

    @contextlib.asynccontextmanager
    async def serve(self, port: int | None, tls: ssl.SSLContext | None) -> AsyncIterator[str]:
        """Serves while the context is active. Its value is the page's address.

        If ``port`` is None, uses 8765 if it is free, or else another port.
        """
        connections = Connections()
        app = web.Application(middlewares=[connections.middleware, self.guard.middleware])
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._close_all)
        app.add_routes(
            [
                web.get("/socket", self._socket),
                web.post("/sessions/{session}/background", self._background),
                web.get("/sessions/{session}/backgrounds/{name}", self._stored_background),
                web.post("/sessions/{session}/video", self._video),
                web.get("/{name:[a-z.-]*}", self._page),
            ]
        )
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            try:
                found = connections.listen(runner.server, self.host, port or 8765, tls)
            except OSError as error:
                if port is not None or error.errno != errno.EADDRINUSE:
                    raise
                found = connections.listen(runner.server, self.host, 0, tls)
            yield self._address(found, tls)
        finally:
            connections.close()
            await runner.cleanup()

    async def wait(self, stop: asyncio.Event) -> None:
        """Waits for the event. The app also ends a while after its last page."""
        idle, limit = 0, _FIRST_SECONDS
        while not stop.is_set() and (idle < limit or not self._is_app):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 1)
            idle, limit = (0, _LAST_SECONDS) if self._pages else (idle + 1, limit)

    def _address(self, port: int, tls: ssl.SSLContext | None) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.host in ("0.0.0.0", "::"):
            host = socket.gethostname()
        # The token is in the fragment: browsers do not send it, so it does not appear in logs.
        token = f"#token={self.guard.token}" if self.guard.token else ""
        return f"{'https' if tls else 'http'}://{host}:{port}/{token}"

    async def _page(self, request: web.Request) -> web.Response:
        found = self._files.get(request.match_info["name"])
        if found is None:
            raise web.HTTPNotFound()
        body, kind = found
        return web.Response(body=body, content_type=kind, charset="utf-8")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self.guard.check_origin(request)
        self.guard.check_token(request)
        page = web.WebSocketResponse(
            protocols=[PROTOCOL], heartbeat=_HEARTBEAT_SECONDS, max_msg_size=MESSAGE_BYTES
        )
        await page.prepare(request)
        if len(self._pages) >= self._max_pages:
            # Accept the connection and then close it: scripts cannot read why one was refused.
            reason = f"{self._max_pages} pages are already open: close one, or increase --sessions."
            await page.close(code=_FULL, message=reason.encode())
            return page
        self._pages.add(page)
        try:
            session = self._make_session(page)
            self._sessions[session.identifier] = session
            try:
                await session.run()
            finally:
                del self._sessions[session.identifier]
        finally:
            self._pages.discard(page)
        return page

    def _session(self, request: web.Request) -> Any:
        session = self._sessions.get(request.match_info["session"])
        if session is None:
            raise web.HTTPNotFound(text="That page is no longer open.\n")
        return session

    async def _background(self, request: web.Request) -> web.Response:
        session, name = self._session(request), shown_name(request.query.get("name", ""))
        chunks = request.content.iter_any()
        path = await _stored(session.uploads.add_background(chunks, name))
        return web.json_response({"background": path.name, "name": name})

    async def _stored_background(self, request: web.Request) -> web.FileResponse:
        try:
            path = self._session(request).uploads.path_of(request.match_info["name"])
        except ValueError as error:
            raise web.HTTPNotFound() from error
        return web.FileResponse(path)

    async def _video(self, request: web.Request) -> web.Response:
        session, name = self._session(request), shown_name(request.query.get("name", ""))
        chunks = request.content.iter_any()
        session.set_video(await _stored(session.uploads.set_video(chunks, name)), name)
        return web.json_response({"name": name})

    async def _close_all(self, _app: web.Application) -> None:
        await asyncio.gather(*(page.close() for page in set(self._pages)))


async def _stored(upload: "asyncio.Future[pathlib.Path]") -> pathlib.Path:
    """Awaits an upload and returns its path. Raises an HTTP error for the page if it fails."""
    try:
        return await upload
    except Refused as error:
        raise web.HTTPUnsupportedMediaType(text=str(error)) from error
    except OSError as error:
        text = f"The file could not be stored: {error.strerror}."
        raise web.HTTPInsufficientStorage(text=text) from error
