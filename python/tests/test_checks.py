"""scikit-learn's own checks of estimators, and its tools around them."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks

import genera
import genera.sklearn

NEGATIVE = "the check fits negative numbers, whatever the tags of the estimator say"
FOLDS = "auto and best choose by rows held out: repeating rows makes other folds"
STARTS = "mixtures start from some of the rows: repeating rows makes other starts"
CELLS = "the check has 10 or 30 columns: a joint table of them is refused, it has too many cells"
OF_FOLDS = {
    "check_sample_weight_equivalence_on_dense_data": FOLDS,
    "check_sample_weight_equivalence_on_sparse_data": FOLDS,
    "check_sample_weights_invariance": FOLDS,
}
# The model, or the name of the class, with the checks that cannot pass.
EXCEPTIONS = {
    "auto": OF_FOLDS,
    "best": OF_FOLDS,
    "joint": {
        "check_sample_weight_equivalence_on_dense_data": CELLS,
        "check_sample_weights_invariance": CELLS,
        "check_dtype_object": CELLS,
    },
    "multinomial": {"check_decision_proba_consistency": NEGATIVE},
    "poisson": {"check_decision_proba_consistency": NEGATIVE},
    "complement": {"check_decision_proba_consistency": NEGATIVE},
    "GaussianMixture": {
        "check_sample_weight_equivalence_on_dense_data": STARTS,
        "check_sample_weights_invariance": STARTS,
    },
    "CategoricalNB": {"check_decision_proba_consistency": NEGATIVE},
}
MODELS = [name for name, _ in genera._genera.named_models()]
ESTIMATORS = [
    *(genera.GenerativeClassifier(name) for name in MODELS if name not in ("auto", "mda")),
    genera.GenerativeClassifier(folds=3),
    genera.GenerativeClassifier("mda", components=(1, 2), starts=2),
    genera.QDA(),
    genera.LDA(),
    genera.LDA(shrinkage="oas", n_components=1),
    genera.GaussianNB(),
    genera.RDA(),
    genera.BayesianQDA(),
    genera.KernelBayes(),
    genera.MDA((1, 2), starts=2),
    genera.BernoulliNB(),
    genera.MultinomialNB(),
    genera.ComplementNB(),
    genera.CategoricalNB(),
    genera.PoissonNB(),
    genera.AODE(),
    genera.MixedNB(),
    genera.SoftmaxRegression(),
    genera.GaussianMixture((1, 3), starts=2),
    genera.Imputer(),
    genera.TextClassifier(),
]
DROP_INS = [getattr(genera.sklearn, name)() for name in genera.sklearn.__all__]


def exceptions_of(estimator):
    model = getattr(estimator, "_model_name", lambda: None)()
    name = type(estimator).__name__
    return {**EXCEPTIONS.get(model, {}), **EXCEPTIONS.get(name, {})}


def checks_of(estimator):
    try:
        return estimator_checks.estimator_checks_generator(estimator)
    except AttributeError:  # before scikit-learn 1.6
        return estimator_checks.check_estimator(estimator, generate_only=True)


def name_of(check):
    return getattr(check, "func", check).__name__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [*ESTIMATORS, *DROP_INS], ids=repr)
def test_every_check_of_scikit_learn_passes(estimator):
    is_drop_in = type(estimator).__module__.startswith("genera.sklearn")
    excepted = {} if is_drop_in else exceptions_of(estimator)
    failed = {}
    for one, check in checks_of(estimator):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(clone(one))
        except estimator_checks.SkipTest:
            continue
        except Exception as error:
            failed[name_of(check)] = error
    unexpected = {name: str(error)[:300] for name, error in failed.items() if name not in excepted}
    assert unexpected == {}


def test_only_joint_distributions_have_densities(blobs):
    X, y = blobs
    answers = ("score_samples", "sample", "outlier_tail", "with_priors", "estimate_priors")
    for model in ("logistic", "complement"):
        found = genera.GenerativeClassifier(model)
        assert not any(hasattr(found, name) for name in answers)
        found.fit(abs(X).round(), y)
        assert not any(hasattr(found, name) for name in answers)
        with pytest.raises(AttributeError, match="score_samples"):
            found.score_samples(X)
    assert all(hasattr(genera.GenerativeClassifier(), name) for name in answers)
    assert all(hasattr(genera.TextClassifier(), name) for name in answers)
    assert not hasattr(genera.TextClassifier("logistic"), "score_samples")


def test_pipelines_searches_and_calibration(blobs):
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.compose import ColumnTransformer
    from sklearn.model_selection import GridSearchCV, cross_val_score, learning_curve
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = blobs
    pipeline = make_pipeline(StandardScaler(), genera.LDA())
    pipeline.fit(X, y, lda__sample_weight=np.ones(len(y)))
    np.testing.assert_allclose(
        pipeline.predict_proba(X), genera.LDA().fit(X, y).predict_proba(X), atol=1e-10
    )
    search = GridSearchCV(genera.RDA(), {"alpha": [0, 0.5, 1], "gamma": [0, 0.2]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.8
    assert cross_val_score(genera.QDA(), X, y, cv=3).mean() > 0.8
    assert CalibratedClassifierCV(genera.GaussianNB(), cv=3).fit(X, y).score(X, y) > 0.8
    part = ColumnTransformer([("some", "passthrough", [0, 1])])
    assert make_pipeline(part, genera.QDA()).fit(X, y).predict(X).shape == y.shape
    sizes, _, scores = learning_curve(genera.LDA(), X, y, cv=3, train_sizes=[0.5, 1.0])
    assert scores.shape == (2, 3) and np.isfinite(scores).all()


def test_searches_over_steps_and_decision_boundaries(blobs):
    from sklearn.inspection import DecisionBoundaryDisplay
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline

    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = blobs
    steps = Pipeline([("variates", genera.LDA()), ("model", genera.QDA())])
    search = GridSearchCV(steps, {"variates__n_components": [1, 2], "model__shrinkage": [None, 0.1]}, cv=3)
    search.fit(X, y, model__sample_weight=np.ones(len(y)))
    assert search.best_params_["variates__n_components"] == 2
    found = genera.QDA().fit(X[:, :2], y)
    shown = DecisionBoundaryDisplay.from_estimator(found, X[:, :2], response_method="predict")
    assert shown.response.shape == (100, 100)


def test_memory_that_is_mapped(blobs, tmp_path):
    X, y = blobs
    np.save(tmp_path / "rows.npy", X)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    found = genera.LDA().fit(mapped, y)
    np.testing.assert_array_equal(found.predict_proba(mapped), genera.LDA().fit(X, y).predict_proba(X))


def test_representation_tells_the_parameters():
    assert "RDA" in repr(genera.RDA(alpha=0.25)) and "0.25" in repr(genera.RDA(alpha=0.25))
    assert "RDA" in genera.RDA()._repr_html_()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_nothing_is_computed_in_the_constructor(estimator):
    assert set(vars(estimator)) == set(estimator.get_params())
