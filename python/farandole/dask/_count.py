"""Counts on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from time import monotonic
from typing import TYPE_CHECKING, Any

from .._farandole import Journal, survey_count
from .._limits import Limits, make_limits
from ..errors import Interrupted, LimitReached, check_end
from ..progress import reporter
from ..shards import PARTS, Shard, ShardCount, ShardError, Tally, Whole, _positive, _refused, split, split_further
from ._crew import Cancelled, ClusterLost, Crew, Task, connected
from ._exchange import exchange_count, is_journal_of_blocks

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["count"]

#: Seconds of a count that needs no cluster, and of the test before it whether counting by forms pays.
TRIAL = 2.0
SURVEY = 0.5
#: Target nodes per shard; smallest and largest default number of shards; smallest number per thread.
SHARD_NODES = 5e7
SHARDS = (64, 2000)
SHARDS_A_THREAD = 16
#: Largest seconds of short shards and largest number of shards in one task.
BATCH_SECONDS = 0.5
BATCH_MAX = 64
#: Seconds after which a task returns shards that it has not started.
TASK_SECONDS = 2.0
#: While threads are idle, a shard that runs longer than this (s) is split; its parts may run twice as long.
PATIENCE = 2.0
#: Share of a worker's memory for all its counts.
MEMORY_SHARE = 0.5


def count(
    problem: Questions[Any] | Whole,
    client: Any = None,
    *,
    journal: str | os.PathLike[str] | None = None,
    shards: int | None = None,
    by: str | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> int:
    """Counts the solutions of a problem or a puzzle with all workers of a cluster.

    ``client`` is a :class:`distributed.Client`. Without one, each core of this machine counts in its own process.

    With ``journal`` each finished part is written to this file at once. After any interruption the same call resumes, and so
    does ``farandole count --journal``, in both directions. Without it, progress is lost when the client dies. Workers may
    die or join at any time: the number is right, and no part is counted twice.

    Counts that take more than a few seconds use one of two methods, chosen in the first seconds. ``by="shards"`` divides the
    search into independent parts. ``by="forms"`` is for problems with interchangeable items, such as Latin squares and
    designs: the remaining subproblems of each size are distributed among the workers by their canonical forms, and isomorphic
    subproblems are expanded only once. ``by`` selects the method without the trial.

    For forms the journal is a file of pending subproblems, written from time to time; a journal resumes with the method that
    started it. ``shards`` and ``time`` apply to shards and select that method.

    ``shards`` is the initial number of parts; the default depends on the estimate of a count that takes more than two
    seconds. A part that runs long while threads are idle is split further; a part that runs longer than ``time`` seconds is
    always split. ``memory`` is the size in bytes of the tables of each count; by default half of the worker's share.

    Raises :class:`ClusterLost` if the scheduler is gone, :class:`farandole.Interrupted` after Ctrl-C,
    :class:`farandole.LimitReached` after another thread has set the event ``cancel``, and ``OSError`` if the
    journal cannot be written; ``known`` is the partial count.

    >>> import farandole, farandole.dask
    >>> problem = farandole.Problem(["ab", "bc", "cd", "ad", "a", "b", "c"])
    >>> farandole.dask.count(problem, client, shards=3)  # doctest: +SKIP
    3
    """
    limits = make_limits(time=time, memory=memory)
    make_limits(cancel=cancel)
    if by not in (None, "forms", "shards"):
        raise ValueError(f"expected `forms` or `shards` for `by`, found {by!r}")
    if by == "forms" and (shards is not None or time is not None):
        raise ValueError("expected neither `shards` nor `time` with `by=\"forms\"`: these are for shards")
    if shards is not None or time is not None:
        by = "shards"
    if journal is not None and is_journal_of_blocks(os.fspath(journal)):
        if by == "shards":
            raise ShardError(f"{os.fspath(journal)}:1: expected the journal of a count by shards, found one by blocks")
        return _by_forms(Whole(problem), "", client, journal, limits, progress, cancel)
    asked = None if shards is None else _positive("shards", shards)
    whole = Whole(problem)
    tally = Tally(whole)
    kept = None if journal is None else _Kept(journal)
    try:
        open_shards = None if kept is None else kept.read(whole, tally, asked)
        sizes = known = root = None
        if open_shards is None and asked is None:
            root = split(whole, 1)[0]
            known, sizes = _trial(root, by, memory, cancel)
        if sizes is None:
            if known is not None and root is not None:
                if kept is not None:
                    kept.append(_refused(whole._whole.journal_header, 1, [root.line]) + known.line)
                tally.add(known)
                return tally.total()
            if open_shards == []:
                return tally.total()
            with connected(client) as there, Crew(there, _work, whole, is_own=client is None, cancel=cancel) as crew:
                if open_shards is None:
                    if asked is None:
                        least = max(SHARDS[0], SHARDS_A_THREAD * crew.threads)
                        assert root is not None, "it was split off above, because no number was requested"
                        asked = int(min(max(root.estimate / SHARD_NODES, least), max(SHARDS[1], least)))
                    open_shards = split(whole, asked)
                    if kept is not None:
                        lines = [shard.line for shard in open_shards]
                        kept.append(_refused(whole._whole.journal_header, asked, lines))
                _Count(crew, tally, kept, limits, progress).run(open_shards)
            return tally.total()
        if kept is not None:
            kept.remove()
    except KeyboardInterrupt:
        raise Interrupted(_how_to_go_on("the count was interrupted", tally, journal), tally.known) from None
    except Cancelled:
        message = _how_to_go_on("the count was stopped by the event `cancel`", tally, journal)
        raise LimitReached(message, "cancel", tally.known) from None
    except ClusterLost as error:
        raise ClusterLost(_how_to_go_on(error.message, tally, journal), tally.known) from None
    finally:
        if kept is not None:
            kept.close()
    return _by_forms(whole, sizes, client, journal, limits, progress, cancel)


def _how_to_go_on(message: str, tally: Tally, journal: Any) -> str:
    if journal is None:
        return f"{message}; with `journal` the {len(tally)} shards that were counted would be kept"
    return f"{message}; {len(tally)} shards are kept in {os.fspath(journal)}, and the same call goes on with what is left"


def _trial(root: Shard, by: str | None, memory: int | None, cancel: Any) -> tuple[ShardCount | None, str | None]:
    """Counts the whole if that is short; otherwise returns the sizes for forms if the count uses forms."""
    end = line = sizes = None
    if cancel is not None and cancel.is_set():
        raise Cancelled
    if by != "shards":
        seconds = None if by == "forms" else SURVEY
        end, line, sizes = _refused(survey_count, root.whole._whole, root.line, seconds, make_limits(memory=memory, cancel=cancel))
    if end == "interrupt":
        raise _ended_by(cancel)
    if by != "forms" and line is None and sizes is None:
        time = TRIAL if by == "shards" else TRIAL - SURVEY
        end, line = _refused(root.whole._whole.count, root.line, make_limits(time=time, cancel=cancel))
        if end == "interrupt":
            raise _ended_by(cancel)
    if by == "forms" and line is None and sizes is None:
        raise ValueError("expected a problem whose items are interchangeable for `by=\"forms\"`, without bounds and colors")
    return (None if line is None else ShardCount(line)), sizes


def _ended_by(cancel: Any) -> BaseException:
    return Cancelled() if cancel is not None and cancel.is_set() else KeyboardInterrupt()


def _by_forms(
    whole: Whole, sizes: str, client: Any, journal: Any, limits: Limits, progress: Any, cancel: Any
) -> int:
    """Counts by forms, resuming the journal of such a count if there is one."""
    path = None if journal is None else os.fspath(journal)
    with connected(client) as there:
        return exchange_count(
            whole,
            there,
            sizes=sizes,
            journal=path,
            memory=limits.memory,
            progress=progress,
            cancel=cancel,
            is_own=client is None,
        )


class _Kept:
    """The journal."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        self._journal = Journal(path, self.name)

    def read(self, whole: Whole, tally: Tally, asked: int | None) -> list[Shard] | None:
        """Reads the recorded counts, and returns the remaining shards; ``None`` if the journal is new."""
        end, lines, counts = _refused(self._journal.read, whole._whole, asked, make_limits())
        check_end(end, "the splitting", None)
        for line in counts:
            tally.add(line)
        if lines is None:
            return None
        shards = [Shard(whole, line) for line in lines]
        return [shard for shard in shards if shard not in tally]

    def append(self, text: str) -> None:
        self._journal.append(text)

    def remove(self) -> None:
        """Removes an empty journal, so that a journal of another kind can replace it."""
        os.unlink(self.name)

    def close(self) -> None:
        self._journal.close()


