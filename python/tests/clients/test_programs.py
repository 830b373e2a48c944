"""Chromium, Firefox and OBS show the camera, while its parts change, crash, end and start again.

A second camera shows an unfiltered room. It must never be seen.
"""

import pathlib
import re
import shutil
import signal
import subprocess
import time

import pytest
from clients.support import (
    NEEDED,
    OBS,
    PORTAL,
    Chromium,
    Firefox,
    Session,
    Snapshot,
    wait_for,
)

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import service

# Firefox itself ended once while it opened the camera, so only check-clients runs it.
FIREFOX = pytest.param(Firefox, marks=pytest.mark.long)


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


def version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout


def need(program: type) -> None:
    if shutil.which(program.program) is None:
        pytest.skip(f"{program.program} is not installed")
    if program is OBS and not re.search(r" (3\d|[4-9]\d)\.", version(program.program)):
        pytest.skip("OBS reads cameras of PipeWire since version 30")


@pytest.mark.parametrize("program", [Chromium, FIREFOX, OBS, Snapshot])
def test_call(session: Session, program: type) -> None:
    need(program)
    session.says("to pipewire")
    time.sleep(2)
    client = program(session)
    try:
        client.start()

        def shows(color: str, when: str) -> None:
            def is_shown() -> bool:
                report = client.report()
                assert set(report["seen"]) <= {"black", "blue", "green"}, (when, report)
                assert report["track"] in (None, "live"), when
                return report["last"] == color

            wait_for(f"{color} {when}", is_shown)

        def frames() -> int:
            return client.report()["frames"]

        shows("blue", "at first")
        if program in (Chromium, Firefox):
            before, began = frames(), time.monotonic()
            time.sleep(5)
            rate = (frames() - before) / (time.monotonic() - began)
            print(f"{program.__name__}: {rate:.1f} frames per second")
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


@pytest.mark.parametrize("program", [Chromium, FIREFOX, OBS])
def test_kill_of_the_holder(
    session: Session, program: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rule, no program changes to the room. Browsers do not need the rule.

    Snapshot chooses another camera by itself.
    """
    need(program)
    for folder in ("config", "obs"):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(session.folder / folder))
        service.install_rule()
    session.says("to pipewire")
    time.sleep(2)
    client = program(session)
    try:
        client.start()
        wait_for("blue", lambda: client.report()["last"] == "blue")
        session.kill_holder()
        assert session.command.wait(30) == 1
        for _ in range(10):
            time.sleep(0.5)
            assert set(client.report()["seen"]) <= {"black", "blue"}
    finally:
        client.close()
