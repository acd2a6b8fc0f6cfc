"""Twenty iterations of EM for a mixture, against scikit-learn. Used by run.py."""
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from clock import best, peak_megabytes

AIM = 8
ROWS, COLUMNS, COMPONENTS, ITERATIONS = 100_000, 10, 8, 20


def make_rows(seed=1):
    rng = np.random.default_rng(seed)
    means = 1.5 * rng.normal(size=(COMPONENTS, COLUMNS))
    mixing = np.eye(COLUMNS) + 0.3 * rng.normal(size=(COMPONENTS, COLUMNS, COLUMNS))
    which = rng.integers(0, COMPONENTS, size=ROWS)
    x = rng.normal(size=(ROWS, COLUMNS))
    for c in range(COMPONENTS):
        x[which == c] = x[which == c] @ mixing[c] + means[c]
    return x


def peer_main(path):
    from sklearn.mixture import GaussianMixture
    warnings.simplefilter("ignore")  # it says that it did not converge
    x = np.fromfile(path).reshape(ROWS, COLUMNS)
    make = lambda: GaussianMixture(COMPONENTS, max_iter=ITERATIONS, tol=0, random_state=1)
    seconds = best(2, lambda: make().fit(x))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bench_mixture(build, emit):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.bin")
        make_rows().tofile(path)
        ours = run_json([os.path.join(build, "bin", "bench_mixture"), path, str(COLUMNS), str(COMPONENTS),
                         str(ITERATIONS), "5"])
        theirs = run_json([sys.executable, os.path.abspath(__file__), path])
    ratio = theirs["seconds"] / ours["seconds"]
    emit(f"| {ROWS:,} × {COLUMNS} | mixture of {COMPONENTS}, full covariances, k-means and {ITERATIONS} iterations of EM "
         f"| {theirs['seconds']:.3f} | {ours['seconds']:.4f} | **{ratio:.1f}×** "
         f"| {AIM}× {'met' if ratio >= AIM else 'MISSED'} | {theirs['peak_mb']:.0f} / {ours['peak_mb']:.0f} |")


if __name__ == "__main__":
    peer_main(sys.argv[1])
