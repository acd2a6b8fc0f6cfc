"""Sparse matrices: what is not there is 0, and so is a 0 that is."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse

import genera
from genera import _genera, _input

PLACES = np.array([0, 2, 1, 0], dtype=np.int32)
BEGINS = np.array([0, 2, 2, 4], dtype=np.int32)
VALUES = np.array([3.0, 1.0, 2.0, 4.0])  # row 3 has its places in another order


def with_explicit_zeros(X, every=3):
    """CSR with some of the zeros written."""
    written = X != 0
    written.ravel()[::every] = True
    rows, columns = np.nonzero(written)
    begins = np.searchsorted(rows, np.arange(len(X) + 1))
    matrix = sparse.csr_matrix((X[rows, columns], columns, begins), shape=X.shape)
    assert (matrix.data == 0).any()
    return matrix


def assert_same_answers(one, other, X, rows):
    """Of an estimator fitted to arrays and one fitted to sparse rows."""
    for fitted in (one, other):
        np.testing.assert_allclose(fitted.predict_proba(rows), one.predict_proba(X), atol=1e-12)
        np.testing.assert_allclose(fitted.predict_proba(X), one.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("binarize", [0.0, 1.0, 2.5, None])
@pytest.mark.parametrize("convert", [sparse.csr_matrix, sparse.csc_array, with_explicit_zeros])
def test_flags_are_what_is_above_the_threshold(binarize, convert, counts):
    X, y = counts
    X = X - (np.arange(len(X)) % 5 == 0)[:, None]  # negative ones, too
    if binarize is None:
        with pytest.raises(genera.Error, match="which is neither 0 nor 1"):
            genera.BernoulliNB(binarize=None).fit(convert(X), y)
        X = (X > 0).astype(float)
    for smoothing in (1.0, 0.3):
        kind = genera.BernoulliNB(binarize=binarize, smoothing=smoothing)
        dense = copy.deepcopy(kind).fit(X, y)
        assert_same_answers(dense, kind.fit(convert(X), y), X, convert(X))


def test_flags_of_places_that_occur_twice_are_those_of_their_sum():
    X = sparse.csr_matrix(([1.0, 1.0, 1.0, 2.0], [0, 0, 1, 1], [0, 2, 3, 4]), shape=(3, 2))
    y = [0, 1, 1]
    dense = genera.BernoulliNB(binarize=1.0).fit(X.toarray(), y)
    found = genera.BernoulliNB(binarize=1.0).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), dense.predict_proba(X.toarray()), atol=1e-12)
    assert X.nnz == 4  # it is not changed


@pytest.mark.parametrize("model", ["bernoulli", "multinomial", "complement", "gnb", "lda", "logistic"])
def test_a_zero_that_is_written_is_not_there(model, counts):
    X, y = counts
    X = (X > 0).astype(float) if model == "bernoulli" else X
    matrix = with_explicit_zeros(X)
    entries = matrix.nnz
    plain = genera.GenerativeClassifier(model).fit(sparse.csr_matrix(X), y)
    found = genera.GenerativeClassifier(model).fit(matrix, y)
    expected = plain.predict_proba(sparse.csr_matrix(X))
    np.testing.assert_array_equal(found.predict_proba(matrix), expected)
    np.testing.assert_array_equal(plain.predict_proba(matrix), expected)
    assert matrix.nnz == entries  # it is not changed


def test_nothing_is_added_to_what_never_occurs(counts):
    X, y = counts
    X = np.where(np.add.outer(y, np.arange(4)) % 2 == 0, X + 1, 0)  # each class has its own columns
    dense = genera.MultinomialNB(smoothing=0).fit(X, y)
    found = genera.MultinomialNB(smoothing=0).fit(with_explicit_zeros(X), y)
    assert np.isfinite(found.predict_proba(with_explicit_zeros(X))).all()
    assert_same_answers(dense, found, X, with_explicit_zeros(X))


def test_what_is_in_order_is_not_copied(counts):
    X, _ = counts
    matrix = sparse.csr_matrix(X)
    assert _input.canonical(matrix)[0] is matrix
    assert _input.canonical(with_explicit_zeros(X))[1].is_canonical


FITTED = [
    genera.MultinomialNB(),
    genera.BernoulliNB(),
    genera.ComplementNB(),
    genera.GaussianNB(),
    genera.SoftmaxRegression(),
    genera.GenerativeClassifier("multinomial"),
    genera.GenerativeClassifier("bernoulli"),
    genera.GenerativeClassifier("gnb"),
    genera.GenerativeClassifier(),
]


@pytest.mark.parametrize("estimator", FITTED, ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_copies_are_the_same(estimator, counts):
    X, y = counts
    rows = sparse.csr_matrix(X)
    found = copy.deepcopy(estimator).fit(rows, y)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        np.testing.assert_array_equal(again.predict_proba(rows), found.predict_proba(rows))
        if found.__dict__.get("statistics_") is not None:
            assert again.statistics_.to_bytes() == found.statistics_.to_bytes()
    if hasattr(found, "partial_fit"):
        again = pickle.loads(pickle.dumps(found))
        again.forget(rows[:30], y[:30]).partial_fit(rows[:30], y[:30])
        np.testing.assert_allclose(again.predict_proba(rows), found.predict_proba(rows), atol=1e-9)


@pytest.mark.parametrize("name", ["rows.json", "rows.cbor", "rows.json.gz"])
def test_statistics_are_saved_and_loaded(name, counts, tmp_path):
    X, y = counts
    for estimator in (genera.MultinomialNB(), genera.GaussianNB()):
        found = estimator.fit(sparse.csr_matrix(X), y).statistics_
        found.save(str(tmp_path / name))
        again = _genera.load_statistics(str(tmp_path / name))
        assert again.to_bytes() == found.to_bytes() and again.terms == ["x0", "x1", "x2", "x3"]


def test_arrays_of_any_index():
    for index in (np.int32, np.int64):
        arrays = _genera.SparseArrays(BEGINS.astype(index), PLACES.astype(index), VALUES, 3)
        assert not arrays.is_canonical
        arrays = _genera.SparseArrays(BEGINS[:3].astype(index), PLACES, VALUES, 3)
        assert arrays.is_canonical
    twice = _genera.SparseArrays(np.array([0, 2]), np.array([1, 1]), VALUES[:2], 3)
    zero = _genera.SparseArrays(np.array([0, 2]), np.array([0, 1]), np.array([1, 0]), 3)
    assert not twice.is_canonical and not zero.is_canonical
    for arrays in (twice, zero):
        with pytest.raises(ValueError, match="in order, each of them once, and data must not hold 0"):
            _genera.Data(1).add_sparse(arrays, ["a", "b", "c"], "counts")
    whole = _genera.SparseArrays(np.array([0, 2]), np.array([0, 1]), VALUES[:2], 3)
    with pytest.raises(ValueError, match="a name for each column"):
        _genera.Data(1).add_sparse(whole, ["a", "b"], "counts")
    with pytest.raises(ValueError, match="the sparse matrix has 1 rows instead of 2"):
        _genera.Data(2).add_sparse(whole, ["a", "b", "c"], "counts")


@pytest.mark.parametrize(
    ("begins", "places", "words"),
    [
        ([0, 2, 2, 4], [0, 1, 2, 3], "indices: row 3 of the sparse matrix has an entry in column 3, but there are 3"),
        ([0, 2, 2, 4], [0, 1, 9, 2], "indices: row 3 of the sparse matrix has an entry in column 9"),
        ([0, 2, 2, 4], [-1, 1, 0, 2], "indices: row 1 of the sparse matrix has an entry in column -1"),
        ([0, 3, 2, 4], [0, 1, 0, 2], "indptr falls from 3 to 2 at row 2 of the sparse matrix"),
        ([0, -2, 2, 4], [0, 1, 0, 2], "indptr falls from 0 to -2 at row 1"),
        ([0, 2, 2, 5], [0, 1, 0, 2], "indptr ends with 5, but indices has 4 entries"),
        ([1, 2, 2, 4], [0, 1, 0, 2], "indptr begins with 1 instead of 0"),
        ([], [0, 1, 0, 2], "indptr is empty"),
        ([0, 2, 2, 3], [0, 1, 0], "indices has 3 entries, but data has 4"),
    ],
)
def test_arrays_that_are_no_matrix_are_refused(begins, places, words):
    for index in (np.int32, np.int64):
        with pytest.raises(ValueError, match=words):
            _genera.SparseArrays(np.array(begins, index), np.array(places, index), VALUES, 3)


def test_arrays_of_other_elements_are_refused():
    with pytest.raises(TypeError, match="indices must be integers of 32 or 64 bits"):
        _genera.SparseArrays(BEGINS, PLACES.astype(float), VALUES, 3)
    with pytest.raises(TypeError, match="indptr must be integers of 32 or 64 bits"):
        _genera.SparseArrays(BEGINS.astype(np.int8), PLACES, VALUES, 3)
    with pytest.raises(TypeError, match="data must be contiguous"):
        _genera.SparseArrays(BEGINS, PLACES, np.repeat(VALUES, 2)[::2], 3)


@pytest.mark.parametrize("kind", [genera.MultinomialNB, genera.BernoulliNB, genera.GaussianNB])
def test_estimators_refuse_matrices_that_are_none(kind, counts):
    X, y = counts
    rows = sparse.csr_matrix(X)
    dense, found = kind().fit(X, y), kind().fit(rows, y)
    broken = rows.copy()
    broken.indices[5] = 1000
    with pytest.raises(ValueError, match="has an entry in column 1000, but there are 4 columns"):
        kind().fit(broken, y)
    for fitted in (dense, found):
        with pytest.raises(ValueError, match="has an entry in column 1000"):
            fitted.predict(broken)


@pytest.mark.parametrize(
    "estimator", [*FITTED[:8], genera.TextClassifier("multinomial")], ids=repr
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_only_in_some_rows_is_learned_and_forgotten(estimator, counts):
    if not hasattr(estimator, "partial_fit"):
        pytest.skip("it does not add up")
    X, y = counts
    X = np.where(np.arange(len(X))[:, None] // 100 == np.arange(4) % 2, X, 0)  # columns of one half
    rows = sparse.csr_matrix(X)
    if isinstance(estimator, genera.TextClassifier):
        rows = np.array([" ".join(f"word{j} " * int(n) for j, n in enumerate(x)) for x in X], object)
    whole = copy.deepcopy(estimator).fit(rows, y)
    parts = copy.deepcopy(estimator).fit(rows[:100], y[:100]).partial_fit(rows[100:], y[100:])
    np.testing.assert_allclose(parts.predict_proba(rows), whole.predict_proba(rows), atol=1e-9)
    half = copy.deepcopy(estimator).fit(rows[100:], y[100:])
    parts.forget(rows[:100], y[:100])
    np.testing.assert_allclose(
        parts.predict_proba(rows[100:]), half.predict_proba(rows[100:]), atol=1e-9
    )
    again = pickle.loads(pickle.dumps(parts))
    np.testing.assert_array_equal(again.predict_proba(rows), parts.predict_proba(rows))


@pytest.mark.parametrize("estimator", FITTED[:5], ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_entries_that_are_no_numbers(estimator, counts):
    X, y = counts
    rows = sparse.csr_matrix(X)
    found, dense = copy.deepcopy(estimator).fit(rows, y), copy.deepcopy(estimator).fit(X, y)
    infinite, lost = rows.copy(), rows.copy()
    infinite.data[7], lost.data[7] = np.inf, np.nan
    for call in (estimator.fit, lambda X, y: found.predict(X), lambda X, y: dense.predict(X)):
        with pytest.raises(ValueError, match="infinity"):
            call(infinite, y)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        estimator.fit(lost, y)
    if not isinstance(estimator, (genera.MultinomialNB, genera.BernoulliNB)):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            found.predict(lost)
        return
    expected = dense.predict_proba(lost.toarray())
    for fitted in (found, dense):
        np.testing.assert_allclose(fitted.predict_proba(lost), expected, atol=1e-12)
