"""The options for encoding videos."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import click


def parse_bitrate(ctx: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Parses a bitrate such as 800k, 2.5M or 64000. Returns bits per second."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([km]?)", text.lower())
    bits = round(float(found[1]) * {"": 1, "k": 1e3, "m": 1e6}[found[2]]) if found else 0
    if bits <= 0:
        raise click.BadParameter(f"{text} is not a bit rate such as 800k or 2.5M.")
    return bits


def encoding_options(codecs: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds --codec (one of `codecs`), --bitrate, --encoder and --overwrite to a command."""
    names = list(codecs)
    options = [
        click.option(
            "--codec", type=click.Choice(names), metavar="NAME",
            help=f"{', '.join(names)}.  [default: the source's]",
        ),
        click.option(
            "--bitrate", metavar="BITS", callback=parse_bitrate,
            help="Bits per second, such as 800k or 2.5M.",
        ),
        click.option("--encoder", metavar="ELEMENT", help="An encoder, as for gst-launch-1.0."),
        click.option("--overwrite", is_flag=True, help="Convert again and replace existing files."),
    ]  # fmt: skip

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
