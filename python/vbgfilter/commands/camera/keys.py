"""Reads keys from the terminal, and changes the element's properties for them."""

import contextlib
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from vbgfilter.commands.settings import background_properties, set_property

if TYPE_CHECKING:
    from gi.repository import Gst

HELP = "e: effect, b: background, o: off and on, q: quit"


class Keys:
    """Handles keys. Sets properties of the element, ``is_on`` and ``is_done``."""

    def __init__(self, element: "Gst.Element", backgrounds: list[str]) -> None:
        self._element = element
        self._backgrounds = backgrounds
        self._at = -1
        self.is_on = True
        self.is_done = False

    def press(self, key: str) -> str:
        """Handles a key and returns a message for the user."""
        actions = {"e": self._effect, "b": self._background, "o": self._switch, "q": self._quit}
        action = actions.get(key)
        return action() if action is not None else HELP

    def _effect(self) -> str:
        effects = ["blur", "color"]
        if self._element.get_property("background-path"):
            effects.append("replace")
        now = self._element.get_property("effect").value_nick
        following = effects[(effects.index(now) + 1) % len(effects)] if now in effects else "blur"
        set_property(self._element, "effect", following)
        return f"effect: {following}"

    def _background(self) -> str:
        if not self._backgrounds:
            return "no backgrounds: set a folder with --backgrounds"
        self._at = (self._at + 1) % len(self._backgrounds)
        chosen = self._backgrounds[self._at]
        try:
            properties = background_properties(chosen)
        except click.BadParameter as error:  # the file was removed, or a preset is invalid
            return f"background: {error.message}"
        for name, value in properties.items():
            set_property(self._element, name, value)
        return f"background: {chosen}"

    def _switch(self) -> str:
        self.is_on = not self.is_on
        return "on" if self.is_on else "off: the camera is released, the output is black"

    def _quit(self) -> str:
        self.is_done = True
        return "quit"


@contextlib.contextmanager
def terminal(*others: Any) -> Iterator[Callable[[float | None], str]]:
    """Yields a function that waits for a key or for input of the other files.

    It waits at most the given number of seconds, and returns the key, or "" if no key was pressed.
    """
    if not sys.stdin.isatty():
        yield lambda seconds: "" if select.select(others, [], [], seconds) else ""
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield lambda seconds: _read(descriptor) if _is_ready(others, seconds) else ""
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read(descriptor: int) -> str:
    # sys.stdin would buffer further keys, and select would not report them.
    return os.read(descriptor, 1).decode(errors="replace")


def _is_ready(others: tuple[Any, ...], seconds: float | None) -> bool:
    return sys.stdin in select.select([sys.stdin, *others], [], [], seconds)[0]
