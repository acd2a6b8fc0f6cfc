"""genera.dask on two worker processes."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import genera

pytest.importorskip("distributed")
pytest.importorskip("pandas")
import dask  # noqa: E402
import dask.array as da  # noqa: E402
import dask.bag  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import pandas  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402

import genera.dask as on_dask  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # of Dask itself


@pytest.fixture(scope="module")
def client():
    with dask.config.set({"distributed.worker.memory.terminate": False}):
        cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit="2GiB"
        )
        with cluster, Client(cluster) as client:
            yield client


def assert_same(ours, theirs, X, tolerance=1e-12):
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    local = ours.to_local()
    p, q = local.predict_proba(X), theirs.predict_proba(X)
    np.testing.assert_allclose(p, q, rtol=0, atol=tolerance)


ESTIMATORS = ["QDA", "LDA", "RDA", "GaussianNB", "MixedNB", "SoftmaxRegression"]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_arrays(client, name, blobs):
    X, y = blobs
    ours = getattr(on_dask, name)().fit(da.from_array(X, (40, 2)), da.from_array(y, 40))
    theirs = getattr(genera, name)().fit(X, y)
    tolerance = 1e-7 if name == "SoftmaxRegression" else 1e-12
    assert_same(ours, theirs, X, tolerance)


@pytest.mark.parametrize("name", ["MultinomialNB", "PoissonNB", "ComplementNB", "BernoulliNB", "CategoricalNB"])
def test_arrays_of_counts(client, name, counts):
    X, y = counts
    ours = getattr(on_dask, name)().fit(da.from_array(X, (30, 4)), da.from_array(y, 50))
    assert_same(ours, getattr(genera, name)().fit(X, y), X)


def test_weights_and_labels_of_this_machine(client, blobs):
    X, y = blobs
    weight = np.linspace(0.1, 2, len(y))
    rows = da.from_array(X, (70, 5))
    ours = on_dask.QDA().fit(rows, y, weight)
    again = on_dask.QDA().fit(rows, da.from_array(y, 70), da.from_array(weight, 70))
    assert_same(ours, genera.QDA().fit(X, y, weight), X)
    assert ours.model_.to_bytes() == again.model_.to_bytes()


def test_blocks_of_sparse_rows(client, counts):
    X, y = counts
    blocks = da.from_array(X, (50, 4)).map_blocks(csr_matrix, meta=csr_matrix((0, 4)))
    ours = on_dask.MultinomialNB().fit(blocks, da.from_array(y, 50))
    assert_same(ours, genera.MultinomialNB().fit(csr_matrix(X), y), X)


def frame():
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, 300)
    table = pandas.DataFrame(
        {
            "size": rng.normal(size=300) + kind,
            "colour": np.array(["red", "green", "blue"])[(kind + (rng.random(300) < 0.3)) % 3],
            "big": rng.random(300) < 0.3 + 0.2 * kind,
            "kind": np.array(["a", "b", "c"])[kind],
        }
    )
    table.loc[:9, "colour"] = "violet"  # a level of one partition
    return table


@pytest.mark.parametrize("known", [True, False])
def test_dataframes(client, known):
    table = frame()
    columns = ["size", "colour", "big"]
    if known:
        rows = dd.from_pandas(table.astype({"colour": "category"}), npartitions=5)
    else:
        rows = dd.from_pandas(table, npartitions=5).astype({"colour": "category"})
    assert rows["colour"].cat.known == known
    ours = on_dask.MixedNB().fit(rows[columns], rows["kind"])
    theirs = genera.MixedNB().fit(table[columns], table["kind"])
    assert_same(ours, theirs, table[columns])
    predicted = ours.predict(rows[columns])
    assert isinstance(predicted, dd.Series)
    assert predicted.compute().tolist() == theirs.predict(table[columns]).tolist()
    np.testing.assert_allclose(
        ours.predict_proba(rows).compute(), theirs.predict_proba(table[columns]), atol=1e-12
    )
    by_name = on_dask.MixedNB().fit(rows, "kind")
    assert_same(by_name, theirs, table[columns])
    assert by_name.score(rows, "kind") == theirs.score(table[columns], table["kind"])


def test_delayed_arrow_tables(client):
    pyarrow = pytest.importorskip("pyarrow")
    table = frame()
    parts = [
        dask.delayed(pyarrow.Table.from_pandas)(table[i : i + 60], preserve_index=False)
        for i in range(0, 300, 60)
    ]
    ours = on_dask.MixedNB().fit(parts, "kind")
    theirs = genera.MixedNB().fit(table[["size", "colour", "big"]], table["kind"])
    assert_same(ours, theirs, table[["size", "colour", "big"]])
    assert ours.predict(parts).compute().tolist() == theirs.predict(table[["size", "colour", "big"]]).tolist()


def test_bags_of_text(client):
    texts = ["cheap pills now", "buy cheap watches", "lunch at noon", "see you at lunch"] * 5
    labels = np.array(["spam", "spam", "ham", "ham"] * 5)
    bag = dask.bag.from_sequence(texts, npartitions=4)
    ours = on_dask.TextClassifier().fit(bag, dask.bag.from_sequence(labels.tolist(), npartitions=4))
    theirs = genera.TextClassifier().fit(texts, labels)
    assert_same(ours, theirs, texts)
    assert ours.predict(bag).compute().tolist() == labels.tolist()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files(client, suffix, tmp_path):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    table = frame()
    files = []
    for i in range(3):
        path = str(tmp_path / f"part-{i}.{suffix}")
        part = table[i * 100 : (i + 1) * 100]
        part.to_csv(path, index=False) if suffix == "csv" else part.to_parquet(path)
        files.append(path)
    ours = on_dask.MixedNB().fit(files, "kind")
    columns = ["size", "colour", "big"]
    theirs = genera.MixedNB().fit(table[columns], table["kind"])
    assert ours.score(files, "kind") == theirs.score(table[columns], table["kind"])
    np.testing.assert_allclose(
        ours.predict_proba(files).compute(), theirs.predict_proba(table[columns]), atol=1e-12
    )
    urls = on_dask.MixedNB().fit([f"file://{file}" for file in files], "kind")
    assert urls.model_.to_bytes() == ours.model_.to_bytes()
    os.remove(files[1])
    with pytest.raises(genera.Error, match=r"^partition 1 \(.*part-1"):
        on_dask.MixedNB().fit(files, "kind")


def test_answers_are_lazy(client, blobs):
    X, y = blobs
    rows = da.from_array(X, (100, 5))
    ours = on_dask.QDA().fit(rows, da.from_array(y, 100))
    theirs = genera.QDA().fit(X, y)
    for method in ("predict", "predict_proba", "predict_log_proba", "score_samples", "outlier_tail"):
        lazy = getattr(ours, method)(rows)
        assert isinstance(lazy, da.Array) and lazy.shape == getattr(theirs, method)(X).shape
        np.testing.assert_allclose(lazy.compute(), getattr(theirs, method)(X), atol=1e-11)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_em_has_the_same_bits_for_any_number_of_workers(client, blobs):
    X, y = blobs
    X = X.copy()
    X[np.random.default_rng(2).random(X.shape) < 0.1] = np.nan
    rows, labels = da.from_array(X, (20, 5)), da.from_array(y, 20)
    two = on_dask.QDA().fit(rows, labels)
    assert_same(two, genera.QDA().fit(X, y), X, 1e-6)
    with LocalCluster(n_workers=1, threads_per_worker=3, processes=False, dashboard_address=None) as c:
        with Client(c, set_as_default=False) as other:
            one = on_dask.QDA().fit(rows, labels, client=other)
    assert one.model_.to_bytes() == two.model_.to_bytes()


def slow(block, seconds):
    time.sleep(seconds)
    return block


def test_a_killed_worker_changes_no_bit(client, blobs):
    X, y = blobs
    X = X.copy()
    X[::5, 1] = np.nan
    rows = da.from_array(X, (30, 5)).map_blocks(slow, 0.1, dtype=float, meta=np.empty((0, 0)))
    labels = da.from_array(y, 30)
    undisturbed = on_dask.QDA().fit(rows, labels)
    pid = next(iter(client.run(os.getpid).values()))
    killer = threading.Timer(0.5, os.kill, (pid, signal.SIGKILL))
    killer.start()
    disturbed = on_dask.QDA().fit(rows, labels)
    killer.join()
    assert disturbed.model_.to_bytes() == undisturbed.model_.to_bytes()
    assert pid not in client.run(os.getpid).values()


def explode(block, block_info=None):
    if block_info[0]["chunk-location"][0] == 2:
        raise RuntimeError("the disk is on fire")
    return block


def test_errors_name_the_partition(client, blobs):
    X, y = blobs
    X = X.copy()
    rows = da.from_array(X, (60, 5))
    with pytest.raises(genera.Error, match="^partition 2: RuntimeError: the disk is on fire"):
        on_dask.QDA().fit(
            rows.map_blocks(explode, dtype=float, meta=np.empty((0, 0))), da.from_array(y, 60)
        )
    X[250, 3] = np.inf
    with pytest.raises(genera.Error, match="^partition 4: .*row 11"):
        on_dask.QDA().fit(da.from_array(X, (60, 5)), da.from_array(y, 60))
    with pytest.raises(genera.Error, match="X has 5 partitions, but y has 2"):
        on_dask.QDA().fit(
            dd.from_pandas(pandas.DataFrame(X), npartitions=5), da.from_array(y, 150)
        )


def test_without_a_scheduler_a_fit_ends_within_seconds(blobs):
    X, y = blobs
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    client = Client(cluster, set_as_default=False)
    rows = da.from_array(X, (60, 5)).map_blocks(slow, 0.5, dtype=float, meta=np.empty((0, 0)))
    threading.Timer(1.0, cluster.close).start()
    began = time.monotonic()
    with pytest.raises(genera.Error, match="the Dask scheduler .* does not answer"):
        on_dask.QDA().fit(rows, da.from_array(y, 60), client=client)
    assert time.monotonic() - began < 30
    with pytest.raises(genera.Error, match="does not answer"):
        on_dask.QDA().fit(rows, da.from_array(y, 60), client=client)
    client.close(timeout=1)


def test_rows_of_this_machine_need_no_cluster(blobs):
    X, y = blobs
    assert_same(on_dask.QDA().fit(X, y), genera.QDA().fit(X, y), X)


def test_a_mixture(client):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(600, 2)) + 8 * rng.integers(0, 2, 600)[:, None]
    ours = on_dask.GaussianMixture((1, 2), covariance="full", starts=2).fit(
        da.from_array(X, (100, 2))
    )
    theirs = genera.GaussianMixture((1, 2), covariance="full").fit(X)
    assert ours.n_components_ == theirs.n_components_ == 2
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-5)
    lazy = ours.predict(da.from_array(X, (100, 2)))
    np.testing.assert_array_equal(lazy.compute(), theirs.predict(X))


def test_weights_of_mixtures(client):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 2)) + 8 * rng.integers(0, 2, 200)[:, None]
    weights = rng.integers(1, 4, 200)
    ours = on_dask.GaussianMixture(2, starts=2).fit(X, sample_weight=weights)
    theirs = genera.GaussianMixture(2, starts=2).fit(X, sample_weight=weights)
    np.testing.assert_array_equal(ours.means_, theirs.means_)
    with pytest.raises(genera.Error, match="take no weights"):
        on_dask.GaussianMixture(2).fit(da.from_array(X, (100, 2)), sample_weight=weights)


def test_bayesian_gaussians_are_the_same(client, blobs):
    X, y = blobs
    found = on_dask.BayesianQDA().fit(da.from_array(X, (60, 5)), da.from_array(y, 60))
    assert_same(found, genera.BayesianQDA().fit(X, y), X)


@pytest.mark.parametrize("model", ["aode", "kernel", "best"])
def test_models_without_sums_of_partitions_are_refused_by_name(client, blobs, model):
    X, y = blobs
    with pytest.raises(genera.Error, match=f"'{model}'"):
        on_dask.GenerativeClassifier(model).fit(da.from_array(X, (60, 5)), da.from_array(y, 60))


def test_select(client, blobs):
    X, y = blobs
    rows, labels = da.from_array(X, (60, 5)), da.from_array(y, 60)
    found = on_dask.select(rows, labels, models=["gnb", "lda", "qda"], folds=5)
    here = genera.select(X, y, models=["gnb", "lda", "qda"], folds=5)
    assert len(found.candidates) == len(here.candidates)
    assert abs(found.best["log_loss"] - here.best["log_loss"]) < 4 * here.best["log_loss_se"]
    best = found.best_estimator
    assert_same(best, type(best.to_local())(**best.get_params()).fit(X, y), X)
    with pytest.raises(genera.Error, match="numbers are missing"):
        on_dask.select(da.where(rows > 2, np.nan, rows), labels, models="lda")


def test_rows_that_are_not_kept_are_read_again(client, blobs):
    from genera._partitions.driver import Driver
    from genera.dask._collections import parts_of
    from genera.dask._engine import DaskEngine

    X, y = blobs
    X = X.copy()
    X[::4, 2] = np.nan
    parts = parts_of(da.from_array(X, (60, 5)), da.from_array(y, 60), None)
    models = []
    for keep in (True, False):
        target = genera.QDA()
        Driver(target, genera.QDA(), DaskEngine(parts, client, keep)).fit()
        models.append(target.model_.to_bytes())
    assert models[0] == models[1]
