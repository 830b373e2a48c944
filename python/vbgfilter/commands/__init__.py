"""The command ``vbgfilter``: a table of subcommands, each imported only when it is used."""

import errno
import importlib
import os
import signal
import sys
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

import vbgfilter
from vbgfilter.commands.errors import INTERRUPTED, Failure, missing
from vbgfilter.commands.names import shown


class Entry(NamedTuple):
    """A subcommand: the module that defines ``command``, and the packages of its libraries."""

    module: str
    help: str
    libraries: str = ""  # for pip, if the wheel does not require them
    packages: str = "python3-click python3-rich python3-aiohttp"  # Debian's packages


COMMANDS = {
    "convert": Entry("vbgfilter.commands.convert", "Hide the room in video files."),
    "camera": Entry("vbgfilter.commands.camera", "Make a virtual camera that hides the room."),
    "app": Entry("vbgfilter.commands.app", "Open a window that controls the camera."),
    "control": Entry("vbgfilter.commands.control", "Change the running camera."),
    "studio": Entry("vbgfilter.commands.studio", "Try all properties in the browser."),
    "doctor": Entry(
        "vbgfilter.commands.doctor", "Report what is installed, what is missing, and the speed."
    ),
    "batch": Entry(
        "vbgfilter.commands.batch",
        "Convert folders and buckets on many cores or machines.",
        "distributed fsspec",
        "python3-distributed python3-fsspec",
    ),
}


class Commands(click.Group):
    """Imports a subcommand's module when the user runs it or asks for its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        try:
            return importlib.import_module(entry.module).command
        except ModuleNotFoundError as error:
            if ctx.resilient_parsing:  # during shell completion
                return None
            raise _missing_library(cmd_name, error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [
            CompletionItem(name, help=entry.help)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def main(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().main(*args, **extra)
        except OSError as error:
            # Click handles only a closed pipe.
            what = error.filename
            if what is None and error.errno == errno.ENOSPC:
                what = "the output cannot be written"
            reason = error.strerror or str(error)
            failure = Failure(shown(f"{what}: {reason}" if what else reason))
            failure.show()
            # Python would write the rest at its end, and fail again.
            sys.stdout = open(os.devnull, "w")
            sys.exit(failure.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        # Like Ctrl-C, these signals end a command and let it remove temporary files. Signals that
        # the parent process ignores stay ignored, for example SIGHUP under nohup.
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Failure("interrupted", INTERRUPTED) from error
        except ModuleNotFoundError as error:  # of a library that --help does not need
            raise _missing_library(ctx.invoked_subcommand or "", error) from error


def _missing_library(command: str, error: ModuleNotFoundError) -> Exception:
    """Returns the failure for a missing library, or the error if the module is this package's."""
    library = str(error.name).partition(".")[0]
    if library == "vbgfilter":
        return error
    entry = COMMANDS[command]
    what = f"the Python library {error.name}, needed by vbgfilter {command},"
    return missing(what, pip=entry.libraries or library, apt=entry.packages)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(vbgfilter.__version__, prog_name="vbgfilter")
def main() -> None:
    """Hide the room behind the person in videos and camera streams.

    Exit codes: 0 done, 1 some files failed, 2 wrong usage, 3 something is not installed, 4 input
    cannot be read, 130 interrupted.
    """
