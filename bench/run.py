#!/usr/bin/python3
"""Speed and memory against scikit-learn, pandas, polars and mlpack, on the same data, in one run.

usage: bench/run.py BUILD [--quick] [--tiny] [--mnist DIR] [--newsgroups DIR] [--out FILE]

Run by the Python of bench/peers.sh, whose packages are the peers. Prints a table in Markdown.

BUILD is a build folder with bin/genera, bin/bench_arrays, bin/bench_discrete, bin/bench_mixture,
bin/bench_missing, bin/bench_choice, bin/bench_logistic, bin/bench_peak. Each figure is the best of
several warm runs with all cores on both sides. Peak memory is that of a process that holds the array.
"""
import gzip
import importlib.metadata
import importlib.util
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
import logistic
import missing as holes
import mixture
from clock import best, peak_megabytes
from options import MNIST, options as parsed
from report import HEAD, Cost, Limits, Report, cost_of

SIZES = [(1_000_000, 20, 5), (500_000, 50, 10), (100_000, 200, 10), (60_000, 784, 10)]
AIMS = {("qda", "fit"): 20, ("lda", "fit"): 20, ("gnb", "fit"): 12, ("qda", "predict"): 12,
        ("gnb", "predict"): 40, ("lda", "predict_proba"): 4}
TINY_SIZE = (2_000, 5, 3)  # only to see that it works
REFERENCE_SIZE = (500_000, 50, 10)  # the aims hold here; half of them elsewhere
MODULES = {"scikit-learn": "sklearn"}
FLOAT_AIM = 1.4
OUR_REPEATS = 15  # of jobs that last milliseconds: together less than two of the peer's
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
    if model == "mlpack":
        mlpack_main(x, y, job, repeats)
        return
    estimator = peer(model)
    if job == "fit":
        seconds = best(repeats, lambda: peer(model).fit(x, y))
    else:
        estimator.fit(x, y)
        seconds = best(repeats, lambda: getattr(estimator, job)(x))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


def mlpack_main(x, y, job, repeats):
    import mlpack
    labels = y.astype(np.uint64)
    learn = lambda: mlpack.nbc(training=x, labels=labels)["output_model"]
    if job == "fit":
        seconds = best(repeats, learn)
    else:
        model = learn()
        seconds = best(repeats, lambda: mlpack.nbc(input_model=model, test=x))
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


def aim_of(size, model, job):
    aim = AIMS.get((model, job))
    return aim if aim is None or size == REFERENCE_SIZE else aim / 2


def has(package):
    return importlib.util.find_spec(package) is not None


def bench_floats(build, folder, size, model, job, doubles, report):
    """The same numbers as floats, against doubles: faster where bytes are the limit."""
    n, d, k = size
    cost = cost_of(model, job, n, d, k, number_bytes=4)
    memory, product = report.limits.times(cost)
    floats = time_ours(build, folder, size, model, job + "_float32", OUR_REPEATS)
    report.add(f"{n:,} × {d}, {k}", f"{model} {job}, float32", "genera, float64", doubles, floats,
               FLOAT_AIM if memory > product else None, cost)


def bench_arrays(build, size, report):
    n, d, k = size
    with tempfile.TemporaryDirectory() as folder:
        save_arrays(folder, *make_arrays(n, d, k))
        for model in ("gnb", "lda", "qda"):
            for job in ("fit", "predict", "predict_proba"):
                ours = time_ours(build, folder, size, model, job, OUR_REPEATS)
                theirs = time_peer(folder, model, job, 1 if d > 500 else 2)
                report.add(f"{n:,} × {d}, {k}", f"{model} {job}", "scikit-learn", theirs, ours,
                           aim_of(size, model, job), cost_of(model, job, n, d, k))
                if job != "predict_proba":
                    bench_floats(build, folder, size, model, job, ours, report)
        if has("mlpack"):
            for job in ("fit", "predict"):
                ours = time_ours(build, folder, size, "gnb", job, OUR_REPEATS)
                report.add(f"{n:,} × {d}, {k}", f"gnb {job}", "mlpack", time_peer(folder, "mlpack", job, 2),
                           ours, None, cost_of("gnb", job, n, d, k))


def write_csv(path, x, y):
    import pandas
    frame = pandas.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])
    frame["label"] = ["class_" + str(v) for v in y]
    frame.to_csv(path, index=False, float_format="%.6g")


def csv_peer_main(path, job):
    import pandas
    start = time.perf_counter()
    if job == "polars":
        import polars
        polars.read_csv(path)
    else:
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


CSV_JOBS = (("read", "gnb", PARSE_AIM, "CSV → gnb model, against reading alone", "pandas"),
            ("polars", "gnb", None, "CSV → gnb model, against reading alone", "polars"),
            ("model", "qda", CSV_AIM, "CSV → qda model", "pandas + scikit-learn"))


