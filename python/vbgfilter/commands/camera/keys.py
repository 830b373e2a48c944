"""Reads keys from the terminal, and passes their meaning on to the running camera."""

import contextlib
import itertools
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from typing import Any

from vbgfilter.commands.camera.link import ask
from vbgfilter.commands.errors import Failure

HELP = "e: effect, b: background, o: off and on, q: quit"


class Keys:
    """Handles all keys except q."""

    def __init__(self, backgrounds: list[str]) -> None:
        self._backgrounds = itertools.cycle(backgrounds)

    def press(self, key: str) -> str:
        """Handles a key and returns a message for the user."""
        actions = {"e": self._effect, "b": self._background, "o": lambda: ask("toggle")}
        try:
            return actions[key]()["message"] if key in actions else HELP
        except Failure as failure:  # for example, the background's file was removed
            return failure.message

    def _effect(self) -> dict[str, Any]:
        settings = ask("status")["settings"]
        effects = ["blur", "color", *["replace"] * ("background-path" in settings)]
        now = settings.get("effect", "blur")
        following = effects[(effects.index(now) + 1) % len(effects)] if now in effects else "blur"
        return ask("set", name="effect", value=following)

    def _background(self) -> dict[str, Any]:
        for background in self._backgrounds:
            return ask("background", value=background)
        return {"message": "no backgrounds: set a folder with --backgrounds"}


@contextlib.contextmanager
def terminal(*others: Any) -> Iterator[Callable[[float | None], str]]:
    """Yields a function that waits for a key or for input of the other files.

    It waits at most the given number of seconds, and returns the key, or "" if no key was pressed.
    """
    if not sys.stdin.isatty():
        yield lambda seconds: "" if select.select(others, [], [], seconds) else ""
        return
    descriptor = sys.stdin.fileno()

    def wait(seconds: float | None) -> str:
        ready = select.select([descriptor, *others], [], [], seconds)[0]
        # sys.stdin would buffer further keys, and select would not report them.
        return os.read(descriptor, 1).decode(errors="replace") if descriptor in ready else ""

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield wait
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
