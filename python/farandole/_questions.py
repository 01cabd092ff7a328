"""The queries about a problem or puzzle."""

from __future__ import annotations

import math
import operator
import os
import random
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _farandole
from ._commands import CommandQuestions
from ._limits import make_limits, whole
from .errors import Interrupted, check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ._farandole import Block, Core, KnownCandidates
    from ._limits import Limits

__all__ = ["Candidate", "Candidates", "Estimate", "Questions"]

#: The largest ``limit`` of :meth:`Questions.candidates`.
_LIMIT_MAX = 1000

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Estimate:
    """An estimate of the number of solutions, with a 95 % confidence interval."""

    #: The estimated number, infinite above about 10^308; ``low`` and ``high`` are the ends of the interval.
    count: float
    low: float
    high: float
    #: The logarithms to base 10 of the three numbers; minus infinity for zero.
    log10: float
    log10_low: float
    log10_high: float
    #: The relative standard error.
    error: float
    #: Whether no sampling was needed; then the number is exact except for rounding.
    is_exact: bool
    #: The number of sampling runs.
    runs: int
    #: The share of the largest run in the sum; above a tenth the interval is not reliable.
    largest: float
    #: Rough cost of an exact count by a frontier: states, seconds on one core, bytes.
    states: float
    seconds: float
    bytes: float


@dataclass(frozen=True)
class Candidate:
    """A symbol in a cell, or an option, and the number of solutions that contain it."""

    #: The cell, such as ``"r1c2"``, and the symbol; ``None`` for a puzzle that is not a grid.
    cell: str | None
    symbol: str | None
    #: The option, as the problem names it; ``None`` for a grid.
    option: Any
    #: The number of known solutions, at most the limit of the query.
    count: int
    #: Whether there are no other solutions with the candidate.
    is_exact: bool

    @property
    def is_true(self) -> bool | None:
        """Whether some solution contains the candidate; ``None`` if that is not known."""
        return None if self.count == 0 and not self.is_exact else self.count > 0


class Candidates:
    """The answer of :meth:`farandole.Questions.candidates`."""

    def __init__(self, facts: list[Candidate], known: KnownCandidates) -> None:
        #: All candidates, in the order of the cells or of the options.
        self.all = facts
        self._known = known

    @property
    def true(self) -> list[Candidate]:
        """The candidates that occur in a solution."""
        return [candidate for candidate in self.all if candidate.is_true]

    @property
    def unknown(self) -> list[Candidate]:
        """The candidates that a limit left undecided."""
        return [candidate for candidate in self.all if candidate.is_true is None]

    @property
    def cells(self) -> dict[str, str]:
        """The symbols of each cell of a grid that occur in a solution, as one text per cell."""
        cells: dict[str, str] = {}
        for candidate in self.all:
            if candidate.cell is not None and candidate.symbol is not None:
                symbol = candidate.symbol if candidate.is_true else ""
                cells[candidate.cell] = cells.get(candidate.cell, "") + symbol
        return cells

    def __repr__(self) -> str:
        return f"<farandole.Candidates: {len(self.true)} of {len(self.all)} occur in a solution>"


