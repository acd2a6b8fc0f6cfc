#!/usr/bin/python3
"""Speed and memory against scikit-learn and pandas, on the same arrays, in one run.

usage: bench/run.py BUILD [--quick] [--mnist DIR] [--newsgroups DIR] [--out FILE]

BUILD is a build folder with bin/genera, bin/bench_arrays, bin/bench_discrete, bin/bench_mixture,
bin/bench_choice, bin/bench_peak. Each figure is the best of
several warm runs with all cores on both sides. Peak memory is that of a process that holds the array.
"""
import argparse
import gzip
import json
import os
import platform
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
except ImportError:
    sys.exit("bench/run.py: NumPy is missing; `make bench` installs it")

import choice
import discrete
import mixture
from clock import best, peak_megabytes

SIZES = [(1_000_000, 20, 5), (500_000, 50, 10), (100_000, 200, 10), (60_000, 784, 10)]
AIMS = {("qda", "fit"): 20, ("lda", "fit"): 20, ("gnb", "fit"): 12, ("qda", "predict"): 12,
        ("gnb", "predict"): 40, ("lda", "predict_proba"): 4}
REFERENCE_SIZE = (500_000, 50, 10)  # the aims hold here; half of them elsewhere
CSV_AIM = 8
PARSE_AIM = 4


def make_arrays(n, d, k, seed=1):
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(k, d))
    mixing = np.eye(d) + 0.3 * rng.normal(size=(d, d)) / np.sqrt(d)
    y = rng.integers(0, k, size=n).astype(np.int32)
    x = rng.normal(size=(n, d)) @ mixing
    x += means[y]
    return np.ascontiguousarray(x), y


def peer(model):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.naive_bayes import GaussianNB
    return {"qda": QuadraticDiscriminantAnalysis, "gnb": GaussianNB,
            "lda": lambda: LinearDiscriminantAnalysis(solver="lsqr")}[model]()


def time_peer(folder, model, job, repeats):
    """Runs in a process of its own, so that its peak memory is its own."""
    code = os.path.abspath(__file__)
    out = subprocess.run([sys.executable, code, "--peer", folder, model, job, str(repeats)],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def peer_main(folder, model, job, repeats):
    x, y = np.load(os.path.join(folder, "x.npy")), np.load(os.path.join(folder, "y.npy"))
    estimator = peer(model)
    if job == "fit":
        seconds = best(repeats, lambda: peer(model).fit(x, y))
    else:
        estimator.fit(x, y)
        seconds = best(repeats, lambda: getattr(estimator, job)(x))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def time_ours(build, folder, size, model, job, repeats):
    n, d, _ = size
    out = subprocess.run([os.path.join(build, "bin", "bench_arrays"), os.path.join(folder, "x.bin"),
                          os.path.join(folder, "y.bin"), str(n), str(d), model, job, str(repeats)],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def save_arrays(folder, x, y):
    np.save(os.path.join(folder, "x.npy"), x)
    np.save(os.path.join(folder, "y.npy"), y)
    x.tofile(os.path.join(folder, "x.bin"))
    y.tofile(os.path.join(folder, "y.bin"))


def aim_text(size, model, job, ratio):
    aim = AIMS.get((model, job))
    if aim is None:
        return "–"
    aim = aim if size == REFERENCE_SIZE else aim / 2
    return f"{aim:g}× {'met' if ratio >= aim else 'MISSED'}"


def bench_arrays(build, size, emit):
    n, d, k = size
    with tempfile.TemporaryDirectory() as folder:
        save_arrays(folder, *make_arrays(n, d, k))
        for model in ("gnb", "lda", "qda"):
            for job in ("fit", "predict", "predict_proba"):
                ours = time_ours(build, folder, size, model, job, 5)
                theirs = time_peer(folder, model, job, 1 if d > 500 else 2)
                ratio = theirs["seconds"] / ours["seconds"]
                emit(f"| {n:,} × {d}, {k} | {model} {job} | {theirs['seconds']:.3f} | {ours['seconds']:.4f} "
                     f"| **{ratio:.1f}×** | {aim_text(size, model, job, ratio)} "
                     f"| {theirs['peak_mb']:.0f} / {ours['peak_mb']:.0f} |")


def write_csv(path, x, y):
    import pandas
    frame = pandas.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])
    frame["label"] = ["class_" + str(v) for v in y]
    frame.to_csv(path, index=False, float_format="%.6g")


def csv_peer_main(path, job):
    import pandas
    start = time.perf_counter()
    frame = pandas.read_csv(path, engine="c")
    if job == "model":
        peer("qda").fit(frame.iloc[:, :-1].to_numpy(), frame.iloc[:, -1].to_numpy())
    print(json.dumps({"seconds": time.perf_counter() - start, "peak_mb": peak_megabytes()}))


