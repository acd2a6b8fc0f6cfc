#!/usr/bin/python3
"""The Python module against scikit-learn: the same process, the same arrays, all cores on both sides.

usage: bench/python_module.py BUILD [--quick] [--tiny] [--out FILE]

Run by build/venv/bin/python, which has both. BUILD is a build folder with bin/bench_arrays, which times
the library itself on the same rows: "of C++" is its time as a part of the module's. The two take turns,
so that both have the machine as it is at the moment, and the best of each counts. Drop-ins are the classes
of genera.sklearn. Prints tables in Markdown.
"""
import json
import os
import subprocess
import tempfile
import time
import timeit

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB, MultinomialNB

import genera
import genera.sklearn as dropin
from options import options as parsed
from clock import best
from run import SIZES, TINY_SIZE, REFERENCE_SIZE, make_arrays, save_arrays

MODELS = {
    "gnb": (genera.GaussianNB, dropin.GaussianNB, GaussianNB),
    "lda": (genera.LDA, lambda: dropin.LinearDiscriminantAnalysis(solver="lsqr"),
            lambda: LinearDiscriminantAnalysis(solver="lsqr")),
    "qda": (genera.QDA, dropin.QuadraticDiscriminantAnalysis, QuadraticDiscriminantAnalysis),
}
LEAST_SHARE = 0.8
AIMS_US = {"fit": 100, "predict": 15, "predict_proba": 15}


def work_of(make, job, x, y):
    if job == "fit":
        return lambda: make().fit(x, y)
    fitted = make().fit(x, y)
    return lambda: getattr(fitted, job)(x)


def seconds_of(make, job, x, y, repeats):
    return best(repeats, work_of(make, job, x, y))


class Library:
    """The program of the library, which does a job whenever it is told to."""

    def __init__(self, build, folder, size, model):
        n, d, _ = size
        program = os.path.join(build, "bin", "bench_arrays")
        files = [os.path.join(folder, name) for name in ("x.bin", "y.bin")]
        self._program = None
        if os.path.exists(program):
            self._program = subprocess.Popen([program, *files, str(n), str(d), model], text=True,
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def seconds(self, job):
        self._program.stdin.write(job + "\n")
        self._program.stdin.flush()
        return json.loads(self._program.stdout.readline())["seconds"]

    def is_there(self):
        return self._program is not None

    def close(self):
        if self._program is not None:
            self._program.communicate()


def in_turns(work, library, job, seconds=6.0, least=5, most=60):
    """The best time of each; the first turn warms up."""
    mine, theirs = [], []
    end = time.perf_counter() + seconds
    while len(mine) < least + 1 or (len(mine) < most and time.perf_counter() < end):
        mine.append(best(1, work))
        theirs.append(library.seconds(job))
    return min(mine[1:]), min(theirs[1:])


def large(build, sizes, emit):
    emit("| rows × columns, classes | job | scikit-learn, s | genera, s | ratio | drop-in, s | ratio | C++, s | of C++ |")
    emit("|---|---|---|---|---|---|---|---|---|")
    for size in sizes:
        n, d, k = size
        x, y = make_arrays(n, d, k)
        with tempfile.TemporaryDirectory() as folder:
            save_arrays(folder, x, y)
            for model, (ours, replaced, peer) in MODELS.items():
                library = Library(build, folder, size, model)
                for job in ("fit", "predict", "predict_proba"):
                    if library.is_there():
                        mine, of_library = in_turns(work_of(ours, job, x, y), library, job)
                    else:
                        mine = seconds_of(ours, job, x, y, 5)
                    swap = seconds_of(replaced, job, x, y, 3)
                    theirs = seconds_of(peer, job, x, y, 1 if d > 500 else 2)
                    share = "– | –"
                    if library.is_there():
                        verdict = "met" if of_library / mine >= LEAST_SHARE else "MISSED"
                        share = f"{of_library:.4f} | {of_library / mine:.2f} ({LEAST_SHARE} {verdict})"
                    emit(f"| {n:,} × {d}, {k} | {model} {job} | {theirs:.3f} | {mine:.4f} | **{theirs / mine:.1f}×** "
                         f"| {swap:.4f} | **{theirs / swap:.1f}×** | {share} |")
                library.close()


def microseconds(work):
    times = min(timeit.repeat(work, number=500, repeat=7))
    return times / 500 * 1e6


def small(emit):
    x, names = genera.datasets.load_iris(return_X_y=True)
    y = np.unique(names, return_inverse=True)[1]
    one = np.ascontiguousarray(x[70:71])
    emit("")
    emit("| 150 × 4, or one row | scikit-learn, µs | genera, µs | aim |")
    emit("|---|---|---|---|")
    for model, (ours, _, peer) in MODELS.items():
        for job in ("fit", "predict", "predict_proba"):
            mine, theirs = ours().fit(x, y), peer().fit(x, y)
            if job == "fit":
                a, b = microseconds(lambda: ours().fit(x, y)), microseconds(lambda: peer().fit(x, y))
            else:
                a = microseconds(lambda: getattr(mine, job)(one))
                b = microseconds(lambda: getattr(theirs, job)(one))
            verdict = "met" if a <= AIMS_US[job] else "MISSED"
            emit(f"| {model} {job} | {b:.1f} | {a:.1f} | {AIMS_US[job]} {verdict} |")


def counts(emit, tiny):
    from scipy import sparse
    rng = np.random.default_rng(1)
    n, d = (2_000, 500) if tiny else (200_000, 20_000)
    each = 40
    places = np.sort(rng.integers(0, d, (n, each)), axis=1).ravel()
    matrix = sparse.csr_matrix((rng.integers(1, 5, n * each).astype(float), places, np.arange(0, n * each + 1, each)),
                               shape=(n, d))
    matrix.sum_duplicates()
    y = rng.integers(0, 20, n)
    emit("")
    emit(f"| sparse counts {n:,} × {d:,}, 20 classes | scikit-learn, s | genera, s | drop-in, s |")
    emit("|---|---|---|---|")
    for job in ("fit", "predict"):
        times = [seconds_of(kind, job, matrix, y, 3) for kind in (MultinomialNB, genera.MultinomialNB, dropin.MultinomialNB)]
        emit(f"| multinomial {job} | {times[0]:.4f} | {times[1]:.4f} | {times[2]:.4f} |")


def main():
    options = parsed(__doc__.splitlines()[0])
    lines = []

    def emit(line):
        print(line, flush=True)
        lines.append(line)

    emit(f"The Python module, {os.cpu_count()} cores; scikit-learn {sklearn.__version__}, NumPy {np.__version__}.")
    emit("")
    sizes = [TINY_SIZE] if options.tiny else [REFERENCE_SIZE] if options.quick else SIZES[:3]
    large(options.build, sizes, emit)
    counts(emit, options.tiny)
    small(emit)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
