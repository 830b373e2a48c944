"""``vbgfilter convert``: hides the background in video files."""

import pathlib
import re
from collections import Counter
from collections.abc import Iterable

import click

from vbgfilter.commands.convert import formats
from vbgfilter.commands.convert.options import encoding_options
from vbgfilter.commands.convert.report import Report
from vbgfilter.commands.convert.transcode import Job, convert
from vbgfilter.commands.errors import SOME_FAILED, UNREADABLE, USAGE, Failure
from vbgfilter.commands.probe import check_readable
from vbgfilter.commands.settings import Settings, element_options

# Unreadable files are reported by the conversion, with its exit code.
_PATH = click.Path(path_type=pathlib.Path, readable=False)


def find_sources(
    inputs: Iterable[pathlib.Path], output: pathlib.Path
) -> list[tuple[pathlib.Path, pathlib.Path]]:
    """Returns the source files, each with the relative path of its result.

    - A file is always a source. A folder contributes only its videos.
    - If ``output`` is inside a source folder, its files are not sources.

    Raises Failure with UNREADABLE if an input does not exist or if there are no sources.
    """
    found = []
    for each in inputs:
        if each.is_dir():
            made = output.resolve() if each.resolve() in output.resolve().parents else None
            for one in sorted(each.rglob("*")):
                place = one.relative_to(each)
                is_video = formats.is_video_name(place) and one.is_file()
                if is_video and made not in one.resolve().parents:
                    found.append((one, place))
        elif each.is_file():
            found.append((each, pathlib.Path(each.name)))
        else:
            is_address = re.match(r"[a-z][a-z0-9+.-]+:/", str(each))
            if is_address:
                raise Failure(f"{each}: is an address: use a file or folder", UNREADABLE)
            check_readable(each)
    if not found:
        raise Failure(f"{', '.join(map(str, inputs))}: contains no video", UNREADABLE)
    return found


def plan_jobs(
    inputs: tuple[pathlib.Path, ...], named: str, settings: Settings, **choices: object
) -> list[Job]:
    """Returns the jobs. ``named`` is the output, which is a folder if it ends with a slash.

    Raises a usage Failure (exit code 2) if a result would overwrite a source or another result,
    or if the output cannot be a folder although it must be one.
    """
    if named == "-":
        raise Failure("-: the command cannot write to a pipe; use a file or a folder", USAGE)
    output = pathlib.Path(named)
    sources = find_sources(inputs, output)
    codec = choices.get("codec")
    single = len(inputs) == 1 and inputs[0].is_file()
    # With codec png, the output of a single source names the folder of the pictures.
    to_file = single and (codec == "png" or (output.suffix != "" and not output.is_dir()))
    to_file = to_file and not (named.endswith("/") and codec != "png")
    file = next((each for each in (output, *output.parents) if each.exists()), None)
    if file is not None and not file.is_dir() and not (to_file and file == output):
        raise Failure(f"{file}: is not a folder: use another file or folder with -o", USAGE)
    is_named_so = output.suffix.lower() in formats.CONTAINERS and not named.endswith("/")
    if not single and is_named_so and not output.is_dir():
        raise Failure(f"{output}: is the name of a file: several inputs need a folder", USAGE)
    jobs = []
    for source, place in sources:
        target = output
        if not to_file:
            suffix = formats.output_suffix(source, codec, settings.transparent)
            target = output / place.with_suffix(suffix)
        jobs.append(Job(source, target, settings, **choices))
    counts = Counter(each.output.resolve() for each in jobs)
    taken = {each.source.resolve() for each in jobs}
    for each in jobs:
        target = each.output.resolve()
        if counts[target] > 1:
            raise Failure(f"{target} would be the result of several sources: rename one", USAGE)
        if target in taken:
            raise Failure(f"{target} is a source: use another file or folder with -o", USAGE)
        if codec != "png":
            formats.container_of(each.output, codec)
    return jobs


@click.command()
@click.argument("inputs", nargs=-1, required=True, type=_PATH, metavar="IN...")
@click.option(
    "--output", "-o", metavar="PATH", required=True, help="The result: a file or a folder."
)
@element_options
@encoding_options(formats.CODECS)
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON per file.")
def command(
    inputs: tuple[pathlib.Path, ...],
    output: str,
    settings: Settings,
    codec: str | None,
    bitrate: int | None,
    encoder: str | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Hide the room in video files. Sound, subtitles and titles are kept.

    IN is a file or a folder. Existing results are skipped.
    """
    settings.check()
    jobs = plan_jobs(
        inputs, output, settings, codec=codec, bitrate=bitrate, encoder=encoder, overwrite=overwrite
    )
    results = []
    with Report(as_json) as report:
        for job in jobs:
            report.begin(job.source.name)
            results.append(convert(job, report.progress))
            report.end(results[-1])
    report.summary()
    failed = [each for each in results if each.status == "failed"]
    if failed:
        raise click.exceptions.Exit(failed[0].exit_code if len(jobs) == 1 else SOME_FAILED)
