"""One model from rows in partitions: on two worker processes, and on one table for comparison."""

import dask.array as da
import numpy as np
from dask.distributed import Client

import genera
from genera.dask import LDA, QDA


def made(rows, missing=0.0):
    """Three classes of ten columns, in partitions of 10,000 rows."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, rows)
    X = rng.normal(size=(rows, 10)) + 0.5 * y[:, None]
    X[rng.random(X.shape) < missing] = np.nan
    return X, y, da.from_array(X, (10_000, 10)), da.from_array(y, 10_000)


def main():
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        X, y, rows, labels = made(60_000)
        classifier = QDA().fit(rows, labels)  # one round: sums of each partition, merged
        print(f"{classifier.rounds_} round, {classifier.report_.rows} rows")
        probabilities = classifier.predict_proba(rows)  # lazy, in the partitions of the rows
        there = probabilities.compute()
        here = genera.QDA().fit(X, y).predict_proba(X)
        print(f"largest difference from one table: {np.abs(there - here).max():.0e}")

        X, y, rows, labels = made(60_000, missing=0.05)
        classifier = LDA().fit(rows, labels)  # EM: a round for each iteration
        print(f"{classifier.rounds_} rounds, {classifier.report_.outcome}")
        print(f"accuracy {classifier.score(rows, labels):.3f}")
        classifier.to_local().save("lda.json")  # for the command line and genera.load


if __name__ == "__main__":
    main()
