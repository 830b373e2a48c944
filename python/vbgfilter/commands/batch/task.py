"""The task of a worker: one clip, from where it is to where its result belongs."""

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

# What would fail in the same way another time.
_FINAL = {USAGE, NOT_INSTALLED, UNREADABLE}
_GUARD = str(pathlib.Path(__file__).with_name("guard.py"))
# Of what a process wrote on standard error: enough for its last words.
_LAST_WORDS = 400


class Unfinished(RuntimeError):
    """A clip that another attempt may finish."""


@dataclass(frozen=True)
class Task:
    """A clip to convert."""

    run: str  # of the command that wants it
    source: str
    target: str
    clip: Clip
    output: str
    choices: Choices
    made_size: int = 0  # of what an earlier run has put where the result belongs

    def record(self, status: str, **found: object) -> Record:
        """A record of it."""
        clip = self.clip
        return Record(
            clip.name, self.output, status, clip.size, clip.version, self.choices.digest,
            **({"output_size": self.made_size} | found),
        )  # fmt: skip


# Called with the frames that are done and the frames that there are.
Progress = Callable[[int, int], None]

# For a process to clear up after itself.
_LAST_SECONDS = 20
# The processes of each run in this worker, and the runs that were stopped, by another thread.
_lock = threading.Lock()
_processes: dict[str, set[subprocess.Popen[str]]] = {}
_stopped: set[str] = set()


def stop(run: str) -> None:
    """Ends all processes of a run in this worker; they leave nothing behind."""
    with _lock:
        _stopped.add(run)
        for process in _processes.get(run, ()):
            process.terminate()


def attempt(task: Task, progress: Progress) -> Record:
    """Converts a clip in one attempt, where there is no cluster to make others."""
    try:
        return convert_clip(task, lambda done, frames: progress(task.clip.name, done, frames))
    except (Unfinished, OSError) as error:
        return task.record("failed", error=str(error), exit_code=SOME_FAILED)


def convert_clip(task: Task, progress: Progress, folder: str | None = None) -> Record:
    """Converts a clip and puts the result, with the note that it is done, where it belongs.

    What has to be on this machine for it is in a folder of its own in ``folder``. Raises
    ``Unfinished`` and OSError where another attempt may do better.
    """
    source, target = Place(task.source), Place(task.target)
    with tempfile.TemporaryDirectory(prefix="vbgfilter-", dir=folder) as scratch:
        if source.is_local:
            clip = source.path(task.clip.name)
        else:
            clip = pathlib.Path(scratch, "source", task.clip.name)
            source.fetch(task.clip.name, clip)
        if target.is_local:
            # On the same file system as its place. What a killed attempt left there is replaced.
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
        # In this order: whatever ends it in between, the clip counts as not done.
        if target.look_up(task.output) is not None:
            target.remove(task.output)
        save(target, record)
        target.store(task.output, made)
    return record


def _run(
    task: Task, source: pathlib.Path, output: pathlib.Path, progress: Progress
) -> dict[str, object]:
    """Runs the process that converts, and returns what it tells at its end."""
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
                # Ctrl-C is for the command, which ends its workers' processes in order.
                start_new_session=True,
            )  # fmt: skip
            _processes.setdefault(task.run, set()).add(process)
        result = None
        try:
            # Its last words tell why it has ended already.
            with contextlib.suppress(BrokenPipeError), process.stdin as stdin:
                json.dump(job, stdin)
            # Waits without the interpreter's lock, so that the worker goes on answering.
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
    """Waits for a process that ends, or is about to."""
    try:
        process.wait(_LAST_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _why(code: int, words: str) -> str:
    ended = f"by {signal.Signals(-code).name}" if code < 0 else f"with {code}"
    return f"its process was ended {ended}: {words[-_LAST_WORDS:]}".rstrip(": ")
