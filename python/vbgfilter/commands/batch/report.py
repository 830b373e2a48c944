"""Reports of a batch: a progress bar over all clips and a summary, or lines of JSON."""

import json
import threading
import time
from typing import Any

import click
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from vbgfilter.commands.batch.places import Clip
from vbgfilter.commands.batch.records import Record
from vbgfilter.commands.live import LiveReport


class Report(LiveReport):
    """Tracks the clips of a batch.

    Another thread may call ``progress``, even after the end of the clip.
    """

    def __init__(self, clips: list[Clip], as_json: bool) -> None:
        super().__init__(
            as_json,
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._lock = threading.Lock()
        self._sizes = {clip.name: clip.size for clip in clips}
        self._frames: dict[str, int] = {}
        self._done: dict[str, float] = {}
        self._records: dict[str, Record] = {}
        self._began = time.monotonic()
        # Measure progress in bytes, because the number of frames is unknown before a conversion.
        self._task = self._bar.add_task("", total=sum(self._sizes.values()))

    def begin(self, before: int, dashboard: str | None) -> None:
        """Reports the start of the workers. ``before`` clips were converted by earlier runs."""
        if self._as_json:
            clips = len(self._sizes)
            self._line("begin", {"clips": clips, "done-before": before, "dashboard": dashboard})
            return
        self._say(f"{len(self._sizes)} clips" + (f", {before} already done" if before else ""))
        if dashboard is not None:
            self._say(f"Dask's dashboard: {dashboard}")

    def progress(self, name: str, done: int, frames: int) -> None:
        """Reports converted frames of a clip."""
        with self._lock:
            if name in self._records:
                return
            self._frames[name] = done
            self._done[name] = self._sizes[name] * min(1, done / frames) if frames else 0
            self._show()

    def end(self, record: Record) -> None:
        """Reports the result of a clip."""
        with self._lock:
            self._records[record.name] = record
            self._done[record.name] = self._sizes[record.name]
            self._frames[record.name] = record.frames
            self._show()
        if self._as_json:
            self._line("clip", record.as_json())
        elif record.status == "failed":
            error = record.error.removeprefix(f"{record.name}: ")
            self._say(f"failed: {record.name}: {error}")

    def summary(self, before: int, page: str) -> str:
        """Prints a summary and returns its text."""
        seconds = time.monotonic() - self._began
        done = [each for each in self._records.values() if each.status == "done"]
        failed = len(self._records) - len(done)
        frames = sum(each.frames for each in done)
        cpu = sum(each.cpu_seconds for each in done)
        text = f"{len(done)} done, {before} already done, {failed} failed"
        if frames:
            text += (
                f"; {frames} frames in {seconds:.1f} s, {frames / seconds:.1f} frames/s, "
                f"{cpu / frames * 1000:.1f} ms of CPU time per frame"
            )
        if self._as_json:
            self._line("end", {
                "done": len(done), "done-before": before, "failed": failed, "frames": frames,
                "seconds": round(seconds, 3), "cpu-seconds": round(cpu, 3), "page": page,
            })  # fmt: skip
        else:
            self._say(f"{text}\n{page}")
        return text

    def _show(self) -> None:
        seconds = time.monotonic() - self._began
        rate = sum(self._frames.values()) / seconds if seconds else 0
        text = f"{len(self._records)} of {len(self._sizes)} clips, {rate:.0f} frames/s"
        self._bar.update(self._task, description=text, completed=sum(self._done.values()))

    def _line(self, event: str, values: dict[str, Any]) -> None:
        click.echo(json.dumps({"event": event} | values))
