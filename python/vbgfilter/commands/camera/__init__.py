"""``vbgfilter camera``: a virtual camera that hides the background."""

import pathlib
import re
import sys

import click

from vbgfilter.commands import gstreamer
from vbgfilter.commands.camera import presets, service
from vbgfilter.commands.camera.keys import HELP, Keys, terminal
from vbgfilter.commands.camera.sinks import choose_sink, open_window
from vbgfilter.commands.camera.virtual import VirtualCamera
from vbgfilter.commands.errors import USAGE, Failure
from vbgfilter.commands.settings import Settings, element_options

_PATH = click.Path(path_type=pathlib.Path)
# The interval between checks of the camera. The command waits for a key for this time.
_STEP_SECONDS = 0.1


def parse_size(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int]:
    """Parses a size such as 1280x720 or 720p. Both numbers must be even, as camera formats require."""
    lines = re.fullmatch(r"(\d{2,4})p", text.lower())
    # The width of 16:9, even.
    text = f"{round(int(lines[1]) * 8 / 9) * 2}x{lines[1]}" if lines else text
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if min(size) < 16 or size[0] % 2 or size[1] % 2:
        raise click.BadParameter(f"{text} is neither WIDTHxHEIGHT with even numbers, such as 1280x720, nor 720p.")
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
    settings = presets.with_preset(settings, tables)
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
        unit = service.install(
            [each for each in sys.argv[2:] if each != "--install"], variables
        )
        click.echo(f"Wrote {unit}. To start it now: systemctl --user start {unit.name}")
        return
    sink = open_window(sink)
    camera = VirtualCamera(device, settings, sink, size, lambda text: click.echo(text, err=True))
    keys = Keys(camera.element, choices)
    click.echo(HELP if sys.stdin.isatty() else f"sending to {sink.kind}", err=True)
    try:
        with terminal() as wait:
            while not keys.is_done:
                camera.step(keys.is_on)
                key = wait(_STEP_SECONDS)
                if key:
                    click.echo(keys.press(key), err=True)
    finally:
        camera.close()


def _backgrounds(folder: pathlib.Path | None) -> list[str]:
    if folder is None:
        return []
    if not folder.is_dir():
        raise Failure(f"--backgrounds {folder}: there is no such folder", USAGE)
    return [str(each) for each in sorted(folder.iterdir()) if gstreamer.is_picture_or_video(each)]
