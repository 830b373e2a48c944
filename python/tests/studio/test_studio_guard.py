"""Access to the studio: names, origins, tokens, and the content policy of its pages."""

import contextlib
import http.client
import socket
import sys
from collections.abc import Callable

import pytest
from conftest import run_program
from studio.support import ROOT, Server

Start = Callable[..., Server]
UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "vbgfilter-studio",
}  # fmt: skip


def ask(
    server: Server, method: str, path: str, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Returns the status, headers and body of an answer. Host defaults to the server's."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=180)
    try:
        connection.putrequest(method, path, skip_host=True)
        own = {"Host": f"127.0.0.1:{server.port}"}
        for name, value in (own | {key.replace("_", "-"): v for key, v in headers.items()}).items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = b"" if answer.status == 101 else answer.read()
        return answer.status, dict(answer.getheaders()), body
    finally:
        connection.close()


def upgrade(server: Server, **headers: str) -> int:
    """Returns the status of a WebSocket request, 101 if the server accepts it."""
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    return ask(server, "GET", "/socket", **(UPGRADE | given))[0]


def test_guard_refuses_requests_from_other_pages(studio: Start) -> None:
    server = studio()
    port, own = server.port, f"http://127.0.0.1:{server.port}"

    status, headers, body = ask(server, "GET", "/")
    assert status == 200 and b"vbgfilter studio" in body
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "http" not in policy
    assert "frame-ancestors 'none'" in policy
    for path in ["/nothing.js", "/../__init__.py", "/%2e%2e/session.py", "/page/index.html"]:
        assert ask(server, "GET", path)[0] == 404

    # A foreign name that resolves to this machine, and invalid names.
    for host in [f"evil.example:{port}", "", "[", f"127.0.0.1.evil.example:{port}"]:
        assert ask(server, "GET", "/", Host=host)[0] in (400, 403), host
    for host in [f"localhost:{port}", f"[::1]:{port}"]:
        assert ask(server, "GET", "/", Host=host)[0] == 200, host

    assert upgrade(server, Origin=own) == 101
    for origin in [
        "http://evil.example",
        f"http://127.0.0.1:{port + 1}",
        "null",
        "",
        f"http://localhost:{port}",
    ]:
        assert upgrade(server, Origin=origin) == 403, origin
        status = ask(server, "POST", "/sessions/x/background", Origin=origin, Content_Length="0")[0]
        assert status == 403, origin
    # This session does not exist.
    assert ask(server, "POST", "/sessions/x/video", Origin=own, Content_Length="0")[0] == 404


def test_token(studio: Start) -> None:
    server = studio("--token")
    own = f"http://127.0.0.1:{server.port}"
    _, _, token = server.address.partition("#token=")
    assert len(token) >= 32
    assert upgrade(server, Origin=own) == 401
    for protocol in ["vbgfilter-studio, ", "vbgfilter-studio, " + token[1:], token[:-1], "é"]:
        assert upgrade(server, Origin=own, Sec_WebSocket_Protocol=protocol) == 401
    assert upgrade(server, Origin=own, Sec_WebSocket_Protocol=f"vbgfilter-studio, {token}") == 101


def test_other_machines_need_the_token(studio: Start) -> None:
    server = studio("--host", "0.0.0.0")
    assert "#token=" in server.address
    assert upgrade(server, Origin=f"http://127.0.0.1:{server.port}") == 401
    assert ask(server, "GET", "/", Host=f"192.0.2.1:{server.port}")[0] == 200
    assert ask(server, "GET", "/", Host=f"evil.example:{server.port}")[0] == 403


def test_second_server_takes_a_free_port(studio: Start) -> None:
    assert studio().port != studio().port


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["no such file"], 4),
        ([str(ROOT / "VERSION")], 4),
        (["--key", "key.pem"], 2),
        (["--certificate", "no such file", "--key", "key.pem"], 4),
        (["--host", "203.0.113.9"], 2),
        (["--sessions", "0"], 2),
    ],
)
def test_reports_why_it_does_not_start(arguments: list[str], code: int) -> None:
    line = [sys.executable, "-m", "vbgfilter", "studio", *arguments]
    done = run_program(line)
    assert done.returncode == code
    assert "Error: " in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""


def test_unfinished_requests_keep_nobody_out(studio: Start) -> None:
    server = studio()
    own, held = f"http://127.0.0.1:{server.port}", []
    try:
        for index in range(1100):
            held.append(socket.create_connection(("127.0.0.1", server.port)))
            # Most never finish a request. The others leave their connection open afterwards.
            request = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"\r\n" * (index % 10 == 0)
            with contextlib.suppress(OSError):
                held[-1].sendall(request)
        assert ask(server, "GET", "/")[0] == 200
        assert upgrade(server, Origin=own) == 101
        assert server.descriptors() < 300
    finally:
        for each in held:
            each.close()
    # Each of these connections has 10 seconds for its first request.
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        assert slow.recv(1) == b""
    server.interrupt()
    assert server.errors() == []
