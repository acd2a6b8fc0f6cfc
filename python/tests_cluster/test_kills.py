"""A Dask worker is killed by SIGKILL in the middle of each phase; no bit changes."""

import os
import signal
import threading
import time

import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster

import genera.dask


@pytest.fixture
def client():
    """A fresh cluster: after a kill, a nanny may take long to start the next worker."""
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit="2GiB"
    )
    with cluster, Client(cluster) as client:
        yield client


def rows_of(missing):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 1200)
    X = rng.normal(size=(1200, 6)) + y[:, None]
    if missing:
        X[rng.random(X.shape) < 0.05] = np.nan
    return da.from_array(X, (100, 6)), da.from_array(y, 100)


class Killer(threading.Thread):
    """Kills a worker as soon as one runs a task whose name begins so."""

    def __init__(self, client, prefix):
        super().__init__(daemon=True)
        self.client, self.prefix = client, prefix
        self.killed = None
        self.stopped = False

    def run(self):
        pids = self.client.run(os.getpid)
        while not self.stopped:
            for address, tasks in self.client.processing().items():
                if any(str(task).startswith(self.prefix) for task in tasks):
                    os.kill(pids[address], signal.SIGKILL)
                    self.killed = pids[address]
                    return
            time.sleep(0.01)


@pytest.fixture
def slowly(client):
    """Answers and merges take long enough to be hit."""

    def slow_down():
        import functools

        from genera._partitions import worker

        for table in (worker._FIRST, worker._KEPT):
            for name, function in list(table.items()):

                @functools.wraps(function)
                def later(*arguments, _function=function):
                    time.sleep(0.05)
                    return _function(*arguments)

                table[name] = later

    client.run(slow_down)


PHASES = [
    ("genera-sums", genera.dask.QDA, False),
    ("genera-merge-sums", genera.dask.QDA, False),
    ("genera-observe", genera.dask.QDA, True),
    ("genera-prepare", genera.dask.QDA, True),
    ("genera-expect", genera.dask.QDA, True),
    ("genera-merge-expect", genera.dask.QDA, True),
    ("genera-patterns", genera.dask.QDA, True),
    ("genera-softmax-statistics", genera.dask.SoftmaxRegression, False),
    ("genera-answer", genera.dask.SoftmaxRegression, False),
]


@pytest.mark.parametrize("phase, estimator, missing", PHASES, ids=[one[0] for one in PHASES])
def test_fit(client, slowly, phase, estimator, missing):
    X, y = rows_of(missing)
    undisturbed = estimator().fit(X, y)
    killer = Killer(client, phase)
    killer.start()
    disturbed = estimator().fit(X, y)
    killer.stopped = True
    killer.join()
    assert killer.killed is not None
    assert disturbed.model_.to_bytes() == undisturbed.model_.to_bytes()


def test_predict(client):
    X, y = rows_of(False)
    fitted = genera.dask.QDA().fit(X, y)
    expected = fitted.predict_proba(X).compute()

    def slow(block):
        time.sleep(0.2)
        return block

    lazy = fitted.predict_proba(X.map_blocks(slow, meta=np.empty((0, 0))))
    killer = Killer(client, "")
    killer.start()
    np.testing.assert_array_equal(lazy.compute(), expected)
    killer.join()
    assert killer.killed is not None