@dataclass(order=True)
class _Open:
    """A waiting shard; the most expensive comes first."""

    order: float
    line: str = field(compare=False)
    #: How often its ancestors were split because they ran long.
    generation: int = field(compare=False, default=0)
    #: Whether the shard may be split.
    is_whole: bool = field(compare=False, default=False)


@dataclass
class _Batch:
    """The shards of a task."""

    run: str
    shards: list[_Open]
    limits: Limits


@dataclass
class _Done:
    """The result of a batch."""

    #: The lines of counts.
    counts: list[str]
    #: Shards that were split, with the journal line of the split and the lines of their parts.
    splits: list[tuple[_Open, str, list[str]]]
    #: Shards that were not started.
    left: list[_Open]


class _Count:
    """A running count."""

    def __init__(
        self, crew: Crew, tally: Tally, kept: _Kept | None, limits: Limits, progress: Any
    ) -> None:
        self.crew = crew
        self.tally = tally
        self.kept = kept
        self.limits = limits
        self.report = reporter(progress)
        self.open: list[_Open] = []
        self.begun = monotonic()
        #: Estimated nodes of all initial shards and of the finished ones, and the mean seconds per shard.
        self.work = self.work_done = 0.0
        self.seconds: float | None = None
        self.asked_to_give_up = monotonic()

    def run(self, shards: list[Shard]) -> None:
        for shard in shards:
            heappush(self.open, _Open(-shard.estimate, shard.line))
        self.work = -sum(shard.order for shard in self.open)
        try:
            while self.open or len(self.crew):
                with self.crew.interrupts:
                    self.submit()
                    self.take(self.crew.take(0.2))
                    self.look_at_the_last()
        except BaseException:
            self.crew.tell(_give_up, self.crew.run, 0.0, True)
            raise

    def submit(self) -> None:
        """Sends the most expensive shards; short ones in batches."""
        tasks = []
        for _ in range(self.crew.room):
            if not self.open:
                break
            size = BATCH_MAX if self.seconds == 0 else int(BATCH_SECONDS / (self.seconds or BATCH_SECONDS))
            share = len(self.open) // (4 * max(self.crew.threads, 1))
            size = max(1, min(size, BATCH_MAX, share))
            batch = [heappop(self.open) for _ in range(min(size, len(self.open)))]
            tasks.append(Task(_Batch(self.crew.run, batch, self.limits)))
        self.crew.submit(tasks)

    def take(self, done: list[tuple[Task, _Done]]) -> None:
        """Records a batch of results at once."""
        text = "".join(line for _, result in done for line in result.counts)
        text += "".join(line for _, result in done for _, line, _ in result.splits)
        if self.kept is not None and text:
            self.kept.append(text)
        for task, result in done:
            weights = {id: shard for shard in task.argument.shards for id in [_id(shard.line)]}
            for line in result.counts:
                count = ShardCount(line)
                if self.tally.add(line):
                    self.work_done -= weights[count.id].order
                    self.seconds = 0.9 * (self.seconds or count.seconds) + 0.1 * count.seconds
            for shard, _, parts in result.splits:
                for line in parts:
                    share = shard.order / len(parts)
                    heappush(self.open, _Open(share, line, shard.generation + 1, len(parts) == 1))
            for shard in result.left:
                heappush(self.open, shard)
        if done and self.report is not None:
            share = self.work_done / self.work if self.work else 1.0
            seconds = monotonic() - self.begun
            left = seconds * (1 - share) / share if share > 0 else None
            self.report(share, 0, self.tally.known, left, None)

    def look_at_the_last(self) -> None:
        """Requests the split of long-running shards while threads are idle."""
        now = monotonic()
        is_idle = not self.open and 0 < len(self.crew) < self.crew.threads
        if is_idle and now - self.asked_to_give_up > PATIENCE / 2:
            self.asked_to_give_up = now
            self.crew.tell(_give_up, self.crew.run, PATIENCE, False)


