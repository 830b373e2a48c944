"""The resources of a process: counts, a table, a chart, and a verdict."""

import ctypes
import dataclasses
import os
import resource
import statistics


class HeapInfo(ctypes.Structure):
    """glibc's struct mallinfo2. Its sums cover all arenas."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
        )
    ]


LIBRARY = ctypes.CDLL(None)
LIBRARY.mallinfo2.restype = HeapInfo


@dataclasses.dataclass
class Count:
    """The resources of the process at a moment."""

    seconds: float
    changes: int
    frames: int
    resident: float
    heap: float
    free: float
    descriptors: int
    threads: int

    @classmethod
    def now(cls, seconds, changes, frames):
        with open("/proc/self/statm") as file:
            resident = int(file.read().split()[1]) * resource.getpagesize()
        heap = LIBRARY.mallinfo2()
        return cls(
            seconds,
            changes,
            frames,
            resident / 1e6,
            (heap.uordblks + heap.hblkhd) / 1e6,
            heap.fordblks / 1e6,
            # Subtract the descriptor of the folder itself.
            len(os.listdir("/proc/self/fd")) - 1,
            len(os.listdir("/proc/self/task")),
        )

    def row(self):
        numbers = dataclasses.astuple(self)
        return "\t".join(f"{n:.1f}" if isinstance(n, float) else str(n) for n in numbers)


HEAD = "\t".join(field.name for field in dataclasses.fields(Count))


@dataclasses.dataclass
class Limit:
    """The allowed growth from the second quarter of a run to the last one."""

    name: str
    part: float
    amount: float

    def allowed(self, before):
        return before + max(before * self.part, self.amount)


LIMITS = [
    Limit("resident", 0.10, 24),
    Limit("heap", 0.05, 8),
    Limit("descriptors", 0, 8),
    Limit("threads", 0, 12),
]
# The minimum number of counts in a quarter for a meaningful median.
FEWEST = 2


def judge(counts):
    """Returns the errors of a run as sentences, or an empty list."""
    if not counts:
        return ["no resources were counted"]
    end = counts[-1].seconds
    second = [each for each in counts if end / 4 <= each.seconds < end / 2]
    last = [each for each in counts if 3 * end / 4 <= each.seconds]
    if len(second) < FEWEST or len(last) < FEWEST:
        return ["the run is too short to judge: run it for at least four minutes"]
    faults = []
    for limit in LIMITS:
        before, after = (
            statistics.median(getattr(each, limit.name) for each in part) for part in (second, last)
        )
        allowed = limit.allowed(before)
        if after > allowed:
            faults.append(
                f"{limit.name} grew from {before:.1f} (median of the second quarter) to "
                f"{after:.1f} (of the last); up to {allowed:.1f} is allowed"
            )
    return faults


WIDTH, PANEL, LEFT = 760, 150, 60
INK, GRID = "#24292f", "#d0d7de"
PANELS = [
    ("memory, MB", [("resident", "#f0883e"), ("heap", "#54aeff"), ("free", "#8c959f")]),
    ("descriptors and threads", [("descriptors", "#2da44e"), ("threads", "#8250df")]),
]


def panel(counts, title, lines, top):
    highest = max(1, *(getattr(each, name) for each in counts for name, _ in lines))
    longest = max(1, counts[-1].seconds)
    bottom, room = top + PANEL, WIDTH - LEFT - 20
    parts = [f'<text x="{LEFT}" y="{top - 8}" font-weight="bold">{title}</text>']
    for part in (0, 0.5, 1):
        y = bottom - part * PANEL
        parts.append(
            f'<path d="M{LEFT} {y}H{WIDTH - 20}" stroke="{GRID}"/>'
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{part * highest:.0f}</text>'
        )
    for number, (name, color) in enumerate(lines):
        points = " ".join(
            f"{LEFT + room * each.seconds / longest:.1f},"
            f"{bottom - PANEL * getattr(each, name) / highest:.1f}"
            for each in counts
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        x = LEFT + 220 + 110 * number
        parts.append(f'<text x="{x}" y="{top - 8}" fill="{color}">{name}</text>')
    return "\n".join(parts)


def chart(counts):
    """Returns a chart of the counts over time, as SVG."""
    step = PANEL + 50
    height = 40 + step * len(PANELS)
    panels = [
        panel(counts, title, lines, 50 + step * number)
        for number, (title, lines) in enumerate(PANELS)
    ]
    end = counts[-1]
    title = f"{end.seconds / 60:.0f} minutes, {end.changes} changes, {end.frames} frames"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{title}</text>\n'
        + "\n".join(panels)
        + "\n</svg>\n"
    )
