"""A task for a worker: convert one clip and store the result."""

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

# Exit codes of failures that would occur again in another attempt.
_FINAL = {USAGE, NOT_INSTALLED, UNREADABLE}
_GUARD = str(pathlib.Path(__file__).with_name("guard.py"))
# How many characters from the end of a process's standard error are reported.
_REPORTED_CHARACTERS = 400


class Unfinished(RuntimeError):
    """A conversion failed, but another attempt may succeed."""


@dataclass(frozen=True)
class Task:
    """A clip to convert."""

    run: str  # identifies this run of the command
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


# Called with the number of converted frames and the number of all frames.
Progress = Callable[[int, int], None]

# The time that a process gets to remove its files.
_CLEANUP_SECONDS = 20
# The processes of each run in this worker, and the runs that ``stop`` has stopped.
_lock = threading.Lock()
_processes: dict[str, set[subprocess.Popen[str]]] = {}
_stopped: set[str] = set()


def stop(run: str) -> None:
    """Terminates all processes of a run in this worker. They first remove their files."""
    with _lock:
        _stopped.add(run)
        for process in _processes.get(run, ()):
            process.terminate()


def attempt(task: Task, progress: Progress) -> Record:
    """Converts a clip without a cluster, in a single attempt. Returns failures as records."""
    try:
        return convert_clip(task, lambda done, frames: progress(task.clip.name, done, frames))
    except (Unfinished, OSError) as error:
        return task.record("failed", error=str(error), exit_code=SOME_FAILED)


def convert_clip(task: Task, progress: Progress, folder: str | None = None) -> Record:
    """Converts a clip, and stores its record and its result.

    Temporary files are in a new folder below ``folder``. Raises ``Unfinished`` or OSError if
    another attempt may succeed. Returns other failures as records.
    """
    source, target = Place(task.source), Place(task.target)
    with tempfile.TemporaryDirectory(prefix="vbgfilter-", dir=folder) as scratch:
        if source.is_local:
            clip = source.path(task.clip.name)
        else:
            clip = pathlib.Path(scratch, "source", task.clip.name)
            source.fetch(task.clip.name, clip)
        if target.is_local:
            # This path is on the file system of the target, so the result can be moved. A new
            # attempt overwrites the file of an attempt that was killed.
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
        # Keep this order: if it is interrupted at any point, the clip counts as not converted.
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
                # A separate session does not receive Ctrl-C. The command ends the processes.
                start_new_session=True,
            )  # fmt: skip
            _processes.setdefault(task.run, set()).add(process)
        result = None
        try:
            # If the process has ended already, its standard error explains why.
            with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
                json.dump(job, stdin)
            # Reading releases the interpreter's lock, so the worker keeps responding.
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
    """Waits for a process that is about to end, and kills it after the time limit."""
    try:
        process.wait(_CLEANUP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _why(code: int, words: str) -> str:
    ended = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"exited with {code}"
    return f"its process {ended}: {words[-_REPORTED_CHARACTERS:]}".rstrip(": ")
