"""A number counts by its place, whatever holds the rows: arrays, lists, sparse matrices, frames."""

import copy
import itertools
import pickle
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

import genera
import genera.sklearn
from genera import _genera

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore")  # feature names on one side only; singular columns


def frame_names(count):
    return [f"w{(7 * j) % count}" for j in range(count)]  # their order is not that of the names


def arrow_table(X):
    return pyarrow.table(dict(zip(frame_names(X.shape[1]), X.T.copy())))


KINDS = {
    "array": np.asarray,
    "list": np.ndarray.tolist,
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "coo": sparse.coo_matrix,
    "pandas": lambda X: pandas.DataFrame(X, columns=frame_names(X.shape[1])),
    "polars": lambda X: polars.DataFrame(X, schema=frame_names(X.shape[1])),
    "arrow": arrow_table,
}
SPARSE = ("csr", "csc", "coo")
MODELS = list(dict(_genera.named_models()))
ESTIMATORS = [
    genera.QDA(),
    genera.LDA(),
    genera.GaussianNB(),
    genera.RDA(),
    genera.BayesianQDA(),
    genera.KernelBayes(),
    genera.MDA(2, starts=1),
    genera.MixedNB(),
    genera.AODE(),
    genera.MultinomialNB(),
    genera.PoissonNB(),
    genera.ComplementNB(),
    genera.BernoulliNB(),
    genera.CategoricalNB(),
    genera.SoftmaxRegression(),
    *(
        genera.GenerativeClassifier(model, **({"starts": 1, "components": 2} if model == "mda" else {}))
        for model in MODELS
    ),
]
DROP_INS = [
    genera.sklearn.MultinomialNB(),
    genera.sklearn.ComplementNB(),
    genera.sklearn.BernoulliNB(),
    genera.sklearn.CategoricalNB(min_categories=30),
    genera.sklearn.GaussianNB(),
    genera.sklearn.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
    genera.sklearn.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    genera.sklearn.LinearDiscriminantAnalysis(),
    genera.sklearn.QuadraticDiscriminantAnalysis(reg_param=0.1),
]
ATTRIBUTES = ("means_", "covariances_", "coef_", "probabilities_", "rates_", "scalings_", "xbar_")


def made(columns, estimator):
    """Counts, or flags, of classes of different sizes; some columns do not vary."""
    rng = np.random.default_rng(columns)
    y = rng.permutation(np.repeat([0, 1, 2], [120, 80, 50]))
    X = rng.poisson(rng.uniform(0.3, 4, (3, columns))[y]).astype(float)
    X[:, [3, columns - 1]], X[:, 5] = 0, 2
    only_flags = any(word in repr(estimator).lower() for word in ("bernoulli", "joint"))
    return ((X > 1).astype(float) if only_flags else X), y


def asked(fitted, X):
    found = {"predict": fitted.predict(X), "predict_proba": fitted.predict_proba(X)}
    if hasattr(fitted, "score_samples") and fitted.model_.is_density:
        found["score_samples"] = fitted.score_samples(X)
    return found


def attributes(fitted):
    found = {}
    for name in ATTRIBUTES:
        try:
            found[name] = getattr(fitted, name)
        except AttributeError:
            continue
    return found


def assert_equal(found, expected, tolerance=1e-12):
    assert found.keys() == expected.keys()
    for name in expected:
        np.testing.assert_allclose(
            found[name], expected[name], rtol=tolerance, atol=tolerance, err_msg=name
        )


def takes_sparse(estimator):
    return not isinstance(
        estimator,
        (
            genera.PoissonNB,
            genera.CategoricalNB,
            genera.sklearn.GaussianNB,
            genera.sklearn.CategoricalNB,
        ),
    ) and getattr(estimator, "model", "") not in ("categorical", "joint", "poisson")


def kinds_of(estimator, X):
    """The kinds that the estimator takes."""
    kinds = {name: make(X) for name, make in KINDS.items()}
    if not takes_sparse(estimator):
        kinds = {name: rows for name, rows in kinds.items() if name not in SPARSE}
    if type(estimator).__module__.startswith("genera.sklearn"):
        kinds = {name: rows for name, rows in kinds.items() if name not in ("polars", "arrow")}
    return kinds


