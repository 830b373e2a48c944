"""Starts the process that converts a clip, so that it ends with the worker that started it.

    python guard.py PARENT

Run by its path: as a module it would come after all that the package imports, and a worker that
dies meanwhile would leave it behind.
"""

import ctypes
import os
import runpy
import signal
import sys

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def end_with(parent: int) -> None:
    """Lets the system kill this process when the thread that started it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    # It may have ended before the call.
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    # This folder, whose modules are those of a package.
    del sys.path[0]
    runpy.run_module("vbgfilter.commands.batch.child", run_name="__main__")
