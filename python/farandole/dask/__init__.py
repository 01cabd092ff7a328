"""Counts, lists and solutions of files with all machines of a cluster, through Dask.

The client is a :class:`distributed.Client` of any cluster that Dask supports: local processes, machines reached by ssh,
Slurm, PBS or Kubernetes. All workers need this package. Without a client the cores of this machine do the work. In a
script the call must then stand under ``if __name__ == "__main__":``, because the workers run the script as well.
"""

from ._count import count
from ._crew import ClusterLost
from ._files import SolvedFiles, solve_files
from ._frontier import frontier_count
from ._list import list_solutions

#: ``list``, named like the other queries; :func:`list_solutions` avoids hiding Python's own.
list = list_solutions

__all__ = [
    "ClusterLost",
    "SolvedFiles",
    "count",
    "frontier_count",
    "list",
    "list_solutions",
    "solve_files",
]
