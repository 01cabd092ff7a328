"""What can be asked of a problem and of a puzzle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._limits import make_limits
from .errors import check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ._farandole import Core

__all__ = ["Questions"]

Answer = TypeVar("Answer")


class Questions(ABC, Generic[Answer]):
    """A question with its limits and what it answers; a solution is an ``Answer``.

    Every question takes these limits by name, and none has a limit unless it is given:

    - ``time``: seconds by the clock on the wall. It ends soon after them.
    - ``nodes``: nodes of the search tree.
    - ``memory``: bytes that tables may take, where that can be chosen. A count holds 2 GiB by default, and goes on in
      parts where it needs more.
    - ``threads``: how many cores may work; all by default.
    - ``progress``: a callable that gets a :class:`farandole.Progress` some twenty times a second, or a bar of tqdm.

    A limit that comes before the answer raises :class:`farandole.LimitReached`, and Ctrl-C raises
    :class:`farandole.Interrupted`; both have what is ``known``. Other Python threads go on meanwhile.
    """

    _core: Core

    @abstractmethod
    def _answer(self, numbers: list[int], cost: int | None = None) -> Answer:
        """Makes a solution of the numbers of its options."""

    def count(
        self,
        *,
        limit: SupportsIndex | None = None,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
    ) -> int:
        """Counts the solutions: exactly, however many there are.

        With ``limit`` it counts no further: the answer ``limit`` then means so many or more. If another limit ends the
        count, ``known`` is a number that there are at least.

        >>> import farandole
        >>> farandole.Problem(["ab", "bc", "cd", "ad", "a"]).count()
        2
        """
        limits = make_limits(limit, time, nodes, memory, threads, progress)
        end, count = self._core.count(limits)
        check_end(None if end == "limit" else end, "the count", count)
        return count

    def is_unique(
        self,
        *,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
    ) -> bool:
        """Tells whether there is exactly one solution.

        >>> import farandole
        >>> farandole.Problem(["ab", "cd", "bc", "d"]).is_unique()
        True
        """
        limits = make_limits(2, time, nodes, memory, threads, progress)
        end, count = self._core.count(limits)
        check_end(None if end == "limit" else end, "the search for a second solution", count)
        return count == 1

    def solve(
        self,
        *,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
    ) -> Answer | None:
        """Finds a solution, or returns ``None`` where there is none.

        >>> import farandole
        >>> farandole.Problem(["ab", "bc", "cd", "d"]).solve()
        ('ab', 'cd')
        """
        limits = make_limits(None, time, nodes, memory, threads, progress)
        end, found = self._core.solve(limits)
        check_end(end, "the search", None)
        return None if found is None else self._answer(found)