def measured_run(command):
    """Seconds and peak MB of a command, started by a small process: a large one would lend it its own peak."""
    out = subprocess.run([sys.executable, "-S", os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure.py"), *command], check=True,
                         capture_output=True, text=True).stdout
    result = json.loads(out)
    return result["seconds"], result["peak_mb"]


def bench_csv(build, emit):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        write_csv(path, *make_arrays(500_000, 50, 10))
        megabytes = os.path.getsize(path) / 1e6
        genera = os.path.join(build, "bin", "genera")
        for job, model, aim in (("read", "gnb", PARSE_AIM), ("model", "qda", CSV_AIM)):
            command = [genera, "fit", path, "--model", model, "-o", os.path.join(folder, "m.json")]
            runs = [measured_run(command) for _ in range(4)]
            out = [json.loads(subprocess.run([sys.executable, os.path.abspath(__file__), "--csv-peer", path, job],
                                             check=True, capture_output=True, text=True).stdout) for _ in range(2)]
            ours, theirs = min(r[0] for r in runs), min(o["seconds"] for o in out)
            ratio = theirs / ours
            what = {"read": "CSV → gnb model, against pandas.read_csv alone",
                    "model": "CSV → qda model, against pandas + scikit-learn"}[job]
            emit(f"| {megabytes:.0f} MB CSV | {what} | {theirs:.2f} | {ours:.3f} | **{ratio:.1f}×** "
                 f"| {aim}× {'met' if ratio >= aim else 'MISSED'} "
                 f"| {out[0]['peak_mb']:.0f} / {max(r[1] for r in runs):.0f} |")


def read_idx(path):
    with gzip.open(path) as file:
        data = file.read()
    dims = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(dims)]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * dims).reshape(shape)


def bench_mnist(build, where, emit):
    x = read_idx(os.path.join(where, "train-images-idx3-ubyte.gz")).reshape(60_000, 784).astype(np.float64)
    y = read_idx(os.path.join(where, "train-labels-idx1-ubyte.gz")).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        save_arrays(folder, x, y)
        size = (60_000, 784, 10)
        full = time_ours(build, folder, size, "qda-oas", "distances", 2)["seconds"]
        pruned = time_ours(build, folder, size, "qda-oas", "predict", 2)["seconds"]
    emit(f"\nMNIST, qda with oas shrinkage, 60,000 rows: all distances {full:.2f} s, pruned decision "
         f"{pruned:.2f} s, {full / pruned:.1f}× (aim 3×).")


def machine(build):
    peak = json.loads(subprocess.run([os.path.join(build, "bin", "bench_peak")], check=True,
                                     capture_output=True, text=True).stdout)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        name = next((l.split(":")[1].strip() for l in file if l.startswith("model name")), platform.machine())
    import sklearn
    return (f"{name}, {peak['cores']} cores; Eigen's product reaches {peak['gflops']} GFlop/s and reading memory "
            f"{peak['read_gb_per_s']} GB/s on all cores. scikit-learn {sklearn.__version__}, NumPy {np.__version__}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="only the reference size")
    parser.add_argument("--mnist", help="folder with the MNIST idx files")
    parser.add_argument("--newsgroups", help="folder with newsgroups20_train.csv.gz and _test.csv.gz (label,text)")
    parser.add_argument("--out", help="also write the table to this file")
    options = parser.parse_args()
    lines = []

    def emit(line):
        print(line, flush=True)
        lines.append(line)

    emit(machine(options.build) + "\n")
    emit("| array (rows × columns, classes) | job | peer, s | genera, s | ratio | aim | peak MB, peer / genera |")
    emit("|---|---|---|---|---|---|---|")
    for size in [REFERENCE_SIZE] if options.quick else SIZES:
        bench_arrays(options.build, size, emit)
    bench_csv(options.build, emit)
    mixture.bench_mixture(options.build, emit)
    choice.bench_choice(options.build, emit)
    discrete.bench_counts(options.build, emit)
    if options.newsgroups:
        discrete.bench_text(options.build, options.newsgroups, emit)
    emit("\n" + subprocess.run([os.path.join(options.build, "bin", "bench_missing")], check=True,
                               capture_output=True, text=True).stdout.rstrip())
    if options.mnist:
        bench_mnist(options.build, options.mnist, emit)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer_main(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
    elif sys.argv[1:2] == ["--csv-peer"]:
        csv_peer_main(sys.argv[2], sys.argv[3])
    else:
        main()
