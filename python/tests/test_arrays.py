"""Arrays of any order, stride and type, none of them copied."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import genera


@pytest.fixture(scope="module")
def fitted(blobs):
    return genera.QDA().fit(*blobs)


def same(fitted, X, rows):
    np.testing.assert_array_equal(fitted.predict_proba(rows), fitted.predict_proba(X))
    np.testing.assert_array_equal(fitted.predict(rows), fitted.predict(X))


def test_any_order_and_stride(fitted, blobs):
    X, y = blobs
    wide = np.empty((600, 10))
    wide[::2, 1::2] = X
    wide[1::2] = np.nan
    frozen = X.copy()
    frozen.setflags(write=False)
    for rows in (np.asfortranarray(X), wide[::2, 1::2], X[::-1][::-1], frozen):
        same(fitted, X, rows)
        np.testing.assert_array_equal(genera.QDA().fit(rows, y).means_, fitted.means_)
    np.testing.assert_array_equal(fitted.predict(X[::-1]), fitted.predict(X)[::-1])


def test_other_elements(fitted, blobs):
    X, y = blobs
    single = X.astype(np.float32)
    same(fitted, single.astype(np.float64), single)
    np.testing.assert_array_equal(
        genera.QDA().fit(single, y).means_, genera.QDA().fit(single.astype(float), y).means_
    )
    whole = np.round(X)
    for rows in (whole.astype(np.int32), whole.astype(">f8"), whole.astype(object), whole.tolist()):
        same(fitted, whole, rows)
    unaligned = np.zeros((len(X), 41), dtype=np.uint8)[:, 1:].view(np.float64)
    unaligned[:] = X
    assert not unaligned.flags.aligned
    same(fitted, X, unaligned)

    class Other:
        def __array__(self, dtype=None, copy=None):
            return X if dtype is None else X.astype(dtype)

    same(fitted, X, Other())


def test_sparse_matrices(counts):
    X, y = counts
    kinds = (genera.MultinomialNB, genera.ComplementNB, genera.BernoulliNB, genera.GaussianNB, genera.QDA)
    for kind in kinds:
        dense = kind().fit(X, y)
        for convert in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array):
            found = kind().fit(convert(X), y)
            np.testing.assert_allclose(
                found.predict_proba(convert(X)), dense.predict_proba(X), atol=1e-12
            )
            np.testing.assert_allclose(found.predict_proba(X), dense.predict_proba(X), atol=1e-12)
            np.testing.assert_allclose(
                dense.predict_proba(convert(X)), dense.predict_proba(X), atol=1e-12
            )


PEAK = """
import resource, sys, numpy as np, genera
row = np.random.default_rng(1).normal(size=(1000, 40)).astype(sys.argv[1])
X = np.lib.stride_tricks.as_strided(row, (250, 1000, 40), (0, *row.strides))
y = (row[:, 0] > 0).astype(int)
model = genera.LDA().fit(row, y)
order = sys.argv[2]
big = np.empty((1_000_000, 40), dtype=sys.argv[1], order=order)
big[:] = 1.0
big[:1000] = row
labels = np.zeros(1_000_000, dtype=int)
labels[:1000] = y
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
genera.GaussianNB().fit(big, labels)
model.predict(big)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024 / big.nbytes)
"""


@pytest.mark.parametrize("element", ["float64", "float32"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_large_arrays_are_not_copied(element, order):
    done = subprocess.run(
        [sys.executable, "-B", "-c", PEAK, element, order], capture_output=True, text=True, check=True
    )
    # Labels and codes take 16 bytes a row, 5 or 10 % of the rows themselves.
    assert float(done.stdout) < 0.35


def test_sparse_arrays_of_any_stride():
    rng = np.random.default_rng(3)
    dense = rng.integers(0, 3, (40, 5)).astype(float)
    y = np.arange(40) % 2
    plain = sparse.csr_matrix(dense)
    wide = np.zeros((plain.nnz, 3))
    wide[:, 1] = plain.data
    strided = sparse.csr_matrix((wide[:, 1], plain.indices, plain.indptr), shape=plain.shape)
    expected = genera.MultinomialNB().fit(plain, y).predict_proba(plain)
    found = genera.MultinomialNB().fit(strided, y).predict_proba(strided)
    np.testing.assert_array_equal(found, expected)
