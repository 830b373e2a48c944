"""A progress bar on the terminal, with messages above it."""

from typing import Self

from rich.console import Console
from rich.progress import Progress, ProgressColumn

from vbgfilter.commands.names import shown


class LiveReport:
    """Prints messages on standard error, and shows the bar there while its context is active.

    The bar appears only on terminals, and not with ``as_json``.
    """

    def __init__(self, as_json: bool, *columns: ProgressColumn) -> None:
        self._as_json = as_json
        self._console = Console(stderr=True, highlight=False)
        self._bar = Progress(
            *columns,
            console=self._console,
            disable=as_json or not self._console.is_terminal,
            transient=True,
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _say(self, text: str) -> None:
        self._console.print(shown(text), markup=False, soft_wrap=True)
