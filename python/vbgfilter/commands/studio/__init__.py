"""``vbgfilter studio``: a page in the browser to try all of the element's properties."""

import asyncio
import json
import os
import pathlib
import signal
import ssl
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from vbgfilter.commands.errors import UNREADABLE, USAGE, Failure
from vbgfilter.commands.probe import check_readable, check_video
from vbgfilter.commands.studio.guard import is_loopback
from vbgfilter.commands.studio.needs import check_installed

if TYPE_CHECKING:
    from vbgfilter.commands.studio.server import Studio


def _tls(certificate: pathlib.Path | None, key: pathlib.Path | None) -> ssl.SSLContext | None:
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise click.UsageError("--certificate and --key require each other.")
    for each in (certificate, key):
        check_readable(each)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:  # ssl.SSLError is an OSError
        text = f"{certificate}, {key}: are not a certificate and its key in PEM format: {error}"
        raise Failure(text, UNREADABLE) from error
    return context


async def _serve(
    studio: "Studio",
    port: int | None,
    tls: ssl.SSLContext | None,
    as_json: bool,
    open_page: Callable[[str], object] | None,
) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with studio.serve(port, tls) as address:
        text = f"The page is open at {address} (Ctrl-C closes it)"
        click.echo(json.dumps({"address": address}) if as_json else text)
        if open_page is not None:
            await asyncio.to_thread(open_page, address)
        await studio.wait(stop)


def run_server(
    studio: "Studio",
    port: int | None = None,
    tls: ssl.SSLContext | None = None,
    *,
    as_json: bool,
    open_page: Callable[[str], object] | None,
) -> None:
    """Serves until Ctrl-C."""
    try:
        asyncio.run(_serve(studio, port, tls, as_json, open_page))
    except OSError as error:
        # asyncio adds the address to strerror. Errors of name resolution have negative numbers.
        is_system_error = error.errno is not None and error.errno > 0
        reason = os.strerror(error.errno) if is_system_error else error.strerror
        text = f"{studio.host}, port {port or 8765}: {reason}: try another --host or --port"
        raise Failure(text, USAGE) from error


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=pathlib.Path))
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. Other machines need a token.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="The port.  [default: 8765, or a free one]",
)
@click.option("--token", is_flag=True, help="Require a token on this machine, too.")
@click.option(
    "--certificate",
    type=click.Path(path_type=pathlib.Path),
    metavar="FILE",
    help="Serve HTTPS, which browsers require for cameras of other machines.",
)
@click.option(
    "--key",
    type=click.Path(path_type=pathlib.Path),
    metavar="FILE",
    help="The certificate's key.",
)
@click.option(
    "--sessions",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    metavar="N",
    help="Maximum number of open pages.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the address as JSON.")
def command(
    file: pathlib.Path | None,
    host: str,
    port: int | None,
    token: bool,
    certificate: pathlib.Path | None,
    key: pathlib.Path | None,
    sessions: int,
    opens: bool,
    as_json: bool,
) -> None:
    """Try all properties in the browser, with its camera or a FILE.

    Only this machine can open the page, unless --host is set. Ctrl-C ends with exit code 0.
    """
    tls = _tls(certificate, key)
    check_installed()
    if file is not None:
        check_video(file)
        file = file.resolve()
    # Import this only after check_installed has checked the modules that it needs.
    from vbgfilter.commands.studio.server import Studio
    from vbgfilter.commands.studio.session import Session

    is_local = is_loopback(host)
    studio = Studio(host, lambda page: Session(page, file, is_local), sessions, token)
    run_server(studio, port, tls, as_json=as_json, open_page=webbrowser.open if opens else None)
