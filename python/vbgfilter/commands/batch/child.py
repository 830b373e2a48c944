"""The process that converts one clip. ``guard.py`` starts it.

It reads the job from standard input as a JSON object. Each line of its standard output is a JSON
object: {"frames": ..., "of": ...} reports the progress, and the last line is {"result": ...}.
"""

import json
import os
import pathlib
import resource
import signal
import sys
from typing import Any, TextIO

from vbgfilter.commands.batch.thumbnail import make_thumbnail
from vbgfilter.commands.convert.transcode import Job, convert
from vbgfilter.commands.errors import INTERRUPTED
from vbgfilter.commands.settings import Settings


def _own_output() -> TextIO:
    """Returns a duplicate of standard output, and redirects standard output to standard error.

    So messages that libraries print do not mix with the JSON lines.
    """
    own = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _interrupt(*_: object) -> None:
    """Ends the process like Ctrl-C. Another signal does not stop the removal of files."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def main() -> None:
    """Converts the clip and prints the result."""
    signal.signal(signal.SIGTERM, _interrupt)
    output = _own_output()

    def tell(line: dict[str, Any]) -> None:
        print(json.dumps(line), file=output, flush=True)

    wanted = json.load(sys.stdin)
    settings = Settings(**wanted.pop("settings"))
    paths = {name: pathlib.Path(wanted.pop(name)) for name in ("source", "output")}
    job = Job(settings=settings, **paths, **wanted)
    try:
        result = convert(job, lambda done, frames: tell({"frames": done, "of": frames}))
        told = result.as_json() | {"cpu-seconds": _cpu_seconds(), "statistics": result.statistics}
        # Create no thumbnail of a skipped file: another program may have written it.
        told["thumbnail"] = make_thumbnail(job.output) if result.status == "done" else ""
    except KeyboardInterrupt:
        # The file may already be complete.
        job.output.unlink(missing_ok=True)
        sys.exit(INTERRUPTED)
    tell({"result": told})


if __name__ == "__main__":
    main()