@pytest.mark.parametrize("columns", [12, 120])
@pytest.mark.parametrize("estimator", ESTIMATORS + DROP_INS, ids=repr)
def test_fitted_on_one_kind_and_asked_with_another(estimator, columns):
    if getattr(estimator, "model", "") == "joint" and columns > 12:
        pytest.skip("too many combinations")
    if isinstance(estimator, genera.sklearn.QuadraticDiscriminantAnalysis) and columns > 12:
        pytest.skip("its classes need more rows than columns")
    X, y = made(columns, estimator)
    kinds = kinds_of(estimator, X)
    reference = copy.deepcopy(estimator).fit(X, y)
    expected, learned = asked(reference, X), attributes(reference)
    tolerance = 1e-12
    for values in learned.values():
        assert columns in np.shape(values) and np.isfinite(values).all()
    for rows in kinds.values():
        fitted = copy.deepcopy(estimator).fit(rows, y)
        assert fitted.n_features_in_ == columns
        assert_equal(attributes(fitted), learned, 10 * tolerance)
        for other in kinds.values():
            assert_equal(asked(fitted, other), expected, tolerance)
        assert_equal(asked(pickle.loads(pickle.dumps(fitted)), X), expected, tolerance)


def mostly_zero(columns, content):
    """Tables of which most cells are 0, for "auto"; some columns do not vary."""
    rng = np.random.default_rng(columns)
    y = rng.permutation(np.repeat([0, 1, 2], [120, 80, 50]))
    X = rng.poisson(rng.gamma(0.8, 0.5, (3, columns))[y]).astype(float)
    if content == "words":  # how long a document is says nothing: multinomial
        shares = rng.dirichlet(np.full(columns, 0.5), 3)
        lengths = rng.integers(1, columns // 2, len(y))
        X = np.array([rng.multinomial(n, shares[k]) for n, k in zip(lengths, y)], dtype=float)
    if content == "reals":
        X = X * np.round(rng.normal(1, 0.3, X.shape), 2)
    if content == "flags":
        X = (rng.random(X.shape) < rng.uniform(0.1, 0.4, (3, columns))[y]).astype(float)
    if content.startswith("rare"):
        X = X * (rng.random(X.shape) < 0.25) * (1.25 if content == "rare reals" else 1)
    if content == "negative":
        X = X * rng.choice([-1.0, 1.0], X.shape, p=[0.2, 0.8])
    if content.endswith("missing"):
        X[rng.integers(0, len(y), 5), [0, 1, 2, 4, 6]] = np.nan
    X[:, [3, columns - 1]], X[:, 5] = 0, 2
    assert np.mean(X == 0) > 0.5
    return X, y


def auto_note(fitted):
    return next(note for note in fitted.report_.notes if note.startswith("auto: "))


def found_by_auto(fitted):
    """Numbers that do not depend on the names of columns: the first word stands for the model."""
    note = auto_note(fitted)
    note = re.sub(r"\(categories: .*?\)(?=[,; ])|(runner-up|best alone) .* with", "", note)
    return {
        "model": hash(note.split()[1]),
        "numbers": [float(x) for x in re.findall(r"[\d.e-]*\d", note)],
        "temperature": fitted.model_.temperature,
    }


OF_COUNTS = ("counts", "words", "flags", "rare")
TABLES = [
    *itertools.product(["counts", "words", "reals", "flags", "negative"], [12, 120]),
    *itertools.product(["counts", "rare", "rare reals", "rare and missing"], [2001]),
    ("missing", 12),
]


@pytest.mark.parametrize(("content", "columns"), TABLES)
def test_what_auto_chooses_depends_on_the_numbers(content, columns):
    X, y = mostly_zero(columns, content)
    reference = genera.GenerativeClassifier().fit(X, y)
    expected, learned = asked(reference, X), attributes(reference)
    of_counts = re.search("multinomial|bernoulli smoothing", auto_note(reference)) is not None
    assert of_counts or content not in ("words", "flags")
    assert not of_counts or content in OF_COUNTS
    kinds = [KINDS[name](X) for name in ("csr", "coo", "pandas")]
    for rows in kinds:
        fitted = genera.GenerativeClassifier().fit(rows, y)
        assert_equal(found_by_auto(fitted), found_by_auto(reference))
        assert_equal(attributes(fitted), learned)
        for other in (X, *kinds):
            assert_equal(asked(fitted, other), expected)
        assert_equal(asked(pickle.loads(pickle.dumps(fitted)), X), expected)


@pytest.mark.parametrize("model", ["auto", "logistic", "lda", "multinomial", "bernoulli", "gnb"])
def test_a_model_of_sparse_rows_answers_all_kinds_alike(model):
    estimator = genera.GenerativeClassifier(model)
    X, y = made(12, estimator)
    fitted = estimator.fit(sparse.csr_matrix(X), y)
    expected = asked(fitted, X)
    for make in KINDS.values():
        assert_equal(asked(fitted, make(X)), expected)


@pytest.mark.parametrize("kind", SPARSE)
@pytest.mark.parametrize("estimator", [*ESTIMATORS, genera.sklearn.GaussianNB()], ids=repr)
def test_who_refuses_sparse_rows_refuses_them_always(estimator, kind):
    if takes_sparse(estimator):
        pytest.skip("it takes them")
    X, y = made(12, estimator)
    for call in (estimator.fit, lambda rows, _: copy.deepcopy(estimator).fit(X, y).predict(rows)):
        with pytest.raises(TypeError, match="[Ss]parse"):
            call(KINDS[kind](X), y)


ADDITIVE = [one for one in ESTIMATORS if hasattr(one, "partial_fit")]
FROM_ROWS = ("auto", "best", "mda", "kernel", "logistic")  # no statistics: kernel contains the rows
CUTTING = ("aode",)  # numbers are cut into the bins of the first piece


def learned(estimator, X, y, first):
    """From all rows at once; ``first``: those whose bins hold."""
    estimator = copy.deepcopy(estimator)
    if estimator._model_name() not in CUTTING:
        return estimator.fit(X, y)
    others = np.setdiff1d(np.arange(len(X)), first)
    return estimator.partial_fit(X[first], y[first]).partial_fit(X[others], y[others])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_who_has_statistics_learns_in_pieces(estimator):
    is_additive = estimator._model_name() not in FROM_ROWS
    for name in ("partial_fit", "forget", "merge", "collect"):
        assert hasattr(estimator, name) == is_additive
        if isinstance(estimator, genera.GenerativeClassifier) and not is_additive:
            with pytest.raises(AttributeError) as refused:
                getattr(estimator, name)
            why = str(refused.value.__cause__)
            assert why.startswith(f"{estimator.model} learns from rows")


@pytest.mark.parametrize("first", ["array", "csr", "pandas"])
@pytest.mark.parametrize("estimator", ADDITIVE, ids=repr)
def test_pieces_of_different_kinds_add_up(estimator, first):
    X, y = made(12, estimator)
    X = X * (np.arange(len(X))[:, None] // 50 != np.arange(12) % 5)  # columns of some pieces only
    if first in SPARSE and not takes_sparse(estimator):
        pytest.skip("it does not take them")
    order = [first, *(name for name in kinds_of(estimator, X) if name != first)]
    fitted = copy.deepcopy(estimator)
    pieces = np.array_split(np.arange(len(X)), 5)
    for rows, kind in zip(pieces, itertools.cycle(order)):
        fitted.partial_fit(KINDS[kind](X[rows]), y[rows])
    whole = learned(estimator, X, y, pieces[0])
    assert_equal(asked(fitted, X), asked(whole, X), 1e-9)
    assert_equal(attributes(fitted), attributes(whole), 1e-9)
    fitted.forget(KINDS[order[-1]](X[pieces[1]]), y[pieces[1]])
    rest = np.concatenate([rows for i, rows in enumerate(pieces) if i != 1])
    left = learned(estimator, X[rest], y[rest], np.arange(len(pieces[0])))
    assert_equal(asked(fitted, X[rest]), asked(left, X[rest]), 1e-9)
    assert_equal(attributes(fitted), attributes(left), 1e-9)


@pytest.mark.parametrize("estimator", [one for one in ADDITIVE if takes_sparse(one)], ids=repr)
def test_merged_are_those_of_sparse_rows(estimator):
    X, y = made(12, estimator)
    parts = [copy.deepcopy(estimator).fit(sparse.csr_matrix(X[s]), y[s]) for s in (slice(90), slice(90, None))]
    if estimator._model_name() in CUTTING:
        with pytest.raises(genera.Error, match="other limits(.|\n)*like=first"):
            parts[0].merge(parts[1])
        first = parts[0].statistics_
        parts[1].statistics_ = estimator.collect(sparse.csr_matrix(X[90:]), y[90:], like=first)
    whole = learned(estimator, X, y, np.arange(90))
    assert_equal(asked(parts[0].merge(parts[1]), X), asked(whole, X), 1e-9)
    assert_equal(attributes(parts[0]), attributes(whole), 1e-9)


@pytest.mark.parametrize("kind", ["array", "list", "pandas", "polars", "arrow"])
def test_mixtures_have_all_columns(kind):
    X, _ = made(12, None)
    fitted = genera.GaussianMixture(2, covariance="gnb", starts=1).fit(KINDS[kind](X))
    expected = genera.GaussianMixture(2, covariance="gnb", starts=1).fit(X)
    assert fitted.means_.shape == (2, 12) and fitted.covariances_.shape == (2, 12, 12)
    np.testing.assert_array_equal(fitted.means_[:, [3, 5, 11]], [[0, 2, 0]] * 2)
    assert fitted.sample(3, 1)[0].shape == (3, 12)
    np.testing.assert_allclose(fitted.means_, expected.means_, rtol=1e-12)
    for make in (KINDS["array"], KINDS["pandas"]):
        np.testing.assert_allclose(
            fitted.score_samples(make(X)), expected.score_samples(X), rtol=1e-12
        )


def test_probabilities_are_those_of_the_words():
    texts = ["ham eggs ham", "eggs ham", "spam zoo apple", "spam milk tea rice bread jam salt oil"]
    words = CountVectorizer()
    X = words.fit_transform(texts)
    found = genera.MultinomialNB().fit(X, [0, 0, 1, 1]).probabilities_
    counts = np.vstack([X.toarray()[:2].sum(axis=0), X.toarray()[2:].sum(axis=0)]) + 1.0
    np.testing.assert_allclose(found, counts / counts.sum(axis=1, keepdims=True))
    assert words.get_feature_names_out()[found[0].argmax()] == "ham"


@pytest.mark.parametrize("estimator", [genera.GaussianNB(), genera.MultinomialNB()], ids=repr)
def test_samples_have_the_columns_of_the_input(estimator):
    X, y = made(12, estimator)
    drawn, _ = estimator.fit(sparse.csr_matrix(X), y).sample(4000, 1)
    spread = X.std(axis=0) / np.sqrt(4000) + 1e-12
    if isinstance(estimator, genera.GaussianNB):  # of counts only their shares are those of a column
        assert (np.abs(drawn.mean(axis=0) - X.mean(axis=0)) < 5 * spread).all()
    assert np.corrcoef(drawn.mean(axis=0), X.mean(axis=0))[0, 1] > 0.99


@pytest.mark.parametrize("name", ["model.json", "model.cbor"])
@pytest.mark.parametrize("model", ["gnb", "multinomial", "bernoulli", "complement", "logistic", "lda"])
def test_a_saved_model_of_sparse_rows_is_loaded(model, name, tmp_path):
    X, y = made(12, genera.GenerativeClassifier(model))
    X = X + (np.arange(12) == np.arange(len(X))[:, None] % 12)  # every column varies
    X = (X > 1).astype(float) if model == "bernoulli" else X
    fitted = genera.GenerativeClassifier(model).fit(sparse.csr_matrix(X), y)
    fitted.save(tmp_path / name)
    again = genera.load(tmp_path / name)
    for rows in (X, sparse.csr_matrix(X)):
        np.testing.assert_allclose(again.predict_proba(rows), fitted.predict_proba(X), atol=1e-12)


def test_auto_with_categories_is_asked_with_sparse_rows():
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 150)
    code = np.where(rng.random(300) < 0.85, np.array([7, 3])[y], rng.choice([1, 3, 5, 7], 300))
    X = np.column_stack([rng.normal(y, 2.0), code]).astype(float)
    fitted = genera.GenerativeClassifier().fit(X, y)
    assert "categorical" in dict(fitted.model_.features).values()
    np.testing.assert_array_equal(
        fitted.predict_proba(sparse.csr_matrix(X)), fitted.predict_proba(X)
    )
