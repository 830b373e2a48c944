"""Lets live streams run while everything is changed, and fails when the process grows.

A stream of 720p is changed at random, about twice a second: effects, qualities, people, radii, rates
and all the rest. Every five seconds it gets another background: pictures, videos, a missing file, a
broken one, a server that does not answer and one that stops halfway. Now and then it goes back to
READY and starts again. Beside it run two smaller streams that share a network, one of which is made
and thrown away over and over.

Twice a minute everything is put back to where it began, and the process is counted:

  resident     MB of memory that are really there
  heap         MB that the program holds of malloc
  free         MB that malloc keeps for later
  descriptors  open files, sockets and the like
  threads

The run fails when the median of the last quarter lies above that of the second (the first is for
warming up) by more than 10 % and 24 MB of resident memory, 5 % and 8 MB of the heap, 8 descriptors
or 12 threads; when a stream stops or ends with an error; and when it is shorter than four minutes,
because that shows nothing. Frames may be late: a busy machine does no harm.

The table is written line by line to .deps/soak/table.tsv, and drawn in .deps/soak/chart.svg, so that
a run that was broken off has them too.
"""

# Nothing but Python itself is imported before the arguments are known, so that --help needs no more.
import argparse
import pathlib
import sys


def names(text):
    return [name for name in text.split(",") if name]


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="default: %(default)s")
    parser.add_argument("--rate", type=float, default=2, help="changes a second (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the changes (%(default)s)")
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
