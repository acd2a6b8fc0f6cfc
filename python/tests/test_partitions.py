"""The driver alone: partitions of this process, against the fit of one table."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import genera
from genera._partitions.driver import Driver
from genera._partitions.engine import FAN_IN, MapEngine, tree
from genera._partitions.parts import Part


def divided(X, y, pieces, weight=None):
    cuts = np.array_split(np.arange(X.shape[0]), pieces)

    def part(values, i):
        if values is None or isinstance(values, str):
            return values
        return values.iloc[cuts[i]] if hasattr(values, "iloc") else np.asarray(values)[cuts[i]]

    rows = (lambda i: X.iloc[cuts[i]] if hasattr(X, "iloc") else X[cuts[i]])
    return [Part(rows(i), part(y, i), part(weight, i), f"partition {i}") for i in range(pieces)]


def fitted(estimator, parts, map_tasks=None):
    target = type(estimator)(**estimator.get_params())
    local = type(estimator)(**estimator.get_params())
    driver = Driver(target, local, MapEngine(parts, map_tasks))
    driver.fit()
    target.rounds_ = driver.rounds
    return target


def assert_same(ours, theirs, X, tolerance=1e-12):
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.classes_.dtype == theirs.classes_.dtype
    p, q = ours.predict_proba(X), theirs.predict_proba(X)
    np.testing.assert_allclose(p, q, rtol=0, atol=tolerance)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


CLOSED = [
    genera.QDA(),
    genera.QDA(priors=[0.2, 0.3, 0.5]),
    genera.QDA(shrinkage="oas", divisor="unbiased"),
    genera.LDA(),
    genera.RDA(alpha=0.3, gamma=0.2),
    genera.GaussianNB(variance_prior=2.0),
    genera.GenerativeClassifier("dlda"),
    genera.GenerativeClassifier("spherical"),
]


@pytest.mark.parametrize("estimator", CLOSED, ids=str)
@pytest.mark.parametrize("pieces", [1, 3, 20])
def test_models_of_numbers_are_those_of_one_table(estimator, pieces, blobs):
    X, y = blobs
    ours = fitted(estimator, divided(X, y, pieces))
    assert ours.rounds_ == 1
    theirs = type(estimator)(**estimator.get_params()).fit(X, y)
    assert_same(ours, theirs, X)
    if hasattr(theirs, "score_samples"):
        np.testing.assert_allclose(
            ours.score_samples(X), theirs.score_samples(X), rtol=1e-12, atol=1e-12
        )


def test_weights_count_like_repeated_rows(blobs):
    X, y = blobs
    weight = np.arange(len(y)) % 3
    ours = fitted(genera.QDA(), divided(X, y, 4, weight.astype(float)))
    assert_same(ours, genera.QDA().fit(np.repeat(X, weight, 0), np.repeat(y, weight)), X)


@pytest.mark.parametrize(
    "estimator", [genera.MultinomialNB(), genera.PoissonNB(), genera.ComplementNB()], ids=str
)
def test_counts(estimator, counts):
    X, y = counts
    assert_same(fitted(estimator, divided(X, y, 5)), type(estimator)().fit(X, y), X)


def test_categories_and_flags_appear_in_any_partition():
    rng = np.random.default_rng(3)
    X = np.sort(rng.integers(0, 6, size=(240, 3)), axis=0).astype(float)  # levels of few parts
    y = rng.integers(0, 2, 240)
    assert_same(fitted(genera.CategoricalNB(), divided(X, y, 6)), genera.CategoricalNB().fit(X, y), X)
    X = (X > 2).astype(float)
    assert_same(fitted(genera.BernoulliNB(), divided(X, y, 6)), genera.BernoulliNB().fit(X, y), X)


@pytest.mark.parametrize("estimator", [genera.MultinomialNB(), genera.GaussianNB(), genera.BernoulliNB()], ids=str)
def test_sparse_rows(estimator, counts):
    X, y = counts
    X = csr_matrix(X)
    ours = fitted(estimator, divided(X, y, 4))
    assert_same(ours, type(estimator)().fit(X, y), X)


def test_vocabularies_differ():
    texts = ["cheap pills now", "buy cheap watches", "lunch at noon", "see you at lunch"] * 3
    texts += ["quartz watches", None, "noon"]
    y = np.array((["spam", "spam", "ham", "ham"] * 3) + ["spam", "ham", "ham"], dtype=object)
    parts = [Part(texts[a : a + 4], y[a : a + 4], None, f"partition {a // 4}") for a in (0, 4, 8, 12)]
    for model in ("multinomial", "bernoulli"):
        ours = fitted(genera.TextClassifier(model), parts)
        theirs = genera.TextClassifier(model).fit(texts, y)
        assert_same(ours, theirs, ["cheap lunch pills", "quartz at noon"])


def mixed(rows=200):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, rows)
    colour = np.where(rng.random(rows) < 0.3 + 0.4 * y, "red", "blue").astype(object)
    colour[:10] = "green"  # a level of the first partition
    colour[-20:] = None  # no value in the last
    return pandas.DataFrame(
        {
            "size": rng.normal(size=rows) + y,
            "colour": pandas.Series(colour, dtype=object),
            "big": rng.random(rows) < 0.5,
            "kind": pandas.Series(np.where(y == 1, "yes", "no"), dtype=object),
        }
    )


def test_frames_with_levels_of_some_partitions_and_columns_without_values():
    frame = mixed()
    X, y = frame[["size", "colour", "big"]], frame["kind"]
    ours = fitted(genera.MixedNB(), divided(X, y, 10))
    assert ours.rounds_ == 2  # 'colour' has no value in the last partition: types are agreed on
    theirs = genera.MixedNB().fit(X, y)
    assert_same(ours, theirs, X)
    assert list(ours.sample(3, random_state=1)[0].columns) == ["size", "colour", "big"]
    named = fitted(genera.MixedNB(), divided(frame, "kind", 10))
    assert_same(named, theirs, X)


def test_missing_numbers_need_em(blobs):
    X, y = blobs
    X = X.copy()
    rng = np.random.default_rng(7)
    X[rng.random(X.shape) < 0.1] = np.nan
    for estimator in (genera.QDA(), genera.LDA(), genera.GaussianNB()):
        ours = fitted(estimator, divided(X, y, 7))
        theirs = type(estimator)().fit(X, y)
        assert_same(ours, theirs, X, 1e-6)
        assert ours.report_.outcome == theirs.report_.outcome


def test_missing_labels_that_count(blobs):
    X, y = blobs
    y = y.astype(float)
    y[::3] = np.nan
    estimator = genera.GenerativeClassifier("lda", unlabelled_weight=1.0)
    ours = fitted(estimator, divided(X, y, 5))
    assert_same(ours, type(estimator)(**estimator.get_params()).fit(X, y), X, 1e-6)


def test_missing_labels_are_left_out_and_counted(blobs):
    X, y = blobs
    y = y.astype(float)
    y[:40] = np.nan  # the first partition has no label
    ours = fitted(genera.QDA(), divided(X, y, 10))
    assert_same(ours, genera.QDA().fit(X[40:], y[40:]), X)
    assert ours.report_.unlabelled_left_out == 40
    assert "40 rows without a label were left out" in ours.report_.notes


@pytest.mark.parametrize("terms", ["linear", "quadratic"])
def test_softmax_regression(terms, blobs):
    X, y = blobs
    estimator = genera.SoftmaxRegression(terms=terms)
    ours = fitted(estimator, divided(X, y, 6))
    assert_same(ours, genera.SoftmaxRegression(terms=terms).fit(X, y), X, 1e-7)


def test_empty_partitions_and_classes_of_one_partition_change_nothing(blobs):
    X, y = blobs
    order = np.argsort(y, kind="stable")  # most partitions have one class
    parts = divided(X[order], y[order], 6)
    parts.insert(2, Part(X[:0], y[:0], None, "partition 2"))
    for estimator in (genera.QDA(), genera.SoftmaxRegression()):
        assert_same(fitted(estimator, parts), type(estimator)().fit(X, y), X, 1e-7)


def test_the_order_of_finishing_does_not_matter(blobs):
    X, y = blobs
    X = X.copy()
    X[::7, 0] = np.nan

    def backwards(function, arguments):
        return [function(*one) for one in reversed(list(arguments))][::-1]

    first = fitted(genera.QDA(), divided(X, y, 19))
    second = fitted(genera.QDA(), divided(X, y, 19), backwards)
    assert first.model_.to_bytes() == second.model_.to_bytes()


def test_the_tree_keeps_the_order_and_bounds_its_fan_in():
    widest = []

    def merge(level, place, group):
        widest.append(len(group))
        return sum(group, [])

    for count in (1, 7, 8, 9, 64, 65, 1000):
        assert tree([[i] for i in range(count)], merge) == list(range(count))
    assert max(widest) == FAN_IN


def test_errors_name_the_partition(blobs):
    X, y = blobs
    bad = X.copy()
    bad[123, 2] = np.inf
    with pytest.raises(genera.Error, match=r"^partition 2: row 24: .*'x2'|^partition 2: "):
        fitted(genera.QDA(), divided(bad, y, 6))
    parts = divided(X, y, 3)
    parts[1] = Part(parts[1].X[:, :4], parts[1].y, None, "partition 1")
    with pytest.raises(genera.Error, match="partition 1 has no column 'x4', but partition 0 has it"):
        fitted(genera.QDA(), parts)
    parts[1] = Part(parts[1].X, parts[1].y[:5], None, "partition 1")
    with pytest.raises(genera.Error, match="partition 1: there are 100 rows but 5 labels"):
        fitted(genera.QDA(), parts)
    frame = mixed()
    parts = divided(frame, "kind", 4)
    parts[3].X = parts[3].X.assign(size="tall")
    with pytest.raises(
        genera.Error, match="partition 3: column 'size' is categorical, but numeric in partition 0"
    ):
        fitted(genera.MixedNB(), parts)
    with pytest.raises(genera.Error, match="partition 0: there is no column 'label'"):
        fitted(genera.MixedNB(), divided(frame, "label", 4))
    with pytest.raises(ValueError, match="all partitions are empty"):
        fitted(genera.QDA(), [Part(X[:0], y[:0])])
    with pytest.raises(TypeError, match="labels of the partitions are of the types"):
        fitted(genera.QDA(), [Part(X, y), Part(X, np.array(["a"] * len(y), dtype=object))])


def test_sums_that_do_not_fit_are_refused_before_they_are_made(blobs):
    X, y = blobs
    engine = MapEngine(divided(X, y, 3))
    engine.capacity = 100
    driver = Driver(genera.QDA(), genera.QDA(), engine)
    with pytest.raises(genera.Error, match="a model of 0 MiB, but it may use 0 MiB"):
        driver.fit()
    engine.capacity = 10000
    wide = np.random.default_rng(0).normal(size=(30, 200))
    engine._parts = [Part(wide, np.arange(30) % 2, None, "partition 0")]
    with pytest.raises(genera.Error, match="partition 0: the statistics of 2 classes and 200 columns take"):
        Driver(genera.QDA(), genera.QDA(), engine).fit()


def test_what_partitions_cannot_learn_is_refused(blobs):
    X, y = blobs
    for estimator in (genera.QDA(shrinkage="lw"), genera.GenerativeClassifier("lda", calibrate=True)):
        with pytest.raises(genera.Error, match="shrinkage|temperature"):
            fitted(estimator, divided(X, y, 2))


def clusters(rows=900):
    rng = np.random.default_rng(4)
    group = rng.choice(3, rows, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(rows, 3)) * [1, 2, 0.5] + 6 * np.array([[0, 0, 0], [1, 1, 0], [0, 2, 1]])[group]
    return X, group


@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_a_mixture_is_that_of_one_table(missing):
    X, _ = clusters()
    X[np.random.default_rng(6).random(X.shape) < missing] = np.nan
    parts = [Part(rows, None, None, f"partition {i}") for i, rows in enumerate(np.array_split(X, 5))]
    parts.insert(1, Part(X[:0], None, None, "partition 1"))
    estimator = genera.GaussianMixture((1, 4), covariance=("full", "diag", "tied"), random_state=1)
    ours = fitted(estimator, parts)
    theirs = type(estimator)(**estimator.get_params()).fit(X)
    assert (ours.n_components_, ours.covariance_) == (theirs.n_components_, theirs.covariance_)
    assert ours.bic_ == pytest.approx(theirs.bic_, abs=1e-4)
    np.testing.assert_allclose(ours.weights_, theirs.weights_, atol=1e-5)
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-4)
    np.testing.assert_allclose(ours.covariances_, theirs.covariances_, atol=1e-3)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_selection_judges_rows_that_the_models_have_not_seen(blobs):
    from genera._partitions.selection import cross_validate, facts_of, folds_of
    from genera._partitions import worker

    X, y = blobs
    parts = divided(X, y, 4)
    parts.insert(1, Part(X[:0], y[:0], None, "partition 1"))
    points = [genera.QDA(), genera.LDA(), genera.GaussianNB()]
    target = genera.GenerativeClassifier("qda")
    driver = Driver(target, genera.GenerativeClassifier("qda"), MapEngine(parts))
    judged = cross_validate(driver, points, 5, 1)
    assert driver.rounds == 2 and judged.rows == len(y)
    fold = np.concatenate(
        [folds_of(worker._encode(part.y, ""), i, 5, 1) for i, part in enumerate(parts) if len(part.y)]
    )
    assert np.bincount(fold).max() - np.bincount(fold).min() <= len(parts)
    for place, estimator in enumerate(points):
        losses = np.empty(len(y))
        errors = 0
        for one in range(5):
            local = type(estimator)().fit(X[fold != one], y[fold != one])
            rows = np.flatnonzero(fold == one)
            losses[rows] = -local.predict_log_proba(X[rows])[np.arange(len(rows)), y[rows]]
            errors += (local.predict(X[rows]) != y[rows]).sum()
        assert judged.losses[place] == pytest.approx(losses.sum(), rel=1e-10)
        assert judged.errors[place] == errors
    found = genera.Selection(["qda", "lda", "gnb"], facts_of(judged, [("qda", {}), ("lda", {}), ("gnb", {})], "log_loss"))
    assert found.best["log_loss"] == pytest.approx(min(judged.losses) / len(y))
