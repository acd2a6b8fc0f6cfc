"""Labels of any kind."""

import warnings

import numpy as np
import pytest

import genera


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
        assert found.classes_.tolist() == classes and found.report_.unlabelled_rows == 100


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
    assert found.report_.unlabelled_rows == 100 and found.classes_.tolist() == ["a", "b", "c"]


def test_numbers_in_strings_sort_as_numbers(blobs):
    X, y = blobs
    found = genera.LDA().fit(X, np.array(["2", "10", "9"])[y])
    assert found.classes_.tolist() == ["2", "9", "10"]
    assert (found.predict(X) == found.classes_[found.predict_proba(X).argmax(1)]).all()


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
