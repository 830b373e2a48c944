"""Access to the server: checks of Host, Origin and token, and security headers of pages."""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web

# The page loads nothing from elsewhere, and no other page may show it in a frame.
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
# The WebSocket's protocol. The token is a second protocol, because pages cannot set headers.
PROTOCOL = "vbgfilter-studio"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Accepts requests from this server's own page, with the token if one is required.

    A page of another site can make the browser send requests here, but with another Origin. If its
    name resolves to this machine, the Host is a name that the machine does not have.
    """

    def __init__(self, host: str, wants_token: bool) -> None:
        self.token = secrets.token_urlsafe(24) if wants_token else None
        self._is_local = is_loopback(host)
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
        # A plain address involves no name lookup.
        return address.is_loopback or not self._is_local

    def check_host(self, request: web.Request) -> None:
        """Refuses names that are not this machine's."""
        if not self._is_own(request.headers.get("Host", "")):
            text = "Unknown host name: open the address that the command printed.\n"
            raise web.HTTPForbidden(text=text)

    def check_origin(self, request: web.Request) -> None:
        """Rejects requests of other sites' pages. Use it for all requests that change something."""
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
        self.check_host(request)
        if request.method not in ("GET", "HEAD"):
            self.check_origin(request)
        return await handler(request)


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Adds the security headers to each answer. A signal handler of the application."""
    response.headers.update(HEADERS)
