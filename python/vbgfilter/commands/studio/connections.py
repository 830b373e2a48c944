"""Accepts connections, and limits those that are idle or never finish their first request."""

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
from collections.abc import Coroutine

from aiohttp import web

from vbgfilter.commands.studio.guard import Handler

# The time limit for the first request of a connection, and for the handshake of TLS.
_FIRST_SECONDS = 10
# A browser keeps at most six idle connections to a server.
_MAX_IDLE = 100
# The maximum number of running requests, including the open pages.
_MAX_BUSY = 200
# The wait after a failure to accept, for example without a free descriptor.
_PAUSE_SECONDS = 0.5


class Connections:
    """Accepts connections for a server of aiohttp.

    Connections that never finish a request cannot keep others out: if too many are idle, the
    oldest ones are closed.
    """

    def __init__(self) -> None:
        self._idle: dict[int, socket.socket] = {}  # by their descriptors, oldest first
        self._new: set[socket.socket] = set()  # those without a complete request
        self._busy = 0
        self._tasks: set[asyncio.Future[None]] = set()

    def listen(self, server: web.Server, host: str, port: int, tls: ssl.SSLContext | None) -> int:
        """Listens until ``close``. Returns the port. Raises OSError if that is impossible."""
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=128)
        listener.setblocking(False)
        self._start(self._accept(listener, server, tls))
        return listener.getsockname()[1]

    def close(self) -> None:
        """Stops to listen."""
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(
        self, listener: socket.socket, server: web.Server, tls: ssl.SSLContext | None
    ) -> None:
        loop, is_told = asyncio.get_running_loop(), False
        with listener:
            while True:
                try:
                    connection, _ = await loop.sock_accept(listener)
                except OSError as error:
                    if error.errno != errno.ECONNABORTED and not is_told:
                        logging.getLogger(__name__).error("cannot accept connections: %s", error)
                        is_told = True
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                # Forget closed connections, and close the oldest idle ones.
                self._idle = {at: each for at, each in self._idle.items() if each.fileno() == at}
                while len(self._idle) >= _MAX_IDLE:
                    _end(self._idle.pop(next(iter(self._idle))))
                self._idle[connection.fileno()] = connection
                self._new.add(connection)
                loop.call_later(_FIRST_SECONDS, self._expect_request, connection)
                self._start(_serve(server, connection, tls))

    def _expect_request(self, connection: socket.socket) -> None:
        if connection in self._new:
            self._new.discard(connection)
            _end(connection)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Limits running requests, and keeps their connections."""
        if self._busy >= _MAX_BUSY or request.transport is None:
            raise web.HTTPServiceUnavailable(text="Too many requests are running.\n")
        number = request.transport.get_extra_info("socket").fileno()
        connection = self._idle.pop(number, None)
        self._new.discard(connection)
        self._busy += 1
        try:
            return await handler(request)
        finally:
            self._busy -= 1
            if connection is not None and connection.fileno() == number:
                self._idle[number] = connection


async def _serve(server: web.Server, connection: socket.socket, tls: ssl.SSLContext | None) -> None:
    limit = _FIRST_SECONDS if tls else None
    try:
        await asyncio.get_running_loop().connect_accepted_socket(
            server, connection, ssl=tls, ssl_handshake_timeout=limit
        )
    except OSError:  # the handshake failed
        connection.close()


def _end(connection: socket.socket) -> None:
    """Ends a connection. Its transport then closes the socket."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
