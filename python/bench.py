"""Speed of the package next to other installed packages (SageMath's solver as passagemath-combinat, exact-cover-py, xcover,
exact-cover) and next to the program.

Each measure is the median processor time of several runs in turns, on one thread, with the answer next to it; the first
run of each, in which numba compiles, does not count. In it all packages that list covers must list the same ones. A package
that takes longer than the limit is not run again.

    python bench.py [--seconds 20] [PROBLEM...]
    python bench.py --calls
    python bench.py --grids FILE [--program PATH]
"""

from __future__ import annotations

import argparse
import importlib
import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import Any

import farandole
from farandole import Problem, sudoku

Options = list[list[Any]]


def queens(size: int) -> tuple[Options, list[Any]]:
    options = [
        [f"r{row}", f"c{column}", f"a{row + column}", f"d{row - column}"]
        for row in range(size)
        for column in range(size)
    ]
    return options, [f"{line}{place}" for line in "rc" for place in range(size)]


def pentominoes(board: str) -> tuple[Options, list[Any]]:
    labels = farandole.puzzle("polyomino", board).problem.options
    options = [label.split() for label in labels]
    return options, sorted({item for option in options for item in option})


def dominoes(rows: int, columns: int) -> tuple[Options, list[Any]]:
    across = [[f"{r}.{c}", f"{r}.{c + 1}"] for r in range(rows) for c in range(columns - 1)]
    down = [[f"{r}.{c}", f"{r + 1}.{c}"] for r in range(rows - 1) for c in range(columns)]
    return across + down, [f"{r}.{c}" for r in range(rows) for c in range(columns)]


def langford(most: int) -> tuple[Options, list[Any]]:
    labels = farandole.puzzle("langford", most).problem.options
    options = [label.split() for label in labels]
    return options, sorted({item for option in options for item in option})


def latin(order: int) -> tuple[Options, list[Any]]:
    places = [(r, c, s) for r in range(order) for c in range(order) for s in range(order)]
    options = [[f"p{r}{c}", f"r{r}{s}", f"c{c}{s}"] for r, c, s in places]
    return options, sorted({item for option in options for item in option})


PROBLEMS: dict[str, Callable[[], tuple[Options, list[Any]]]] = {
    "queens 8": lambda: queens(8),
    "queens 10": lambda: queens(10),
    "queens 12": lambda: queens(12),
    "pentominoes 3x20": lambda: pentominoes("3x20"),
    "pentominoes 6x10": lambda: pentominoes("6x10"),
    "dominoes 6x6": lambda: dominoes(6, 6),
    "dominoes 6x8": lambda: dominoes(6, 8),
    "latin 5": lambda: latin(5),
    "dominoes 8x8": lambda: dominoes(8, 8),
    "langford 8": lambda: langford(8),
    "langford 11": lambda: langford(11),
}


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def listers(options: Options, primary: list[Any]) -> dict[str, Callable[[], Iterable[Any]]]:
    """All ways to list the covers as numbers of options, building the problem included."""
    secondary = sorted({item for option in options for item in option} - set(primary))
    ways: dict[str, Callable[[], Iterable[Any]]] = {
        "farandole list": lambda: Problem(options, primary=primary).solutions(threads=1),
    }
    sage, exact, xcover = map(optional, ["sage.combinat.matrices.dancing_links", "exact_cover_py", "xcover"])
    if sage is not None:
        rows = padded_rows(options, primary, secondary)
        ways["SageMath list"] = lambda: sage.dlx_solver(rows).solutions_iterator()
    if exact is not None:
        matrix = padded_matrix(options, primary, secondary)
        ways["exact-cover-py list"] = lambda: exact.exact_covers(matrix)
    if xcover is not None:
        ways["xcover list"] = lambda: xcover.covers(options, primary=primary, secondary=secondary)
    return ways


def padded_rows(options: Options, primary: list[Any], secondary: list[Any]) -> list[list[int]]:
    """Rows of item numbers for packages without secondary items: an option of its own may cover each of these."""
    items = {item: number for number, item in enumerate(primary + secondary)}
    return [sorted(items[item] for item in option) for option in options + [[item] for item in secondary]]


def padded_matrix(options: Options, primary: list[Any], secondary: list[Any]) -> Any:
    rows = padded_rows(options, primary, secondary)
    matrix = importlib.import_module("numpy").zeros((len(rows), len(primary) + len(secondary)), dtype="int32")
    for number, row in enumerate(rows):
        matrix[number, row] = 1
    return matrix


def contenders(options: Options, primary: list[Any]) -> dict[str, Callable[[], int]]:
    """All ways to count, building the problem included."""
    all_ways: dict[str, Callable[[], int]] = {
        "farandole count": lambda: Problem(options, primary=primary).count(threads=1),
    }
    expected = None
    for name, way in listers(options, primary).items():
        covers = sorted(chosen(cover, len(options)) for cover in way())
        expected = covers if expected is None else expected
        assert covers == expected, f"{name} lists other covers"
        all_ways[name] = lambda way=way: sum(1 for _ in way())
        # Reading each cover costs more where covers are lazy.
        all_ways[f"{name}, read"] = lambda way=way: sum(1 for _ in map(list, way()))
    exact_cover, np = optional("exact_cover"), optional("numpy")
    if exact_cover is not None and np is not None:
        secondary = sorted({item for option in options for item in option} - set(primary))
        matrix = padded_matrix(options, primary, secondary).astype(bool)
        all_ways["exact-cover count"] = lambda: int(exact_cover.get_solution_count(matrix))
    return all_ways


