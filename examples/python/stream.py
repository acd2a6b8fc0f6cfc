"""A stream of rows that is made on the workers and never stored: python stream.py [GIGABYTES]

Fits qda, and qda by EM with 5 % missing cells. The memory of a worker does not grow with the size:
rows that take more than half of the memory of the cluster are made again in each round.
"""

import resource
import sys
import time

import dask.array as da
import numpy as np
from dask import delayed
from dask.distributed import Client

from genera.dask import QDA

COLUMNS, CLASSES, ROWS = 50, 10, 25_000  # of a partition, which takes 10 MB


def made(partition, missing):
    rng = np.random.default_rng([7, partition])
    y = rng.integers(0, CLASSES, ROWS)
    X = rng.standard_normal((ROWS, COLUMNS)) + 0.3 * np.sin(y[:, None] * np.arange(1, COLUMNS + 1))
    if missing:
        X[rng.random(X.shape) < missing] = np.nan
    return X, y


def stream(partitions, missing=0.0):
    pieces = [delayed(made, nout=2)(i, missing) for i in range(partitions)]
    X = [da.from_delayed(x, (ROWS, COLUMNS), float) for x, _ in pieces]
    y = [da.from_delayed(labels, (ROWS,), int) for _, labels in pieces]
    return da.concatenate(X), da.concatenate(y)


def peak():
    """Megabytes of this process at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main():
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 0.04
    partitions = max(2, round(gigabytes * 1e9 / (ROWS * COLUMNS * 8)))
    with Client(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit="1GiB"
    ) as client:
        for missing in (0.0, 0.05):
            X, y = stream(partitions, missing)
            began = time.perf_counter()
            fitted = QDA().fit(X, y)
            seconds = time.perf_counter() - began
            print(
                f"{X.nbytes / 1e9:.2f} GB, {missing:.0%} missing: {fitted.rounds_} rounds, "
                f"{seconds:.1f} s, workers at most {max(client.run(peak).values())} MB"
            )


if __name__ == "__main__":
    main()
