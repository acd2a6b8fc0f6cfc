"""Statistics add up: more rows, other rows, fewer rows, exactly."""

import numpy as np
import pytest

import genera

ADDITIVE = [
    genera.QDA(),
    genera.LDA(),
    genera.GaussianNB(),
    genera.RDA(),
    genera.BayesianQDA(),
    genera.GenerativeClassifier("dlda"),
    genera.MixedNB(),
]
COUNTED = [genera.MultinomialNB(), genera.ComplementNB(), genera.PoissonNB(), genera.BernoulliNB()]


def close(a, b, X):
    np.testing.assert_array_equal(a.classes_, b.classes_)
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("estimator", ADDITIVE + COUNTED, ids=repr)
def test_parts_are_the_whole(estimator, blobs, counts):
    from sklearn.base import clone

    X, y = counts if any(type(estimator) is type(one) for one in COUNTED) else blobs
    whole = clone(estimator).fit(X, y)
    parts = clone(estimator)
    for begin in range(0, len(y), 70):
        parts.partial_fit(X[begin : begin + 70], y[begin : begin + 70])
    close(parts, whole, X)
    first, second = clone(estimator).fit(X[:90], y[:90]), clone(estimator).fit(X[90:], y[90:])
    close(first.merge(second), whole, X)
    forgotten = clone(estimator).fit(X, y).forget(X[:50], y[:50])
    close(forgotten, clone(estimator).fit(X[50:], y[50:]), X)


def test_a_class_may_appear_at_any_time(blobs):
    X, y = blobs
    found = genera.QDA().partial_fit(X[y < 2], y[y < 2])
    assert found.classes_.tolist() == [0, 1]
    found.partial_fit(X[y == 2], y[y == 2])
    close(found, genera.QDA().fit(X, y), X)
    found.forget(X[y == 1], y[y == 1])
    close(found, genera.QDA().fit(X[y != 1], y[y != 1]), X)


def test_weights_scale(blobs):
    X, y = blobs
    weights = np.linspace(0.5, 2, len(y))
    found = genera.LDA().partial_fit(X[:150], y[:150], sample_weight=weights[:150])
    found.partial_fit(X[150:], y[150:], sample_weight=weights[150:])
    close(found, genera.LDA().fit(X, y, sample_weight=weights), X)


def test_more_than_there_is_cannot_be_forgotten(blobs):
    X, y = blobs
    found = genera.LDA().fit(X[:100], y[:100])
    before = found.predict_proba(X)
    with pytest.raises(genera.Error):
        found.forget(X, y)
    np.testing.assert_array_equal(found.predict_proba(X), before)


def test_where_rows_were_needed_there_are_no_statistics(blobs):
    X, y = blobs
    holes = X.copy()
    holes[0, 0] = np.nan
    with pytest.raises(genera.Error, match="no statistics"):
        genera.LDA().fit(holes, y).forget(X[:5], y[:5])
    with pytest.raises(genera.Error, match="missing"):
        genera.LDA().partial_fit(holes, y)
    for estimator in (genera.MDA(), genera.SoftmaxRegression(), genera.QDA(shrinkage="lw")):
        assert not hasattr(estimator, "partial_fit") and not hasattr(estimator, "forget")


@pytest.mark.parametrize(
    "estimator", [genera.QDA(), genera.GaussianNB(), genera.GenerativeClassifier("lda")]
)
def test_statistics_of_parts_travel_as_bytes_and_merge(estimator, iris):
    X, y = iris
    expected = estimator.collect(X, y)
    parts = [estimator.collect(X[i::3], y[i::3]).to_bytes() for i in range(3)]
    total = genera.Statistics.from_bytes(parts[0])
    for part in parts[1:]:
        total.merge(genera.Statistics.from_bytes(part))
    assert repr(total) == "<genera.Statistics of 150 rows in 3 classes>"
    for name, (mean, scatter, weight) in expected.moments().items():
        found = total.moments()[name]
        np.testing.assert_allclose(found[0], mean, rtol=1e-12)
        np.testing.assert_allclose(found[1], scatter, rtol=0, atol=1e-12 * np.abs(scatter).max())
        assert found[2] == weight
    assert not hasattr(estimator, "statistics_")
    with pytest.raises(genera.Error):
        genera.Statistics.from_bytes(parts[0][:100])
