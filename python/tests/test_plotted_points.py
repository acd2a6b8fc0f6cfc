"""Points that share a place, rings, and judgements of any classifier."""

import numpy as np
import pytest

import genera
from genera import plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawn(axes):
    """Everything is drawn, so that warnings of matplotlib come out."""
    first = axes.ravel()[0] if isinstance(axes, np.ndarray) else axes
    first.figure.canvas.draw()
    return axes


def lines_of(ax, gid):
    return [line for line in ax.lines if (line.get_gid() or "").startswith(gid)]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_whole_numbers_hide_no_class():
    """Two classes at the same nine places: each has nine dots of its own, by their counts."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, (400, 2)).astype(float)
    y = np.repeat([0, 1], 200)
    ax = drawn(plot.scatter(X, y))
    dots = [one for one in ax.collections if str(one.get_gid()).startswith("class")]
    assert [len(one.get_offsets()) for one in dots] == [9, 9]
    assert not set(map(tuple, dots[0].get_offsets().tolist())) & set(
        map(tuple, dots[1].get_offsets().tolist())
    )
    for k, one in enumerate(dots):
        places, counts = np.unique(X[y == k], axis=0, return_counts=True)
        assert abs(one.get_offsets() - places).max() < 0.2
        sizes = np.sqrt(one.get_sizes()) - 2
        np.testing.assert_allclose(
            sizes**2 / sizes[0] ** 2, counts / counts[0], rtol=1e-9
        )


def test_categories_have_bars():
    """Their heights are probabilities, and given the level posteriors."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 90)
    sort = np.where(rng.random(90) < 0.4, "u", np.where(y == 1, "v", "w"))
    frame = pandas.DataFrame({"a": rng.normal(size=90), "sort": sort, "flag": rng.random(90) < 0.3})
    model = genera.MixedNB(smoothing=0.5).fit(frame, y)
    heights = {
        (level, k): float(model.probability(equal={"sort": level}, of_class=k)) * model.priors_[k]
        for level in "uvw"
        for k in (0, 1)
    }
    above, below = drawn(plot.posterior(model, features="sort"))
    assert [label.get_text() for label in below.get_xticklabels()] == ["u", "v", "w"]
    for k in (0, 1):
        shown = [bar.get_height() for bar in above.containers[k]]
        np.testing.assert_allclose(shown, [heights[level, k] for level in "uvw"])
        given = [bar.get_height() for bar in below.containers[k]]
        total = [heights[level, 0] + heights[level, 1] for level in "uvw"]
        np.testing.assert_allclose(given, np.array(shown) / total)
    ax = drawn(plot.density(model, features="flag"))
    assert sum(bar.get_height() for bars in ax.containers for bar in bars) == pytest.approx(1)


def test_many_rings_become_dots(blobs):
    X, y = blobs
    few, many = y.copy(), np.roll(y, 1)
    few[:5] = (few[:5] + 1) % 3
    found = genera.LDA().fit(X, y)
    rings = lines_of(drawn(plot.regions(found, X, few)), "wrong")[0]
    assert rings.get_markerfacecolor() == "none" and rings.get_markersize() == 10
    dots = lines_of(drawn(plot.regions(found, X, many)), "wrong")[0]
    assert dots.get_markerfacecolor() == "black" and dots.get_markersize() < 2


def test_judgements_of_any_classifier(blobs):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = blobs
    X, y = X[y < 2], y[y < 2]
    peer = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    ax = drawn(plot.roc(peer, X, y))
    assert ax.get_aspect() == 1 and ax.get_xlabel() == "false positive rate"
    area = genera.evaluate(peer, X, y).auc
    assert f"AUC {area:.4f}" in legend_of(ax)[0]
    drawn(plot.confusion(peer, X, y))
    drawn(plot.reliability(peer, X, y))
    pipeline = make_pipeline(StandardScaler(), genera.LDA()).fit(X, y)
    own = genera.LDA().fit(X, y)
    assert legend_of(plot.roc(pipeline, X, y)) == legend_of(plot.roc(own, X, y))
    with pytest.raises(TypeError, match="GaussianMixture is not a fitted classifier"):
        plot.roc(genera.GaussianMixture(2).fit(X), X, y)
    with pytest.raises(genera.Error, match="texts have no numbers to show"):
        plot.scatter(["a b", "c d"], [0, 1])
