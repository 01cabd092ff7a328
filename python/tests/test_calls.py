"""Long calls: limits, Ctrl-C, progress, threads and forks."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import pytest

import farandole


def queens(size: int) -> farandole.Problem[Any]:
    """A problem whose count takes days at size 24, but whose solutions come at once."""
    options = [
        [("r", r), ("c", c), ("a", r + c), ("d", r - c)] for r in range(size) for c in range(size)
    ]
    return farandole.Problem(options, primary=[(line, place) for line in "rc" for place in range(size)])


LONG = queens(24)


def test_a_limit_carries_the_partial_result() -> None:
    with pytest.raises(farandole.LimitReached) as raised:
        LONG.count(time=0.3)
    assert raised.value.limit == "time"
    assert raised.value.known > 0
    assert str(raised.value) == "the count was stopped by the time limit"
    with pytest.raises(farandole.LimitReached) as raised:
        LONG.count(nodes=1000)
    assert raised.value.limit == "nodes"
    with pytest.raises(farandole.LimitReached) as raised:
        LONG.sample(memory=1 << 20)
    assert (raised.value.limit, raised.value.known) == ("memory", [])
    with pytest.raises(farandole.LimitReached):
        LONG.per_option(time=0)
    found = []
    with pytest.raises(farandole.LimitReached) as raised:
        for cover in LONG.solutions(time=0.3):
            found.append(cover)
    assert raised.value.known == len(found) > 0
    assert len(list(LONG.solutions(limit=5))) == 5


def test_a_search_ended_by_a_time_limit_returns_its_best_solutions_and_a_bound() -> None:
    problem = farandole.Problem(LONG.options, primary=[(line, place) for line in "rc" for place in range(24)], costs=[number * number % 9973 for number in range(24 * 24)])
    with pytest.raises(farandole.LimitReached) as raised:
        problem.cheapest(1000, time=0.05)
    assert raised.value.bound is not None
    assert all(cover.cost >= raised.value.bound for cover in raised.value.known)


def test_other_threads_keep_running() -> None:
    ticks: list[None] = []
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(0.001):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(farandole.LimitReached):
        LONG.count(time=0.5)
    is_over.set()
    thread.join()
    assert len(ticks) > 10


def test_progress_is_reported_to_a_callable_and_a_bar() -> None:
    told: list[farandole.Progress] = []
    with pytest.raises(farandole.LimitReached):
        LONG.count(time=0.4, progress=told.append)
    assert told[-1].nodes > 0
    assert 0 <= told[-1].fraction <= 1

    tqdm = pytest.importorskip("tqdm").tqdm
    with open(os.devnull, "w") as nowhere:
        for bar in [tqdm(file=nowhere), tqdm(total=1000, file=nowhere)]:
            queens(11).count(progress=bar, threads=1)
            bar.close()
            assert bar.total in (100, 1000)
    with pytest.raises(TypeError, match="expected a callable or a bar"):
        LONG.count(progress=3)


def test_an_exception_in_the_progress_callback_ends_the_query() -> None:
    def refuse(progress: farandole.Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        LONG.count(progress=refuse)
    with pytest.raises(ZeroDivisionError):
        for _ in LONG.solutions(progress=refuse):
            pass


QUESTIONS = {
    "count": "problem.count()",
    "unique": "problem.with_given([problem.options[0], problem.options[26]]).count(threads=1)",
    "solutions": "list(problem.solutions(limit=10**9))",
    "cheapest": "problem.cheapest(100)",
    "estimate": "problem.estimate(time=1000)",
    "sudoku": "farandole.sudoku.count_many(['.' * 81] * 1000)",
    "compiling clues": "list(farandole.read_text(clues))",
    "compiling clues of a later puzzle": "list(farandole.read_text(small + clues))",
    "placements": "farandole.puzzle('polyomino', 'pentominoes:400x400')",
    "pictures": "[board.to_svg() for _ in range(10**6)]",
    "iteration": "[str(cover) for cover in problem.solutions()]",
}


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("question", list(QUESTIONS.values()), ids=list(QUESTIONS))
def test_an_interrupt_ends_every_query_soon(question: str) -> None:
    program = f"""
