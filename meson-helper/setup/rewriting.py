"""The command line that the scripts for rewriting networks share."""

import pathlib
import sys


class UnexpectedNetwork(Exception):
    """The file is not the network for which the rewriting script was written."""


def main(usage, rewrite):
    """Writes rewrite(bytes of SOURCE) to TARGET, the two arguments of the command."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    try:
        target.write_bytes(rewrite(source.read_bytes()))
    except UnexpectedNetwork as unexpected:
        sys.exit(f"{source}: {unexpected}")
