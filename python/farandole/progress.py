"""How far a question is, for a bar or for a function of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

__all__ = ["Progress", "Report", "reporter"]

#: What the private module calls.
Report = Callable[[float, int, int, Optional[float], Optional[str]], object]


@dataclass(frozen=True)
class Progress:
    """How far a question is.

    It is told about twenty times a second, in the thread that asked, and only where the answer takes longer than a
    moment.
    """

    #: The estimated fraction of the work that is done, from 0 to 1; 0 while nothing is known.
    fraction: float
    #: Nodes of the search so far.
    nodes: int
    #: Solutions that are certain so far.
    solutions: int
    #: The estimated time left in seconds, or ``None`` while no estimate can be trusted.
    seconds_left: Optional[float]
    #: The counting method that leads, or ``None`` where there is one search.
    method: Optional[str]


def reporter(progress: Any) -> Report | None:
    """Makes what the private module calls of a callable, or of a bar as those of tqdm.

    >>> told = []
    >>> report = reporter(told.append)
    >>> report(0.5, 10, 2, None, None)
    >>> told
    [Progress(fraction=0.5, nodes=10, solutions=2, seconds_left=None, method=None)]
    """
    if progress is None:
        return None
    if hasattr(progress, "update") and not isinstance(progress, type):
        return _bar(progress)
    if not callable(progress):
        raise TypeError(f"expected a callable or a bar with `update` for `progress`, found {progress!r}")

    def report(
        fraction: float, nodes: int, solutions: int, left: float | None, method: str | None
    ) -> None:
        progress(Progress(fraction, nodes, solutions, left, method))

    return report


def _bar(bar: Any) -> Report:
    """A bar goes up to its total, or to 100 if it has none."""
    if getattr(bar, "total", None) is None:
        bar.total = 100

    def report(
        fraction: float, nodes: int, solutions: int, left: float | None, method: str | None
    ) -> None:
        step = round(fraction * bar.total, 2) - bar.n
        # An estimate may go back; a bar does not.
        if step > 0:
            bar.update(step)

    return report