import os, signal, threading, time, farandole
# A shell lets what runs in the background ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
small = "# puzzle: variant\\n" + "....\\n" * 4
clues = "# puzzle: variant\\n# order: 16\\n# boxes: none\\n" + "# regex: row 1 = .*(1.{{6}}|2.{{5}}|3.{{4}}).*(4.{{5}}|5.{{6}}).*|.*\\n" * 3000
clues += "................\\n" * 16
board = farandole.puzzle("polyomino", "dominoes:60x60")
size = 24
options = [[("r", r), ("c", c), ("a", r + c), ("d", r - c)] for r in range(size) for c in range(size)]
primary = [(line, place) for line in "rc" for place in range(size)]
problem = farandole.Problem(options, primary=primary, costs=[number * number % 9973 for number in range(size * size)])
sent = []
def send():
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, send).start()
try:
    {question}
    print("answered")
except KeyboardInterrupt as error:
    print(type(error).__name__, time.process_time() - sent[0])
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, timeout=120
    )
    words = ran.stdout.split() or [""]
    assert words[0] in ("Interrupted", "KeyboardInterrupt"), ran.stdout + ran.stderr
    # Ten times the promised delay, in processor time of several cores.
    assert float(words[1]) < 1.0 * (os.cpu_count() or 1), words


def test_the_puzzles_of_a_text_can_be_read_with_pauses() -> None:
    clued = "# puzzle: variant\n# killer: r1c1 r1c2 = 3\n" + "....\n" * 4
    read = []
    for puzzle in farandole.read_text(clued * 3):
        time.sleep(0.01)
        read.append(puzzle.count())
    assert read == [48] * 3


@pytest.mark.parametrize("limit", [{"time": 0.05}, {"cancel": threading.Event()}], ids=str)
def test_limits_end_the_reading_and_the_writing_of_a_text(limit: dict[str, Any], tmp_path: Path) -> None:
    (name,) = limit
    options = "\n".join(" ".join(f"i{(7 * n + k) % 5000}" for k in range(20)) for n in range(100_000))
    text = " ".join(f"i{n}" for n in range(5000)) + "\n" + options + "\n"
    file = tmp_path / "large.dlx"
    file.write_text(text)
    large = farandole.Problem.from_text(text)
    if "cancel" in limit:
        limit["cancel"].set()
    works: dict[str, Callable[[], object]] = {
        "puzzle": lambda: farandole.puzzle("cover", text, **limit),
        "read_text": lambda: next(iter(farandole.read_text(text, kind="cover", **limit))),
        "read_file": lambda: next(iter(farandole.read_file(file, **limit))),
        "from_text": lambda: farandole.Problem.from_text(text, **limit),
        "from_file": lambda: farandole.Problem.from_file(file, **limit),
        "to_text": lambda: large.to_text("cnf", **limit),
    }
    for work, run in works.items():
        begun = time.process_time()
        with pytest.raises(farandole.LimitReached) as raised:
            run()
        assert raised.value.limit == name, work
        assert time.process_time() - begun < 2, work


def test_an_iteration_may_be_abandoned_at_any_time() -> None:
    before = threading.active_count()
    for _ in range(50):
        covers = LONG.solutions()
        next(covers)
        covers.close()
        next(LONG.solutions())
    assert threading.active_count() == before


