"""The task of a worker: converts one clip and stores its result."""

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass

from vbgfilter.commands.batch.places import NOTES, Clip, Place
from vbgfilter.commands.batch.records import Choices, Record, save
from vbgfilter.commands.errors import NOT_INSTALLED, SOME_FAILED, UNREADABLE, USAGE

# Exit codes of failures that another attempt would repeat.
_FINAL = {USAGE, NOT_INSTALLED, UNREADABLE}
_GUARD = str(pathlib.Path(__file__).with_name("guard.py"))
# The number of last characters of a process's standard error to report.
_LAST_WORDS = 400


class Unfinished(RuntimeError):
    """A clip that another attempt may finish."""


@dataclass(frozen=True)
class Task:
    """A clip to convert."""

    run: str  # identifies the command's run
    source: str
    target: str
    clip: Clip
    output: str
    choices: Choices
    made_size: int = 0  # the size of the result of an earlier run

    def record(self, status: str, **found: object) -> Record:
        """Returns a record of the task."""
        clip = self.clip
        return Record(
            clip.name, self.output, status, clip.size, clip.version, self.choices.digest,
            **({"output_size": self.made_size} | found),
        )  # fmt: skip


# Called with the number of converted frames and of all frames.
Progress = Callable[[int, int], None]

# The time for a process to clean up.
_LAST_SECONDS = 20
# The processes of each run in this worker, and the runs that another thread stopped.
_lock = threading.Lock()
_processes: dict[str, set[subprocess.Popen[str]]] = {}
_stopped: set[str] = set()


def stop(run: str) -> None:
    """Ends all processes of a run in this worker. They remove their files."""
    with _lock:
        _stopped.add(run)
        for process in _processes.get(run, ()):
            process.terminate()


def attempt(task: Task, progress: Progress) -> Record:
    """Converts a clip in one attempt, because no cluster can retry it."""
    try:
        return convert_clip(task, lambda done, frames: progress(task.clip.name, done, frames))
    except (Unfinished, OSError) as error:
        return task.record("failed", error=str(error), exit_code=SOME_FAILED)


def convert_clip(task: Task, progress: Progress, folder: str | None = None) -> Record:
    """Converts a clip and stores the result and then its record.

    Temporary files are in a new folder below ``folder``. Raises ``Unfinished`` and OSError if
    another attempt may succeed.
    """
    source, target = Place(task.source), Place(task.target)
    with tempfile.TemporaryDirectory(prefix="vbgfilter-", dir=folder) as scratch:
        if source.is_local:
            clip = source.path(task.clip.name)
        else:
            clip = pathlib.Path(scratch, "source", task.clip.name)
            source.fetch(task.clip.name, clip)
        if target.is_local:
            # This is on the result's file system. It replaces files of an attempt that was killed.
            made = target.path(f"{NOTES}/unfinished/{task.output}")
        else:
            made = pathlib.Path(scratch, "result", task.output)
        found = _run(task, clip, made, progress)
        if found["status"] == "failed":
            error = found["error"].replace(str(clip), task.clip.name)
            error = error.replace(str(made), task.output)
            if found["exit-code"] not in _FINAL:
                raise Unfinished(error)
            return task.record("failed", error=error, exit_code=found["exit-code"])
        record = task.record(
            "done", output_size=made.stat().st_size, frames=found["frames"],
            hidden=found["hidden-frames"], seconds=found["seconds"],
            cpu_seconds=found["cpu-seconds"], encoder=found["encoder"],
            statistics=found["statistics"], notes=found["notes"],
            thumbnail=found["thumbnail"], host=socket.gethostname(),
        )  # fmt: skip
        # Keep this order. After an interruption anywhere in between, the clip counts as not done.
        if target.look_up(task.output) is not None:
            target.remove(task.output)
        save(target, record)
        target.store(task.output, made)
    return record


def _run(
    task: Task, source: pathlib.Path, output: pathlib.Path, progress: Progress
) -> dict[str, object]:
    """Runs the process that converts the clip, and returns its final report."""
    choices = task.choices
    job = {
        "source": str(source), "output": str(output), "overwrite": True,
        "settings": dataclasses.asdict(choices.settings), "codec": choices.codec,
        "bitrate": choices.bitrate, "encoder": choices.encoder,
    }  # fmt: skip
    with tempfile.TemporaryFile("w+", errors="replace") as words:
        with _lock:
            if task.run in _stopped:
                raise Unfinished("it was stopped")
            process = subprocess.Popen(
                [sys.executable, _GUARD, str(os.getpid())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, text=True,
                # Only the command handles Ctrl-C: it ends the processes of its workers in order.
                start_new_session=True,
            )  # fmt: skip
            _processes.setdefault(task.run, set()).add(process)
        result = None
        try:
            # If the process has ended already, its standard error explains why.
            with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
                json.dump(job, stdin)
            # This waits without the interpreter's lock, so the worker keeps answering.
            for line in process.stdout:
                told = json.loads(line)
                result = told.get("result")
                if result is None:
                    progress(told["frames"], told["of"])
        except BaseException:
            process.terminate()
            raise
        finally:
            process.stdout.close()
            _wait(process)
            with _lock:
                _processes[task.run].discard(process)
        if result is None:
            words.seek(0)
            raise Unfinished(_why(process.returncode, words.read().strip()))
        return result


def _wait(process: "subprocess.Popen[str]") -> None:
    """Waits for a process that is about to end."""
    try:
        process.wait(_LAST_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _why(code: int, words: str) -> str:
    ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"exited with {code}"
    return f"its process {ended}: {words[-_LAST_WORDS:]}".rstrip(": ")
