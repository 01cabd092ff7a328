"""Exceptions: bad input, reached limits, interrupts.

>>> import farandole
>>> try:
...     farandole.Problem.from_text("a b\\na c\\n")
... except farandole.ParseError as error:
...     print(error.line, error.column)
2 3
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._limits import Limits

__all__ = ["Interrupted", "LimitReached", "ParseError"]


class ParseError(ValueError):
    """A text that cannot be parsed.

    ``line`` and ``column`` count from 1; they are 0 if the error concerns the whole text. ``excerpt`` is the line with a
    caret under the position, or empty. For grids in a list ``line`` is the number of the grid from 1, and ``place`` names the
    grid in the caller's terms, such as ``grids[0]``; otherwise ``place`` is empty.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, excerpt: str = "", place: str = "") -> None:
        super().__init__(message, line, column, excerpt, place)
        self.message = message
        self.line = line
        self.column = column
        self.excerpt = excerpt
        self.place = place

    def __str__(self) -> str:
        parts = [self.place or f"line {self.line}" if self.line else self.place, f"column {self.column}" if self.column else ""]
        place = ", ".join(filter(None, parts))
        place = f"{place}: " if place else ""
        lines = "\n" + self.excerpt.rstrip("\n") if self.excerpt.strip() else ""
        return f"{place}{self.message}{lines}"


class LimitReached(Exception):
    """A limit ended a query before its answer.

    ``limit`` names it: ``"time"``, ``"nodes"``, ``"memory"``, or ``"cancel"`` if another thread set the event. ``known`` is
    the partial result, as described at each query. ``bound`` is a lower bound on the cost of all other solutions, if costs
    were requested.
    """

    def __init__(
        self, message: str, limit: str = "", known: Any = None, bound: int | None = None
    ) -> None:
        super().__init__(message, limit, known, bound)
        self.message = message
        self.limit = limit
        self.known = known
        self.bound = bound

    def __str__(self) -> str:
        return self.message


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a query before its answer.

    It is a ``KeyboardInterrupt``; ``known`` is the partial result, as in :class:`LimitReached`.
    """

    def __init__(self, message: str = "interrupted", known: Any = None) -> None:
        super().__init__(message, known)
        self.message = message
        self.known = known

    def __str__(self) -> str:
        return self.message


#: The names of the limits in messages.
_NAMES = {
    "limit": "the solution limit",
    "time": "the time limit",
    "nodes": "the node limit",
    "memory": "the memory limit",
    "cancel": "the event `cancel`",
    "numbers": "the largest number that a search counts",
}


def check_end(
    end: str | None, question: str, known: object, bound: int | None = None, *, limits: Limits | None = None
) -> None:
    """Raises the exception for a query that ``end`` ended early, if any."""
    if end is None:
        return
    if end == "interrupt" and limits is not None and limits.is_cancelled:
        end = "cancel"
    if end == "interrupt":
        raise Interrupted(f"{question} was interrupted", known)
    raise LimitReached(f"{question} was stopped by {_NAMES[end]}", end, known, bound)
