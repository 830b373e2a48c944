"""Runs live streams, changes their properties, and fails if the process grows.

A stream of 720p changes at random, about twice a second: effects, qualities, people, radii, rates
and all other properties. Every five seconds it gets another background: pictures, videos, a missing
file, a broken one, a server without answers and a server that stops halfway. Sometimes it returns
to READY and starts again. Two smaller streams run in parallel and share a network. One of them is
created and destroyed repeatedly.

Twice a minute the program restores the initial state and measures the resources of the process:

  resident     resident set size in MB
  heap         MB allocated with malloc
  free         MB that malloc keeps for later
  descriptors  open files, sockets and the like
  threads

The first quarter of the run is for warming up. The run fails if the median of the last quarter
exceeds the median of the second quarter by more than this:

  resident     10 % or 24 MB, whichever is larger
  heap         5 % or 8 MB, whichever is larger
  descriptors  8
  threads      12

It also fails if a stream stops or ends with an error, or if the run is shorter than four minutes.
Late frames are not a failure, so other programs may use the machine during the run.

The table is written line by line to .deps/soak/table.tsv, and drawn in .deps/soak/chart.svg, so that
an interrupted run has them too.
"""

# Import only Python's standard library before the arguments are known, for --help.
import argparse
import pathlib
import sys


def names(text):
    return [name for name in text.split(",") if name]


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="duration (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=2, help="changes per second (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the changes (%(default)s)")
    parser.add_argument(
        "--only",
        type=names,
        default=[],
        help="the changes to make, joined by commas: names of properties, restart, swap, pipeline",
    )
    parser.add_argument("--deps", type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_arguments()
    from soaking import streams

    try:
        faults = streams.run(options)
    except (streams.Failure, OSError) as failure:
        sys.exit(f"soak: {failure}")
    for fault in faults:
        print(f"soak: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
