"""Reports of a conversion: a progress bar and a summary, or lines of JSON."""

import json
from collections import Counter

import click
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from vbgfilter.commands.convert.transcode import Result
from vbgfilter.commands.live import LiveReport
from vbgfilter.commands.names import shown


class _Rate(ProgressColumn):
    """A column with the frames per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.0f} frames/s" if task.speed else "")


class Report(LiveReport):
    """Shows the progress of files that are converted one after the other."""

    def __init__(self, as_json: bool) -> None:
        super().__init__(
            as_json,
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            _Rate(),
            TimeRemainingColumn(),
        )
        self._results: list[Result] = []
        self._task = self._bar.add_task("", total=None)

    def begin(self, name: str) -> None:
        """Reports the start of a file."""
        self._bar.reset(self._task, description=shown(name), total=None)

    def progress(self, done: int, frames: int) -> None:
        """Reports converted frames of the file."""
        self._bar.update(self._task, completed=done, total=frames or None)

    def end(self, result: Result) -> None:
        """Reports the end of a file."""
        self._results.append(result)
        if self._as_json:
            click.echo(json.dumps(result.as_json()))
            return
        job = result.job
        if result.status == "failed":
            line = f"failed: {result.error}"
        elif result.status == "skipped":
            line = f"{job.output}: kept, because it is complete; --overwrite converts it with these options"
        else:
            rate = result.frames / result.seconds
            line = f"{job.output}: {result.frames} frames, {rate:.0f} frames/s, {result.encoder}"
        notes = list(result.notes)
        if result.hidden:
            notes.append(f"{result.hidden} frames were hidden completely, without a matte")
        self._say("\n  ".join([line, *notes]))

    def summary(self) -> None:
        """Prints a summary if there was more than one file."""
        if self._as_json or len(self._results) < 2:
            return
        counts = Counter(each.status for each in self._results)
        frames = sum(each.frames for each in self._results if each.status == "done")
        seconds = sum(each.seconds for each in self._results)
        rate = f", {frames / seconds:.0f} frames/s" if seconds else ""
        parts = [f"{counts[each]} {each}" for each in ("done", "skipped", "failed")]
        self._say(f"{len(self._results)} files: {', '.join(parts)}{rate}")