def csv_peer(path, job):
    out = subprocess.run([sys.executable, os.path.abspath(__file__), "--csv-peer", path, job], check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out)


def bench_csv(build, size, report):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        write_csv(path, *make_arrays(*size))
        bytes_read = os.path.getsize(path)
        genera = os.path.join(build, "bin", "genera")
        for job, model, aim, what, peer_name in CSV_JOBS:
            if job == "polars" and not has("polars"):
                continue
            command = [genera, "fit", path, "--model", model, "-o", os.path.join(folder, "m.json")]
            runs = [measured_run(command) for _ in range(4)]
            theirs = min((csv_peer(path, job) for _ in range(2)), key=lambda run: run["seconds"])
            ours = {"seconds": min(r[0] for r in runs), "peak_mb": max(r[1] for r in runs)}
            report.add(f"{bytes_read / 1e6:.0f} MB CSV", what, peer_name, theirs, ours, aim, Cost(read=bytes_read))


def read_idx(path):
    with gzip.open(path) as file:
        data = file.read()
    dims = data[3]
    shape = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(dims)]
    return np.frombuffer(data, np.uint8, offset=4 + 4 * dims).reshape(shape)


def bench_mnist(build, where, report):
    x = read_idx(os.path.join(where, MNIST[0])).reshape(60_000, 784).astype(np.float64)
    y = read_idx(os.path.join(where, MNIST[1])).astype(np.int32)
    with tempfile.TemporaryDirectory() as folder:
        save_arrays(folder, x, y)
        size = (60_000, 784, 10)
        full = time_ours(build, folder, size, "qda-oas", "distances", 2)["seconds"]
        pruned = time_ours(build, folder, size, "qda-oas", "predict", 2)["seconds"]
    report.emit(f"\nMNIST, qda with oas shrinkage, 60,000 rows: all distances {full:.2f} s, pruned decision "
         f"{pruned:.2f} s, {full / pruned:.1f}× (aim 3×).")


def blas():
    """What the peers' products run on, as threadpoolctl says."""
    import threadpoolctl
    np.ones((2, 2)) @ np.ones((2, 2))
    if has("scipy"):
        import scipy.linalg  # noqa: F401: brings a BLAS of its own
    pools = {f"{pool.get('internal_api')} {pool.get('version')} ({pool.get('architecture', pool.get('threading_layer'))}, "
             f"{pool.get('num_threads')} threads)" for pool in threadpoolctl.threadpool_info()}
    return "; ".join(sorted(pools)) or "nothing that threadpoolctl knows"


def machine(limits):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        name = next((l.split(":")[1].strip() for l in file if l.startswith("model name")), platform.machine())
    peers = [f"{p} {importlib.metadata.version(p)}" for p in
             ("scikit-learn", "numpy", "scipy", "pandas", "polars", "mlpack") if has(MODULES.get(p, p))]
    missing = [p for p in ("polars", "mlpack") if not has(p)]
    return (f"{name}, {limits.cores} cores; a matrix product reaches {limits.gflops} GFlop/s (Eigen {limits.eigen}, "
            f"NumPy {limits.blas}) and reading memory {limits.gigabytes} GB/s on all cores. Peers: {', '.join(peers)}; BLAS and OpenMP (threadpoolctl): {blas()}."
            + (f" Not to be had: {', '.join(missing)}." if missing else ""))


def main():
    options = parsed(__doc__.splitlines()[0])
    report = Report(Limits(options.build))
    report.emit(machine(report.limits) + "\n")
    report.emit(HEAD)
    sizes = [TINY_SIZE] if options.tiny else [REFERENCE_SIZE] if options.quick else SIZES
    for size in sizes:
        bench_arrays(options.build, size, report)
    bench_csv(options.build, TINY_SIZE if options.tiny else REFERENCE_SIZE, report)
    mixture.bench_mixture(options.build, 2_000 if options.tiny else mixture.ROWS, report)
    holes.bench_missing(options.build, 1_000 if options.tiny else holes.ROWS, report)
    logistic.bench_logistic(options.build, 2_000 if options.tiny else logistic.ROWS, report)
    if not options.tiny:
        choice.bench_choice(options.build, report)
    discrete.bench_counts(options.build, 200 if options.tiny else 1, report)
    if options.newsgroups:
        discrete.bench_text(options.build, options.newsgroups, report)
    if not options.tiny:
        report.emit("\n" + subprocess.run([os.path.join(options.build, "bin", "bench_missing")], check=True,
                                          capture_output=True, text=True).stdout.rstrip())
    if options.mnist:
        bench_mnist(options.build, options.mnist, report)
    if options.out:
        report.write(options.out)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        peer_main(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
    elif sys.argv[1:2] == ["--csv-peer"]:
        csv_peer_main(sys.argv[2], sys.argv[3])
    else:
        main()
