"""Softmax regression against scikit-learn's lbfgs, to the same value of what both minimise.

Used by run.py; alone: bench/logistic.py BUILD [ROWS]. The peer is given standardised numbers, and the
largest tolerance of its list with which it comes within 1e-8 of our minimum.
"""
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from clock import best, peak_megabytes

AIM = 5
ROWS, COLUMNS, CLASSES, RIDGE = 100_000, 50, 10, 1.0


def make_rows(rows, seed=1):
    rng = np.random.default_rng(seed)
    means = 0.6 * rng.normal(size=(CLASSES, COLUMNS))
    mixing = np.eye(COLUMNS) + 0.3 * rng.normal(size=(COLUMNS, COLUMNS)) / np.sqrt(COLUMNS)
    y = rng.integers(0, CLASSES, size=rows).astype(np.int32)
    return (rng.standard_t(6, size=(rows, COLUMNS)) + means[y]) @ mixing, y


def objective(model, z, y):
    scores = z @ model.coef_.T + model.intercept_
    top = scores.max(axis=1)
    log_sums = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return (log_sums - scores[np.arange(len(y)), y]).sum() + 0.5 * RIDGE * (model.coef_ ** 2).sum()


def peer_main(folder, minimum):
    from sklearn.linear_model import LogisticRegression
    warnings.simplefilter("ignore")
    y = np.fromfile(os.path.join(folder, "y.bin"), np.int32)
    z = np.fromfile(os.path.join(folder, "x.bin")).reshape(-1, COLUMNS)
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    for tolerance in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        model = LogisticRegression(C=1 / RIDGE, solver="lbfgs", tol=tolerance, max_iter=5000)
        seconds = best(2, lambda: model.fit(z, y))
        value = objective(model, z, y)
        if value <= minimum * (1 + 1e-8):
            break
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes(), "objective": value,
                      "tolerance": tolerance, "iterations": int(model.n_iter_[0])}))


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(build, rows=ROWS):
    with tempfile.TemporaryDirectory() as folder:
        x, y = make_rows(rows)
        x.tofile(os.path.join(folder, "x.bin"))
        y.tofile(os.path.join(folder, "y.bin"))
        ours = run_json([os.path.join(build, "bin", "bench_logistic"), os.path.join(folder, "x.bin"),
                         os.path.join(folder, "y.bin"), str(COLUMNS), str(CLASSES), str(RIDGE), "3"])
        theirs = run_json([sys.executable, os.path.abspath(__file__), "--peer", folder, repr(ours["objective"])])
    return ours, theirs


def bench_logistic(build, rows, report):
    ours, theirs = measure(build, rows)
    report.add(f"{rows:,} × {COLUMNS} × {CLASSES}", "logistic, to the same objective", "scikit-learn", theirs, ours, AIM)


if __name__ == "__main__":
    if sys.argv[1] == "--peer":
        peer_main(sys.argv[2], float(sys.argv[3]))
    else:
        print(*measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROWS), sep="\n")
