"""Exact covers and puzzles: solved, listed, counted and sampled by the engines of Farandole.

>>> import farandole
>>> problem = farandole.Problem({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]})
>>> problem.solve()
('B', 'D', 'F')
>>> problem.count()
1
"""

from . import sudoku
from ._farandole import __version__
from ._questions import Estimate
from .errors import Interrupted, LimitReached, ParseError
from .problem import Cover, Problem
from .progress import Progress
from .puzzles import Puzzle, Solution, puzzle, read_file, read_text

__all__ = [
    "Cover",
    "Estimate",
    "Interrupted",
    "LimitReached",
    "ParseError",
    "Problem",
    "Progress",
    "Puzzle",
    "Solution",
    "__version__",
    "puzzle",
    "read_file",
    "read_text",
    "sudoku",
]
