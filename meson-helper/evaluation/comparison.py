"""Compares two runs of `evaluate`."""

import json


def read(path):
    """Returns the results that `--json` wrote. Raises ValueError for any other file."""
    try:
        results = json.loads(path.read_text())["results"]
        return {_key(each): each for each in results}
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: not written by evaluate --json") from error


def differences(before, results):
    """Returns a line for each result that differs in any digit from the one in `before`."""
    lines = []
    for result in results:
        name = ", ".join(_key(result))
        old = before.get(_key(result))
        if old is None:
            lines.append(f"{name}: not in the saved run")
            continue
        cases = {each["name"]: each for each in old["cases"]}
        changed = sum(each != cases.get(each["name"]) for each in result["cases"])
        if not changed and len(cases) == len(result["cases"]):
            continue
        values = [
            f"{metric} {_text(old.get(metric))} -> {_text(value)}"
            for metric, value in result.items()
            if isinstance(value, (int, float)) and value != old.get(metric)
        ]
        lines.append("; ".join([f"{name}: {changed} of {len(result['cases'])} differ", *values]))
    return lines


def _key(result):
    return result["set"], result["quality"]


def _text(value):
    return "none" if value is None else f"{value:.6f}"
