"""``vbgfilter control``: changes the running camera."""

import json
from typing import Any

import click

from vbgfilter.commands.camera.link import ask
from vbgfilter.commands.settings import background_properties, parse_assignments


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Change the running camera. Nothing here shows the room.

    The changes are kept for the camera's next start.
    """


def _tell(reply: dict[str, Any]) -> None:
    if "message" in reply:
        click.echo(reply["message"], err=True)


@command.command()
def on() -> None:
    """Show the person again."""
    _tell(ask("on"))


@command.command()
def off() -> None:
    """Release the real camera, and show black."""
    _tell(ask("off"))


@command.command()
def toggle() -> None:
    """Turn the camera off or on, for a key of the desktop."""
    _tell(ask("key", key="o"))


@command.command()
@click.argument("what")
def background(what: str) -> None:
    """Show WHAT: blur, a picture, a video, #rrggbb or a colour's name."""
    found = background_properties(what)  # the camera may run in another folder
    _tell(ask("background", value=found.get("background-path") or what))


@command.command("set")
@click.argument("assignments", nargs=-1, required=True, metavar="NAME=VALUE...")
def set_(assignments: tuple[str, ...]) -> None:
    """Set properties of the element."""
    for name, value in parse_assignments(assignments).items():
        _tell(ask("set", name=name, value=value))


@command.command()
@click.argument("device", required=False, metavar="CAMERA")
def camera(device: str | None) -> None:
    """Use another real camera: a path or a part of a name. Without it, the first one."""
    _tell(ask("device", device=device))


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(as_json: bool) -> None:
    """Report whether the camera is on, and how many programs use it."""
    reply = ask("status")
    if as_json:
        click.echo(json.dumps(reply, indent=2))
        return
    programs = "an unknown number of" if reply["programs"] is None else reply["programs"]
    reason = f": {reply['reason']}" if reply["reason"] else ""
    click.echo(f"{reply['state']}{reason}; in use by {programs} programs; room hidden")
    click.echo(f"runs {reply['where']}, sends to {reply['output']}")


@command.command("quit")
def quit_() -> None:
    """End the camera. Programs that still show it get black."""
    reply = ask("quit")
    if reply["programs"]:
        click.echo(f"{reply['programs']} programs get black until they close the camera", err=True)
