"""Recommends a quality and a number of threads for live video on this machine."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from vbgfilter.commands.doctor.speed import QUALITIES, Speed

# Frames per second of a camera.
_RATE = 30
# Inferences per second while someone talks: the middle of the 9 to 13 in docs/performance.md.
_INFERENCES = 11
# Milliseconds. The element also infers again when the last matte is 0.15 seconds old.
_LONGEST_INFERENCE = 150


@dataclass(frozen=True)
class Advice:
    """The recommended settings and the reason. ``cores`` is the use while someone talks."""

    quality: str
    threads: int
    inference_ms: float
    cores: float
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Returns the fields for ``--json``."""
        return asdict(self)


def live_cores(speed: Speed) -> float:
    """Returns the number of cores that live video uses while someone talks."""
    # One inference runs at a time.
    inferring = min(_INFERENCES * speed.inference_ms, 1000)
    return speed.threads * (inferring + _RATE * speed.pixels_ms) / 1000


def recommend(
    speeds: list[Speed], cores: int, size: str, measure: Callable[[str, int], Speed]
) -> Advice:
    """Returns the best quality that suits live video, with as few threads as possible.

    ``speeds`` has a speed with one thread for each quality. ``measure`` measures a quality with
    more threads. One core stays free for other work, or half of the only core.
    """
    free = max(cores - 1, 0.5)
    suits = False
    for speed in sorted(speeds, key=lambda each: -QUALITIES.index(each.quality)):
        while speed.inference_ms > _LONGEST_INFERENCE and 2 * speed.threads <= free:
            speed = measure(speed.quality, 2 * speed.threads)
        # A quality without its weights is replaced by a cheaper one.
        installed = speed.used == speed.quality
        suits = speed.inference_ms <= _LONGEST_INFERENCE and live_cores(speed) <= free
        if installed and suits:
            break
    used = round(live_cores(speed), 2)
    reason = f"an inference takes {speed.inference_ms:.3g} ms, and {size}{_RATE} uses about {used} "
    reason += f"of {cores} cores" if cores > 1 else "of the core"
    if not suits:
        reason += ". Even this quality may be too slow"
    return Advice(speed.quality, speed.threads, speed.inference_ms, used, reason)