def chosen(cover: Any, count: int) -> tuple[int, ...]:
    """The numbers of the chosen options; higher numbers are options that pad the problem."""
    return tuple(sorted(int(number) for number in getattr(cover, "numbers", cover) if number < count))


def processor_time() -> float:
    """The processor time of this process and of those that it waited for, in seconds."""
    times = os.times()
    return times.children_user + times.children_system + time.process_time()


def measure(all_ways: dict[str, Callable[[], Any]], seconds: float) -> dict[str, tuple[float, Any]]:
    """Returns for each way the median time and the answer."""
    times: dict[str, list[float]] = {name: [] for name in all_ways}
    answers: dict[str, Any] = {}
    begun = time.perf_counter()
    rounds = 0
    while rounds < 2 or (time.perf_counter() - begun < seconds and rounds < 8):
        # The first way of a round changes from round to round.
        for name in list(all_ways) if rounds % 2 == 0 else list(all_ways)[::-1]:
            if rounds and times[name][0] > seconds:
                continue
            start = processor_time()
            answers[name] = all_ways[name]()
            times[name].append(processor_time() - start)
        rounds += 1
    # The first round warms up, unless it is the only one.
    return {name: (statistics.median(each[1:] or each), answers[name]) for name, each in times.items()}


def shown(seconds: float) -> str:
    for factor, unit in [(1, "s"), (1e3, "ms")]:
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.0f} µs"


def head(names: list[str]) -> None:
    line(names)
    print("|---" + "|---:" * (len(names) - 1) + "|", flush=True)


def line(cells: list[str]) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def compare_covers(names: list[str], seconds: float) -> None:
    is_first = True
    for name in names:
        best = measure(contenders(*PROBLEMS[name]()), seconds)
        answers = {answer for _, answer in best.values()}
        if is_first:
            head(["problem", "covers", *best])
            is_first = False
        count = f"{best['farandole count'][1]:,}" if len(answers) == 1 else f"DIFFERENT: {answers}"
        line([name, count, *(shown(taken) for taken, _ in best.values())])


def time_calls(seconds: float) -> None:
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    small, eight = Problem([[0, 1], [2], [0], [1], [1, 2]]), Problem(queens(8)[0], primary=queens(8)[1])
    calls: dict[str, Callable[[], Any]] = {
        "sudoku.solve(easy)": lambda: sudoku.solve(grid),
        "sudoku.solve(hard)": lambda: sudoku.solve(hard),
        "sudoku.is_unique(easy)": lambda: sudoku.is_unique(grid),
        "small.count()": small.count,
        "small.solve()": small.solve,
        "next(iter(small))": lambda: next(iter(small)),
        "list(small)": lambda: list(small),
        "next(iter(eight_queens))": lambda: next(iter(eight)),
        "list(eight_queens)": lambda: list(eight),
    }
    assert len(list(small)) == small.count()
    assert len(list(eight)) == eight.count() == 92
    repeat = 500
    ways = {name: lambda call=call: [call() for _ in range(repeat)][-1] for name, call in calls.items()}
    head(["call", "time of a call"])
    for name, (taken, _) in measure(ways, seconds).items():
        line([f"`{name}`", f"{1e6 * taken / repeat:.2f} µs"])


def compare_sudoku(path: str, program: str | None, seconds: float) -> None:
    with open(path, "rb") as file:
        data = file.read()
    text = data.decode()
    grids = text.split()
    ways: dict[str, Callable[[], Any]] = {
        "solve_many, bytes": lambda: sudoku.solve_many(data, threads=1),
        "solve_many, str": lambda: sudoku.solve_many(text, threads=1).encode(),
        "solve_many, list": lambda: ("\n".join(line or "" for line in sudoku.solve_many(grids, threads=1)) + "\n").encode(),
        "count_many, bytes": lambda: sum(sudoku.count_many(data, limit=2, threads=1)),
    }
    np = optional("numpy")
    if np is not None:
        cells = np.frombuffer(data, dtype=np.uint8).reshape(-1, 82)[:, :81]
        cells = np.where((cells < 49) | (cells > 57), 0, cells - 48).astype(np.uint8)
        ways["solve_many, array"] = lambda: bytes(
            np.pad(sudoku.solve_many(cells, threads=1) + 48, ((0, 0), (0, 1)), constant_values=10).tobytes()
        )
    if program is not None:
        command = [program, "solve", "--threads", "1", path]
        ways["the program"] = lambda: subprocess.run(command, capture_output=True, check=False).stdout
    best = measure(ways, seconds)
    solved = best["solve_many, bytes"][1]
    print(f"{len(grids):,} grids of {path}\n")
    head(["", "grids a second", "time", "answer"])
    for name, (taken, answer) in best.items():
        if isinstance(answer, bytes):
            said = "the same" if answer == solved else "OTHERS"
        else:
            said = f"{answer:,} solutions"
        line([name, f"{len(grids) / taken / 1e6:.2f} million", shown(taken), said])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help=f"which problems: {', '.join(PROBLEMS)}; all by default")
    parser.add_argument("--seconds", type=float, default=20, help="about how long each row may take")
    parser.add_argument("--program", help="the program farandole, to solve the same grids")
    parser.add_argument("--grids", help="a file of 9x9 grids, a line each, all with a solution")
    parser.add_argument("--calls", action="store_true", help="time single calls that take microseconds")
    asked = parser.parse_args()
    if asked.calls:
        time_calls(asked.seconds)
    elif asked.grids:
        compare_sudoku(asked.grids, asked.program, asked.seconds)
    else:
        compare_covers(asked.problems or list(PROBLEMS), asked.seconds)


if __name__ == "__main__":
    main()
