"""File names for messages, and within the limits of file systems."""

import hashlib
import os
import pathlib

# The limit of Linux's file systems, in bytes.
_LONGEST_NAME = 255


def shown(text: str) -> str:
    """Returns a text for terminals and pages, with U+FFFD in place of unprintable characters."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)


def is_utf8(text: str) -> bool:
    """Whether a file name is UTF-8, as GStreamer's properties require."""
    return not any("\ud800" <= each <= "\udfff" for each in text)


def with_ending(name: str, ending: str) -> str:
    """Appends an ending to a name. If that is too long, a digest replaces part of the name."""
    data = os.fsencode(name)
    if len(data) + len(ending) > _LONGEST_NAME:
        digest = hashlib.sha256(data).hexdigest()[:16]
        kept = data[: _LONGEST_NAME - len(ending) - len(digest) - 1]
        name = f"{kept.decode(errors='ignore')}~{digest}"
    return name + ending


def part_of(path: pathlib.Path) -> pathlib.Path:
    """Returns the path under which a file is written until it is complete."""
    return path.with_name(with_ending(path.name, ".part"))
