"""Chromium and Firefox show the camera, while its parts change, crash, end and start again.

A second camera shows an unfiltered room. It must never be seen.
"""

import json
import pathlib
import shutil
import signal
import time

import pytest
from clients.support import NEEDED, PORTAL, Chromium, Firefox, Session, wait_for

from vbgfilter.commands import gstreamer


@pytest.fixture
def session(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    gstreamer.start()
    if not (PORTAL.exists() and all(map(shutil.which, NEEDED)) and gstreamer.has("pipewiresink")):
        pytest.skip("check-clients installs what is missing")
    # The session sets variables for its programs.
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_CURRENT_DESKTOP", "HOME",
                 "XDG_DATA_HOME"):  # fmt: skip
        monkeypatch.setenv(name, "")
    started = Session(tmp_path)
    yield started
    started.close()


@pytest.mark.parametrize("browser", [Chromium, Firefox])
def test_call(session: Session, browser: type[Chromium] | type[Firefox]) -> None:
    if browser is Firefox and shutil.which("firefox-esr") is None:
        pytest.skip("firefox-esr is not installed")
    session.says("to pipewire")
    time.sleep(2)
    client = browser(session)
    try:
        start = "start().then(() => '', (error) => String(error))"
        wait_for("a camera", lambda: client.evaluate(start) == "", 60)

        def shows(color: str, when: str) -> None:
            def is_shown() -> bool:
                report = json.loads(client.evaluate("report()"))
                assert set(report["seen"]) <= {"black", "blue", "green"}, (when, report)
                assert report["track"] in (None, "live"), when
                return report["last"] == color

            wait_for(f"{color} {when}", is_shown)

        def frames() -> int:
            return json.loads(client.evaluate("report()"))["frames"]

        shows("blue", "at first")
        before, began = frames(), time.monotonic()
        time.sleep(5)
        rate = (frames() - before) / (time.monotonic() - began)
        print(f"{browser.__name__}: {rate:.1f} frames per second")
        # On an idle machine it is 30.
        assert rate > 5

        session.control("background", "lime")
        shows("green", "after another background")
        session.control("off")
        shows("black", "after off")
        session.control("on")
        shows("green", "after on")
        session.crash_filter()
        shows("black", "after a crash")
        shows("green", "after the filter has started again")
        for number in (signal.SIGTERM, signal.SIGKILL):
            session.command.send_signal(number)
            session.command.wait(30)
            shows("black", f"after {number.name}")
            time.sleep(2)
            shows("black", f"later after {number.name}")
            session.start_command()
            shows("green", f"again after {number.name}")
        assert session.status()["programs"] == 1
    finally:
        client.close()
