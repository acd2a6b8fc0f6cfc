"""Interactive figures: the data of the core, and what is told of each row."""

import numpy as np
import pytest

import genera
from genera import plot

pytest.importorskip("plotly")
from genera.plot import plotly  # noqa: E402


@pytest.fixture(scope="module")
def fitted(iris):
    return genera.QDA().fit(*iris)


def points_of(figure):
    """Traces of rows by class."""
    return {one.name: one for one in figure.data if getattr(one, "mode", "") == "markers"}


def test_every_row_tells_its_posterior_and_its_evidence(fitted, iris):
    X, y = iris
    found = points_of(plotly.regions(fitted, X, y, features=(2, 3)))
    assert set(found) == set(fitted.classes_)
    posterior, explained = fitted.predict_proba(X), fitted.explain(X, most=3)
    for label, trace in found.items():
        rows = np.flatnonzero(y == label)
        np.testing.assert_array_equal(trace.x, X[rows, 2])
        np.testing.assert_array_equal(trace.y, X[rows, 3])
        for row, text in zip(rows, trace.text):
            best = posterior[row].argmax()
            assert text.startswith(f"row {row}<br>P({fitted.classes_[best]}) = {posterior[row, best]:.4g}")
            assert f"{explained[row].evidence[0].feature}: " in text
        widths = np.array(trace.marker.line.width)
        np.testing.assert_array_equal(widths == 2, fitted.predict(X)[rows] != label)


def test_rows_that_lack_a_number_of_the_axes_are_left_out(fitted, iris):
    X, y = iris
    holed = X.copy()
    holed[::3, 2] = np.nan
    found = points_of(plotly.regions(fitted, holed, y, features=(2, 3)))
    told = [int(text.split("<br>")[0][4:]) for trace in found.values() for text in trace.text]
    assert sorted(told) == np.flatnonzero(~np.isnan(holed[:, 2])).tolist()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(holed, columns=[f"x{j}" for j in range(4)])
    named = points_of(plotly.scatter(frame, y, features=(2, 3)))
    assert [trace.text for trace in named.values()] == [
        tuple(text.split("<br>")[0] for text in trace.text) for trace in found.values()
    ]


def test_regions_are_the_most_probable_classes(fitted):
    figure = plotly.regions(fitted, features=(2, 3))
    heat = [one for one in figure.data if one.type == "heatmap"]
    shown = np.stack([~np.isnan(np.array(one.z, dtype=float)) for one in heat])
    assert (shown.sum(axis=0) == 1).all()
    assert figure.layout.xaxis.title.text == "x2"


def test_judgements_are_those_of_the_evaluation(fitted, iris):
    X, y = iris
    evaluation = genera.evaluate(fitted, X, y)
    heat = plotly.confusion(evaluation).data[0]
    np.testing.assert_array_equal(heat.text, evaluation.confusion.to_numpy())
    curves = [one for one in plotly.roc(fitted, X, y).data if one.name]
    assert len(curves) == 3 and all("AUC" in one.name for one in curves)
    assert len(plotly.reliability(fitted, X, y).data) == 2


def test_densities(fitted):
    lines = plotly.density(fitted, features=2).data
    np.testing.assert_allclose(sum(np.array(one.y) for one in lines[:3]), lines[3].y)
    surface = plotly.density(fitted, features=(2, 3)).data[0]
    volume = np.trapezoid(np.trapezoid(surface.z, surface.x), surface.y)
    assert volume == pytest.approx(1, abs=0.02)
    assert len(plotly.density(fitted, features=(2, 3), by_class=True).data) == 3


def test_that_it_is_optional():
    assert not hasattr(plot, "backend")
    with pytest.raises(genera.Error, match="texts have no numbers"):
        plotly.scatter(["a b", "c d"], [0, 1])
