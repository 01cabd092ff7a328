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
    """Counts the solutions by a frontier whose states are spread over the memories of all workers.

    This is for problems with locality, as tilings, where a frontier is the fastest way by far and its states are more
    than one machine holds. ``owners`` is into how many parts each step is divided, one a thread without it. ``memory`` is
    how many bytes an expansion may take. Workers may die: what they held is made again.

    With ``journal`` the states between two steps are kept in this file from time to time, and in the end the count.
    Whatever ends the count, the same call goes on from there. The file is about as large as the states of a step, and twice that
    while it is written. Without it nothing is kept.

    Raises :class:`ClusterLost` if the scheduler is gone, or if there has been no worker for a minute, and
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
