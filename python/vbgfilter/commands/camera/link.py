"""The socket through which programs of this user control the running camera.

Each request and each reply is a line of JSON. A reply has the key ``error`` if it was refused.
"""

import contextlib
import json
import os
import pathlib
import socket
import stat
from typing import Any

from vbgfilter.commands.errors import SOME_FAILED, USAGE, Failure

# A reply takes a moment while the camera changes.
_REPLY_SECONDS = 20


def runtime_folder() -> pathlib.Path:
    """Returns a folder that only this user can enter. Creates it if necessary."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    folder = pathlib.Path(f"{base}/vbgfilter" if base else f"/tmp/vbgfilter-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise Failure(f"{folder}: others can enter this folder: remove it, or set XDG_RUNTIME_DIR")
    return folder


def socket_path() -> pathlib.Path:
    """Returns the path of the socket."""
    return runtime_folder() / "camera.sock"


class NotRunning(Failure):
    """No camera runs."""

    def __init__(self) -> None:
        super().__init__("no camera runs: start it with vbgfilter camera", SOME_FAILED)


class Link:
    """A connection to the running camera. The initializer raises NotRunning if no camera runs."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_REPLY_SECONDS)
        self.fileno, self.close = self._socket.fileno, self._socket.close
        self._rest = b""
        try:
            self._socket.connect(str(socket_path()))
        except OSError as error:
            self.close()
            raise NotRunning from error

    @property
    def has_more(self) -> bool:
        """Whether ``receive`` returns at once."""
        return b"\n" in self._rest

    def receive(self) -> dict[str, Any]:
        """Returns the next line. Raises NotRunning if the camera's process has ended."""
        while not self.has_more:
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError as error:
                raise Failure("the camera's process does not answer") from error
            except ConnectionError:
                data = b""
            if not data:
                raise NotRunning
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)

    def ask(self, what: str, **values: Any) -> dict[str, Any]:
        """Sends a request and returns the reply. Raises Failure if it is refused."""
        with contextlib.suppress(BrokenPipeError):  # receive reports it
            self._socket.sendall(json.dumps(values | {"do": what}).encode() + b"\n")
        reply = self.receive()
        if "error" in reply:
            raise Failure(reply["error"], reply.get("exit-code", USAGE))
        return reply


def ask(what: str, **values: Any) -> dict[str, Any]:
    """Sends one request to the running camera and returns the reply."""
    with contextlib.closing(Link()) as link:
        return link.ask(what, **values)
