"""The progress of a query, for a bar or a function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

__all__ = ["Progress", "Report", "reporter"]

#: The callback of the private module.
Report = Callable[[float, int, int, Optional[float], Optional[str]], object]


@dataclass(frozen=True)
class Progress:
    """The progress of a query.

    It is reported about twenty times a second, in the thread of the caller, and only if the answer takes longer than a
    moment.
    """

    #: The estimated finished fraction of the work, from 0 to 1; 0 while unknown.
    fraction: float
    #: Nodes of the search so far.
    nodes: int
    #: A lower bound on the number of solutions so far.
    solutions: int
    #: The estimated time left in seconds, or ``None`` without a reliable estimate.
    seconds_left: Optional[float]
    #: The leading counting method, or ``None`` for a single search.
    method: Optional[str]


def reporter(progress: Any) -> Report | None:
    """Converts a callable or a bar such as tqdm's to a callback of the private module.

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
    """Advances a bar up to its total, or to 100 if it has none."""
    if getattr(bar, "total", None) is None:
        bar.total = 100

    def report(
        fraction: float, nodes: int, solutions: int, left: float | None, method: str | None
    ) -> None:
        step = round(fraction * bar.total, 2) - bar.n
        # An estimate may decrease; a bar never does.
        if step > 0:
            bar.update(step)

    return report
