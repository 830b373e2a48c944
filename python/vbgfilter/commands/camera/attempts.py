"""Schedules further attempts after failures."""

import time

# In seconds.
_FIRST_WAIT, _MAX_WAIT = 0.5, 8.0


class Attempts:
    """Counts failures, and doubles the wait after each one until ``forget``."""

    def __init__(self) -> None:
        self._next = 0.0
        self.forget()

    @property
    def is_due(self) -> bool:
        """Whether it is time for another attempt."""
        return time.monotonic() >= self._next

    def note_failure(self) -> None:
        """Counts a failed attempt, and schedules the next one."""
        self.failures += 1
        self._next = time.monotonic() + self._wait
        self._wait = min(2 * self._wait, _MAX_WAIT)

    def forget(self) -> None:
        """Resets the count and the wait. Call this after a successful attempt."""
        self.failures, self._wait = 0, _FIRST_WAIT
