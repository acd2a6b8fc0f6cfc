"""The table of the benchmarks: ratio to the peer, and distance to what the machine can do."""
import json
import os
import subprocess
import time

import numpy as np

HEAD = ("| data (rows × columns, classes) | job | peer | peer, s | genera, s | ratio | aim | of the limit "
        "| peak MB, peer / genera |\n|---|---|---|---|---|---|---|---|---|")


class Cost:
    """The least that a job must do: bytes read from memory, floating-point operations."""

    def __init__(self, read=0.0, flops=0.0):
        self.read, self.flops = read, flops


def cost_of(model, job, n, d, k, number_bytes=8):
    """Of rows in an array. A triangle of d (d + 1)/2 products, each added, takes d² operations. A variance takes 4
    for each number: subtract the centre, add, square, add; so does a diagonal distance: subtract, scale, square, add."""
    read = float(number_bytes) * n * d
    flops = {("gnb", "fit"): 4 * n * d, ("lda", "fit"): n * d * d, ("qda", "fit"): n * d * d,
             ("gnb", "ask"): 4 * k * n * d, ("lda", "ask"): 2 * k * n * d,
             ("qda", "ask"): k * n * d * d}[model, "fit" if job == "fit" else "ask"]
    return Cost(read, flops)


def blas_gflops():
    """Of NumPy's product of doubles."""
    size, best = 2000, 0.0
    a = np.random.default_rng(1).random((size, size))
    for _ in range(6):
        start = time.perf_counter()
        a @ a
        best = max(best, 2e-9 * size ** 3 / (time.perf_counter() - start))
    return round(best, 1)


class Limits:
    """Of this machine, measured now on all cores: reading memory, and the faster of the matrix products of Eigen and
    of the peers' BLAS."""

    def __init__(self, build):
        done = subprocess.run([os.path.join(build, "bin", "bench_peak")], check=True, capture_output=True,
                              text=True)
        found = json.loads(done.stdout)
        self.cores, self.eigen, self.gigabytes = found["cores"], found["gflops"], found["read_gb_per_s"]
        self.blas = blas_gflops()
        self.gflops = max(self.eigen, self.blas)

    def times(self, cost):
        """Seconds for the bytes, and for the operations."""
        return cost.read / (1e9 * self.gigabytes), cost.flops / (1e9 * self.gflops)

    def share(self, cost, seconds):
        """What the job would take at the limit, as a part of what it took."""
        if cost is None:
            return "–"
        memory, product = self.times(cost)
        which = "memory" if memory > product else "product"
        return f"{100 * max(memory, product) / seconds:.0f} % ({which})"


class Report:
    """Lines go to standard output as they come, and to a file in the end."""

    def __init__(self, limits):
        self.limits, self.lines = limits, []

    def emit(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def add(self, what, job, peer, theirs, ours, aim=None, cost=None):
        """`theirs` and `ours` are {seconds, peak_mb}; `theirs` is None if there is no such peer."""
        share = self.limits.share(cost, ours["seconds"])
        if theirs is None:
            self.emit(f"| {what} | {job} | {peer} | – | {ours['seconds']:.4f} | – | – | {share} "
                      f"| – / {ours['peak_mb']:.0f} |")
            return
        ratio = theirs["seconds"] / ours["seconds"]
        verdict = "–" if aim is None else f"{aim:g}× {'met' if ratio >= aim else 'MISSED'}"
        self.emit(f"| {what} | {job} | {peer} | {theirs['seconds']:.3f} | {ours['seconds']:.4f} "
                  f"| **{ratio:.1f}×** | {verdict} | {share} "
                  f"| {theirs['peak_mb']:.0f} / {ours['peak_mb']:.0f} |")

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")
