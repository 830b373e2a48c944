"""``vbgfilter batch``: hides the background in all videos of a folder or a bucket."""

import os
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from itertools import chain

import click

from vbgfilter.commands.batch import page, slurm
from vbgfilter.commands.batch.places import Place
from vbgfilter.commands.batch.plan import check_places, make_plan, outputs
from vbgfilter.commands.batch.records import Choices, Record, load, load_all, save
from vbgfilter.commands.batch.report import Report
from vbgfilter.commands.batch.task import attempt
from vbgfilter.commands.convert.formats import CODECS
from vbgfilter.commands.convert.options import encoding_options
from vbgfilter.commands.errors import SOME_FAILED, UNREADABLE, USAGE, Failure
from vbgfilter.commands.settings import Settings, element_options

# Codec png is missing: its results are folders, but results of batch must be single files.
_CODECS = [name for name in CODECS if name != "png"]


@click.command()
@click.argument("source", metavar="SRC")
@click.argument("target", metavar="DST")
@element_options
@click.option("--workers", "-w", type=click.IntRange(1), metavar="N",
              help="Processes.  [default: one per core]")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler: tcp://host:8786.")
@click.option("--slurm-array", is_flag=True, help="Print the script of a Slurm array job.")
@click.option("--only", type=click.IntRange(0), metavar="I",
              help="Convert only clip I of the array job.")  # fmt: skip
@encoding_options(_CODECS)
@click.option("--json", "as_json", is_flag=True, help="Print lines of JSON.")
def command(
    source: str,
    target: str,
    settings: Settings,
    workers: int | None,
    scheduler: str | None,
    slurm_array: bool,
    only: int | None,
    codec: str | None,
    bitrate: int | None,
    encoder: str | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Hide the room in all videos of a folder or a bucket, s3://bucket/folder.

    Existing results are skipped. A failed file does not stop the others.
    """
    settings.check()
    # Use one thread per clip: parallel clips use many cores better than parallel threads do.
    settings = replace(settings, properties={"threads": "1"} | settings.properties)
    choices = Choices(settings, codec, bitrate, encoder)
    try:
        places = Place(source), Place(target)
        check_places(*places)
        _check_folders(*places)
        if slurm_array:
            clips = places[0].videos()
            outputs(places[0], clips, choices)
            script = slurm.make_script(places[1], sorted(clips), _own_arguments())
            click.echo(os.fsencode(script), nl=False)  # the arguments may not be UTF-8
        elif only is not None:
            _convert_one(*places, slurm.read_name(places[1], only), choices, overwrite, as_json)
        else:
            _convert_all(*places, choices, overwrite, as_json, workers, scheduler)
    except FileNotFoundError as error:
        raise Failure(f"{error.filename or error}: there is no such file", UNREADABLE) from error
    except OSError as error:
        what = error.filename or f"{source}, {target}"
        raise Failure(f"{what}: {error.strerror or error}", UNREADABLE) from error
    except Exception as error:
        # The S3 libraries also raise errors that are not OSErrors.
        if type(error).__module__.partition(".")[0] not in ("aiohttp", "botocore"):
            raise
        raise Failure(f"{source}, {target}: {error}", UNREADABLE) from error


def _check_folders(source: Place, target: Place) -> None:
    """Raises a Failure if a local place is not a folder, or if the source does not exist."""
    for place in (source, target):
        path = place.path("")
        if place.is_local and path.exists() and not path.is_dir():
            raise Failure(f"{place.address}: is not a folder: use folders for SRC and DST", USAGE)
    if source.is_local and not source.path("").exists():
        raise Failure(f"{source.address}: does not exist: check the path", UNREADABLE)


def _own_arguments() -> list[str]:
    program = [sys.executable, "-m", "vbgfilter"]
    return program + [each for each in sys.argv[1:] if each != "--slurm-array"]


def _convert_one(
    source: Place, target: Place, name: str, choices: Choices, overwrite: bool, as_json: bool
) -> None:
    clip = source.look_up(name)
    if clip is None:
        raise Failure(f"{name}: there is no such file in {source.address}", UNREADABLE)
    names = outputs(source, {name: clip}, choices)
    record, result = load(target, name), target.look_up(names[name])
    plan = make_plan(
        source, target, {name: clip}, names, choices, {name: record} if record else {},
        {names[name]: result} if result else {}, overwrite,
    )  # fmt: skip
    with Report([clip], as_json) as report:
        made = (attempt(task, report.progress) for task in plan.tasks)
        ended = _collect(target, report, chain(plan.refused, made))
    for each in ended:
        if each.status == "failed":
            raise click.exceptions.Exit(each.exit_code)


def _convert_all(
    source: Place, target: Place, choices: Choices, overwrite: bool, as_json: bool,
    workers: int | None, scheduler: str | None,
) -> None:  # fmt: skip
    clips = source.videos()
    names = outputs(source, clips, choices)
    plan = make_plan(
        source, target, clips, names, choices, load_all(target), target.videos(), overwrite
    )
    left = [task.clip for task in plan.tasks] + [clips[each.name] for each in plan.refused]
    with Report(left, as_json) as report:
        ended = _collect(target, report, plan.refused)
        if plan.tasks:
            # Import it late: --slurm-array and --only do not need Dask.
            from vbgfilter.commands.batch import cluster

            with cluster.connect(scheduler, workers or len(os.sched_getaffinity(0))) as client:
                report.begin(len(plan.done), cluster.dashboard(client))
                with closing(cluster.run(client, plan.tasks, report.progress)) as made:
                    ended += _collect(target, report, made)
    summary = report.summary(len(plan.done), target.full(page.NAME))
    everything = page.make_page(source.address, target.address, plan.done + ended, summary)
    target.write(page.NAME, everything)
    if any(each.status == "failed" for each in ended):
        raise click.exceptions.Exit(SOME_FAILED)


def _collect(target: Place, report: Report, records: Iterable[Record]) -> list[Record]:
    """Reports and returns the records of finished clips. Saves the records of failed clips."""
    ended = []
    for record in records:
        if record.status == "failed":
            save(target, record)
        report.end(record)
        ended.append(record)
    return ended
