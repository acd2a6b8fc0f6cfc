"""Figures: what is drawn is what the core has computed, and nothing else."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import genera
from genera import _genera, plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def qda(iris):
    return genera.QDA().fit(*iris)


@pytest.fixture(scope="module")
def sonar():
    X, y = genera.datasets.load_sonar(return_X_y=True)
    return genera.LDA().fit(X, y), X, y


def drawn(axes):
    """Everything is drawn, so that warnings of matplotlib come out."""
    first = axes.ravel()[0] if isinstance(axes, np.ndarray) else axes
    first.figure.canvas.draw()
    return axes


def how(*axes, grid=(320, 240), mass=()):
    return {
        "axes": list(axes),
        "ranges": [None, None],
        "others_at_mean": False,
        "masses": list(mass),
        "columns": grid[0],
        "rows": grid[1],
    }


def lines_of(ax, gid):
    return [line for line in ax.lines if (line.get_gid() or "").startswith(gid)]


def collections_of(ax, gid):
    return [one for one in ax.collections if (one.get_gid() or "").startswith(gid)]


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def labelled(X, y):
    data = _genera.Data(len(X))
    data.add_numbers(X, [f"x{j}" for j in range(X.shape[1])])
    classes, codes = np.unique(y, return_inverse=True)
    data.set_labels(codes, [str(name) for name in classes])
    return data


# -- every kind ----------------------------------------------------------------------------------


KINDS = {
    "scatter": lambda m, X, y: plot.scatter(X, y),
    "regions": lambda m, X, y: plot.regions(m, X, y),
    "regions without rows": lambda m, X, y: plot.regions(m, others="mean", mass=[0.8]),
    "regions without labels": lambda m, X, y: plot.regions(m, X),
    "regions of softmax": lambda m, X, y: plot.regions(genera.SoftmaxRegression().fit(X, y), X, y),
    "density": lambda m, X, y: plot.density(m, X, y),
    "density of one": lambda m, X, y: plot.density(m, features="x0", between=(5, 6)),
    "surface": lambda m, X, y: plot.density(m, surface=True),
    "by class": lambda m, X, y: plot.density(m, by_class=True, title="three"),
    "density of three": lambda m, X, y: plot.density(m, X, y, features=(0, 2, 3), mass=0.9),
    "posterior": lambda m, X, y: plot.posterior(m, X, y, features=2, title="one"),
    "predictions": lambda m, X, y: plot.predictions(m, X, y),
    "samples": lambda m, X, y: plot.samples(m, X, y, random_state=3, title="two"),
    "pairs": lambda m, X, y: plot.pairs(m, X, y, features=(0, 1, 3), title="nine"),
    "canonical": lambda m, X, y: plot.canonical(m, X, y),
    "confusion": lambda m, X, y: plot.confusion(m, X, y, title="three errors"),
    "reliability": lambda m, X, y: plot.reliability(m, X, y),
    "roc": lambda m, X, y: plot.roc(m, X, y),
    "features": lambda m, X, y: plot.features(m, title="four"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_without_warnings(kind, qda, iris):
    assert drawn(KINDS[kind](qda, *iris)) is not None


def test_every_kind_of_the_command_line_is_there():
    text = (ROOT / "apps" / "cli" / "verbs" / "plot.cpp").read_text()
    kinds = re.findall(r'^\s+\{"(\w+)", \d, \d, "', text, re.M)
    assert len(kinds) > 10 and sorted(kinds) == sorted(plot.__all__)


def test_colours_are_those_of_the_command_line():
    text = (ROOT / "apps" / "cli" / "plot" / "script.cpp").read_text()
    listed = re.search(r"colours\{(.*?)\};", text, re.S).group(1)
    from genera.plot._draw import COLOURS

    assert ["#" + code for code in re.findall(r"0x(\w{6})", listed)] == list(COLOURS)


# -- what is drawn -------------------------------------------------------------------------------


def test_regions_are_those_of_the_core(qda, iris):
    X, y = iris
    ax = drawn(plot.regions(qda, X, y, features=("x0", "x3")))
    figure = _genera.figure_regions(qda.model_, labelled(X, y), how("x0", "x3"))
    segments = collections_of(ax, "boundaries")[0].get_segments()
    assert len(segments) == len(figure["boundaries"]) > 0
    for segment, curve in zip(segments, figure["boundaries"]):
        np.testing.assert_array_equal(segment, np.column_stack((curve["x"], curve["y"])))
    outlines = [s for one in collections_of(ax, "ellipses") for s in one.get_segments()]
    expected = [np.column_stack((e["x"], e["y"])) for e in figure["ellipses"]]
    assert len(outlines) == len(expected) == 9
    assert {tuple(o[0]) for o in outlines} == {tuple(o[0]) for o in expected}
    for k in range(3):
        (points,) = lines_of(ax, f"class {k}")
        here = figure["points"]["classes"] == k
        np.testing.assert_array_equal(points.get_xdata(), X[here, 0])
        np.testing.assert_array_equal(points.get_ydata(), X[here, 3])
        assert points.get_markerfacecolor() == plot._draw.COLOURS[k]
    (ring,) = lines_of(ax, "wrong")
    wrong = qda.predict(X) != y
    np.testing.assert_array_equal(ring.get_xdata(), X[wrong, 0])
    assert (ax.get_xlim(), ax.get_ylim()) == tuple(tuple(axis["range"]) for axis in figure["axes"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x0", "x3")
    assert legend_of(ax) == [
        "setosa", "versicolor", "virginica", f"misclassified ({wrong.sum()})",
        "50 % inside", "90 % inside", "99 % inside",
    ]  # fmt: skip
    assert ax.figure._supxlabel.get_text() == "x1 and x2 are marginalised"


def test_shades_are_the_colour_of_the_best_class(qda):
    ax = plot.regions(qda, features=(0, 3))
    figure = _genera.figure_regions(qda.model_, None, how("x0", "x3"))
    (image,) = ax.images
    pixels = np.asarray(image.get_array())
    assert pixels.shape == (240, 320, 3)
    for j, i in ((0, 0), (120, 160), (239, 319)):
        k = int(figure["labels"][j, i])
        sure = (figure["posterior"][k][j, i] - 1 / 3) / (2 / 3)
        full = np.array(matplotlib.colors.to_rgb(plot._draw.COLOURS[k]))
        np.testing.assert_allclose(pixels[j, i], 1 + (full - 1) * (0.10 + 0.32 * sure), atol=1e-12)
    left, right, bottom, top = image.get_extent()
    x, y = figure["x"], figure["y"]
    assert (left + right) / 2 == pytest.approx((x[0] + x[-1]) / 2)
    assert (right - left) / 320 == pytest.approx(x[1] - x[0])
    assert (top - bottom) / 240 == pytest.approx(y[1] - y[0])


def test_lines_are_densities_and_posteriors(qda):
    above, below = drawn(plot.posterior(qda, features="x2"))
    figure = _genera.figure_line(qda.model_, None, how("x2"))
    np.testing.assert_array_equal(lines_of(above, "density")[0].get_ydata(), figure["density"])
    for k in range(3):
        np.testing.assert_array_equal(below.lines[k].get_ydata(), figure["posterior"][:, k])
        np.testing.assert_array_equal(above.lines[k].get_ydata(), figure["joint"][:, k])
    assert [line.get_xdata()[0] for line in below.lines[3:]] == figure["boundaries"].tolist()
    ax = plot.density(qda, features="x0", between=(5, 6))
    area = _genera.figure_line(qda.model_, None, how("x0"), (5, 6))["area"]
    assert f"P(5 ≤ x ≤ 6) = {area['probability']:.4f}" in legend_of(ax)


def test_contours_are_those_of_the_core(qda):
    ax = plot.density(qda, features=(0, 3))
    figure = _genera.figure_density(qda.model_, None, how("x0", "x3"))
    drawn_lines = [len(one.get_segments()) for one in ax.collections]
    assert drawn_lines == [len(contour["lines"]) for contour in figure["contours"]]
    first = figure["contours"][0]["lines"][0]
    np.testing.assert_array_equal(
        ax.collections[0].get_segments()[0], np.column_stack((first["x"], first["y"]))
    )
    assert legend_of(ax)[3] == "all together"


def test_surfaces_stand_on_the_densities(qda):
    ax = plot.density(qda, features=(0, 3), by_class=True)
    figure = _genera.figure_density(qda.model_, None, how("x0", "x3", grid=(120, 120)))
    assert ax.get_zlim()[1] == pytest.approx(1.02 * np.max(figure["joint"]))
    curve = figure["boundaries"][0]
    heights = plot._draw.lifted(figure, curve)
    exact = np.exp(qda.model_.log_joint(_given(curve)))[:, curve["first"]]
    np.testing.assert_allclose(heights, exact, atol=0.02 * np.max(figure["joint"]))


def _given(curve):
    rows = np.full((len(curve["x"]), 4), np.nan)
    rows[:, 0], rows[:, 3] = curve["x"], curve["y"]
    return rows


def test_ellipsoids_hold_their_share(qda):
    solid = _genera.figure_solid(qda.model_, None, how("x0", "x2", "x3", mass=[0.9]))["ellipsoids"][
        1
    ]
    at = np.stack([part.ravel() for part in plot._draw.ellipsoid(solid)], 1) - solid["centre"]
    covariance = qda.covariances_[1][np.ix_([0, 2, 3], [0, 2, 3])]
    squared = np.einsum("ij,jk,ik->i", at, np.linalg.inv(covariance), at)
    np.testing.assert_allclose(squared, 6.251388631170325, rtol=1e-9)  # chi-square, 3 degrees, 0.9


def test_samples_and_pairs(qda, iris):
    X, y = iris
    left, right = plot.samples(qda, X, y, features=(2, 3), random_state=5)
    figure = _genera.figure_samples(qda.model_, labelled(X, y), how("x2", "x3"), 5)
    np.testing.assert_array_equal(
        np.concatenate([line.get_xdata() for line in right.lines]),
        np.concatenate(
            [figure["drawn"]["at"][0][figure["drawn"]["classes"] == k] for k in range(3)]
        ),
    )
    assert (left.get_title(), right.get_title()) == ("data", "drawn from the model")
    axes = drawn(plot.pairs(qda, X, y, features=(0, 2, 3)))
    assert axes.shape == (3, 3)
    np.testing.assert_array_equal(
        lines_of(axes[0, 2], "class 1")[0].get_xdata(), X[y == "versicolor", 3]
    )
    np.testing.assert_array_equal(
        lines_of(axes[0, 2], "class 1")[0].get_ydata(), X[y == "versicolor", 0]
    )
    assert collections_of(axes[2, 0], "boundaries") and axes[2, 0].get_xlabel() == "x0"


def test_canonical_variates(iris, sonar):
    X, y = iris
    model = genera.LDA().fit(X, y)
    ax = plot.canonical(model, X, y)
    figure = _genera.figure_canonical(model.model_, labelled(X, y), how())
    np.testing.assert_array_equal(lines_of(ax, "means")[0].get_xdata(), figure["means"][:, 0])
    assert ax.get_xlabel() == "canonical variate 1 (99.1 %)"
    assert len(drawn(plot.canonical(*sonar))) == 2  # of two classes the one variate, as densities


def test_confusion_is_that_of_the_evaluation(qda, iris):
    X, y = iris
    found = genera.evaluate(qda, X, y)
    ax = drawn(plot.confusion(found))
    cells = {tuple(map(int, text.get_position())): int(text.get_text()) for text in ax.texts}
    counts = found.to_dict()["confusion"]
    assert cells == {(l, k): counts[k][l] for k in range(3) for l in range(3) if counts[k][l]}
    assert [text.get_text() for text in ax.get_xticklabels()] == list(qda.classes_)
    assert ax.figure._supxlabel.get_text().startswith("3 of 150 rows are wrong (2 %)")
    again = plot.confusion(qda, X, y)
    assert [text.get_text() for text in again.texts] == [text.get_text() for text in ax.texts]


def test_reliability_and_roc(sonar):
    model, X, y = sonar
    found = genera.evaluate(model, X, y)
    (bins,) = lines_of(plot.reliability(found), "bins")
    filled = [bin for bin in found.to_dict()["reliability"] if bin["rows"]]
    np.testing.assert_array_equal(bins.get_ydata(), [bin["accuracy"] for bin in filled])
    np.testing.assert_array_equal(bins.get_xdata(), [bin["confidence"] for bin in filled])
    ax = drawn(plot.roc(model, X, y, positive="M"))
    area = genera.evaluate(model, X, y, positive="M").auc
    assert legend_of(ax) == [f"M  AUC {area:.4f}"]
    x, height = ax.lines[1].get_data()
    assert (np.diff(x) * (height[1:] + height[:-1]) / 2).sum() == pytest.approx(area)


def test_curves_with_errors_and_crossings(iris):
    found = genera.compare(*iris, pairs=["lda"], sizes=[10, 20, 50], repeats=6, ridge=1)
    ax = drawn(plot.curves(found, metric="log_loss"))
    records = [one for one in found.to_dict()["curves"] if one["model"] == "lda"]
    lda = [box for box in ax.containers][1]
    np.testing.assert_array_equal(lda[0].get_ydata(), [one["log_loss_mean"] for one in records])
    np.testing.assert_array_equal(lda[0].get_xdata(), [10, 20, 50])
    lengths = [np.ptp(segment[:, 1]) / 2 for segment in lda[2][0].get_segments()]
    np.testing.assert_allclose(lengths, [one["log_loss_se"] for one in records], rtol=1e-9)
    crossing = [one["size"] for one in found.to_dict()["crossings"] if one["metric"] == "log_loss"]
    assert ("curves cross" in legend_of(ax)) == (crossing[0] is not None)
    drawn_from = genera.compare(
        from_=genera.LDA().fit(*iris),
        pairs="lda",
        dimensions=[2, 3],
        sizes=[20],
        repeats=2,
        ridge=1,
    )
    drawn(plot.curves(drawn_from, dimension=2))
    rows = [one["rows"] for one in drawn_from.to_dict()["needed"]]
    if any(one is not None for one in rows):
        assert "proportional to the columns" in legend_of(drawn(plot.needed(drawn_from)))
    with pytest.raises(genera.Error, match="dimension is 4, which was not tried"):
        plot.curves(drawn_from, dimension=4)


def test_the_path_of_rda(iris):
    found = genera.select(
        *iris, models=["lda", "rda"], grid={"alpha": [0, 0.3, 1], "gamma": [0, 0.5]}, refit=False
    )
    ax = drawn(plot.path(found))
    mesh = ax.collections[0]
    values = np.asarray(mesh.get_array()).reshape(2, 3)
    expected = [one["log_loss"] for one in found.to_dict()["candidates"][1:]]
    np.testing.assert_array_equal(values.T.ravel(), expected)
    (ring,) = lines_of(ax, "best")
    best = min(found.to_dict()["candidates"][1:], key=lambda one: one["log_loss"])
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (best["alpha"], best["gamma"])
    with pytest.raises(genera.Error, match="there is no grid of alpha and gamma") as error:
        plot.path(genera.select(*iris, models="lda", refit=False))
    assert 'models="rda"' in error.value.hint


def test_bic_of_mixtures():
    X = genera.datasets.load_faithful_unlabelled().data
    found = genera.GaussianMixture((1, 3), covariance=("qda", "lda"), starts=3).fit(X)
    ax = drawn(plot.bic(found))
    (ring,) = lines_of(ax, "best")
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (found.n_components_, found.bic_)
    of_full = [one["bic"] for one in found.candidates_ if one["covariance"] == "full"]
    np.testing.assert_array_equal(ax.containers[0][0].get_ydata(), of_full)
    assert legend_of(ax) == ["full", "tied", "chosen"]
    drawn(plot.regions(found, X))


def test_features_and_words():
    X, y = ["red wine", "white wine", "red rose", "white snow"], ["r", "w", "r", "w"]
    axes = drawn(plot.features(genera.TextClassifier().fit(X, y), most=2))
    assert [ax.get_title() for ax in axes] == ["r", "w"]
    assert axes[0].get_yticklabels()[0].get_text() == "red"
    figure = _genera.figure_features(genera.TextClassifier().fit(X, y).model_, 2)
    assert axes[0].patches[0].get_width() == figure["evidence"][0][0]["value"]


@pytest.mark.parametrize("kind", ["regions", "density", "posterior", "features"])
@pytest.mark.parametrize(
    "model", ["BernoulliNB", "MultinomialNB", "ComplementNB", "GaussianNB", "SoftmaxRegression"]
)
def test_sparse_matrices_give_a_figure_or_an_error(kind, model):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix([[2, 0, 1, 1], [0, 1, 0, 3], [1, 3, 0, 0], [0, 0, 1, 2], [1, 0, 2, 1]])
    fitted = getattr(genera, model)().fit(X, ["a", "a", "b", "b", "a"])
    try:
        assert drawn(getattr(plot, kind)(fitted)) is not None
    except genera.Error as error:
        assert re.search("number|density|compared", str(error))


# -- axes, names, errors -------------------------------------------------------------------------


def test_figures_go_where_they_are_told(qda, iris):
    figure, axes = plt.subplots(2, 2, layout="constrained")
    assert plot.regions(qda, *iris, ax=axes[0, 0], title="here") is axes[0, 0]
    assert axes[0, 0].get_title() == "here" and figure._supxlabel is None
    assert plot.confusion(qda, *iris, ax=axes[0, 1]) is axes[0, 1]
    above, below = plot.posterior(qda, features=2, ax=axes[1, 0])
    assert above.figure is figure and len(figure.axes) == 5
    figure.canvas.draw()
    assert above.get_position().x1 < axes[1, 1].get_position().x0
    with pytest.raises(ValueError, match='needs axes with projection="3d"'):
        plot.density(qda, surface=True, ax=axes[1, 1])
    with pytest.raises(ValueError, match="takes axes of a grid"):
        plot.pairs(qda, *iris, ax=figure.add_axes((0, 0, 1, 1)))
    solid = plt.figure().add_subplot(projection="3d")
    assert plot.density(qda, surface=True, ax=solid) is solid


def test_legends_without_a_layout_are_inside(qda, iris):
    _, ax = plt.subplots()
    drawn(plot.regions(qda, *iris, ax=ax))
    box = ax.get_legend().get_window_extent()
    assert ax.get_window_extent().x0 < box.x0 and box.x1 < ax.get_window_extent().x1


def test_names_are_data(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    names = ["$x^2$", "_hidden", "a\nb", "100 %"]
    labels = np.where(y == "setosa", "_$a$", y)
    frame = pandas.DataFrame(X, columns=names)
    model = genera.QDA().fit(frame, labels)
    ax = drawn(plot.regions(model, frame, labels, features=("$x^2$", "a\nb")))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$x^2$", "a\\nb")
    assert "_$a$" in legend_of(ax)
    drawn(plot.confusion(model, frame, labels))
    drawn(plot.features(model))


def test_many_points_are_small(blobs):
    rng = np.random.default_rng(1)
    X = np.tile(blobs[0], (30, 1)) + 0.1 * rng.normal(size=(9000, 5))
    y = np.tile(blobs[1], 30)
    ax = drawn(plot.regions(genera.LDA().fit(X, y), X, y))
    assert all(line.get_rasterized() for line in lines_of(ax, "class"))
    assert lines_of(ax, "wrong")[0].get_markersize() < 3


@pytest.mark.parametrize(
    "draw, error, message",
    [
        (lambda m, X, y: plot.regions(m, features=("x9", "x0")), genera.Error, "x9"),
        (
            lambda m, X, y: plot.regions(m, features=(0, 9)),
            genera.Error,
            "there is no column 9: X has 4",
        ),
        (
            lambda m, X, y: plot.regions(m, x_range=(2, 1)),
            genera.Error,
            r"x_range is \(2, 1\), which is empty",
        ),
        (lambda m, X, y: plot.regions(m, others="median"), genera.Error, "others is 'median'"),
        (lambda m, X, y: plot.regions(m, mass=2), genera.Error, "no contour holds a share of 2"),
        (lambda m, X, y: plot.regions(m, y=y), genera.Error, "y is given without X"),
        (lambda m, X, y: plot.regions(m, X, y[:9]), ValueError, "inconsistent numbers of samples"),
        (lambda m, X, y: plot.regions(object()), TypeError, "object is not an estimator of genera"),
        (lambda m, X, y: plot.regions(genera.QDA()), ValueError, "not fitted"),
        (lambda m, X, y: plot.pairs(m, None), genera.Error, "this figure needs rows"),
        (lambda m, X, y: plot.confusion(m), genera.Error, "needs rows and their labels"),
        (
            lambda m, X, y: plot.roc(m, X, y, positive="setosa"),
            genera.Error,
            "positive is for two classes",
        ),
        (lambda m, X, y: plot.curves(m), TypeError, "what genera.compare returns"),
        (lambda m, X, y: plot.needed(m), TypeError, "what genera.compare returns"),
        (lambda m, X, y: plot.path(m), TypeError, "what genera.select returns"),
        (lambda m, X, y: plot.bic(m), TypeError, "what genera.GaussianMixture chooses"),
        (
            lambda m, X, y: plot.density(genera.SoftmaxRegression().fit(X, y), features=0),
            genera.Error,
            "no density",
        ),
        (
            lambda m, X, y: plot.density(genera.SoftmaxRegression().fit(X, y)),
            genera.Error,
            "no density",
        ),
    ],
)
def test_wishes_that_make_no_sense(qda, iris, draw, error, message):
    with pytest.raises(error, match=message):
        draw(qda, *iris)
    assert plt.get_fignums() == []  # nothing half drawn is left open


def test_matplotlib_is_asked_for_when_something_is_drawn(qda, iris, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(
        ImportError, match="which is not installed; install it with `pip install matplotlib`"
    ):
        plot.regions(qda, *iris)
    done = subprocess.run(
        [sys.executable, "-c", "import sys, genera.plot; print('matplotlib' in sys.modules)"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "False\n", done.stderr


def test_numbers_of_a_sparse_matrix_are_drawn():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 30)
    X = sparse.csr_matrix(rng.normal(size=(60, 4)) * (rng.random((60, 4)) < 0.7) + y[:, None])
    found = genera.GaussianNB().fit(X, y)
    for kind in (plot.regions, plot.density, plot.posterior):
        drawn(kind(found, X, y))
    drawn(plot.scatter(X, y))


def test_canonical_of_what_is_not_fitted():
    with pytest.raises(NotFittedError):
        plot.canonical(genera.LDA(), np.eye(4), [0, 1, 0, 1])
