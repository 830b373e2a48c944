"""Starts the RTSP server of the examples, its clients, and reads its metrics."""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable

from conftest import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[3]
PERSON = ROOT / ".deps" / "clip" / "person.mp4"
FOLDER = ROOT / "gst-examples" / "rtsp-server"


def ffmpeg(*arguments: object) -> bytes:
    """Runs ffmpeg and returns its standard output."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def launch(description: str, *before: str) -> "subprocess.Popen[str]":
    """Starts gst-launch-1.0 with a pipeline."""
    return subprocess.Popen(
        [*before, "gst-launch-1.0", "-q", *description.split()],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Waits until the condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def free_port() -> int:
    """Returns a port on which no program listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """A running server.py."""

    def __init__(self, *arguments: object) -> None:
        self._metrics = free_port()
        # Closing the file removes it. This happens together with this object.
        self._errors = tempfile.NamedTemporaryFile("w")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, FOLDER / "server.py", *map(str, arguments), "--port", "0",
             "--metrics-port", str(self._metrics)],
            # By default, the allocator keeps memory of ended streams, per thread.
            env=os.environ | {"MALLOC_ARENA_MAX": "1"},
            stdout=subprocess.PIPE, stderr=self._errors, text=True,
        )  # fmt: skip
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.errors
        self.port = int(re.search(r":(\d+)/", self.address)[1])

    def play(self, name: str, packets: int, protocol: str = "tcp") -> "subprocess.Popen[str]":
        """Starts a client that ends after `packets` packets. For pictures they come early."""
        return launch(
            f"rtspsrc location={self.address}{name} protocols={protocol} latency=0 ! "
            f"fakesink num-buffers={packets} sync=false"
        )

    def push(self, name: str, clip: pathlib.Path) -> "subprocess.Popen[str]":
        """Starts a client that pushes a clip."""
        return launch(
            f"filesrc location={clip} ! qtdemux ! h264parse ! "
            f"rtspclientsink location={self.address}{name}/publish"
        )

    def metrics(self) -> dict[str, float]:
        """Returns all metrics, keyed by name with labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._metrics}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    @property
    def errors(self) -> str:
        """Returns the server's standard error so far."""
        return pathlib.Path(self._errors.name).read_text()

    def stop(self) -> None:
        """Ends the server as a supervisor does."""
        self.process.terminate()
        try:
            self.process.communicate(timeout=PATIENCE)
        finally:
            self.process.kill()
        assert self.process.returncode == 0, self.errors
        assert "CRITICAL" not in self.errors and "Traceback" not in self.errors, self.errors
