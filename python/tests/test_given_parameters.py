"""Models that are stated, probabilities of events, conditioning."""

import numpy as np
import pytest
from scipy import stats

import genera

MEANS = np.array([[0.0, 0.0], [2.0, 1.0], [-1.0, 3.0]])
SHARED = np.array([[1.0, 0.5], [0.5, 2.0]])
OWN = np.stack([SHARED, np.eye(2), np.diag([0.5, 3.0])])
X = np.random.default_rng(1).normal(size=(50, 2)) * 2


@pytest.mark.parametrize(
    ("given", "covariances"),
    [
        ({"covariances": SHARED}, np.stack([SHARED] * 3)),
        ({"covariances": OWN}, OWN),
        ({"variances": [[1, 2], [3, 4], [5, 6]]}, np.stack([np.diag(v) for v in [[1, 2], [3, 4], [5, 6]]])),
    ],
)
def test_a_stated_model_is_the_one_of_the_formula(given, covariances):
    priors = np.array([0.2, 0.3, 0.5])
    model = genera.Model.from_parameters(MEANS, **given, priors=priors)
    joint = np.column_stack(
        [p * stats.multivariate_normal(m, c).pdf(X) for p, m, c in zip(priors, MEANS, covariances)]
    )
    np.testing.assert_allclose(model.posterior(X), joint / joint.sum(1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(model.log_density(X), np.log(joint.sum(1)), atol=1e-12)
    found = genera.GenerativeClassifier.from_parameters(
        MEANS, **given, priors={"c": 0.5, "a": 0.2, "b": 0.3}, classes=["a", "b", "c"]
    )
    np.testing.assert_array_equal(found.predict_proba(X), model.posterior(X))
    np.testing.assert_array_equal(found.predict(X), np.array(list("abc"))[joint.argmax(1)])
    np.testing.assert_allclose(found.priors_, priors)


def test_one_feature_and_names():
    model = genera.Model.from_parameters([0, 4], variances=[1, 4], columns=["height"])
    assert model.features == [("height", "numeric")]
    assert repr(model) == "<genera.Model gnb: 1 feature, 2 classes>"
    expected = stats.norm(0, 1).pdf(1) / (stats.norm(0, 1).pdf(1) + stats.norm(4, 2).pdf(1))
    np.testing.assert_allclose(model.posterior([[1.0]])[0, 0], expected)
    pandas = pytest.importorskip("pandas")
    found = genera.GenerativeClassifier.of_model(model)
    assert found.predict(pandas.DataFrame({"other": [9.0], "height": [0.0]})).tolist() == [0]
    with pytest.raises(ValueError, match="height"):
        found.predict(pandas.DataFrame({"other": [9.0]}))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "either covariances or variances"),
        ({"covariances": SHARED, "variances": MEANS}, "either covariances or variances"),
        ({"covariances": np.eye(3)}, r"covariances has the shape \(3, 3\), but there are 2 columns"),
        ({"covariances": SHARED, "priors": [0.5, 0.5]}, "priors has the shape"),
        ({"covariances": SHARED, "priors": [0.5, 0.5, 0.5]}, "sum"),
        ({"covariances": SHARED, "classes": ["a"]}, "classes has the shape"),
        ({"covariances": SHARED, "columns": ["a"]}, "1 column has a name"),
        ({"covariances": -SHARED}, "covariance"),
        ({"covariances": [[1, 0.5], [0.4, 1]]}, "symmetric"),
    ],
)
def test_what_is_no_model_is_said(parameters, message):
    with pytest.raises(genera.Error, match=message):
        genera.Model.from_parameters(MEANS, **parameters)


def test_probabilities_are_those_of_the_distribution():
    found = genera.GenerativeClassifier.from_parameters(MEANS, SHARED, classes=["a", "b", "c"])
    own = [stats.multivariate_normal(m, SHARED).cdf([1, 2], lower_limit=[-1, 0]) for m in MEANS]
    event = found.probability({0: (-1, 1), 1: (0, 2)})
    np.testing.assert_allclose(event.value, np.mean(own), atol=1e-6)
    np.testing.assert_allclose([event.by_class[k].value for k in "abc"], own, atol=1e-6)
    assert float(event) == event.value and event.error < 1e-6
    np.testing.assert_allclose(
        float(found.probability({"x0": (None, 1)}, of_class="b")), stats.norm(2, 1).cdf(1)
    )
    # x0 given x1: a normal in each class
    shares = np.array([stats.norm(m[1], np.sqrt(2)).pdf(1.5) for m in MEANS])
    deviation = np.sqrt(1 - 0.25 / 2)
    parts = [stats.norm(m[0] + 0.25 * (1.5 - m[1]), deviation).sf(0) for m in MEANS]
    given = found.probability({0: (0, None)}, given={1: 1.5})
    np.testing.assert_allclose(given.value, parts @ shares / shares.sum(), atol=1e-9)
    np.testing.assert_allclose([given.by_class[k].share for k in "abc"], shares / shares.sum())


def test_probabilities_of_categories():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    frame = pandas.DataFrame({"a": rng.normal(size=90), "s": rng.choice(["u", "v", "w"], 90)})
    y = rng.integers(0, 2, 90)
    found = genera.MixedNB(smoothing=0).fit(frame, y)
    np.testing.assert_allclose(
        float(found.probability(equal={"s": "u"}, of_class=1)), (frame["s"][y == 1] == "u").mean()
    )
    total = sum(float(found.probability({"a": (0, 1)}, equal={"s": s})) for s in "uvw")
    np.testing.assert_allclose(total, float(found.probability({"a": (0, 1)})))
    with pytest.raises(genera.Error, match="between speaks of 'b'"):
        found.probability({"b": (0, 1)})
    with pytest.raises(genera.Error, match="nothing|asked"):
        found.probability()


def test_missing_cells_are_expected_given_the_row_and_its_label(iris):
    X, y = iris
    found = genera.QDA().fit(X, y)
    holed = X.copy()
    holed[::5, 2] = np.nan
    kept = [0, 1, 3]
    means, covariances = found.means_, found.covariances_
    places = np.searchsorted(found.classes_, y)
    rows = np.arange(0, len(X), 5)
    by_class = np.column_stack(
        [
            m[2] + (X[np.ix_(rows, kept)] - m[kept]) @ np.linalg.solve(c[np.ix_(kept, kept)], c[kept, 2])
            for m, c in zip(means, covariances)
        ]
    )
    filled = found.impute(holed, y)
    np.testing.assert_allclose(filled[rows, 2], by_class[np.arange(len(rows)), places[rows]])
    weights = found.predict_proba(holed)[rows]
    np.testing.assert_allclose(found.impute(holed)[rows, 2], (weights * by_class).sum(1))
    drawn = found.impute(holed, draw=True, random_state=1)
    np.testing.assert_array_equal(drawn, found.impute(holed, draw=True, random_state=1))
    assert not np.isnan(drawn).any() and (drawn != filled).any()
    np.testing.assert_array_equal(drawn[~np.isnan(holed)], X[~np.isnan(holed)])


def test_scorers_are_asked_nothing_of_that(iris):
    found = genera.GenerativeClassifier("logistic").fit(*iris)
    for name in ("probability", "impute"):
        assert not hasattr(found, name)
        assert hasattr(genera.QDA(), name)


def test_a_bare_model_is_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    model = genera.Model.from_parameters(MEANS, SHARED, columns=["a", "b"])
    ax = genera.plot.regions(model)
    assert ax.get_xlabel() == "a"
    matplotlib.pyplot.close("all")
