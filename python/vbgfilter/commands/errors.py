"""Failures of commands: a message with the cause and the remedy, and an exit code."""

from typing import Any

import click

import vbgfilter

SOME_FAILED = 1
USAGE = 2
NOT_INSTALLED = 3
UNREADABLE = 4
INTERRUPTED = 130


class Failure(click.ClickException):
    """Ends the command with a message on standard error and with ``exit_code``."""

    def __init__(self, message: str, exit_code: int = SOME_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def as_json(self) -> dict[str, Any]:
        """Returns the failure for ``--json``."""
        return {"error": self.message, "exit-code": self.exit_code}


def missing(what: str, pip: str | None = None, apt: str | None = None) -> Failure:
    """Returns the failure for a missing package. Its message has the commands to install it."""
    return Failure(f"{what} is not installed: {remedy(pip, apt)}", NOT_INSTALLED)


def remedy(pip: str | None = None, apt: str | None = None) -> str:
    """Returns the shell commands that install a missing package.

    If this package was installed with pip and pip offers the missing package, only the pip command
    is returned. The same applies to apt. Otherwise both commands are returned.
    """
    lines = [f"apt install {apt}"] if apt and not (pip and vbgfilter.is_wheel()) else []
    lines += [f"pip install {pip}"] if pip and not (apt and vbgfilter.is_debian()) else []
    return ", or ".join(lines)
