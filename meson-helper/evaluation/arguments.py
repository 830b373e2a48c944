"""Compares the mattes that are visible in vbgfilter's output with true mattes.

DATA is a set, or a folder with sets at any depth. A set contains:

  img/ or clip.*   pictures, or a video
  mask/            an 8-bit gray PNG, 255 for the person, for each picture (matched by name) or for
                   each frame (in the order of the names)
  other/           (optional) the visible area of people to hide, for `--set keep=nearest`

The element runs in two pipelines with effect=color, on black and on white. Pixels that are white
on white but not on black are background:
alpha = 1 - (luma on white - luma on black) / (luma of white - of black).
Each picture runs as a stream of a few equal frames, and the last one counts. Each picture and
each clip gets a new element.

  IoU      intersection over union of the silhouettes at alpha 0.5
  P10 IoU  (pictures) the tenth percentile of IoU, for the worst cases
  F        F1 of the outlines with a tolerance of 0.8 % of the diagonal
  MAD      mean absolute difference of alpha, times 1000
  shows    pictures that show more than a hundredth of the real background, in percent
  others   how much of the people in `other/` is shown, 0 to 1
  seen     (clips) number of frames that show more than a tenth of these people
  dtSSD    (clips) flicker: root mean square error of alpha's change between frames, times 100

--page shows the cases with the lowest IoU and, for clips, the frames with the highest dtSSD, with
the element's results on grey and on a busy picture.
"""

# Import only Python's standard library, so that --help needs no downloads.
import argparse
import pathlib


def setting(text):
    name, separator, value = text.partition("=")
    if not separator or name in ("effect", "background-color", "background-path", "quality"):
        raise argparse.ArgumentTypeError(
            f"{text}: expected NAME=VALUE, with a property that the measurement does not set itself"
        )
    return name, value


def names(text):
    return [name for name in text.split(",") if name]


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number of at least 1")
    return int(text)


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=pathlib.Path, metavar="DATA")
    parser.add_argument(
        "--quality",
        default="fast,balanced,accurate",
        type=names,
        help="one or more, joined by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--sets", default=[], type=names, help="only these sets below DATA, joined by commas"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=setting,
        metavar="NAME=VALUE",
        help="another property of the element; may be repeated",
    )
    parser.add_argument(
        "--precision",
        choices=["f32"],
        help="run the networks in float32, as processors without bfloat16 do (default: what the processor "
        "does best)",
    )
    parser.add_argument(
        "--frames", type=positive, default=5, help="frames per picture (default: %(default)s)"
    )
    parser.add_argument(
        "--page", type=pathlib.Path, metavar="DIR", help="write DIR/index.html with the worst cases"
    )
    parser.add_argument(
        "--worst",
        type=positive,
        default=10,
        metavar="N",
        help="how many cases of each kind the page shows (default: %(default)s)",
    )
    parser.add_argument("--json", type=pathlib.Path, help="write all numbers to a file")
    parser.add_argument(
        "--compare",
        type=pathlib.Path,
        metavar="FILE",
        help="print the differences from a run that --json wrote to FILE; the exit status is 1 if "
        "there are any",
    )
    parser.add_argument(
        "--save",
        type=pathlib.Path,
        metavar="DIR",
        help="keep the mattes as PNG, in a folder per set (if there are several) and quality",
    )
    options = parser.parse_args()
    if not options.quality:
        parser.error("--quality: expected at least one quality")
    return options


if __name__ == "__main__":
    parse_arguments()
