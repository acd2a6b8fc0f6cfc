"""Labels of any kind."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import genera
import genera.sklearn


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -1, 7]),
        np.array([3, 250, 7], dtype=np.uint8),
        np.array([3, -250, 7], dtype=">i2"),
        np.array([3, 2, 7], dtype=np.float16),
        np.array([3, 2, 7], dtype=np.float32),
        np.array([0, 10**12, 5]),
        np.array([False, True, True]),
        np.array([1.0, 2.0, 4.0]),
        np.array(["b", "a", "ccc"]),
        np.array([b"b", b"a", b"ccc"]),
        np.array(["b", "a", "ccc"], dtype=object),
    ],
    ids=lambda labels: labels.dtype.str + str(labels.tolist()[:1]),
)
def test_they_come_back_as_they_were(labels, blobs):
    X, y = blobs
    given = labels[y]
    found = genera.QDA().fit(X, given)
    np.testing.assert_array_equal(found.classes_, np.unique(given))
    assert found.classes_.dtype == given.dtype
    places = genera.QDA().fit(X, np.unique(given, return_inverse=True)[1]).predict(X)
    np.testing.assert_array_equal(found.predict(X), found.classes_[places])
    assert found.predict(X).dtype == given.dtype


def test_lists_and_series(blobs):
    X, y = blobs
    names = [("a", "b", "c")[k] for k in y]
    assert set(genera.LDA().fit(X, names).predict(X)) <= {"a", "b", "c"}
    pandas = pytest.importorskip("pandas")
    for series in (pandas.Series(names), pandas.Series(names, dtype="category"), pandas.Series(y)):
        assert len(genera.LDA().fit(X, series).classes_) == 3


def test_nullable_labels_of_pandas(blobs):
    pandas = pytest.importorskip("pandas")
    X, y = blobs
    lost = np.arange(len(y)) % 3 == 0
    for series, classes in (
        (pandas.Series(np.array(list("abc"))[y], dtype="string"), ["a", "b", "c"]),
        (pandas.Series(y, dtype="Int64"), [0, 1, 2]),
        (pandas.Series(y > 0, dtype="boolean"), [False, True]),
        (pandas.Series(np.array(list("abc"))[y], dtype="category"), ["a", "b", "c"]),
    ):
        found = genera.LDA().fit(X, series.where(~lost))
        assert found.classes_.tolist() == classes and found.report_.unlabelled_left_out == 100


def test_dates_are_no_labels(blobs):
    X, y = blobs
    with pytest.raises(TypeError, match="strings or numbers, but they are of type datetime64"):
        genera.LDA().fit(X, y.astype("datetime64[ns]"))


@pytest.mark.parametrize("element", [np.uint8, np.int32, np.float32, bool])
def test_labels_of_parts_keep_their_type(element, blobs):
    X, y = blobs
    labels = y.astype(element)
    found = genera.LDA().partial_fit(X[:150], labels[:150]).partial_fit(X[150:], labels[150:])
    assert found.classes_.dtype == element and found.predict(X).dtype == element


def test_none_is_a_missing_label(blobs):
    X, y = blobs
    names = [None if i % 3 == 0 else "abc"[k] for i, k in enumerate(y)]
    found = genera.LDA().fit(X, names)
    assert found.report_.unlabelled_left_out == 100 and found.classes_.tolist() == ["a", "b", "c"]


def test_what_is_no_label_is_refused(blobs):
    X, y = blobs
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        genera.LDA().fit(X, y + 0.5)
    with pytest.raises(ValueError, match="infinity"):
        genera.LDA().fit(X, np.where(y == 1, np.inf, y))
    with pytest.raises(ValueError, match="no label"):
        genera.LDA().fit(X, np.full(len(y), np.nan))
    with pytest.raises(ValueError, match="requires y to be passed"):
        genera.LDA().fit(X, None)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        genera.LDA().fit(X, y[:-1])
    with pytest.raises(TypeError, match="strings or numbers"):
        genera.LDA().fit(X, np.array(["a" if k else 1 for k in y], dtype=object))


def test_a_column_of_labels_is_one_dimension_with_a_warning(blobs):
    X, y = blobs
    with pytest.warns(UserWarning, match="1d array was expected"):
        assert len(genera.LDA().fit(X, y[:, None]).classes_) == 3


def test_one_class_gets_all_rows(blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (genera.QDA().fit(X, np.full(len(y), "a")).predict(X) == "a").all()


def test_whole_numbers_beyond_64_bits_are_refused(blobs):
    X, _ = blobs
    y = np.array([2**70, 1] * (len(X) // 2 + 1), dtype=object)[: len(X)]
    with pytest.raises(ValueError, match="64 bits"):
        genera.QDA().fit(X, y)


def test_strings_of_numpy_beside_none(iris):
    X, y = iris
    labels = [None, *y[1:]]  # elements are numpy.str_
    found = genera.LDA().fit(X, labels)
    assert found.classes_.tolist() == ["setosa", "versicolor", "virginica"]


def test_arrays_of_arrow(iris):
    pyarrow = pytest.importorskip("pyarrow")
    X, y = iris
    found = genera.LDA().fit(X, pyarrow.array(y.tolist()))
    np.testing.assert_array_equal(found.predict(X), genera.LDA().fit(X, y).predict(X))
    numbers = pyarrow.chunked_array([[0] * 50, [1] * 50 + [None] * 50])
    assert genera.LDA().fit(X, numbers).classes_.tolist() == [0, 1]


def many(count, rows):
    """Rows of several classes, each around its own centre."""
    y = np.arange(rows) % count
    return np.random.default_rng(1).normal(size=(rows, 5)) + y[:, None] % [2, 3, 5, 7, 11], y


LABELS = {
    "many integers": (1000, lambda y: y),
    "few rows for each": (51, lambda y: y),
    "large": (3, lambda y: 2**60 + y),
    "large negative": (3, lambda y: -(2**60) - y),
    "unsigned": (3, lambda y: np.uint64(2**63 + 5) + y.astype(np.uint64)),
    "numbers in strings": (3, lambda y: np.array(["2", "10", "1"])[y]),
    "postcodes": (4, lambda y: np.array(["01234", "1234", "1e1", "10"])[y]),
    "objects": (3, lambda y: np.array(["2", "10", "1"], dtype=object)[y]),
    "bytes": (3, lambda y: np.array([b"a!", b"a", b"b"])[y]),
    "flags": (2, lambda y: y == 0),
    "floats": (2, lambda y: y.astype(float)),
}


@pytest.mark.parametrize("given", LABELS)
@pytest.mark.parametrize(
    "estimator",
    [genera.LDA(), genera.GaussianNB(), genera.SoftmaxRegression(max_iter=5), genera.MultinomialNB()],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore")
def test_classes_are_those_of_numpy_in_its_order(estimator, given, tmp_path):
    count, label = LABELS[given]
    X, places = many(count, 5 * count if count > 99 else 200)
    X = np.abs(X).round() if isinstance(estimator, genera.MultinomialNB) else X
    y = label(places)
    classes, codes = np.unique(y, return_inverse=True)
    plain = copy.deepcopy(estimator).fit(X, codes)
    found = copy.deepcopy(estimator).fit(X, y)
    found.save(tmp_path / "model.json")
    loaded = genera.load(tmp_path / "model.json")
    for one in (found, pickle.loads(pickle.dumps(found)), loaded):
        if one is not loaded or y.dtype.kind != "S":  # bytes become strings
            np.testing.assert_array_equal(one.classes_, classes)
            assert one.classes_.dtype.kind == y.dtype.kind or one is loaded and y.dtype == object
            np.testing.assert_array_equal(one.predict(X), classes[plain.predict(X)])
        for ask in ("predict_proba", "predict_log_proba", "decision_function"):
            np.testing.assert_allclose(getattr(one, ask)(X), getattr(plain, ask)(X), atol=1e-12)
    for name in ("priors_", "means_", "coef_", "intercept_", "probabilities_"):
        if hasattr(plain, name):
            np.testing.assert_allclose(getattr(found, name), getattr(plain, name), atol=1e-12)
    for one, other in zip(found.explain(X[:5]), plain.explain(X[:5])):
        assert one.best == classes[other.best] and one.second == classes[other.second]


@pytest.mark.filterwarnings("ignore::genera.FitWarning")
def test_eleven_thousand_classes():
    X, y = many(11392, 2 * 11392)
    found = genera.GaussianNB().fit(X, y)
    np.testing.assert_array_equal(found.classes_, np.arange(11392))
    for model in (genera.sklearn.LinearDiscriminantAnalysis(), genera.sklearn.GaussianNB()):
        np.testing.assert_array_equal(model.fit(X, y).classes_, found.classes_)


@pytest.mark.parametrize("scoring", ["neg_log_loss", "roc_auc_ovr", "accuracy"])
def test_scorers_see_the_order_of_classes(scoring, blobs):
    X, y = blobs
    names = np.array(["1", "10", "2"])  # as strings sort
    for estimator in (genera.LDA(), genera.SoftmaxRegression()):
        np.testing.assert_allclose(
            cross_val_score(estimator, X, names[y], scoring=scoring),
            cross_val_score(estimator, X, y, scoring=scoring),
            rtol=1e-9,
        )


def test_evaluations_and_priors_know_the_order_of_classes(blobs):
    X, y = blobs
    names = np.array(["1", "10", "2"])
    priors, costs = [0.2, 0.5, 0.3], np.array([[0, 1, 2], [3, 0, 4], [9, 5, 0]])
    plain, found = genera.LDA(priors=priors).fit(X, y), genera.LDA(priors=priors).fit(X, names[y])
    np.testing.assert_allclose(found.priors_, priors)
    for how in ({}, {"costs": costs}, {"priors": [0.6, 0.3, 0.1]}):
        one, other = genera.evaluate(found, X, names[y], **how), genera.evaluate(plain, X, y, **how)
        assert one.log_loss == pytest.approx(other.log_loss, rel=1e-12)
        assert one.errors == other.errors
        if "costs" in how:
            assert one.risk == pytest.approx(other.risk, rel=1e-12)
    two = np.array(["9", "10"])  # "10" is the first
    judged = genera.evaluate(genera.LDA().fit(X, two[y % 2]), X, two[y % 2])
    assert judged.positive == "9"


def test_labels_of_other_types_do_not_add_up(blobs):
    X, y = blobs
    found = genera.LDA().partial_fit(X, y)
    for labels in (y.astype(str), y > 0):
        with pytest.raises(TypeError, match="those learned before are of type integer"):
            copy.deepcopy(found).partial_fit(X, labels)
        with pytest.raises(TypeError, match="those learned before are of type integer"):
            copy.deepcopy(found).merge(genera.LDA().fit(X, labels))
    assert len(found.partial_fit(X, y.astype(float)).classes_) == 3  # 1 == 1.0


def test_labels_are_judged_by_their_text(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, np.array(["1", "10", "2"])[y])
    with pytest.warns(UserWarning, match="not a class of the model, '1e1'"):
        judged = genera.evaluate(found, X, np.array(["1", "1e1", "2"])[y])
    assert judged.rows == (y != 1).sum()


def test_large_whole_numbers_with_missing_labels():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    X, y = genera.datasets.load_iris(return_X_y=True)
    large = [int(k) + 2**60 for k in np.unique(y, return_inverse=True)[1]]
    some = [None if i % 3 == 0 else label for i, label in enumerate(large)]
    series = [
        pandas.Series(some, dtype="Int64"),
        pandas.Series(some, dtype="UInt64"),
        pandas.Series(some, dtype="int64[pyarrow]"),
        polars.Series(some),
    ]
    for labels in series:
        assert genera.LDA().fit(X, labels).classes_.tolist() == [2**60, 2**60 + 1, 2**60 + 2]


def test_unsigned_labels_are_loaded(tmp_path):
    X, y = genera.datasets.load_iris(return_X_y=True)
    labels = np.array([2**64 - 1, 2**64 - 2, 5], dtype=np.uint64)[np.unique(y, return_inverse=True)[1]]
    fitted = genera.LDA().fit(X, labels)
    fitted.save(tmp_path / "u.json")
    loaded = genera.load(tmp_path / "u.json")
    assert loaded.classes_.dtype == np.uint64
    np.testing.assert_array_equal(loaded.classes_, fitted.classes_)
    assert loaded.score(X, labels) == fitted.score(X, labels)
