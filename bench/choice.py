"""Choosing a model, against scikit-learn: 10 folds x 21 shrinkage values of QDA on letter, and leave-one-out
of LDA on 2,000 x 16. Used by run.py."""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from clock import best, peak_megabytes

LETTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "reference", "data", "letter.csv.gz")
AIMS = {"folds": 15, "loo": 1000}
WORDS = {"folds": "10 folds × 21 shrinkage values of qda, log loss", "loo": "leave-one-out of lda"}


def letter():
    with gzip.open(LETTER, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    target = "letter" if "letter" in rows[0] else list(rows[0])[-1]
    features = [name for name in rows[0] if name != target]
    x = np.array([[float(row[name]) for name in features] for row in rows])
    y = np.unique([row[target] for row in rows], return_inverse=True)[1]
    return np.ascontiguousarray(x), y.astype(np.int32)


def peer_main(job, x_path, y_path, columns):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.model_selection import GridSearchCV, LeaveOneOut, StratifiedKFold, cross_val_score
    warnings.simplefilter("ignore")
    x, y = np.fromfile(x_path).reshape(-1, columns), np.fromfile(y_path, dtype=np.int32)
    if job == "folds":
        search = GridSearchCV(QuadraticDiscriminantAnalysis(), {"reg_param": np.linspace(0, 1, 21)}, n_jobs=-1,
                              scoring="neg_log_loss", cv=StratifiedKFold(10, shuffle=True, random_state=1), refit=False)
        seconds = best(1, lambda: search.fit(x, y))
    else:
        seconds = best(1, lambda: cross_val_score(LinearDiscriminantAnalysis(), x, y, cv=LeaveOneOut(), n_jobs=-1))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bench_choice(build, report):
    x, y = letter()
    for job, rows in (("folds", len(y)), ("loo", 2000)):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("x.bin", "y.bin")]
            x[:rows].tofile(paths[0])
            y[:rows].tofile(paths[1])
            columns = str(x.shape[1])
            ours = run_json([os.path.join(build, "bin", "bench_choice"), job, *paths, columns, "3"])
            theirs = run_json([sys.executable, os.path.abspath(__file__), job, *paths, columns])
        report.add(f"{rows:,} × {columns}", WORDS[job], "scikit-learn", theirs, ours, AIMS[job])


if __name__ == "__main__":
    peer_main(*sys.argv[1:4], int(sys.argv[4]))
