"""Access control of the server: checks of Host, Origin and token, and security headers."""

import contextlib
import hmac
import ipaddress
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

# The page loads nothing from other servers, and no other page may show it in a frame.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
# The WebSocket's subprotocol. The page sends the token as a second one, because scripts cannot set
# headers of a WebSocket request.
PROTOCOL = "vbgfilter-studio"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether a host is a loopback address, which only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Rejects requests that do not come from this server's own page, or that lack the token.

    A page of another site can make the browser send requests to this server. The Origin of such a
    request is that site. If the site's name resolves to this machine (DNS rebinding), the Host is
    a name that this machine does not have. If ``is_private``, only this user's programs are served:
    other users can read the token in the command line of the browser. A token is also required if
    other machines can reach the server.
    """

    def __init__(self, host: str, wants_token: bool, is_private: bool = False) -> None:
        self._is_private = is_private
        self._is_local = is_loopback(host)
        wants_token = wants_token or is_private or not self._is_local
        self.token = secrets.token_urlsafe(24) if wants_token else None
        name = socket.gethostname()
        self._names = {"localhost"}
        if not self._is_local:
            self._names |= {host, name, f"{name}.local", socket.getfqdn()}

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in {each.lower() for each in self._names}:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        # An IP address involves no name lookup, so DNS rebinding is impossible.
        return address.is_loopback or not self._is_local

    def check_host(self, request: web.Request) -> None:
        """Rejects a request if its Host is not a name or an address of this machine."""
        if not self._is_own(request.headers.get("Host", "")):
            text = "Unknown host name: open the address that the command printed.\n"
            raise web.HTTPForbidden(text=text)

    def check_origin(self, request: web.Request) -> None:
        """Rejects requests from pages of other sites. Call this for all requests with effects."""
        own = f"{request.scheme}://{request.host}"
        if request.headers.get("Origin") != own:
            raise web.HTTPForbidden(text="Only this server's own page may send this request.\n")

    def check_token(self, request: web.Request) -> None:
        """Rejects a WebSocket without the token, if one is required."""
        if self.token is None:
            return
        offered = request.headers.get("Sec-WebSocket-Protocol", "")
        given = [each.strip().encode(errors="replace") for each in offered.split(",")]
        if not any(hmac.compare_digest(each, self.token.encode()) for each in given):
            text = "A token is required: open the whole address that the command printed.\n"
            raise web.HTTPUnauthorized(text=text)

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Checks the Host of all requests, and the Origin of all except GET and HEAD."""
        if self._is_private and not _is_own_connection(request):
            raise web.HTTPForbidden(text="Another user of this machine runs this server.\n")
        self.check_host(request)
        if request.method not in ("GET", "HEAD"):
            self.check_origin(request)
        return await handler(request)


def _is_own_connection(request: web.Request) -> bool:
    """Whether the other end of a connection is a socket of this user, in the kernel's tables."""
    peer = request.transport and request.transport.get_extra_info("peername")
    own = request.transport and request.transport.get_extra_info("sockname")
    if not peer or not own:
        return False
    users = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), open(f"/proc/net/{table}") as lines:
            for fields in map(str.split, lines):
                ports = [each.rpartition(":")[2] for each in fields[1:3]]
                if ports == [f"{peer[1]:04X}", f"{own[1]:04X}"]:
                    users.add(fields[7])
    return users == {str(os.getuid())}


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Adds the security headers to each response. aiohttp calls this as a signal handler."""
    response.headers.update(HEADERS)
