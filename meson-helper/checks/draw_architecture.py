"""Draws the targets of Package.swift in layers: targets import targets of lower layers.

    draw_architecture.py ROOT            writes ROOT/docs/architecture.svg
    draw_architecture.py ROOT --check    fails if the drawing does not match the sources

The drawing leaves out tests, and imports that are implied by other imports.
"""

import json
import pathlib
import subprocess
import sys
from xml.sax.saxutils import escape

WIDTH, MARGIN, GAP, LAYER_GAP = 1120, 20, 24, 54
TITLE, LINE = 20, 16
# Targets with the same sources, compiled for wider instruction sets.
BUILDS_OF = {"PixelKernelsV3": "PixelKernels", "PixelKernelsV4": "PixelKernels"}
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .name { font-weight: 600; font-size: 14px }
  .swift { fill: #e8f1fb; stroke: #3b73b9 }
  .c { fill: #f3efe6; stroke: #9a7d3a }
  .headers { fill: #f4f4f4; stroke: #888; stroke-dasharray: 4 3 }
  path { fill: none; stroke: #8a94a0; stroke-width: 1.2; marker-end: url(#arrow) }
  .paper { fill: #fff }
"""


class Box:
    """A target: its name, imports and folders, and its place in the drawing."""

    def __init__(self, target, folder):
        self.name = target["name"]
        names = {next(iter(each.values()))[0] for each in target["dependencies"]}
        self.imports = {BUILDS_OF.get(name, name) for name in names} - {self.name}
        self.lines = sorted(each.name for each in folder.iterdir() if each.is_dir())
        if self.name in BUILDS_OF.values():
            self.lines.append("also built for AVX2, AVX-512")
        if target["type"] == "system":
            self.kind, self.lines = "headers", ["headers"]
        else:
            self.kind = "swift" if any(folder.rglob("*.swift")) else "c"
            self.lines = [line for line in self.lines if line != "include"]
        longest = max([9.2 * len(self.name), *(7.0 * len(line) for line in self.lines)])
        self.width = longest + 24
        self.height = 14 + TITLE + LINE * len(self.lines)
        self.layer = self.x = self.y = 0


def boxes_of(root):
    dumped = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"],
        check=True, capture_output=True, text=True).stdout
    boxes = {}
    for target in json.loads(dumped)["targets"]:
        folder = root / (target.get("path") or pathlib.Path("Sources", target["name"]))
        is_part = target["type"] in ("regular", "system") and folder.parent == root / "Sources"
        if is_part and target["name"] not in BUILDS_OF:
            boxes[target["name"]] = Box(target, folder)
    for box in boxes.values():
        box.imports &= boxes.keys()
    return boxes


def reach(boxes, name):
    """Returns all direct and indirect imports of a target."""
    found = set()
    for each in boxes[name].imports:
        found |= {each} | reach(boxes, each)
    return found


def arrange(boxes):
    """Assigns layers and positions to the targets. Returns the layers from the top."""

    def layer(name):
        return max((layer(each) + 1 for each in boxes[name].imports), default=0)

    for box in boxes.values():
        box.layer = layer(box.name)
    # A target without imports goes directly below the lowest target that imports it.
    for box in boxes.values():
        users = [each.layer for each in boxes.values() if box.name in each.imports]
        if not box.imports and users:
            box.layer = min(users) - 1
    def centre_of_users(box):
        """Returns the mean centre of the targets that import a target, so that few arrows cross."""
        users = [each.x + each.width / 2 for each in boxes.values() if box.name in each.imports]
        return sum(users) / len(users) if users else WIDTH / 2

    layers = {}
    for name in sorted(boxes):
        layers.setdefault(boxes[name].layer, []).append(boxes[name])
    y = MARGIN
    ordered = [layers[number] for number in sorted(layers, reverse=True)]
    for row in ordered:
        row.sort(key=lambda box: (centre_of_users(box), box.name))
        free = WIDTH - 2 * MARGIN - sum(box.width for box in row)
        space = min(free / (len(row) + 1), 160)
        x = (WIDTH - sum(box.width for box in row) - space * (len(row) - 1)) / 2
        for box in row:
            box.x, box.y = x, y
            x += box.width + space
        y += max(box.height for box in row) + LAYER_GAP
    return ordered, y - LAYER_GAP + MARGIN


def arrows(boxes):
    for name in sorted(boxes):
        box = boxes[name]
        implied = set().union(*(reach(boxes, each) for each in box.imports))
        direct = sorted(box.imports - implied, key=lambda each: boxes[each].x)
        for index, each in enumerate(direct):
            below = boxes[each]
            x1 = box.x + box.width * (index + 1) / (len(direct) + 1)
            y1, x2, y2 = box.y + box.height, below.x + below.width / 2, below.y - 3
            middle = (y1 + y2) / 2
            yield (
                f'<path d="M{x1:.0f} {y1:.0f}C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} '
                f'{x2:.0f} {y2:.0f}"/>')


def drawing(boxes):
    layers, height = arrange(boxes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}">',
        "<title>The targets of vbgfilter; an arrow leads to what is imported</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8a94a0;'
        'stroke:none;marker-end:none"/></marker></defs>',
        f'<rect class="paper" width="{WIDTH}" height="{height:.0f}"/>',
        *arrows(boxes),
    ]
    for box in (box for row in layers for box in row):
        parts.append(
            f'<rect class="{box.kind}" x="{box.x:.0f}" y="{box.y:.0f}" rx="5" '
            f'width="{box.width:.0f}" height="{box.height:.0f}"/>')
        parts.append(
            f'<text class="name" x="{box.x + 12:.0f}" y="{box.y + TITLE:.0f}">'
            f"{escape(box.name)}</text>")
        for number, line in enumerate(box.lines, 1):
            parts.append(
                f'<text x="{box.x + 12:.0f}" y="{box.y + TITLE + LINE * number:.0f}">'
                f"{escape(line)}</text>")
    return "\n".join([*parts, "</svg>", ""])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    target = root / "docs" / "architecture.svg"
    made = drawing(boxes_of(root))
    if sys.argv[2:] == ["--check"]:
        if not target.exists() or target.read_text() != made:
            sys.exit(f"{target} is not up to date: run {sys.argv[0]} {sys.argv[1]}")
    else:
        target.write_text(made)


if __name__ == "__main__":
    main()
