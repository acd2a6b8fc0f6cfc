"""Hints are in the words of the estimator that gave them, and following them helps."""

import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import genera


def problems():
    """Estimators with rows and labels that they refuse or warn of, and which text that has."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 3))
    y = np.repeat([0, 1], 60)
    twice = np.column_stack([X, X[:, 0]])
    holed = X.copy()
    holed[5, 1] = np.nan
    flags = np.column_stack([X, np.where(y == 1, 1.0, rng.integers(0, 2, 120))])
    for name in ("QDA", "LDA", "RDA", "MDA"):
        yield getattr(genera, name)(on_singular="error"), twice, y
    for model in ("qda", "lda"):
        yield genera.GenerativeClassifier(model, on_singular="error"), twice, y
    yield genera.SoftmaxRegression(), holed, y
    yield genera.GenerativeClassifier("logistic"), holed, y
    yield genera.QDA(shrinkage="lw"), holed, y
    yield genera.LDA(missing="refuse"), holed, y
    yield genera.GaussianNB(), flags, y
    yield genera.GenerativeClassifier("gnb"), flags, y
    yield genera.MixedNB(), flags, y
    yield genera.SoftmaxRegression(ridge=0), np.column_stack([X, y]), y
    counts = rng.integers(0, 9, (100, 30)).astype(float)
    yield genera.GenerativeClassifier("joint"), counts, np.repeat([0, 1], 50)
    yield genera.QDA(on_singular="error"), X[:5], np.array([0, 0, 1, 1, 1])
    yield genera.SoftmaxRegression(), X, np.array([None] * 60 + [0, 1] * 30, dtype=object)


def said(estimator, X, y):
    """The error of a fit, or its first warning; empty if there is neither."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            estimator.fit(X, y)
        except genera.Error as error:
            return error.hint
    return str(caught[0].message).partition("use ")[2] if caught else ""


def remedies(hint, estimator, X):
    """Estimators and rows as the hint wants them."""
    named = {name: getattr(genera, name) for name in genera.__all__}
    for call in re.findall(r"np\.delete\(X, \[[\d, ]+\], axis=1\)", hint):
        yield call, clone(estimator), eval(call, {"np": np, "X": X})
    rest = re.sub(r"np\.delete\([^)]*\)", "", hint)
    for call in re.findall(r"\b[A-Z]\w+\([^()]*\)(?: with \w+=[\w.\"]+)?", rest):
        made, _, extra = call.partition(" with ")
        one = eval(made, named)
        if extra:
            name, value = extra.split("=")
            one.set_params(**{name: eval(value)})
        yield call, one, X
        rest = rest.replace(call, "")
    for name, value, extra in re.findall(
        r"\b(\w+)=(\{[^}]*\}|\"[^\"]*\"|[\d.e-]+)(?: with (\w+=[\w.]+))?", rest
    ):
        parameters = {name: eval(value)}
        if extra:
            parameters[extra.split("=")[0]] = eval(extra.split("=")[1])
        yield f"{name}={value}", clone(estimator).set_params(**parameters), X


@pytest.mark.parametrize(
    ("estimator", "X", "y"), list(problems()), ids=lambda one: repr(one) if hasattr(one, "fit") else ""
)
def test_every_remedy_helps(estimator, X, y):
    hint = said(estimator, X, y)
    assert hint, "there is nothing to remedy"
    assert not re.search(r"\bdrop=|\btype=|\btarget\b|\bimpute,|--", hint), hint
    found = list(remedies(hint, estimator, X))
    assert found, hint
    for call, one, rows in found:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one.fit(rows, y)


def test_columns_are_left_out_as_the_frame_does_it():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 2)), np.repeat([0, 1], 25)
    columns = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 0]}
    for frame, call in (
        (pandas.DataFrame(columns), 'X.drop(columns=["c"])'),
        (polars.DataFrame(columns), 'X.drop(["c"])'),
    ):
        with pytest.raises(genera.Error) as raised:
            genera.QDA(on_singular="error").fit(frame, y)
        assert call in raised.value.hint
        genera.QDA(on_singular="error").fit(eval(call, {"X": frame}), y)


@pytest.mark.parametrize("variance_floor", [0, 1e-12, 1e-4])
def test_a_gaussian_has_one_likelihood_whoever_holds_it(variance_floor):
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(500, 2))
    for spread in (1e-3, 1e-6):  # the second is singular, and moved by all alike
        X, y = np.column_stack([rows[:, 0], rows[:, 0] + spread * rows[:, 1]]), np.zeros(500, int)
        holders = [
            genera.QDA(),
            genera.LDA(),
            genera.RDA(alpha=1),
            genera.MDA(1, variance_floor=variance_floor),
            genera.GaussianMixture(1, variance_floor=variance_floor, covariance="full"),
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", genera.FitWarning)
            densities = [holder.fit(X, y).score_samples(X).mean() for holder in holders]
        if spread == 1e-3:
            centred = X - X.mean(0)
            log_det = np.linalg.slogdet(centred.T @ centred / 500)[1]
            np.testing.assert_allclose(densities[0], -np.log(2 * np.pi) - log_det / 2 - 1)
        np.testing.assert_allclose(densities, densities[0], rtol=1e-6)


@pytest.mark.parametrize(
    "estimator",
    [genera.MultinomialNB(), genera.PoissonNB(), genera.ComplementNB(), genera.GenerativeClassifier("poisson")],
)
def test_fractions_are_not_counts(estimator, counts):
    from scipy import sparse

    X, y = counts
    halves = X.copy()
    halves[3, 1] = 1.5
    with pytest.warns(genera.FitWarning, match=r"'x1' holds fractions \(1.5\), which are not counts"):
        estimator.fit(halves, y)
    if estimator._takes_sparse:
        with pytest.warns(genera.FitWarning, match=r"'x1' holds fractions \(1.5\)"):
            estimator.fit(sparse.csr_matrix(halves), y)
    estimator.fit(X, y)  # without a warning


def test_flags_have_two_values(iris):
    X, y = iris
    with pytest.warns(genera.FitWarning, match="'x0', 'x1', 'x2', 'x3' have more than two values"):
        genera.GenerativeClassifier("bernoulli").fit(X, y)
    with pytest.raises(genera.Error, match="holds 5.1, which is neither 0 nor 1"):
        genera.BernoulliNB(binarize=None).fit(X, y)
    found = genera.BernoulliNB(binarize=3).fit(X, y)
    flags = (X > 3).astype(float)
    expected = genera.BernoulliNB(binarize=None).fit(flags, y)
    np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(flags))
