"""The options for the encoding of videos."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import click


def parse_bitrate(ctx: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Parses bits per second, as in 800k, 2.5M or a number."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kM]?)", text)
    bits = round(float(found[1]) * {"": 1, "k": 1e3, "M": 1e6}[found[2]]) if found else 0
    if bits <= 0:
        raise click.BadParameter(f"{text} is not a number of bits a second: 800k or 2.5M.")
    return bits


def encoding_options(codecs: Iterable[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds --codec (one of `codecs`), --bitrate, --encoder and --overwrite to a command."""
    names = list(codecs)
    options = [
        click.option(
            "--codec", type=click.Choice(names), metavar="NAME",
            help=f"{', '.join(names)}; by default the source's.",
        ),
        click.option(
            "--bitrate", metavar="BITS", callback=parse_bitrate, help="800k or 2.5M, a second."
        ),
        click.option("--encoder", metavar="ELEMENT", help="As gst-launch-1.0 writes it."),
        click.option("--overwrite", is_flag=True, help="Do again what is done, replace others."),
    ]  # fmt: skip

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
