"""Compares two files as players show them: pictures, and sound relative to the pictures."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

# In seconds. Containers round times to 1 ms or to 1/90000 s, some of them twice.
TIME_TOLERANCE = 0.003
# Codecs begin with up to 50 ms of priming sound, which some containers store and others skip.
# Re-encoded sound ends with a whole packet.
_SOUND_TOLERANCE = 0.08
# The last picture's duration is often missing.
_END_TOLERANCE = 0.25
# No player shows two pictures in a shorter time. Some files contain several for the same time.
MIN_INTERVAL = 0.0012
_RATES, _USUAL_RATE, _RATE_TOLERANCE = (10, 60), 30, 0.04
# Shorter gaps between packets are due to rounded times.
_GAP_SECONDS = 0.05

# Periods with sound: beginnings and ends, in order.
Spans = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Contents:
    """The pictures and sounds of a file. Times are in seconds, and start anywhere."""

    times: tuple[float, ...]  # the beginnings of the pictures
    end: float  # the end of the last picture
    sounds: tuple[Spans, ...]
    size: tuple[int, int] | None = None  # the largest size of the pictures, if it changes
    problem: str = ""  # the first error that ffmpeg reports
    lost: int = 0  # pictures that cannot be decoded
    doubles: int = 0  # pictures with the same time as others
    packets: frozenset[str] = frozenset()  # their sizes and checksums, unless decoded

    @property
    def frames(self) -> int:
        """The number of pictures."""
        return len(self.times)

    @property
    def begin(self) -> float:
        """The time of the first picture."""
        return self.times[0] if self.times else 0.0

    @property
    def lead(self) -> float:
        """The time from the first sound to the first picture. It may be negative."""
        return self.begin - min([each[0][0] for each in self.sounds if each], default=self.begin)

    @property
    def seconds(self) -> float:
        """The time from the first picture or sound to the last."""
        spans = [each for sound in self.sounds for each in sound]
        begin = min([self.begin, *(each[0] for each in spans)])
        return max([self.end, *(each[1] for each in spans)]) - begin

    def rate(self, guesses: Iterable[Fraction]) -> Fraction:
        """Returns a suitable frame rate, which is one of the guesses if possible."""
        if self.variable or not self._gaps:
            low, high = _RATES
            return next((each for each in guesses if low <= each <= high), Fraction(_USUAL_RATE))
        usual = Fraction(1 / statistics.median(self._gaps))
        fitting = (each for each in guesses if abs(each - usual) < _RATE_TOLERANCE * usual)
        return next(fitting, usual.limit_denominator(100))

    @property
    def _gaps(self) -> list[float]:
        times = zip(self.times, self.times[1:], strict=False)
        return [after - before for before, after in times]

    @property
    def variable(self) -> bool:
        """Whether the intervals between pictures differ."""
        return bool(self._gaps) and max(self._gaps) - min(self._gaps) > 2 * TIME_TOLERANCE

    @property
    def silent_parts(self) -> bool:
        """Whether a sound begins after the first picture or other sounds, or has pauses."""
        begin = min([self.begin, *(each[0][0] for each in self.sounds if each)])
        late = [each for each in self.sounds if each and each[0][0] - begin > _SOUND_TOLERANCE / 2]
        return bool(late) or any(len(each) > 1 for each in self.sounds)

    def shows(self, source: "Contents") -> bool:
        """Whether this contains most pictures of its source unchanged, and so without the filter.

        Encoders may write equal packets for a few pictures, for example for black ones.
        """
        return 2 * len(self.packets & source.packets) > len(source.packets)

    def differs_from(self, source: "Contents", grid: float = 0.0) -> str | None:
        """Compares a result with its source.

        ``grid`` is the interval between pictures if the container stores no times. Such a file
        repeats and leaves out pictures. Returns None if this is a complete conversion, or else a
        phrase with the first difference.
        """
        if self.frames != source.frames and not grid:
            return f"has {self.frames} frames, but its source has {source.frames}"
        lead = max(0.0, source.lead) if grid else 0.0
        length, other = self.end - self.begin, source.end - source.begin + lead
        is_exact = grid and not source.variable
        if abs(length - other) > (2 * (grid + TIME_TOLERANCE) if is_exact else _END_TOLERANCE):
            return f"lasts {length:.2f} s, but its source lasts {other:.2f} s"
        for number, (mine, other) in enumerate(zip(self.times, source.times, strict=False)):
            if not grid and abs(mine - self.begin - other + source.begin) > TIME_TOLERANCE:
                mine, other = mine - self.begin, other - source.begin
                return f"shows frame {number} after {mine:.3f} s, its source after {other:.3f} s"
        # Streams without data need not be in the result.
        heard, wanted = ([each for each in one.sounds if each] for one in (self, source))
        if len(heard) != len(wanted):
            return f"has {len(heard)} sounds, but its source has {len(wanted)}"
        for mine, other in zip(heard, wanted, strict=True):
            mine = [(begin - self.begin, end - self.begin) for begin, end in mine]
            origin = source.begin - lead
            other = [(begin - origin, end - origin) for begin, end in other]
            if grid and other:  # silence fills the pauses
                other = [(0.0, other[-1][1])]
            if (found := max(_excess(mine, other), _excess(other, mine))) > _SOUND_TOLERANCE + grid:
                return f"has sound at other times than its source ({found:.2f} s)"
        return None


def distinct(times: Iterable[float]) -> tuple[float, ...]:
    """Returns the times in order, without pictures that nearly have the time of the one before."""
    found: list[float] = []
    for each in sorted(times):
        if not found or each - found[-1] > MIN_INTERVAL:
            found.append(each)
    return tuple(found)


def joined(spans: Iterable[tuple[float, float]]) -> Spans:
    """Joins the periods of packets that follow each other without a pause."""
    found: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if found and begin - found[-1][1] < _GAP_SECONDS:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return tuple(found)


def _excess(one: Iterable[tuple[float, float]], other: Iterable[tuple[float, float]]) -> float:
    """Returns the length of the longest part of ``one`` that is not in ``other``."""
    longest = 0.0
    for begin, end in one:
        for first, last in (*other, (end, end)):
            if last <= begin:
                continue
            longest = max(longest, min(first, end) - begin)
            begin = max(begin, last)
            if begin >= end:
                break
    return longest
