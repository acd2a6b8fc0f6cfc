"""Figures of one feature: the bars are those of the core, and the rows."""

import numpy as np
import pytest
from test_plots import closed, drawn, how, labelled, legend_of, lines_of, qda  # noqa: F401

import genera
from genera import _genera, plot


def test_one_feature_draws_its_histogram(iris):
    X, y = iris[0][:, [2]], iris[1]
    model = genera.QDA().fit(X, y)
    figure = _genera.figure_line(model.model_, labelled(X, y), how("x0"))
    edges, joint = figure["histogram"]["edges"], figure["histogram"]["joint"]
    for k, name in enumerate(model.classes_):
        counts, _ = np.histogram(X[y == name, 0], edges)
        np.testing.assert_allclose(joint[:, k] * np.diff(edges) * len(y), counts, atol=1e-9)
    for ax in (
        drawn(plot.density(model, X, y)),
        drawn(plot.posterior(model, X, y))[0],
        drawn(plot.regions(model, X, y))[0],
        drawn(plot.scatter(X, y)),
    ):
        bars = [patch for patch in ax.patches if patch.get_gid() == "histogram"]
        assert len(bars) == 3
        np.testing.assert_array_equal(bars[1].get_data().values, joint[:, 1])
    above = drawn(plot.predictions(model, X, y))[0]
    assert [p.get_gid() for p in above.patches].count("predicted") == 3
    assert f"misclassified ({(model.predict(X) != y).sum()})" in legend_of(above)
    assert "all together" in legend_of(above)
    with pytest.raises(genera.Error, match="shows one feature"):
        plot.regions(model, X, y, y_range=(0, 1))


def test_one_feature_of_a_scorer(iris):
    X, y = iris[0][:, [2]], iris[1]
    model = genera.SoftmaxRegression().fit(X, y)
    above, below = drawn(plot.regions(model, X, y))
    assert above.get_ylabel() == "density" and below.get_ylabel() == "posterior"
    assert [p.get_gid() for p in below.patches].count("region") == 3


def test_samples_of_one_feature_and_without_data(iris, qda):
    X, y = iris[0][:, [2]], iris[1]
    model = genera.QDA().fit(X, y)
    above, below = drawn(plot.samples(model, X, y, n=80, random_state=2))
    assert (above.get_ylabel(), below.get_ylabel()) == ("density, data", "density, 80 rows drawn")
    assert [p.get_gid() for p in below.patches].count("drawn") == 3
    (alone,) = drawn(plot.samples(model, random_state=2))
    assert "300 rows drawn" in legend_of(alone)
    (plane,) = drawn(plot.samples(qda, n=30, random_state=2))
    assert sum(len(line.get_xdata()) for line in lines_of(plane, "class")) == 30
    with pytest.raises(genera.Error, match="n is 0"):
        plot.samples(qda, n=0)
