"""Runs the pipelines of README.md with the packages that its apt line has installed.

The folder of this file must also contain README.md, check_pages.py, and the files that the pipelines use.
"""

import pathlib
import sys

import check_pages

HERE = pathlib.Path(__file__).resolve().parent


def main():
    found = [
        each for each in check_pages.blocks(HERE / "README.md")
        if each.language == "sh" and each.reason is None and "gst-launch-1.0" in each.text]
    failures = [(each.name, check_pages.run(each, HERE, HERE)) for each in found]
    for name, failure in failures:
        print(f"{name}: {failure or 'ran'}")
    sys.exit(not found or any(failure for _, failure in failures))


if __name__ == "__main__":
    main()
