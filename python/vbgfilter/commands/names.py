"""Names of files: as messages show them, and as file systems take them."""

import hashlib
import os
import pathlib

# Of Linux's file systems, in bytes.
_LONGEST_NAME = 255


def shown(text: str) -> str:
    """A text as terminals and pages take it: a byte that is no UTF-8 becomes a question mark."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)


def is_utf8(text: str) -> bool:
    """Whether GStreamer's properties take a text that came from the command line or a folder."""
    return not any("\ud800" <= each <= "\udfff" for each in text)


def with_ending(name: str, ending: str) -> str:
    """A name with more at its end. A digest replaces the end of one that is too long for that."""
    data = os.fsencode(name)
    if len(data) + len(ending) > _LONGEST_NAME:
        digest = hashlib.sha256(data).hexdigest()[:16]
        kept = data[: _LONGEST_NAME - len(ending) - len(digest) - 1]
        name = f"{kept.decode(errors='ignore')}~{digest}"
    return name + ending


def part_of(path: pathlib.Path) -> pathlib.Path:
    """Where a file is written until it is whole: beside its place."""
    return path.with_name(with_ending(path.name, ".part"))
