"""What mixtures answer besides their groups, and what models of several kinds have learned."""

import numpy as np
import pytest
from scipy import stats

import genera


def test_criteria_are_those_of_the_likelihood(iris):
    X, _ = iris
    found = genera.GaussianMixture(2, covariance="full").fit(X)
    assert found.bic(X) == pytest.approx(found.bic_)
    parameters = 1 + 2 * 4 + 2 * 10
    likelihood = found.score_samples(X[:50]).sum()
    assert found.aic(X[:50]) == pytest.approx(2 * parameters - 2 * likelihood)
    assert found.bic(X[:50]) == pytest.approx(parameters * np.log(50) - 2 * likelihood)


def test_a_row_of_weight_two_is_two_rows(iris):
    X, _ = iris
    weights = np.where(np.arange(150) < 50, 2.0, 1.0)
    found = genera.GaussianMixture(1).fit(X, sample_weight=weights)
    expected = genera.GaussianMixture(1).fit(np.vstack([X, X[:50]]))
    np.testing.assert_allclose(found.means_, expected.means_)
    np.testing.assert_allclose(found.covariances_, expected.covariances_)
    with pytest.raises(genera.Error, match="the weight is -1"):
        genera.GaussianMixture(1).fit(X, sample_weight=np.full(150, -1.0))


def test_rows_are_drawn_given_cells(iris):
    X, _ = iris
    found = genera.GaussianMixture(1).fit(X)
    mean, covariance = found.means_[0], found.covariances_
    covariance = covariance if covariance.ndim == 2 else covariance[0]
    rows, _ = found.sample(20000, random_state=1, given={2: 5.0})
    assert (rows[:, 2] == 5).all()
    slope = covariance[0, 2] / covariance[2, 2]
    expected = stats.norm(
        mean[0] + slope * (5 - mean[2]), np.sqrt(covariance[0, 0] - slope * covariance[0, 2])
    )
    assert stats.kstest(rows[:, 0], expected.cdf).pvalue > 1e-3


def test_components_of_each_class(iris):
    X, y = iris
    found = genera.MDA(2, starts=2).fit(X, y)
    assert list(found.components_) == ["setosa", "versicolor", "virginica"]
    joint = np.zeros((150, 3))
    for k, one in enumerate(found.components_.values()):
        assert one["weights"].sum() == pytest.approx(1)
        for weight, mean, covariance in zip(one["weights"], one["means"], one["covariances"]):
            joint[:, k] += weight * stats.multivariate_normal(mean, covariance).pdf(X)
    joint *= found.priors_
    np.testing.assert_allclose(found.score_samples(X), np.log(joint.sum(1)), rtol=1e-9)


def test_probabilities_of_flags_and_categories(counts):
    from scipy import sparse

    X, y = counts
    flags = (X > 0).astype(float)
    expected = np.stack([(flags[y == k].sum(0) + 1) / ((y == k).sum() + 2) for k in (0, 1)])
    for rows in (X, sparse.csr_matrix(X)):
        np.testing.assert_allclose(genera.BernoulliNB().fit(rows, y).probabilities_, expected)
    found = genera.CategoricalNB().fit(X, y)
    for j, (levels, table) in enumerate(zip(found.levels_, found.level_probabilities_)):
        counted = np.array([[(X[y == k, j] == int(v)).sum() + 1 for v in levels] for k in (0, 1)])
        np.testing.assert_allclose(table, counted / counted.sum(1, keepdims=True))


def test_weights_of_classes(iris):
    from sklearn.linear_model import LogisticRegression

    X, y = iris
    X, y = X[20:], y[20:]
    for weight in ("balanced", {"setosa": 3, "versicolor": 0.5}):
        peer = LogisticRegression(class_weight=weight, tol=1e-10, max_iter=20000).fit(X, y)
        found = genera.SoftmaxRegression(class_weight=weight, raw_units=True).fit(X, y)
        np.testing.assert_allclose(found.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    weights = np.linspace(1, 2, len(y))
    found = genera.SoftmaxRegression(class_weight={"setosa": 2}).fit(X, y, weights)
    expected = genera.SoftmaxRegression().fit(X, y, weights * np.where(y == "setosa", 2, 1))
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))