def _id(line: str) -> str:
    """Returns the id of a shard from its line, which begins with it."""
    start = line.index(':"') + 2
    return line[start : start + 16]


# The rest runs on the workers.


class _GiveUp(Exception):
    """A shard must be split."""


@dataclass
class _Running:
    """A shard that is being counted."""

    run: str
    shard: _Open
    begun: float
    is_given_up: bool = False


_running: list[_Running] = []
#: Abandoned counts.
_ended: set[str] = set()


def _give_up(run: str, seconds: float, is_over: bool) -> None:
    """Abandons the shards of a run that took longer than ``seconds``, or all remaining shards of an ended run."""
    if is_over:
        _ended.add(run)
    for running in list(_running):
        shard = running.shard
        patience = 0.0 if is_over else seconds * 2**shard.generation
        if running.run == run and (is_over or not shard.is_whole) and monotonic() - running.begun > patience:
            running.is_given_up = True


def _work(batch: _Batch, whole: Whole) -> _Done:
    """Counts the shards of a batch."""
    done = _Done([], [], [])
    begun = monotonic()
    for shard in batch.shards:
        if batch.run in _ended or (shard is not batch.shards[0] and monotonic() - begun > TASK_SECONDS):
            done.left.append(shard)
            continue
        line = _count(batch, shard, whole)
        if line is not None:
            done.counts.append(line)
        elif batch.run in _ended:
            done.left.append(shard)
        else:
            parts, said = split_further(Shard(whole, shard.line), PARTS)
            if len(parts) == 1:
                # It cannot be split, so count it whole.
                shard.is_whole = True
                done.left.append(shard)
            else:
                done.splits.append((shard, said, [part.line for part in parts]))
    return done


def _count(batch: _Batch, shard: _Open, whole: Whole) -> str | None:
    running = _Running(batch.run, shard, monotonic())

    def report(*_: object) -> None:
        if running.is_given_up:
            raise _GiveUp

    time = batch.limits.time
    if time is not None:
        time = None if shard.is_whole else time * 2**shard.generation
    memory = batch.limits.memory if batch.limits.memory is not None else _memory()
    _running.append(running)
    try:
        end, line = whole._whole.count(shard.line, Limits(None, time, None, memory, 1, report))
    except _GiveUp:
        return None
    finally:
        _running.remove(running)
    if line is None and shard.is_whole and batch.run not in _ended:
        raise LimitReached(f"a shard that has no parts was stopped by a limit of {end}", end or "")
    return None if line is None else str(line)


def _memory() -> int | None:
    """The memory available to a count here, in bytes."""
    import distributed

    try:
        worker = distributed.get_worker()
        limit = worker.memory_manager.memory_limit
    except (ValueError, AttributeError):
        return None
    if not limit:
        return None
    return min(int(MEMORY_SHARE * limit / worker.state.nthreads), 2 << 30)
