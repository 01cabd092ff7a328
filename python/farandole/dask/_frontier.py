"""Frontier counts on a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._limits import make_limits
from ..shards import Whole, _positive
from ._crew import connected
from ._exchange import exchange_count

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["frontier_count"]


def frontier_count(
    problem: Questions[Any] | Whole,
    client: Any = None,
    *,
    journal: str | os.PathLike[str] | None = None,
    owners: int | None = None,
    memory: int | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> int:
    """Counts the solutions by a frontier whose states are distributed over the memories of all workers.

    This is for problems with locality, such as tilings, where a frontier is by far the fastest method but its states exceed
    the memory of one machine. ``owners`` is the number of parts of each step, by default one per thread. ``memory`` is
    the memory of an expansion in bytes. Workers may die: their states are computed again.

    With ``journal`` the states between two steps are saved in this file from time to time, and in the end the count.
    After any interruption the same call resumes from there. The file is about as large as the states of a step, and needs
    twice that space during writing. Without it, no states are saved.

    Raises :class:`ClusterLost` if the scheduler is gone, or if there have been no workers for a minute, and
    :class:`farandole.LimitReached` if another thread sets the event ``cancel``.

    >>> import farandole, farandole.dask
    >>> farandole.dask.frontier_count(farandole.Problem(["ab", "bc", "cd", "ad"]), client)  # doctest: +SKIP
    2
    """
    limits = make_limits(memory=memory, cancel=cancel)
    whole = Whole(problem)
    asked = None if owners is None else _positive("owners", owners)
    path = None if journal is None else os.fspath(journal)
    with connected(client) as there:
        return exchange_count(
            whole,
            there,
            journal=path,
            owners=asked,
            memory=limits.memory,
            progress=progress,
            cancel=cancel,
            is_own=client is None,
        )
