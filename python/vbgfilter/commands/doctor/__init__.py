"""``vbgfilter doctor``: installed and missing packages, devices, speed, and advice."""

import json
import os
from typing import Any

import click
from rich.console import Console

from vbgfilter.commands.camera.devices import find_cameras
from vbgfilter.commands.doctor import advice, installed, speed
from vbgfilter.commands.errors import Failure

_SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}


@click.command()
@click.option(
    "--size", type=click.Choice(list(_SIZES)), default="720p", show_default=True,
    help="Frame size for the speed.",
)  # fmt: skip
@click.option("--quick", is_flag=True, help="Do not measure the speed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(size: str, quick: bool, as_json: bool) -> None:
    """Report what is installed, what is missing, and how fast each quality is.

    Measuring the speed takes about six seconds, and ends with recommended settings. Exit code 3:
    the element cannot run. Other missing packages are reported, but are not an error.
    """
    report: dict[str, Any] = {"checks": [], "devices": {}, "cameras": [], "speed": []}
    report["recommendation"] = None
    console = Console(highlight=False, soft_wrap=True, quiet=as_json)
    try:
        _examine(report, console, size, quick)
    except Failure as failure:
        if as_json:
            click.echo(json.dumps(report | failure.as_json(), indent=2))
            raise click.exceptions.Exit(failure.exit_code) from failure
        raise
    if as_json:
        click.echo(json.dumps(report, indent=2))


def _examine(report: dict[str, Any], console: Console, size: str, quick: bool) -> None:
    """Fills the report, and prints each entry as soon as it is known."""

    def show(what: str, text: str) -> None:
        console.print(f"{what:<22}{text}", markup=False)

    for check in installed.check_system():
        report["checks"].append(check.as_json())
        show(check.what, check.found or f"missing: {check.remedy}")
    for camera in find_cameras():
        report["cameras"].append({"name": camera.name, "path": camera.path})
        show("camera", f"{camera.name} {camera.path}".rstrip())
    if not report["cameras"]:
        show("camera", "none")
    report["devices"] = speed.find_devices()
    for name, reason in report["devices"].items():
        show(f"device {name}", "cannot be used; --json gives the reason" if reason else "usable")
    if quick:
        return

    def measure(quality: str, threads: int) -> speed.Speed:
        found = speed.measure(quality, threads, _SIZES[size])
        report["speed"].append(found.as_json() | {"size": size})
        text = f"{found.frames_per_second:.0f} frames/s of {size}, "
        text += f"{threads} thread{'s' if threads > 1 else ''}, {found.network}"
        if found.used != quality:
            text += f" ({found.used} is used instead: apt install "
            text += "gstreamer1.0-vbgfilter-models-gpl)"
        show(f"quality {quality}", text)
        return found

    speeds = [measure(quality, 1) for quality in speed.QUALITIES]
    chosen = advice.recommend(speeds, len(os.sched_getaffinity(0)), size, measure)
    report["recommendation"] = chosen.as_json()
    settings = f"quality={chosen.quality} threads={chosen.threads}"
    show("recommended", f"vbgfilter {settings}: {chosen.reason}")
