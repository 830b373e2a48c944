"""Starts the process that converts a clip, and ends it when the worker that started it ends.

    python guard.py PARENT

Run it by its path. As a module it would start only after all imports of the package, and a
worker that dies during the imports would leave it behind.
"""

import ctypes
import os
import runpy
import signal
import sys

_PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


def end_with(parent: int) -> None:
    """Makes the kernel kill this process when the thread that started it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    # The parent may have ended before the call.
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    # Remove this folder: its modules belong to a package.
    del sys.path[0]
    runpy.run_module("vbgfilter.commands.batch.child", run_name="__main__")
