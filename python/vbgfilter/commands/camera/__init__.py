"""``vbgfilter camera``: a virtual camera that hides the background."""

import contextlib
import os
import pathlib
import re
import sys

import click

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import presets, saved, service, start
from vbgfilter.commands.camera.keys import HELP, Keys, terminal
from vbgfilter.commands.camera.link import Link, NotRunning, ask
from vbgfilter.commands.camera.sinks import choose_sink
from vbgfilter.commands.errors import USAGE, Failure
from vbgfilter.commands.settings import Settings, element_options

_PATH = click.Path(path_type=pathlib.Path)


def parse_size(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int]:
    """Parses a size such as 1280x720 or 720p. Camera formats require even numbers."""
    lines = re.fullmatch(r"(\d{2,4})p", text.lower())
    # The width of 16:9, even.
    text = f"{round(int(lines[1]) * 8 / 9) * 2}x{lines[1]}" if lines else text
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if min(size) < 16 or size[0] % 2 or size[1] % 2:
        raise click.BadParameter(
            f"{text} is neither WIDTHxHEIGHT with even numbers, such as 1280x720, nor 720p."
        )
    return size


@click.command()
@click.option("--device", "-d", metavar="CAMERA",
              help="A path, a part of a name, or a GStreamer source.  "
              "[default: the first camera]")  # fmt: skip
@click.option("--to", type=click.Choice(["v4l2", "pipewire", "window"]),
              metavar="KIND", help="The output: v4l2, pipewire or window.")  # fmt: skip
@click.option("--output", metavar="PATH", help="The v4l2loopback device to write to.")
@click.option("--size", default="1280x720", callback=parse_size, show_default=True,
              metavar="WxH", help="Size of the frames.")  # fmt: skip
@element_options
@click.option("--backgrounds", type=_PATH, metavar="FOLDER", help="Backgrounds for the key b.")
@click.option("--presets", "file", type=_PATH, help="A TOML file of presets.")
@click.option("--install", is_flag=True, help="Start this camera at every login.")
def command(
    device: str | None,
    to: str | None,
    output: str | None,
    size: tuple[int, int],
    settings: Settings,
    backgrounds: pathlib.Path | None,
    file: pathlib.Path | None,
    install: bool,
) -> None:
    """Make a virtual camera that hides the room of a real one.

    Keys: e effect, b background, o off and on, q quit.
    """
    variables = service.session_variables()
    tables = presets.read_presets(file or presets.default_file())
    device, settings, given = saved.read_choices(device, presets.with_preset(settings, tables))
    if settings.transparent:
        text = "cameras have no alpha: set --background to blur, a picture or a colour"
        raise Failure(text, USAGE)
    settings.check(is_live=True)
    sink = choose_sink(to, output)
    choices = _backgrounds(backgrounds) + [
        table["background"]
        for table in tables.values()
        if table.get("background", "transparent") != "transparent"
    ]
    if install:
        _install([each for each in sys.argv[2:] if each != "--install"], variables)
        return
    config = start.make_config(device, settings, given, _place(), sink, size)
    with contextlib.closing(start.own(config, variables)) as link:
        click.echo(HELP if sys.stdin.isatty() else f"sending to {sink.kind}", err=True)
        try:
            _follow(link, Keys(choices))
        except KeyboardInterrupt:
            _quit()
            raise


def _place() -> str:
    terminal = f" of {os.ttyname(0)}" if sys.stdin.isatty() else ""
    is_unit = "INVOCATION_ID" in os.environ and not terminal
    return f"in process {os.getpid()}{terminal}{', started by systemd' * is_unit}"


def _install(arguments: list[str], variables: dict[str, str]) -> None:
    unit = service.install(arguments, variables)
    service.install_entry(variables)
    click.echo(f"Wrote {unit}. To start it now: systemctl --user start {unit.name}")
    rule = service.rule_path()
    if rule.exists():
        return
    click.echo("If the camera's process is killed, OBS changes to another camera without a rule.")
    if not sys.stdin.isatty():
        click.echo("To write the rule, run this in a terminal.")
    elif click.confirm(f"Write {rule}?", default=True):
        service.install_rule()


def _follow(link: Link, keys: Keys) -> None:
    """Handles keys and shows messages until the camera ends."""
    with terminal(link) as wait:
        while True:
            key = "" if link.has_more else wait(None)
            if key == "q":
                return _quit()
            if key:
                click.echo(keys.press(key), err=True)
                continue
            try:
                message = link.receive()
            except NotRunning as error:
                raise Failure("the process that held the camera has ended: try again") from error
            if "error" in message:
                raise Failure(message["error"], message["exit-code"])
            if "quit" in message:
                return None
            click.echo(message["message"], err=True)


def _quit() -> None:
    if programs := ask("quit")["programs"]:
        text = f"still in use by {programs} program{'s'[: programs > 1]}"
        click.echo(f"{text}, which get black until they close the camera", err=True)


def _backgrounds(folder: pathlib.Path | None) -> list[str]:
    if folder is None:
        return []
    if not folder.is_dir():
        raise Failure(f"--backgrounds {folder}: there is no such folder", USAGE)
    return [str(each) for each in sorted(folder.iterdir()) if gstreamer.is_picture_or_video(each)]
