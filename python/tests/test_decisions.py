"""Decisions under costs, rejection, and other priors than those of the fit."""

import numpy as np
import pytest

import genera

COSTS = {
    "setosa": {"setosa": 0, "versicolor": 1, "virginica": 5},
    "versicolor": {"setosa": 2, "versicolor": 0, "virginica": 1},
    "virginica": {"setosa": 3, "versicolor": 10, "virginica": 0},
}


@pytest.fixture(scope="module")
def fitted():
    X, y = genera.datasets.load_iris(return_X_y=True)
    return genera.LDA().fit(X, y), X, y


def test_the_decision_costs_least(fitted):
    found, X, _ = fitted
    table = np.array([[COSTS[k][a] for a in found.classes_] for k in found.classes_])
    expected = found.classes_[(found.predict_proba(X) @ table).argmin(axis=1)]
    assert (expected != found.predict(X)).any()
    np.testing.assert_array_equal(found.decide(X, costs=COSTS), expected)
    np.testing.assert_array_equal(found.decide(X, costs=table), expected)
    np.testing.assert_array_equal(found.decide(X), found.predict(X))


def test_review_has_a_price(fitted):
    found, X, _ = fitted
    table = 1.0 - np.eye(3)
    decided = found.decide(X, costs=np.column_stack([table, np.full(3, 0.2)]))
    doubtful = found.predict_proba(X).max(axis=1) < 0.8
    assert doubtful.any()
    np.testing.assert_array_equal([label is None for label in decided], doubtful)


def test_rows_below_the_threshold_are_left_undecided(fitted):
    found, X, _ = fitted
    decided = found.decide(X, reject=0.9)
    doubtful = found.predict_proba(X).max(axis=1) < 0.9
    np.testing.assert_array_equal([label is None for label in decided], doubtful)
    np.testing.assert_array_equal(decided[~doubtful], found.predict(X)[~doubtful])
    with pytest.raises(genera.Error, match="reject"):
        found.decide(X, reject=1.5)


def test_outliers_are_left_undecided(fitted):
    found, X, _ = fitted
    rows = np.vstack([X, X[:3] + 40])
    decided = found.decide(rows, outlier=0.01)
    np.testing.assert_array_equal(
        [label is None for label in decided], found.outlier_tail(rows) < 0.01
    )
    assert all(label is None for label in decided[-3:])
    softmax = genera.SoftmaxRegression().fit(X, fitted[2])
    np.testing.assert_array_equal(softmax.decide(X), softmax.predict(X))
    with pytest.raises(genera.Error, match="no density"):
        softmax.decide(X, outlier=0.01)


def test_other_priors_reweigh_the_posterior(fitted):
    found, X, _ = fitted
    priors = np.array([0.1, 0.2, 0.7])
    changed = found.with_priors(priors)
    weighed = found.predict_proba(X) * priors / found.priors_
    np.testing.assert_allclose(
        changed.predict_proba(X), weighed / weighed.sum(axis=1, keepdims=True), atol=1e-12
    )
    np.testing.assert_allclose(changed.priors_, priors)
    np.testing.assert_allclose(found.priors_, 1 / 3)  # it is not changed
    by_name = found.with_priors(dict(zip(found.classes_.tolist(), priors)))
    np.testing.assert_array_equal(by_name.predict_proba(X), changed.predict_proba(X))
    np.testing.assert_allclose(changed.with_priors("uniform").priors_, 1 / 3)
    with pytest.raises(genera.Error, match="priors is 'rose'"):
        found.with_priors({"rose": 1.0})
    with pytest.raises(genera.Error, match="priors is 'estimate'"):
        found.with_priors("estimate")
    with pytest.raises(genera.Error, match="no statistics are kept"):
        changed.forget(X[:1], fitted[2][:1])


def test_priors_of_other_rows_are_found(fitted):
    found, X, y = fitted
    rows = np.concatenate([np.flatnonzero(y == "setosa"), np.flatnonzero(y == "virginica")[:10]])
    shares = found.priors_  # EM of Saerens, Latinne and Decaestecker
    posterior = found.predict_proba(X[rows])
    for _ in range(2000):
        weighed = posterior * (shares / found.priors_)
        shares = (weighed / weighed.sum(axis=1, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(found.estimate_priors(X[rows]), shares, atol=1e-8)
    assert found.with_priors(found.estimate_priors(X[rows])).priors_[0] == pytest.approx(50 / 60)


def test_labels_that_sort_otherwise_in_the_core(fitted):
    _, X, y = fitted
    names = np.select([y == "setosa", y == "versicolor"], ["10", "9"], "8")
    found, plain = genera.LDA().fit(X, names), genera.LDA().fit(X, y)
    table = np.arange(9.0).reshape(3, 3) * (1 - np.eye(3)) + 0.5
    order = [{"10": 0, "9": 1, "8": 2}[name] for name in found.classes_]
    decided = found.decide(X, costs=table[np.ix_(order, order)])
    expected = plain.decide(X, costs=table)
    translate = {"setosa": "10", "versicolor": "9", "virginica": "8"}
    assert decided.tolist() == [translate[label] for label in expected]
