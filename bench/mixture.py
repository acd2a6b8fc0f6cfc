"""Twenty iterations of EM for a mixture, against scikit-learn and mlpack. Used by run.py."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

from clock import best, peak_megabytes
from report import Cost

AIM = 8
ROWS, COLUMNS, COMPONENTS, ITERATIONS = 100_000, 10, 8, 20


def make_rows(rows, seed=1):
    rng = np.random.default_rng(seed)
    means = 1.5 * rng.normal(size=(COMPONENTS, COLUMNS))
    mixing = np.eye(COLUMNS) + 0.3 * rng.normal(size=(COMPONENTS, COLUMNS, COLUMNS))
    which = rng.integers(0, COMPONENTS, size=rows)
    x = rng.normal(size=(rows, COLUMNS))
    for c in range(COMPONENTS):
        x[which == c] = x[which == c] @ mixing[c] + means[c]
    return x


def peer_main(path, which):
    warnings.simplefilter("ignore")  # it says that it did not converge
    x = np.fromfile(path).reshape(-1, COLUMNS)
    if which == "mlpack":
        import mlpack
        # Its EM begins with k-means, too; a tolerance of 0 makes it go on to the last iteration.
        work = lambda: mlpack.gmm_train(gaussians=COMPONENTS, input_=x, max_iterations=ITERATIONS, tolerance=0.0,
                                        trials=1, seed=1)
    else:
        from sklearn.mixture import GaussianMixture
        work = lambda: GaussianMixture(COMPONENTS, max_iter=ITERATIONS, tol=0, random_state=1).fit(x)
    print(json.dumps({"seconds": best(2, work), "peak_mb": peak_megabytes()}))


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bench_mixture(build, rows, report):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.bin")
        make_rows(rows).tofile(path)
        ours = run_json([os.path.join(build, "bin", "bench_mixture"), path, str(COLUMNS), str(COMPONENTS),
                         str(ITERATIONS), "5"])
        # A distance and a scatter of each row for each component, in each iteration.
        cost = Cost(8.0 * rows * COLUMNS * ITERATIONS, 2.0 * ITERATIONS * COMPONENTS * rows * COLUMNS ** 2)
        for name, which, aim in (("scikit-learn", "sklearn", AIM), ("mlpack", "mlpack", None)):
            if importlib.util.find_spec(which) is not None:
                theirs = run_json([sys.executable, os.path.abspath(__file__), path, which])
                report.add(f"{rows:,} × {COLUMNS}", f"mixture of {COMPONENTS}, full covariances, k-means and "
                           f"{ITERATIONS} iterations of EM", name, theirs, ours, aim, cost)


if __name__ == "__main__":
    peer_main(*sys.argv[1:3])
