"""Against scikit-learn on open data, where the definitions coincide: what must be told, and how far apart."""

import numpy as np
import pytest
from sklearn import discriminant_analysis, linear_model, naive_bayes
from sklearn.preprocessing import StandardScaler

import genera
from genera.sklearn._discriminant import _divides_by_rows

SETS = ["iris", "wine", "breast_cancer", "crabs", "vowel_train", "notes3b"]


def divisor():
    """That of the scikit-learn installed: n in 1.9, the degrees of freedom in 1.2."""
    return "mle" if _divides_by_rows() else "unbiased"


@pytest.fixture(params=SETS)
def rows(request):
    return genera.datasets.load(request.param, return_X_y=True)


def agree(one, other, X):
    np.testing.assert_array_equal(one.classes_, other.classes_)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-8)


def test_qda(rows):
    X, y = rows
    peer = discriminant_analysis.QuadraticDiscriminantAnalysis(tol=0).fit(X, y)
    agree(genera.QDA(divisor=divisor()).fit(X, y), peer, X)


def test_lda(rows):
    X, y = rows
    # lsqr has one formula in all versions: the mle, and no threshold.
    peer = discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    found = genera.LDA().fit(X, y)
    agree(found, peer, X)
    scale = np.abs(peer.coef_).max()
    if len(found.classes_) > 2:  # scikit-learn's differ from ours by what all classes share
        np.testing.assert_allclose(
            found.coef_ - found.coef_.mean(0), peer.coef_ - peer.coef_.mean(0), atol=1e-7 * scale
        )
    else:
        np.testing.assert_allclose(found.coef_, peer.coef_, atol=1e-7 * scale)
    svd = discriminant_analysis.LinearDiscriminantAnalysis(tol=0).fit(X, y)
    agree(genera.LDA(divisor=divisor()).fit(X, y), svd, X)


def test_gaussian_naive_bayes(rows):
    X, y = rows
    peer = naive_bayes.GaussianNB(var_smoothing=0).fit(X, y)
    found = genera.GaussianNB().fit(X, y)
    assert found.report_.variances_raised == 0
    agree(found, peer, X)


def test_counts_and_flags():
    X, y = genera.datasets.load("digits", return_X_y=True)
    agree(genera.MultinomialNB().fit(X, y), naive_bayes.MultinomialNB().fit(X, y), X)
    agree(genera.ComplementNB().fit(X, y), naive_bayes.ComplementNB().fit(X, y), X)
    varies = (X > 8).any(axis=0) & ~(X > 8).all(axis=0)  # we count the levels that are seen
    X = X[:, varies]
    agree(
        genera.BernoulliNB(binarize=8).fit(X, y), naive_bayes.BernoulliNB(binarize=8).fit(X, y), X
    )


def test_categories():
    columns, y = genera.datasets.load("lenses", return_X_y=True)
    X = np.column_stack([np.unique(v.astype(str), return_inverse=True)[1] for v in columns.values()])
    agree(
        genera.CategoricalNB().fit(X.astype(float), y), naive_bayes.CategoricalNB().fit(X, y), X
    )


@pytest.mark.skipif(not _divides_by_rows(), reason="older solvers end far from the minimum")
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_raw_units_penalise_as_scikit_learn_does(name):
    X, y = genera.datasets.load(name, return_X_y=True)
    ridge = 0.7
    C = (2 if len(set(y)) == 2 else 1) / ridge
    how = {"solver": "newton-cholesky", "tol": 1e-14, "max_iter": 10000}
    peer = linear_model.LogisticRegression(C=C, **how).fit(X, y)
    found = genera.GenerativeClassifier("logistic", ridge=ridge, raw_units=True).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), peer.predict_proba(X), atol=1e-6)
    exact = genera.SoftmaxRegression(ridge=ridge, raw_units=True, tol=0).fit(X, y)
    np.testing.assert_allclose(exact.predict_proba(X), peer.predict_proba(X), atol=1e-8)


@pytest.mark.filterwarnings("ignore:newton-cg failed")  # to get nearer than rounding lets it
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_softmax_regression_is_logistic_regression(name):
    """At the minimum: both solvers go on until rounding ends them."""
    X, y = genera.datasets.load(name, return_X_y=True)
    ridge = 0.7
    C = (2 if len(set(y)) == 2 else 1) / ridge
    Z = StandardScaler().fit_transform(X)
    how = {"solver": "newton-cg", "tol": 1e-14, "max_iter": 10000}
    if _divides_by_rows():  # 1.9: Newton's method also for several classes
        how["solver"] = "newton-cholesky"
    peer = linear_model.LogisticRegression(C=C, **how).fit(Z, y)
    found = genera.SoftmaxRegression(ridge=ridge, tol=0).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), peer.predict_proba(Z), atol=1e-8)
    np.testing.assert_array_equal(found.predict(X), peer.predict(Z))
    unhurried = genera.SoftmaxRegression(ridge=ridge).fit(X, y)  # tol = 1e-8
    np.testing.assert_allclose(unhurried.predict_proba(X), found.predict_proba(X), atol=1e-6)
