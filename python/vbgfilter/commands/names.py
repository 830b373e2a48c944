"""File names: safe to print, and within the length limit of file systems."""

import hashlib
import os
import pathlib

# The maximum length of a file name on Linux, in bytes.
_MAX_NAME_BYTES = 255


def shown(text: str) -> str:
    """Returns a text with U+FFFD in place of unprintable characters, for terminals and pages."""
    return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)


def is_utf8(text: str) -> bool:
    """Whether a file name is UTF-8, as GStreamer's properties require."""
    return not any("\ud800" <= each <= "\udfff" for each in text)


def with_ending(name: str, ending: str) -> str:
    """Appends an ending to a name. If the result is too long, a digest replaces its middle."""
    data = os.fsencode(name)
    if len(data) + len(ending) > _MAX_NAME_BYTES:
        digest = hashlib.sha256(data).hexdigest()[:16]
        kept = data[: _MAX_NAME_BYTES - len(ending) - len(digest) - 1]
        name = f"{kept.decode(errors='ignore')}~{digest}"
    return name + ending


def part_of(path: pathlib.Path) -> pathlib.Path:
    """Returns the temporary path of a file, used until the file is complete."""
    return path.with_name(with_ending(path.name, ".part"))
