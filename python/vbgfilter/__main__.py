"""Runs the command as ``python -m vbgfilter``."""

from vbgfilter.commands import main

if __name__ == "__main__":
    main(prog_name="vbgfilter")