def test_several_threads_may_query_the_same_problem() -> None:
    problem, counts = queens(8), []
    threads = [threading.Thread(target=lambda: counts.append(problem.count())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [92] * 8


def in_child(queue: Any, covers: Any) -> None:
    answers: list[Any] = [queens(8).count()]
    try:
        answers.append(len(covers.take()))
    except RuntimeError as error:
        answers.append(str(error))
    queue.put(answers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_can_run_queries() -> None:
    from farandole import _farandole
    from farandole._limits import Limits

    queens(8).count()
    covers = _farandole.Covers(LONG._core, Limits())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue, covers))
    child.start()
    assert queue.get(timeout=60) == [
        92, "the iteration belongs to the process that began it, before a fork"
    ]
    child.join()
    covers.stop()


def test_repeated_queries_leak_no_memory() -> None:
    resource = pytest.importorskip("resource")
    problem = queens(5)

    def ask(times: int) -> int:
        for _ in range(times):
            problem.solve()
            problem.count()
            queens(4)
        for _ in range(times // 20):
            list(problem)
            problem.sample(2)
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = ask(1000)
    assert ask(2000) < before + 8192, "KiB"


@pytest.mark.parametrize(
    "ask",
    [
        lambda cancel: LONG.count(cancel=cancel),
        lambda cancel: LONG.is_unique(cancel=cancel),
        lambda cancel: list(LONG.solutions(limit=10**9, cancel=cancel)),
        lambda cancel: LONG.cheapest(100, cancel=cancel),
        lambda cancel: LONG.estimate(time=1000, cancel=cancel),
        lambda cancel: LONG.sample(memory=1 << 40, cancel=cancel),
        lambda cancel: LONG.per_option(memory=1 << 40, cancel=cancel),
        lambda cancel: farandole.sudoku.count("." * 9 + "1" + "." * 71, cancel=cancel),
        lambda cancel: farandole.sudoku.count_many(["." * 40 + "1" + "." * 40] * 1000, cancel=cancel),
        lambda cancel: farandole.shards.count_shard(farandole.shards.split(LONG, 1)[0], cancel=cancel),
    ],
)
def test_another_thread_can_cancel_every_query(ask: Any) -> None:
    for seconds in [0.0, 0.3]:
        cancel = threading.Event()
        timer = threading.Timer(seconds, cancel.set)
        timer.start()
        if not seconds:
            timer.join()
        begun = time.monotonic()
        try:
            ask(cancel)
        except farandole.LimitReached as error:
            # A diagram that is too large is refused up front.
            if error.limit != "memory" or not seconds:
                assert (error.limit, cancel.is_set()) == ("cancel", True)
                assert str(error).endswith("was stopped by the event `cancel`")
        timer.join()
        # A hundred times the promised delay, for busy machines.
        assert time.monotonic() - begun < 10


def test_a_query_in_asyncio_ends_with_its_task() -> None:
    async def count(problem: farandole.Problem[Any]) -> int:
        cancel = threading.Event()
        try:
            return await asyncio.to_thread(problem.count, cancel=cancel)
        finally:
            cancel.set()

    async def ask() -> int:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(count(LONG), 0.2)
        return await count(queens(6))

    begun = time.monotonic()
    # It returns when no thread of the loop is working any more.
    assert asyncio.run(ask()) == 4
    assert time.monotonic() - begun < 10


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_an_interrupted_iteration_reports_how_many_solutions_it_yielded() -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(farandole.Interrupted) as raised:
        list(LONG.solutions(limit=10**9))
    assert raised.value.known > 0
    timer.join()


def dominoes(rows: int, columns: int) -> farandole.Problem[Any]:
    across = [((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1)]
    return farandole.Problem(across + [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(columns)])


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (2, 4), (4, 4), (4, 6), (6, 6)])
def test_an_iteration_yields_each_solution_once_on_whichever_thread_it_is_found(size: tuple[int, int]) -> None:
    problem = dominoes(*size)
    count = problem.count()
    for threads in (1, 2):
        covers = list(problem.solutions(threads=threads))
        assert len(covers) == count
        assert len({cover.numbers for cover in covers}) == count
    for limit in (1, 3, 4, 5, 6, 7, 200, count):
        covers = list(problem.solutions(limit=limit))
        assert len({cover.numbers for cover in covers}) == len(covers) == min(limit, count)


def test_solutions_that_are_taken_slowly_are_all_yielded_once() -> None:
    problem = dominoes(6, 6)
    found = set()
    for number, cover in enumerate(problem.solutions()):
        if number in (1, 4, 5, 100):
            time.sleep(0.1)
        found.add(cover.numbers)
    assert len(found) == 6728


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the threads of a process are files on Linux only")
def test_the_first_solutions_need_no_thread() -> None:
    threads = set(os.listdir("/proc/self/task"))
    for problem in [farandole.Problem(["ab", "a", "b"]), dominoes(4, 4)]:
        found = problem.solutions()
        next(found)
        assert set(os.listdir("/proc/self/task")) <= threads
        found.close()
    assert len(list(farandole.Problem(["ab", "a", "b"]))) == 2
    assert set(os.listdir("/proc/self/task")) <= threads


def test_node_limits_hold_for_an_iteration_as_a_whole() -> None:
    problem = dominoes(6, 6)
    for nodes in (0, 5, 50, 500, 5000):
        numbers = []
        with pytest.raises(farandole.LimitReached) as raised:
            for cover in problem.solutions(nodes=nodes):
                numbers.append(cover.numbers)
        assert (raised.value.limit, raised.value.known) == ("nodes", len(numbers))
        assert len(set(numbers)) == len(numbers) < 6728
