"""Canonical variates: rows in the few directions in which the classes lie apart."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline

import genera
from genera.sklearn._discriminant import _divides_by_rows

SETS = ["iris", "wine", "breast_cancer", "crabs", "vowel_train"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("solver", ["svd", "eigen"])
def test_they_are_those_of_scikit_learn_up_to_their_sign(name, solver):
    X, y = genera.datasets.load(name, return_X_y=True)
    unbiased = solver == "svd" and not _divides_by_rows()
    found = genera.LDA(divisor="unbiased" if unbiased else "mle").fit(X, y)
    peer = LinearDiscriminantAnalysis(solver=solver, **({"tol": 0} if solver == "svd" else {})).fit(X, y)
    mine, theirs = found.transform(X), peer.transform(X)
    assert mine.shape == theirs.shape == (len(X), found._n_features_out)
    if solver == "eigen":  # it does not centre
        theirs = theirs - found.xbar_ @ peer.scalings_[:, : mine.shape[1]]
    signs = np.sign(np.sum(mine * theirs, axis=0))
    np.testing.assert_allclose(mine, theirs * signs, atol=1e-7 * np.abs(theirs).max())
    np.testing.assert_allclose(
        found.explained_variance_ratio_, peer.explained_variance_ratio_, atol=1e-9
    )
    np.testing.assert_allclose(mine, (X - found.xbar_) @ found.scalings_, atol=1e-8 * np.abs(mine).max())


def test_the_variance_within_classes_is_one(iris):
    X, y = iris
    found = genera.LDA().fit(X, y)
    Z = found.transform(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-10)
    within = sum((Z[y == c] - Z[y == c].mean(0)).T @ (Z[y == c] - Z[y == c].mean(0)) for c in found.classes_)
    np.testing.assert_allclose(within / len(X), np.eye(2), atol=1e-10)
    largest = np.abs(found.scalings_ * np.sqrt(np.diag(found.covariances_))[:, None]).argmax(axis=0)
    assert (found.scalings_[largest, [0, 1]] > 0).all()


def test_what_is_missing_is_expected(iris):
    X, y = iris
    found = genera.LDA().fit(X, y)
    holes = X[:20].copy()
    holes[::2, 1] = np.nan
    holes[3] = np.nan
    imputed = found.model_.impute(holes, None)["numbers"]
    np.testing.assert_allclose(found.transform(holes), found.transform(imputed), atol=1e-10)
    np.testing.assert_allclose(found.transform(holes)[3], 0, atol=1e-10)  # nothing is known of it
    np.testing.assert_array_equal(found.transform(holes)[1], found.transform(X)[1])


def test_columns_that_do_not_vary_have_no_part(iris):
    X, y = iris
    wide = np.column_stack([X[:, :2], np.full(len(X), 7.0), X[:, 2:]])
    found, plain = genera.LDA().fit(wide, y), genera.LDA().fit(X, y)
    np.testing.assert_allclose(found.transform(wide), plain.transform(X), atol=1e-10)
    assert found.xbar_[2] == 7 and (found.scalings_[2] == 0).all()


def test_number_of_components(iris):
    X, y = iris
    one = genera.LDA(n_components=1).fit(X, y)
    np.testing.assert_array_equal(one.transform(X), genera.LDA().fit(X, y).transform(X)[:, :1])
    assert one.scalings_.shape == (4, 1) and one.explained_variance_ratio_.shape == (1,)
    for wrong in (0, 3):
        with pytest.raises(genera.Error, match="n_components"):
            genera.LDA(n_components=wrong).fit(X, y)
    with pytest.raises(genera.Error, match="only one class"):
        genera.LDA().fit(X[:50], y[:50]).transform(X)


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_output_containers(container, iris):
    library = pytest.importorskip(container)
    X, y = iris
    found = genera.LDA().fit(X, y)
    try:
        found.set_output(transform=container)
    except ValueError:
        pytest.skip("this scikit-learn has no such container")
    Z = found.transform(X)
    assert isinstance(Z, library.DataFrame) and list(Z.columns) == ["lda0", "lda1"]
    assert found.get_feature_names_out().tolist() == ["lda0", "lda1"]
    np.testing.assert_array_equal(np.asarray(Z), genera.LDA().fit(X, y).transform(X))


def test_in_a_pipeline(iris):
    X, y = iris
    pipeline = make_pipeline(genera.LDA(n_components=1), genera.GaussianNB())
    assert pipeline.fit(X, y).score(X, y) > 0.95
    again = pickle.loads(pickle.dumps(clone(pipeline).fit(X, y)))
    np.testing.assert_array_equal(again.predict_proba(X), pipeline.predict_proba(X))


def test_infinite_numbers_are_refused(iris):
    X, y = iris
    found = genera.LDA().fit(X, y)
    broken = X.copy()
    broken[4, 2] = np.inf
    with pytest.raises(genera.Error, match="row 5: a number is infinite"):
        found.transform(broken)
