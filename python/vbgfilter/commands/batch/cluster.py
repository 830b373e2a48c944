"""Clips on a Dask cluster: either this machine's cores, or a cluster at an address."""

import contextlib
import importlib.util
import logging
import os
import signal
import tempfile
from collections.abc import Callable, Iterator

import dask
from distributed import Client, LocalCluster, as_completed, get_worker

from vbgfilter.commands.batch.records import Record
from vbgfilter.commands.batch.task import Task, convert_clip, stop
from vbgfilter.commands.errors import SOME_FAILED, Failure

# In addition to the first attempt. The death of a worker counts as an attempt.
_RETRIES = 2
# An existing scheduler answers at once.
_PATIENCE = "10s"

# Called with a clip's name, its converted frames and all its frames.
Progress = Callable[[str, int, int], None]


@contextlib.contextmanager
def connect(address: str | None, workers: int) -> Iterator[Client]:
    """Yields a client of the cluster at an address, or of a temporary one on this machine."""
    _be_quiet()
    if address is not None:
        try:
            client = Client(address, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            raise Failure(f"{address}: no Dask scheduler responds", SOME_FAILED) from error
        with client:
            yield client
        return
    with (
        tempfile.TemporaryDirectory(prefix="vbgfilter-batch-") as folder,
        dask.config.set({"temporary-directory": folder}),
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", preload=[__name__],
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        yield client


def dashboard(client: Client) -> str | None:
    """Returns the dashboard's address. The dashboard needs bokeh on the scheduler's machine."""
    return client.dashboard_link if importlib.util.find_spec("bokeh") else None


def run(client: Client, tasks: list[Task], progress: Progress) -> Iterator[Record]:
    """Runs the tasks, the longest first, and yields the record of each task at its end.

    Stops the running tasks if the caller ends the iteration early. Raises Failure 1 if the cluster
    is lost.
    """
    topic = f"vbgfilter-{tasks[0].run}"
    client.subscribe_topic(topic, lambda event: progress(os.fsdecode(event[1][0]), *event[1][1:]))
    longest_first = sorted(tasks, key=lambda task: task.clip.size, reverse=True)
    futures = {
        client.submit(_run, task, topic, retries=_RETRIES, pure=False): task
        for task in longest_first
    }
    try:
        for future in as_completed(futures):
            if future.cancelled():
                raise OSError("its scheduler has stopped")
            error = future.exception()
            yield future.result() if error is None else _failed(futures[future], error)
            future.release()
    except BaseException as error:
        with contextlib.suppress(Exception):
            client.cancel(list(futures), force=True)
            client.run(stop, tasks[0].run, on_error="ignore")
        if isinstance(error, OSError):
            text = f"the Dask cluster is lost: {error}; run the command again to continue"
            raise Failure(text, SOME_FAILED) from error
        raise
    finally:
        with contextlib.suppress(Exception):
            client.unsubscribe_topic(topic)


def _run(task: Task, topic: str) -> Record:
    worker = get_worker()
    # Dask's messages only support UTF-8.
    name = os.fsencode(task.clip.name)
    # Dask cleans up this folder after workers that died.
    return convert_clip(
        task,
        lambda done, frames: worker.log_event(topic, (name, done, frames)),
        worker.local_directory,
    )


def _failed(task: Task, error: BaseException) -> Record:
    text = str(error)
    if type(error).__name__ == "KilledWorker":
        text = "its worker died in every attempt, perhaps for lack of memory"
    return task.record("failed", error=text or type(error).__name__, exit_code=SOME_FAILED)


def dask_setup(_worker: object) -> None:
    """Dask calls this in each worker of this machine, because Ctrl-C reaches the workers too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _be_quiet() -> None:
    # Each clip's record already reports its result. Workers read the variable at their start.
    # Tornado reports calls that a lost scheduler leaves unanswered.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
