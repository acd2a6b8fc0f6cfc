#!/usr/bin/python3
"""Times two builds of this repository against each other, on the same data, in turns.

usage: bench/compare.py BASE [--limit 0.95] [--quick] [--only WORD] [--rounds N]
       bench/compare.py --builds DIR DIR [...]

BASE is a revision: it is checked out into build/compare/base and built there; the other side is this
tree. Each side runs its own programs (bin/genera, bin/bench_*), so the two may differ in their C++
interface; a job that a program of BASE does not know is left out and said. A ratio above 1 means that
this tree is faster. Exit status 1 if a ratio is below the limit, also when measured again.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import compare_data

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ("genera_cli", "bench_arrays", "bench_discrete", "bench_mixture", "bench_missing")
SECOND_LOOKS = 2  # a job that seems too slow is measured so many times more


# The two builds ---------------------------------------------------------------------------------

def run(*command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compare.py: failed in {cwd}: {' '.join(map(str, command))}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def check_out(revision):
    commit = run("git", "rev-parse", "--verify", revision + "^{commit}").strip()
    tree = ROOT / "build" / "compare" / "base"
    run("git", "worktree", "prune")  # one that `make clean` removed
    if tree.exists():
        run("git", "checkout", "--quiet", "--detach", commit, cwd=tree)
    else:
        run("git", "worktree", "add", "--detach", tree, commit)
    return tree


def build(tree):
    print(f"building {tree}", flush=True)
    run("cmake", "--preset", "bench", "--log-level=WARNING", cwd=tree)
    run("cmake", "--build", "--preset", "bench", "--parallel", os.cpu_count(), "--target", *TARGETS, cwd=tree)
    return tree / "build" / "bench"


# Jobs -------------------------------------------------------------------------------------------

class Program:
    """A job that a program times itself: it prints {"seconds": ...}. A program that knows several jobs
    repeats in "job" which one it did; an older one did another."""

    def __init__(self, program, *words, job=None):
        self.program, self.words, self.job = program, [str(word) for word in words], job

    def seconds(self, binaries, _folder):
        """None if the program does not know the job."""
        done = subprocess.run([binaries / self.program, *self.words], capture_output=True, text=True, check=False)
        try:
            answer = json.loads(done.stdout)
        except json.JSONDecodeError:
            return None
        if done.returncode != 0 or (self.job and answer.get("job") != self.job):
            return None
        return answer["seconds"]


class Command:
    """A command line, timed from outside; the setup runs once for each build."""

    def __init__(self, *words, setup=None):
        self.words, self.setup = words, setup

    def seconds(self, binaries, folder):
        if self.setup and not (folder / self.setup[-1]).exists():
            subprocess.run([binaries / "genera", *self.setup], cwd=folder, capture_output=True, check=False)
        start = time.perf_counter()
        done = subprocess.run([binaries / "genera", *self.words], cwd=folder, capture_output=True, check=False)
        return time.perf_counter() - start if done.returncode == 0 else None


def array_jobs(data, size):
    rows, columns, classes = size.arrays
    numbers, labels = data.arrays(rows, columns, classes)
    for model in ("gnb", "lda", "qda"):
        for job in ("fit", "predict", "predict_proba"):
            yield (f"arrays: {model} {job}, {rows:,} × {columns}, {classes} classes",
                   Program("bench_arrays", numbers, labels, rows, columns, model, job, size.repeats))


def discrete_jobs(data, size):
    dense, counts, sparse = data.levels(size.discrete), data.counts(size.discrete), data.sparse(size.discrete)
    for what, folder, model in (("dense Bernoulli", dense, "bernoulli"), ("categorical", dense, "categorical"),
                                ("dense multinomial", counts, "multinomial"),
                                ("sparse Bernoulli", sparse, "bernoulli"),
                                ("sparse multinomial", sparse, "multinomial")):
        yield (f"discrete: {what} fit, {size.discrete:,} rows",
               Program("bench_discrete", "array", folder, model, size.repeats))
        yield (f"discrete: {what} predict, {size.discrete:,} rows",
               Program("bench_discrete", "array", folder, model, size.repeats, "predict", job="predict"))
    texts = data.texts(size.discrete // 5)
    for job in ("fit", "predict"):
        yield (f"discrete: text to multinomial {job}, {size.discrete // 5:,} texts",
               Program("bench_discrete", "text", job, texts, texts, "multinomial", size.repeats))


def file_jobs(data, size):
    table = data.table(size.table)
    for model in ("gnb", "qda"):
        yield (f"CSV to {model} model, {size.table:,} × 20",
               Command("fit", table, "--model", model, "-o", "model.json"))
    yield (f"CSV to labels by qda, {size.table:,} × 20",
           Command("predict", "asked.json", table, "-o", "labels.csv",
                   setup=["fit", table, "--model", "qda", "-o", "asked.json"]))


def em_jobs(_data, size):
    for what, job, model in (("EM, a pattern for each row", "cells", "qda"),
                             ("EM, a pattern for each row", "cells", "lda"),
                             ("EM, semi-supervised", "labels", "qda"), ("EM, semi-supervised", "labels", "gnb")):
        yield (f"{what}: {model} iteration, {size.em:,} × 20, 5 classes",
               Program("bench_missing", job, model, size.em, size.iterations, job=job))


def mixture_jobs(data, size):
    path = data.mixture(size.mixture, 10)
    yield (f"mixture EM: 8 components, k-means and 20 iterations, {size.mixture:,} × 10",
           Program("bench_mixture", path, 10, 8, 20, size.repeats))


def jobs(data, size):
    for kind in (array_jobs, discrete_jobs, file_jobs, em_jobs, mixture_jobs):
        yield from kind(data, size)


# Timing -----------------------------------------------------------------------------------------

class Side:
    """The programs of one build, and what they wrote."""

    def __init__(self, build_folder, folder):
        self.binaries = pathlib.Path(build_folder).resolve() / "bin"
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()


def timed(job, sides, rounds, best=(math.inf, math.inf)):
    """Best seconds of each side, in turns, so that both see the machine in the same moods."""
    best = list(best)
    for _ in range(rounds):
        for i, side in enumerate(sides):
            seconds = job.seconds(side.binaries, side.folder)
            if seconds is None:
                best[i] = None
                return best
            best[i] = min(best[i], seconds)
    return best


def measure(job, sides, options):
    best = timed(job, sides, options.rounds)
    for _ in range(SECOND_LOOKS):
        if None in best or best[0] / best[1] >= options.limit:
            break
        best = timed(job, sides, options.rounds, best)
    return best


def line(name, best, limit):
    """A line of the table and whether it is good enough."""
    base, new = best
    if base is None:
        return f"| {name} | – | – | not in base |", True
    if new is None:
        return f"| {name} | {base:.4f} | – | FAILED |", False
    ratio = base / new
    slow = "" if ratio >= limit else " SLOWER"
    return f"| {name} | {base:.4f} | {new:.4f} | {ratio:.2f}{slow} |", ratio >= limit


def compare(builds, options):
    good = True
    with tempfile.TemporaryDirectory(prefix="genera_compare_") as name:
        folder = pathlib.Path(name)
        sides = [Side(path, folder / side) for path, side in zip(builds, ("base", "new"))]
        print("\n| job | base, s | new, s | base / new |\n|---|---|---|---|", flush=True)
        for title, job in jobs(compare_data.Data(folder), compare_data.QUICK if options.quick else compare_data.FULL):
            if options.only not in title:
                continue
            text, fast_enough = line(title, measure(job, sides, options), options.limit)
            print(text, flush=True)
            good = good and fast_enough
    print(f"\nno job is slower than {options.limit} of the base" if good
          else f"\nat least one job is slower than {options.limit} of the base, or failed")
    return 0 if good else 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", nargs="?", metavar="BASE", help="a revision")
    parser.add_argument("--builds", nargs=2, metavar="DIR", help="instead: two build folders, base and new")
    parser.add_argument("--limit", type=float, default=0.95, help="least ratio (default 0.95)")
    parser.add_argument("--quick", action="store_true", help="small data: does it work, not how fast it is")
    parser.add_argument("--only", default="", metavar="WORD", help="only jobs whose name contains this")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side (default 5)")
    options = parser.parse_args()
    if (options.base is None) == (options.builds is None):
        parser.error("name one revision to compare with: make bench-compare BASE=REV")
    return options


def main():
    options = arguments()
    builds = options.builds or [build(check_out(options.base)), build(ROOT)]
    return compare(builds, options)


if __name__ == "__main__":
    sys.exit(main())
