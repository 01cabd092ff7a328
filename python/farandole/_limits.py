"""The common limits of all queries, in the form of the private module."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from .progress import Report, reporter

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["Limits", "make_limits", "whole"]


class Limits(NamedTuple):
    """The limits of a query, and the receiver of its progress."""

    limit: Optional[int] = None
    time: Optional[float] = None
    nodes: Optional[int] = None
    memory: Optional[int] = None
    threads: Optional[int] = None
    report: Optional[Report] = None
    #: An event that another thread sets to cancel the query.
    cancel: Any = None
    #: The name of the algorithm that searches; by default the algorithm is chosen.
    engine: Optional[str] = None

    @property
    def is_cancelled(self) -> bool:
        """Whether another thread has cancelled the query."""
        return self.cancel is not None and bool(self.cancel.is_set())


#: The limits of most queries, made once.
_NO_LIMITS = Limits()


def whole(name: str, value: SupportsIndex, least: int) -> int:
    """Checks a whole number."""
    if isinstance(value, bool):
        raise TypeError(f"expected a whole number for `{name}`, found {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"expected a whole number for `{name}`, found {value!r}") from None
    if not least <= number < 1 << 64:
        raise ValueError(f"expected a number from {least} to 2**64 - 1 for `{name}`, found {number}")
    return number


def _maybe(name: str, value: SupportsIndex | None, least: int) -> int | None:
    return None if value is None else whole(name, value, least)


def make_limits(
    limit: SupportsIndex | None = None,
    time: float | None = None,
    nodes: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
    cancel: Any = None,
    engine: str | None = None,
) -> Limits:
    """Checks a caller's limits."""
    if limit is None and time is None and nodes is None and memory is None:
        if threads is None and progress is None and cancel is None and engine is None:
            return _NO_LIMITS
    if engine is not None and not isinstance(engine, str):
        raise TypeError(f"expected the name of an engine for `engine`, found {engine!r}")
    if time is not None:
        if isinstance(time, (bool, str, bytes, bytearray)):
            raise TypeError(f"expected a number of seconds for `time`, found {time!r}")
        if not isinstance(time, (int, float)):
            try:
                time = float(time)
            except (TypeError, ValueError):
                raise TypeError(f"expected a number of seconds for `time`, found {time!r}") from None
        if not time >= 0:
            raise ValueError(f"expected a number of seconds from 0 up for `time`, found {time}")
        time = None if time > 1e15 else float(time)
    if cancel is not None and not callable(getattr(cancel, "is_set", None)):
        raise TypeError(f"expected an event with `is_set`, as `threading.Event()`, for `cancel`, found {cancel!r}")
    return Limits(
        limit=_maybe("limit", limit, 0),
        time=time,
        nodes=_maybe("nodes", nodes, 0),
        memory=_maybe("memory", memory, 0),
        threads=_maybe("threads", threads, 1),
        report=reporter(progress),
        cancel=cancel,
        engine=engine,
    )
