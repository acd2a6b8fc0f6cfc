"""Learning row by row, from the first one on."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import genera

ESTIMATORS = [genera.GaussianNB(), genera.LDA(), genera.QDA(), genera.RDA(), genera.BayesianQDA(), genera.MixedNB()]


@pytest.mark.filterwarnings("ignore::genera.FitWarning")  # the first rows are singular
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_single_rows_add_up_to_a_fit(estimator, iris):
    X, y = iris
    order = np.random.default_rng(1).permutation(len(y))
    found = clone(estimator)
    for i in order:
        found.partial_fit(X[i : i + 1], y[i : i + 1])
    whole = clone(estimator).fit(X, y)
    np.testing.assert_array_equal(found.classes_, whole.classes_)
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), atol=1e-9)


@pytest.mark.filterwarnings("ignore::genera.FitWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_rows_are_kept_before_there_is_a_model(estimator, iris):
    X, y = iris
    found = clone(estimator).partial_fit(X[:1], y[:1])
    for ask in (found.predict, pickle.loads(pickle.dumps(found)).predict_proba):
        with pytest.raises(NotFittedError, match="no model yet: every feature is constant: 'x0'"):
            ask(X)
    rest = clone(estimator).partial_fit(X[1:], y[1:])
    whole = clone(estimator).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(rest.merge(found).predict_proba(X), whole, atol=1e-9)
    np.testing.assert_allclose(found.partial_fit(X[1:], y[1:]).predict_proba(X), whole, atol=1e-9)


def test_wrong_parameters_are_refused_at_the_first_row(iris):
    X, y = iris
    with pytest.raises(genera.Error, match="divisor is 'n'"):
        genera.LDA(divisor="n").partial_fit(X[:1], y[:1])


@pytest.mark.parametrize("estimator", [*ESTIMATORS, genera.MultinomialNB()], ids=repr)
def test_classes_fix_the_columns(estimator, iris):
    X, y = iris
    X = (10 * X).round()  # counts
    classes = ["setosa", "versicolor", "virginica"]
    first = y != "versicolor"
    found = clone(estimator).partial_fit(X[first], y[first], classes=classes)
    two = clone(estimator).fit(X[first], y[first])
    assert found.classes_.tolist() == classes
    np.testing.assert_array_equal(found.predict_proba(X)[:, [0, 2]], two.predict_proba(X))
    assert (found.predict_proba(X)[:, 1] == 0).all() and found.priors_[1] == 0
    assert (found.predict_log_proba(X)[:, 1] == -np.inf).all()
    np.testing.assert_array_equal(found.predict(X), two.predict(X))
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        found.partial_fit(X[:1], ["sinosa"])
    with pytest.raises(ValueError, match="is not the same as on the first call"):
        found.partial_fit(X, y, classes=classes[:2])
    found.partial_fit(X[~first], y[~first], classes=classes)
    whole = clone(estimator).fit(X, y)
    np.testing.assert_allclose(found.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    again = found.fit(X[first], y[first])
    assert again.classes_.tolist() == ["setosa", "virginica"]
