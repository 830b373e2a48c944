"""Builds the wheel of the source in the working directory, for any Python 3 on one platform.

    python3 -m release.wheel FOLDER PLATFORM
"""

import pathlib
import sys

from setuptools import build_meta


def main():
    folder, platform = sys.argv[1:]
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    options = [f"--plat-name={platform}", "--python-tag=py3"]
    build_meta.build_wheel(folder, {"--build-option": options})


if __name__ == "__main__":
    main()
