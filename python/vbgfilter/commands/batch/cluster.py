"""Converts clips on a Dask cluster: on this machine's cores, or on a cluster at an address."""

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

# Attempts after the first one, if a conversion fails. If workers die, Dask itself limits the
# attempts (allowed-failures).
_RETRIES = 2
# The time limit for a connection to the scheduler.
_PATIENCE = "10s"

# Called with a clip's name, the number of its converted frames and the number of all its frames.
Progress = Callable[[str, int, int], None]


@contextlib.contextmanager
def connect(address: str | None, workers: int) -> Iterator[Client]:
    """Yields a client of the cluster at an address, or of a temporary cluster on this machine.

    Raises Failure if no scheduler responds at the address.
    """
    _be_quiet()
    if address is not None:
        try:
            client = Client(address, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            text = "no Dask scheduler responds: check the address, and that dask scheduler runs"
            raise Failure(f"{address}: {text}", SOME_FAILED) from error
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
    """Returns the address of Dask's dashboard, or None without bokeh, which the dashboard needs."""
    return client.dashboard_link if importlib.util.find_spec("bokeh") else None


def run(client: Client, tasks: list[Task], progress: Progress) -> Iterator[Record]:
    """Runs the tasks, those with the largest clips first, and yields each record when it is ready.

    Stops the running tasks if the caller ends the iteration early. Raises Failure if the connection
    to the cluster is lost.
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
    # If a worker dies, Dask removes its folder.
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
    """Makes a worker ignore SIGINT. Dask calls this in each worker on this machine.

    Ctrl-C also reaches the workers. They must ignore it, because the command stops their
    conversions.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _be_quiet() -> None:
    # The records report all failures, so Dask's messages are unnecessary. Workers read the
    # environment variable when they start. Tornado logs each call that a lost scheduler has not
    # answered.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    os.environ["DASK_LOGGING__DISTRIBUTED"] = "critical"
