"""An iteration of EM for a wide table with holes, against a loop of NumPy over its rows. Used by run.py."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from clock import best, peak_megabytes
from report import Cost

AIM = 5
ROWS, COLUMNS, CLASSES, SHARE, ITERATIONS = 3_186, 180, 3, 0.1, 5  # as many as `dna` of the UCI repository has


def make_rows(rows, seed=1):
    rng = np.random.default_rng(seed)
    means = 0.5 * rng.normal(size=(CLASSES, COLUMNS))
    mixing = np.eye(COLUMNS) + 0.7 * rng.normal(size=(CLASSES, COLUMNS, COLUMNS)) / np.sqrt(COLUMNS)
    y = rng.integers(0, CLASSES, size=rows).astype(np.int32)
    x = np.empty((rows, COLUMNS))
    for k in range(CLASSES):
        x[y == k] = rng.normal(size=(np.sum(y == k), COLUMNS)) @ mixing[k] + means[k]
    x[rng.uniform(size=x.shape) < SHARE] = np.nan
    return x, y


def iteration(x, holes, y, means, covariances):
    """New means and covariances (one of all classes if one is given), and the log-likelihood of what is observed."""
    inverses = [np.linalg.inv(s) for s in covariances]
    log_dets = [np.linalg.slogdet(s)[1] for s in covariances]
    filled, spread = np.empty_like(x), [np.zeros_like(s) for s in covariances]
    log_likelihood = 0.0
    for i, missing in enumerate(holes):
        c = y[i] if len(covariances) > 1 else 0
        inverse, away = inverses[c], x[i] - means[y[i]]
        away[missing] = 0
        if missing.size:
            block = inverse[np.ix_(missing, missing)]
            conditional = np.linalg.inv(block)
            away[missing] = -conditional @ (inverse[missing] @ away)
            spread[c][np.ix_(missing, missing)] += conditional
            log_likelihood -= 0.5 * np.linalg.slogdet(block)[1]
        log_likelihood -= 0.5 * (away @ inverse @ away + log_dets[c] + (x.shape[1] - missing.size) * np.log(2 * np.pi))
        filled[i] = away
    filled += means[y]
    counts = np.bincount(y)
    means = np.array([filled[y == k].mean(axis=0) for k in range(len(counts))])
    centred = filled - means[y]
    if len(covariances) == 1:
        return means, [(centred.T @ centred + spread[0]) / len(y)], log_likelihood
    return means, [(centred[y == k].T @ centred[y == k] + spread[k]) / counts[k] for k in range(len(counts))], log_likelihood


def start(x, y, shared):
    means = np.array([np.nanmean(x[y == k], axis=0) for k in range(y.max() + 1)])
    centred = np.where(np.isnan(x), 0, x - means[y])
    if shared:
        return means, [centred.T @ centred / len(y)]
    return means, [centred[y == k].T @ centred[y == k] / np.sum(y == k) for k in range(len(means))]


def peer_main(folder, model):
    y = np.fromfile(os.path.join(folder, "y.bin"), dtype=np.int32)
    x = np.fromfile(os.path.join(folder, "x.bin")).reshape(len(y), -1)
    holes = [np.flatnonzero(row) for row in np.isnan(x)]
    means, covariances = start(x, y, model == "lda")
    seconds = best(3, lambda: iteration(x, holes, y, means, covariances))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bench_missing(build, rows, report):
    with tempfile.TemporaryDirectory() as folder:
        x, y = make_rows(rows)
        files = [os.path.join(folder, name) for name in ("x.bin", "y.bin")]
        x.tofile(files[0])
        y.tofile(files[1])
        for model in ("qda", "lda"):
            ours = run_json([os.path.join(build, "bin", "bench_missing"), "array", model, str(ITERATIONS), *files,
                             str(COLUMNS)])
            theirs = run_json([sys.executable, os.path.abspath(__file__), folder, model])
            # The scatter of the completed rows, a distance of each, and what is missing of it.
            lacking = SHARE * COLUMNS
            flops = rows * (2.0 * COLUMNS ** 2 + 2 * lacking * COLUMNS + 2 * lacking ** 3)
            report.add(f"{rows:,} × {COLUMNS}, {CLASSES}", f"{model}, {SHARE:.0%} of the cells missing, an iteration of EM",
                       "NumPy", theirs, ours, AIM, Cost(8.0 * rows * COLUMNS, flops))


if __name__ == "__main__":
    peer_main(*sys.argv[1:3])
