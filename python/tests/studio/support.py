"""A running studio, and its page in Chromium, as the tests use them."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

ROOT = pathlib.Path(__file__).resolve().parents[3]
CLIP = ROOT / ".deps" / "clip" / "person.mp4"
# A limit for actions that take a second on an idle machine.
PATIENCE = 180


def wait_for(what: str, condition: Callable[[], Any]) -> Any:
    """Returns the condition's value once it is true. Fails after a while."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    pytest.fail(f"not within {PATIENCE} seconds: {what}")


class Server:
    """A running ``vbgfilter studio``."""

    def __init__(self, *arguments: str, folder: pathlib.Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vbgfilter", "studio", "--json", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"TMPDIR": str(folder)},
        )  # fmt: skip
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        self.address = json.loads(line)["address"]
        self.port = urllib.parse.urlsplit(self.address).port

    def descriptors(self) -> int:
        """Returns the number of open files of the process."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def threads(self) -> int:
        """Returns the number of threads of the process."""
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def udp_addresses(self) -> set[str]:
        """Returns the addresses of its UDP sockets, in the notation of /proc/net."""
        process = pathlib.Path(f"/proc/{self.process.pid}")
        open_files = {os.readlink(each) for each in (process / "fd").iterdir()}
        found = set()
        for table in ["net/udp", "net/udp6"]:
            for line in (process / table).read_text().splitlines()[1:]:
                fields = line.split()
                if f"socket:[{fields[9]}]" in open_files:
                    found.add(fields[1].partition(":")[0])
        return found

    def errors(self) -> list[str]:
        """Returns the lines that the process wrote to stderr until it ended.

        GStreamer 1.22.0 unlocks its list of RTP sources while it writes a report. If a packet of a
        new source arrives at that moment, GLib prints a warning and the report ends early
        (rtpsession.c, fixed by GStreamer's commit 6675ed9a). The server cannot prevent it.
        """
        lines = self.process.stderr.read().splitlines()
        known = "g_hash_table_foreach: assertion 'version == hash_table->version' failed"
        return [each for each in lines if not each.endswith(known)]

    def interrupt(self) -> int:
        """Presses Ctrl-C, and returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kills the process."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class Studio:
    """An open page. A canvas in the page reads the pixels of the result."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.addresses: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.addresses.append(request.url))
        self.page.goto(address)
        wait_for("a connection", lambda: self.page.query_selector("#connection.open"))

    def choose(self, name: str, value: str) -> None:
        """Chooses a value in a property's list."""
        self.page.select_option(f"#property-{name}", value)

    def start_camera(self) -> None:
        """Starts the camera at a small size, and waits for the result."""
        self.choose("quality", "fast")
        self.page.select_option("#size", "640x360")
        self.page.click("#begin-camera")
        self.wait_for_frames()

    def wait_for_frames(self) -> None:
        """Waits until the result moves."""
        first = self.position()
        wait_for("frames of the result", lambda: self.position() > first + 0.2)

    def position(self) -> float:
        """Returns how many seconds of the result were shown."""
        return self.page.evaluate("() => document.getElementById('result-video').currentTime")

    def pixel(self, x: float, y: float) -> list[int]:
        """Returns red, green and blue of a point of the result. Coordinates run from 0 to 1."""
        return self.page.evaluate(
            """([x, y]) => {
              const video = document.getElementById('result-video');
              const canvas = document.createElement('canvas');
              [canvas.width, canvas.height] = [video.videoWidth || 1, video.videoHeight || 1];
              const context = canvas.getContext('2d');
              context.drawImage(video, 0, 0);
              return [...context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data]
                .slice(0, 3);
            }""",
            [x, y],
        )

    def wait_for_corner(self, color: tuple[int, int, int]) -> None:
        """Waits until the upper left corner, where the person is not, has this colour."""
        wait_for(f"a corner of {color}", lambda: is_near(self.pixel(0.03, 0.05), color))

    def text(self, selector: str) -> str:
        """Returns the text of an element of the page."""
        return self.page.inner_text(selector)

    def drop(self, path: pathlib.Path, target: str = "body") -> None:
        """Drops a file onto the page."""
        transfer = self.page.evaluate_handle(
            """([bytes, name, type]) => {
              const transfer = new DataTransfer();
              transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
              return transfer;
            }""",
            [list(path.read_bytes()), path.name, ""],
        )
        self.page.dispatch_event(target, "drop", {"dataTransfer": transfer})


def is_near(color: list[int], other: tuple[int, int, int]) -> bool:
    """Whether two colours differ by at most the error of video coding."""
    return all(abs(one - two) < 24 for one, two in zip(color, other, strict=True))
