"""Generates the manual page of the command vbgfilter from its --help.

    write_manual.py ROOT           writes python/vbgfilter.1
    write_manual.py ROOT --check   fails if the page is out of date

Needs the Python libraries of the command: run it with .deps/command/bin/python.
"""

import pathlib
import re
import sys

HEAD = r""".\" Written by meson-helper/checks/write_manual.py.
.Dd November 27, 2026
.Dt VBGFILTER 1
.Os
.Sh NAME
.Nm vbgfilter
.Nd hide the room behind a person in videos and cameras
.Sh SYNOPSIS
.Nm
.Ar command
.Op Ar option ...
.Op Ar argument ...
.Sh DESCRIPTION
"""
TAIL = r""".Sh SEE ALSO
.Xr vbgfilter 7 ,
.Xr gst-launch-1.0 1
"""


def text(words):
    """Returns a text with troff's special characters escaped."""
    words = " ".join(words.split()).replace("\\", r"\e")
    return re.sub(r"^([.'])", r"\\&\1", words) + "\n"


def options(command, context):
    """Returns the list of a command's options."""
    lines = [".Bl -tag -width Ds\n"]
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record:
            name = record[0].replace("-", r"\-").replace('"', '""')
            lines += [f'.It Li "{name}"\n', text(record[1])]
    return "".join([*lines, ".El\n"])


def paragraphs(command):
    """Returns the paragraphs of a command's help."""
    return ".Pp\n".join(map(text, re.split(r"\n\s*\n", command.help.strip())))


def page(group):
    """Returns the whole page."""
    import click

    context = group.make_context("vbgfilter", [], resilient_parsing=True)
    parts = [HEAD, paragraphs(group), options(group, context), ".Sh COMMANDS\n"]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = click.Context(command, info_name=name, parent=context)
        usage = " ".join(command.collect_usage_pieces(inner))
        parts += [f".Ss {name} {usage}\n", paragraphs(command), options(command, inner)]
    return "".join(parts) + TAIL


def main(arguments):
    root = pathlib.Path(arguments[0]).resolve()
    sys.path.insert(0, str(root / "python"))
    from vbgfilter import commands

    found, path = page(commands.main), root / "python" / "vbgfilter.1"
    if "--check" not in arguments:
        path.write_text(found)
    elif not path.exists() or path.read_text() != found:
        sys.exit(f"{path} differs from the command's --help: run {' '.join(sys.argv[:2])}")


if __name__ == "__main__":
    main(sys.argv[1:])
