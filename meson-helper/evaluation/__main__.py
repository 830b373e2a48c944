"""Runs the measurements of `evaluate`. See arguments.py for the metrics and methods."""

import datetime
import json
import os
import pathlib
import sys

import cv2

from evaluation import arguments, comparison, data_sets, element_runs, images, metrics, result_page
from failure import Failure
from gst_pipeline import Gst, prepare

# The environment variable with the precision of the element's networks.
PRECISION = "VBGFILTER_PRECISION"
# The factor by which the page amplifies flicker, which is otherwise too weak to see.
CHANGE_GAIN = 3
GREY = [("effect", "color"), ("background-color", "0xff808080")]


def say(text):
    print(text, file=sys.stderr, flush=True)


def evaluate(data, quality, options, keep):
    """Returns the result of a set. Calls keep(mask path, matte) for each picture or frame."""
    settings = [("quality", quality), *options.set]
    score = metrics.Score(is_clip=data.clip is not None)
    others = iter(data.others)
    for matte, mask, network in element_runs.mattes(data, options.frames, settings):
        other = next(others, None)
        score.add(
            matte,
            element_runs.read_mask(mask),
            None if other is None else element_runs.read_mask(other),
        )
        keep(mask, matte)
    cases = [{"name": mask.stem, **case} for mask, case in zip(data.masks, score.cases)]
    result = {"set": data.name, "quality": quality, **score.summary()}
    return {**result, "network": network, "cases": cases}


def backgrounds(options):
    """Returns the settings of the results to show on the page, by caption."""
    busy = options.page / "busy.png"
    if not busy.exists():
        images.write(busy, images.busy())
    replaced = [("effect", "replace"), ("background-path", str(busy.resolve()))]
    return {"on grey": GREY, "on busy": replaced}


def show_worst(page, data, result, encoded, options):
    """Adds a set's worst cases to the page. `encoded` are its mattes as PNG."""
    is_clip, cases = data.clip is not None, result["cases"]
    mattes = result_page.worst_mattes(cases, options.worst, is_clip)
    changes = result_page.worst_changes(cases, options.worst) if is_clip else []
    looks = backgrounds(options)

    def place(kind):
        folder = pathlib.PurePath(data.name, result["quality"])
        return lambda index: folder / f"{index:05d}-{kind}"

    def save(kind, index, picture):
        images.write_for_page(page.folder / place(kind)(index), picture)

    def truth_and_matte(index):
        truth = element_runs.read_mask(data.masks[index])
        matte = cv2.imdecode(encoded[index], cv2.IMREAD_GRAYSCALE) / 255
        return truth, metrics.scaled_to(truth, matte)

    kinds = {"input": "input.jpg"}
    kinds |= {caption: f"{caption.replace(' ', '-')}.jpg" for caption in looks}
    indices = sorted({*mattes, *changes})
    settings = [("quality", result["quality"]), *options.set]
    shown = element_runs.views(data, indices, options.frames, list(looks.values()), settings)
    for index, *pictures in shown:
        for kind, picture in zip(kinds.values(), pictures):
            save(kind, index, picture)
    for index in indices:
        truth, matte = truth_and_matte(index)
        save("truth.png", index, images.gray(truth))
        save("matte.png", index, images.gray(matte))
        save("difference.jpg", index, images.tinted(truth, matte - truth))
    for index in changes:
        (truth, matte), (old_truth, old_matte) = truth_and_matte(index), truth_and_matte(index - 1)
        amount = (matte - old_matte) - (truth - old_truth)
        save("before.png", index, images.gray(old_matte))
        save("change.jpg", index, images.tinted(truth, CHANGE_GAIN * amount))

    mattes_shown = {"truth": "truth.png", "matte": "matte.png", "difference": "difference.jpg"}
    changes_shown = {"matte before": "before.png", "matte": "matte.png", "change": "change.jpg"}
    parts = []
    for heading, chosen, middle in (
        ("lowest IoU", mattes, mattes_shown),
        ("highest dtSSD", changes, changes_shown),
    ):
        columns = {"input": kinds["input"], **middle, **kinds}
        parts.append((heading, chosen, [(name, place(kind)) for name, kind in columns.items()]))
    page.add(result, parts)


def evaluate_all(sets, options, page):
    """Yields each result as soon as it is ready, and updates the page."""
    for data in sets:
        for quality in options.quality:
            encoded = []

            def keep(mask, matte):
                if options.page:
                    encoded.append(cv2.imencode(".png", images.gray(matte))[1])
                if options.save:
                    # With only one set, DATA's own name adds no information.
                    name = "." if len(sets) == 1 else data.name
                    path = options.save / name / quality / f"{mask.stem}.png"
                    images.write(path, images.gray(matte))

            say(f"{data.name}, {quality}")
            result = evaluate(data, quality, options, keep)
            if options.page:
                show_worst(page, data, result, encoded, options)
            yield result


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def facts(options):
    """Returns the facts on which the numbers depend."""
    plugin = Gst.ElementFactory.find("vbgfilter").get_plugin()
    found = {
        "data": str(options.data),
        "vbgfilter": plugin.get_version() if plugin else "",
        "properties": " ".join("=".join(pair) for pair in options.set) or "defaults",
        "frames per picture": options.frames,
        "date": datetime.date.today().isoformat(),
    }
    environment = {name: os.environ[name] for name in os.environ if name.startswith("VBGFILTER_")}
    return found | environment


def main():
    options = arguments.parse_arguments()
    if options.precision:
        os.environ[PRECISION] = options.precision
    results, failure = [], None
    try:
        prepare()
        sets = data_sets.find_sets(options.data, options.sets)
        before = comparison.read(options.compare) if options.compare else None
        settings = facts(options)
        # Try all settings first. Otherwise errors could appear late, after other qualities or sets.
        for quality in options.quality:
            element_runs.Run("fakesrc", [("quality", quality), *options.set])
        page = None
        if options.page:
            options.page.mkdir(parents=True, exist_ok=True)
            page = result_page.Page(options.page, settings)
        for result in evaluate_all(sets, options, page):
            results.append(result)
            # Write after each result, so that an interrupted run keeps its results.
            if page:
                page.write(results)
            if options.json:
                report = {"settings": settings, "results": results}
                options.json.write_text(json.dumps(report, indent=2) + "\n")
    except Failure as error:
        failure = f"evaluate: {error}"
    except ValueError as error:
        failure = f"evaluate: {error}"
    except OSError as error:
        failure = f"evaluate: {error.filename}: {error.strerror}"
    if results:
        print(*result_page.sentences(results), "", sep="\n")
        print_table(result_page.table(results))
    if failure:
        sys.exit(failure)
    if options.page:
        say(f"The page: {(options.page / 'index.html').resolve()}")
    if before is not None:
        lines = comparison.differences(before, results)
        print("", *(lines or [f"No difference from {options.compare}"]), sep="\n")
        sys.exit(bool(lines))


if __name__ == "__main__":
    main()