class Questions(CommandQuestions, Generic[Answer]):
    """A query with its limits and its answer; a solution is an ``Answer``.

    Every query accepts these limits as keyword arguments, all off by default:

    - ``time``: wall-clock seconds. The query ends soon after them.
    - ``nodes``: nodes of the search tree.
    - ``memory``: bytes for tables, where they can be limited. A count uses 2 GiB by default, and continues in parts if it
      needs more.
    - ``threads``: the number of cores; all by default.
    - ``progress``: a callable that receives a :class:`farandole.Progress` about twenty times a second, or a tqdm bar. An
      exception in it ends the query.
    - ``cancel``: a ``threading.Event``. When another thread sets it, the query ends within a tenth of a second.

    A limit or ``cancel`` that ends the query raises :class:`farandole.LimitReached`, and Ctrl-C raises
    :class:`farandole.Interrupted`; both have the partial result in ``known``. Other Python threads keep running meanwhile.
    """

    _core: Core

    @abstractmethod
    def _answer(self, numbers: list[int], cost: int | None = None) -> Answer:
        """Builds a solution from the numbers of its options."""

    @abstractmethod
    def _answers(self, block: Block) -> Iterable[Answer]:
        """Builds the solutions of a block, one after the other."""

    def count(
        self,
        *,
        limit: SupportsIndex | None = None,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
        engine: str | None = None,
        up_to_symmetry: bool | str = False,
        journal: str | os.PathLike[str] | None = None,
        scratch: str | os.PathLike[str] | None = None,
    ) -> int:
        """Counts the solutions exactly, whatever their number.

        With ``limit`` the count stops there: the answer ``limit`` then means at least that many. If another limit ends the
        count, ``known`` is a lower bound.

        ``engine`` names the algorithm that counts, as ``farandole puzzles`` lists them; by default the fastest is chosen.

        ``up_to_symmetry`` counts solutions that differ only by a symmetry of the puzzle once: ``True`` for all symmetries,
        or ``"rotations"``; for empty Latin squares also ``"isomorphism"``, ``"isotopy"`` or ``"main-classes"``.

        ``journal`` is a file that keeps the finished parts of a long count, and ``scratch`` a folder for states that may be
        larger than memory. The same call resumes the count, however it ended.

        >>> import farandole
        >>> farandole.Problem(["ab", "bc", "cd", "ad", "a"]).count()
        2
        >>> queens = farandole.puzzle("queens", 8)
        >>> queens.count(engine="links"), queens.count(up_to_symmetry=True)
        (92, 12)
        """
        limits = make_limits(limit, time, nodes, memory, threads, progress, cancel, engine)
        if up_to_symmetry or journal is not None or scratch is not None:
            return self._count_by_command(limits, up_to_symmetry, journal, scratch)
        end, count = _farandole.count(self._core, limits)
        check_end(None if end == "limit" else end, "the count", count, limits=limits)
        return count

    def is_unique(
        self,
        *,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> bool:
        """Returns whether there is exactly one solution.

        >>> import farandole
        >>> farandole.Problem(["ab", "cd", "bc", "d"]).is_unique()
        True
        """
        limits = make_limits(2, time, nodes, memory, threads, progress, cancel)
        end, count = _farandole.count(self._core, limits)
        check_end(None if end == "limit" else end, "the search for a second solution", count, limits=limits)
        return count == 1

    def solve(
        self,
        *,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
        engine: str | None = None,
    ) -> Answer | None:
        """Finds a solution, or returns ``None`` if there is none.

        ``engine`` names the algorithm that searches, as ``farandole puzzles`` lists them; by default the fastest is chosen.

        >>> import farandole
        >>> farandole.Problem(["ab", "bc", "cd", "d"]).solve()
        ('ab', 'cd')
        """
        limits = make_limits(None, time, nodes, memory, threads, progress, cancel, engine)
        end, found = _farandole.solve(self._core, limits)
        check_end(end, "the search", None, limits=limits)
        return None if found is None else self._answer(found)

    def __iter__(self) -> Iterator[Answer]:
        """Iterates over all solutions, like :meth:`solutions` without limits."""
        return self.solutions()

    def solutions(
        self,
        *,
        limit: SupportsIndex | None = None,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
        engine: str | None = None,
    ) -> Generator[Answer, None, None]:
        """Iterates over the solutions, each once, in no particular order, at most ``limit`` of them.

        ``engine`` names the algorithm that searches; by default the fastest is chosen.

        The first ones come at once; then another thread finds more while the caller uses earlier ones, and up to a megabyte of
        them is queued. The search ends with the generator: after the last solution, or when the generator is closed or deleted. If another limit or Ctrl-C ends the
        search, ``known`` is the number of solutions so far. Ctrl-C in the caller's own loop raises ``KeyboardInterrupt``, the
        base class of :class:`farandole.Interrupted`.
        >>> import farandole
        >>> problem = farandole.Problem([[place] for place in range(100) for _ in "ab"])
        >>> sum(1 for cover in problem.solutions(limit=1000))
        1000
        >>> next(iter(farandole.Problem(["a", "b"])))
        ('a', 'b')
        """
        limits = make_limits(limit, time, nodes, memory, threads, progress, cancel, engine)
        return self._run(limits)

    def _run(self, limits: Limits) -> Generator[Answer, None, None]:
        if limits.limit == 0:
            return
        count = 0
        if limits.is_cancelled:
            check_end("interrupt", "the search", count, limits=limits)
        covers = _farandole.Covers(self._core, limits)
        try:
            while True:
                block, is_over, end = covers.take()
                for answer in self._answers(block):
                    count += 1
                    yield answer
                if is_over:
                    check_end(None if end == "limit" else end, "the search", count, limits=limits)
                    return
        except KeyboardInterrupt:
            raise Interrupted("the search was interrupted", count) from None
        finally:
            covers.stop()

    def cheapest(
        self,
        number: SupportsIndex = 1,
        *,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> list[Answer]:
        """Finds the solutions of least cost, the cheapest first, and proves that no others are cheaper.

        Returns ``number`` solutions, or all if there are fewer. If a limit ends the search, ``known`` is a list of the best so
        far, and the ``bound`` of the exception is a lower bound on the cost of all other solutions.
        >>> import farandole
        >>> problem = farandole.Problem({"ab": "ab", "a": "a", "b": "b"}, costs={"ab": 5, "a": 2, "b": 2})
        >>> best, second = problem.cheapest(2)
        >>> best, best.cost, second.cost
        (('a', 'b'), 4, 5)
        """
        limits = make_limits(None, time, nodes, memory, None, progress, cancel)
        end, found, bound = _farandole.cheapest_covers(self._core, whole("number", number, 0), limits)
        answers = [self._answer(numbers, cost) for cost, numbers in found]
        check_end(end, "the search for the cheapest", answers, bound, limits=limits)
        return answers

    def sample(
        self,
        number: SupportsIndex = 1,
        *,
        seed: SupportsIndex | None = None,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> list[Answer]:
        """Draws solutions at random: independently and uniformly.

        It first builds a decision diagram of all solutions, within 2 GiB or ``memory`` bytes, so many samples cost little more
        than one. The same ``seed`` gives the same solutions. Without solutions the list is empty. If a limit ends the drawing,
        ``known`` is the list of the solutions drawn so far.
        >>> import farandole
        >>> problem = farandole.Problem([[place] for place in range(100) for _ in "ab"])
        >>> len(problem.sample(3, seed=1))
        3
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        start = random.getrandbits(64) if seed is None else whole("seed", seed, 0)
        end, drawn = _farandole.sample(self._core, whole("number", number, 0), start, limits)
        answers = [self._answer(numbers) for numbers in drawn]
        check_end(end, "sampling", answers, limits=limits)
        return answers

    def per_option(
        self,
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> list[int]:
        """Counts for each option the solutions that contain it, in the order of the options.

        It builds a decision diagram of all solutions, as :meth:`sample` does.

        >>> import farandole
        >>> problem = farandole.Problem(["ab", "a", "b", "cd", "c", "d"])
        >>> dict(zip(problem.options, problem.per_option()))
        {'ab': 2, 'a': 2, 'b': 2, 'cd': 2, 'c': 2, 'd': 2}
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        end, counts = _farandole.per_option(self._core, limits)
        check_end(end, "the count for each option", None, limits=limits)
        return counts

    def histogram(
        self,
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> dict[int, int]:
        """Counts the solutions of each cost, the cheapest first. It builds a decision diagram, as :meth:`sample` does.

        >>> import farandole
        >>> problem = farandole.Problem({"ab": "ab", "a": "a", "b": "b"}, costs={"ab": 5, "a": 2, "b": 2})
        >>> problem.histogram()
        {4: 1, 5: 1}
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        end, costs = _farandole.histogram(self._core, limits)
        check_end(end, "the histogram", None, limits=limits)
        return dict(costs)

    def rank(
        self,
        solutions: Iterable[Any],
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> list[int | None]:
        """Returns the index of each solution, from 0, or ``None`` for one that is not a solution.

        The same problem always has the same indices in one version of the package; :meth:`unrank` is the inverse. It builds
        a decision diagram, as :meth:`sample` does.

        >>> import farandole
        >>> problem = farandole.Problem(["ab", "a", "b", "cd", "c", "d"])
        >>> sorted(problem.rank(problem))
        [0, 1, 2, 3]
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        covers = [self._numbers_of(solution) for solution in solutions]
        end, ranks = _farandole.rank(self._core, covers, limits)
        check_end(end, "the ranking", ranks, limits=limits)
        return ranks

    def unrank(
        self,
        indices: Iterable[SupportsIndex],
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> list[Answer]:
        """Returns the solutions with these indices, from 0 to one less than :meth:`count`, which may be of any size.

        >>> import farandole
        >>> problem = farandole.Problem([[place] for place in range(100) for _ in "ab"])
        >>> last = problem.unrank([2**100 - 1])
        >>> problem.rank(last) == [2**100 - 1]
        True
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        numbers = [operator.index(index) for index in indices]
        end, found, count = _farandole.unrank(self._core, [str(number) for number in numbers], limits)
        check_end(end, "the unranking", None, limits=limits)
        answers = []
        for number, cover in zip(numbers, found):
            if cover is None:
                raise IndexError(f"expected indices from 0 to {count - 1}, found {number}")
            answers.append(self._answer(cover))
        return answers

    @abstractmethod
    def _numbers_of(self, solution: Any) -> list[int]:
        """Returns the numbers of the options of a solution."""

    def _option_names(self) -> Sequence[Any]:
        """The names of the options."""
        return self._core.labels()

    def candidates(
        self,
        *,
        limit: SupportsIndex = 1,
        after: Candidates | None = None,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> Candidates:
        """Finds the symbols of each cell, or the options, that occur in some solution, without listing solutions.

        It also counts the solutions of each up to ``limit``, at most 1000. ``after`` is an earlier answer about the same puzzle
        with fewer clues: false candidates then stay false, and known solutions are used again. If a limit ends the search,
        ``known`` is the answer so far.
        >>> import farandole
        >>> grid = farandole.puzzle("variant", "# thermo: r1c1 r1c2 r1c3\\n....\\n....\\n....\\n....")
        >>> grid.candidates().cells["r1c2"]
        '23'
        >>> problem = farandole.Problem(["ab", "a", "b", "bc", "c"])
        >>> [(candidate.option, candidate.count) for candidate in problem.candidates(limit=9).true]
        [('ab', 1), ('a', 2), ('b', 1), ('bc', 1), ('c', 2)]
        """
        limits = make_limits(None, time, nodes, memory, cancel=cancel)
        most = whole("limit", limit, 1)
        if most > _LIMIT_MAX:
            raise ValueError(f"expected at most {_LIMIT_MAX} for `limit`, found {most}")
        end, facts, known = _farandole.candidates(self._core, most, None if after is None else after._known, limits)
        labels = self._option_names() if any(number is not None for _, number, _, _ in facts) else []
        answer = []
        for place, number, count, is_exact in facts:
            cell, symbol = place or (None, None)
            answer.append(Candidate(cell, symbol, None if number is None else labels[number], count, is_exact))
        candidates = Candidates(answer, known)
        check_end(end, "the search for candidates", candidates, limits=limits)
        return candidates

    def estimate(
        self,
        *,
        time: float | None = 10.0,
        runs: SupportsIndex | None = None,
        precision: float | None = None,
        seed: SupportsIndex = 1,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> Estimate:
        """Estimates the number of solutions if a count would take too long, and the cost of that count.

        It uses ``time`` seconds, or stops early when it is exact, after ``runs`` runs, or at the relative standard error
        ``precision``.
        >>> import farandole
        >>> found = farandole.Problem([[place] for place in range(100) for _ in "ab"]).estimate()
        >>> round(found.log10, 2), found.is_exact
        (30.1, True)
        """
        limits = make_limits(None, time, None, memory, cancel=cancel)
        if isinstance(precision, (bool, str)) or precision is not None and not 0 < precision < math.inf:
            raise ValueError(f"expected a number above 0 for `precision`, found {precision!r}")
        most = None if runs is None else whole("runs", runs, 1)
        end, found = _farandole.estimated(self._core, whole("seed", seed, 0), most, precision, limits)
        check_end(end, "the estimate", None, limits=limits)
        assert found is not None, "an estimate was made if nothing ended it"
        counts, logarithms, error, is_exact, runs_made, largest, costs = found
        (count, low, high), (log10, log10_low, log10_high) = counts, logarithms
        states, seconds, size = costs
        made = (error, is_exact, runs_made, largest, states, seconds, size)
        return Estimate(count, low, high, log10, log10_low, log10_high, *made)
