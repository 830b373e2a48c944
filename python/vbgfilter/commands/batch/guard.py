"""Runs ``child.py`` in this process, and makes the kernel kill the process when its parent ends.

    python guard.py PARENT

PARENT is the process ID of the worker. Run this file by its path, not as a module: a module is only
started after all imports of its package. If the worker died during these imports, the process would
not be killed.
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
    # If the parent ended before the call to prctl, the kernel sends no signal.
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    # Python has added this file's folder, but its modules must be imported from their package.
    del sys.path[0]
    runpy.run_module("vbgfilter.commands.batch.child", run_name="__main__")
