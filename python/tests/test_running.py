"""Threads, signals and progress."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import genera


def test_calls_from_several_threads(blobs):
    X, y = blobs
    found = genera.QDA().fit(X, y)
    expected = found.predict_proba(X)
    wrong = []

    def ask():
        for i in range(200):
            if not np.array_equal(found.predict_proba(X), expected):
                wrong.append("batch")
            if not np.array_equal(found.predict_proba(X[i : i + 1])[0], expected[i]):
                wrong.append("one")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


SOME_TICKS = 3  # a call that keeps the lock lets in one at its begin and one at its end


def ticks_during(work):
    """How often another thread came to its turn during the work."""
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    work()
    end = time.perf_counter()
    stop.set()
    thread.join()
    return len([t for t in ticks if begin < t < end])


def test_other_threads_go_on_while_the_core_works(blobs):
    X = np.tile(blobs[0], (2000, 1))
    y = np.tile(blobs[1], 2000)
    count = ticks_during(lambda: genera.QDA(threads=1).fit(X, y).predict_proba(X))
    assert count > SOME_TICKS


def test_other_threads_go_on_while_texts_are_cut():
    from genera import _genera

    words = [f"word{i}" for i in range(5000)]
    texts = [" ".join(words[i % 4000 : i % 4000 + 1000]) for i in range(1500)]
    data = _genera.Data(len(texts))
    count = ticks_during(lambda: data.add_texts(texts, "text"))
    assert count > SOME_TICKS


def test_other_threads_go_on_while_files_are_read_and_written(tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(2000, 150)), rng.integers(0, 10, 2000)
    found = genera.QDA().fit(X, y)
    path = tmp_path / "model.json"
    count = ticks_during(lambda: found.save(path))
    assert count > SOME_TICKS
    count = ticks_during(lambda: genera.load(path))
    assert count > SOME_TICKS


CUTTING = """
import genera
from genera import _genera
texts = [" ".join(f"word{(i * j) % 50000}" for j in range(3000)) for i in range(4000)]
data = _genera.Data(len(texts))
print("begun", flush=True)
try:
    for _ in range(20):
        data.add_texts(texts, "text")
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""

LONG = """
import sys, time, numpy as np, genera
rng = np.random.default_rng(1)
X, y = rng.normal(size=(20000, 8)), rng.integers(0, 3, 20000)
print("begun", flush=True)
begin = time.perf_counter()
try:
    genera.MDA((8, 12), starts=200).fit(X, y)
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("program", [LONG, CUTTING], ids=["fit", "texts"])
def test_ctrl_c_stops_a_long_call(program):
    with subprocess.Popen(
        [sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        os.kill(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        process.wait()
    assert rest == "interrupted\n" and process.returncode == 0
    # Seconds of the processor: the whole call would take minutes.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 60


def test_progress_is_told(blobs, capfd):
    X, y = np.tile(blobs[0], (60, 1)), np.tile(blobs[1], 60)
    genera.MDA((1, 4), starts=4, verbose=1).fit(X, y)
    shown = capfd.readouterr().err
    assert "searching" in shown or "iterating" in shown


def test_what_the_listener_raises_ends_the_call(blobs):
    from genera import _genera

    X, y = np.tile(blobs[0], (60, 1)), np.tile(blobs[1], 60)
    data = _genera.Data(len(X))
    data.add_numbers(X, [f"x{j}" for j in range(5)])
    data.set_labels(y, ["0", "1", "2"])

    def tell(task, done, total):
        raise RuntimeError(f"enough of {task}")

    with pytest.raises(RuntimeError, match="enough of"):
        _genera.fit(data, {"model": "mda", "components": (1, 6), "starts": 8}, None, tell)


def test_threads_are_those_that_scikit_learn_would_use():
    from genera import _threads

    threadpoolctl = pytest.importorskip("threadpoolctl")
    with threadpoolctl.threadpool_limits(1):
        assert _threads.available() == 1
    code = "from genera import _threads; print(_threads.available())"
    for count in (1, 3):
        done = subprocess.run(
            [sys.executable, "-B", "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": str(count)},
        )
        assert done.stdout.strip() == str(count), done.stderr
