"""The plan of a batch: which clips to convert, and the names of their results."""

import pathlib
import uuid
from collections import Counter
from dataclasses import dataclass

from vbgfilter.commands.batch.places import Clip, Place
from vbgfilter.commands.batch.records import Choices, Record
from vbgfilter.commands.batch.task import Task
from vbgfilter.commands.convert import formats
from vbgfilter.commands.errors import UNREADABLE, USAGE, Failure


@dataclass
class Plan:
    """The clips of a source, in three groups."""

    tasks: list[Task]  # clips to convert
    done: list[Record]  # clips that were converted before
    refused: list[Record]  # clips with results that would overwrite files of another program


def check_places(source: Place, target: Place) -> None:
    """Raises a usage Failure (exit code 2) if one place contains the other.

    Otherwise the next run would convert results, or a result could replace a source.
    """
    if source.contains(target) or target.contains(source):
        raise Failure(
            f"{target.address} and {source.address}: one contains the other; use separate folders",
            USAGE,
        )


def outputs(source: Place, clips: dict[str, Clip], choices: Choices) -> dict[str, str]:
    """Returns the name of each clip's result.

    Raises Failure with USAGE if two results would have the same name, and with UNREADABLE if
    ``clips`` is empty.
    """
    if not clips:
        raise Failure(f"{source.address}: contains no video", UNREADABLE)
    transparent = choices.settings.transparent
    found = {}
    for name in clips:
        path = pathlib.PurePosixPath(name)
        found[name] = str(path.with_suffix(formats.output_suffix(path, choices.codec, transparent)))
        formats.container_of(pathlib.Path(found[name]), choices.codec)
    output, count = Counter(found.values()).most_common(1)[0]
    if count > 1:
        several = " and ".join(name for name in found if found[name] == output)
        raise Failure(f"{several} would have the same result, {output}: rename one", USAGE)
    return found


def make_plan(
    source: Place, target: Place, clips: dict[str, Clip], names: dict[str, str],
    choices: Choices, records: dict[str, Record], results: dict[str, Clip], overwrite: bool,
) -> Plan:  # fmt: skip
    """Divides the clips, according to their records and existing results."""
    plan, run = Plan([], [], []), uuid.uuid4().hex
    for name, clip in clips.items():
        result, record = results.get(names[name]), records.get(name)
        if not overwrite and record is not None and record.is_current(clip, choices, result):
            plan.done.append(record)
            continue
        made = result.size if record is not None and record.made(result) else 0
        task = Task(run, source.address, target.address, clip, names[name], choices, made)
        if result is not None and not made and not overwrite:
            error = f"{task.output} exists and is not from this command; --overwrite replaces it"
            plan.refused.append(task.record("failed", error=error, exit_code=USAGE))
        else:
            plan.tasks.append(task)
    return plan
