"""Choosing, comparing, diagnosing, evaluating: the numbers of the command line, as frames."""

import json
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import genera

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin" / "genera"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the command line is not built")


def printed(*words):
    """What the command line prints as JSON; infinite numbers are strings there."""
    done = subprocess.run(
        [PROGRAM, *words, "--json", "--quiet"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def same(found, expected, path=""):
    """Equal, numbers to the last bit."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), path
        for key, value in expected.items():
            same(found[key], value, f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), path
        for place, (one, other) in enumerate(zip(found, expected)):
            same(one, other, f"{path}[{place}]")
    elif isinstance(expected, float):
        assert found == expected, (path, found, expected)
    elif expected in ("inf", "-inf", "Infinity", "-Infinity"):
        assert found == float(expected), path
    else:
        assert found == expected, (path, found, expected)


def frame(name, drop=()):
    pytest.importorskip("pandas")
    found = genera.datasets.load(name, as_frame=True)
    return found.data.drop(columns=list(drop)), found.target


def keys(tree):
    """The keys of a document in their order; of a list those of its items."""
    if isinstance(tree, dict):
        return [(key, keys(value)) for key, value in tree.items()]
    return [keys(item) for item in tree] if isinstance(tree, list) else None


@needs_program
@pytest.mark.parametrize("verb", ["select", "compare", "diagnose", "evaluate", "cluster"])
def test_dicts_have_the_keys_of_the_command_line(tmp_path, verb):
    X, y = frame("iris")
    words = ["@iris"]
    if verb == "select":
        found = genera.select(X, y, refit=False).to_dict()
    elif verb == "compare":
        words += ["--sizes", "20", "--repeats", "2", "--ridge", "1"]
        found = {"data": "@iris", **genera.compare(X, y, sizes=20, repeats=2, ridge=1).to_dict()}
    elif verb == "diagnose":
        found = genera.diagnose(X, y).to_dict()
    elif verb == "evaluate":
        classifier = genera.QDA().fit(X, y)
        classifier.save(tmp_path / "model.json")
        words = [tmp_path / "model.json", "@iris", "--target", "species", "--reject", "0.9"]
        found = genera.evaluate(classifier, X, y, reject=0.9).to_dict()
    else:
        words += ["--components", "1-2"]
        found = {"candidates": genera.GaussianMixture((1, 2)).fit(X).candidates_}
    expected = printed(verb, *words)
    if verb == "cluster":
        expected = {"candidates": expected["candidates"]}
    assert keys(found) == keys(expected)


# -- select --------------------------------------------------------------------------------------


@needs_program
@pytest.mark.parametrize(
    "name, words, options",
    [
        ("iris", [], {}),
        (
            "iris",
            ["--loo", "--models", "lda,qda,gnb"],
            {"loo": True, "models": ["lda", "qda", "gnb"]},
        ),
        (
            "wine",
            [
                "--folds",
                "5",
                "--metric",
                "error",
                "--seed",
                "7",
                "--models",
                "rda,mda",
                "--components",
                "1-2",
                "--grid",
                "alpha=0,0.5",
            ],
            {
                "folds": 5,
                "metric": "error",
                "random_state": 7,
                "models": ["rda", "mda"],
                "components": (1, 2),
                "grid": {"alpha": [0, 0.5]},
            },
        ),
        (
            "house_votes84",
            ["--grid", "smoothing=0.1,1", "--loo", "--loo-priors", "full"],
            {"grid": {"smoothing": [0.1, 1]}, "loo": True, "loo_priors": "full"},
        ),
        (
            "penguins",
            ["--missing", "drop", "--models", "gnb,lda"],
            {"missing": "drop", "models": ["gnb", "lda"]},
        ),
        (
            "iris",
            ["--models", "lda,logistic", "--shrinkage", "oas", "--grid", "ridge=0.1,1"],
            {"models": ["lda", "logistic"], "shrinkage": "oas", "grid": {"ridge": [0.1, 1]}},
        ),
        (
            "iris",
            ["--models", "qda", "--priors", "uniform"],
            {"models": "qda", "priors": "uniform"},
        ),
    ],
    ids=["defaults", "loo", "grid", "categories", "missing", "ridge", "uniform"],
)
@pytest.mark.filterwarnings("ignore::genera.FitWarning")  # rows that are not judged
def test_select_has_the_numbers_of_the_command_line(name, words, options):
    X, y = frame(name)
    found = genera.select(X, y, refit=False, **options)
    same(found.to_dict(), printed("select", f"@{name}", *words))


@needs_program
def test_sparse_rows_have_the_numbers_of_svmlight(tmp_path, counts):
    from scipy.sparse import csr_matrix
    from sklearn.datasets import dump_svmlight_file

    X, y = counts
    path = tmp_path / "rows.svm"
    dump_svmlight_file(X, y, str(path), zero_based=False)
    same(genera.select(csr_matrix(X), y, refit=False).to_dict(), printed("select", path))
    expected = printed("compare", path, "--repeats", "2", "--sizes", "50", "--ridge", "1")
    del expected["data"]
    found = genera.compare(csr_matrix(X), y, repeats=2, sizes=50, ridge=1)
    same(found.to_dict(), expected)


def test_the_best_one_is_fitted_and_predicts(iris):
    X, y = iris
    found = genera.select(X, y, models=["lda", "gnb"])
    assert found.best["model"] == "lda"
    expected = genera.LDA(on_singular="error").fit(X, y)
    np.testing.assert_array_equal(found.best_estimator.predict_proba(X), expected.predict_proba(X))
    assert list(found.candidates["model"]) == ["lda", "gnb"]
    assert found.candidates["log_loss"][0] == found.best["log_loss"]
    assert found.difference[0] == pytest.approx(
        found.candidates["log_loss"][1] - found.candidates["log_loss"][0], rel=1e-9
    )


def test_estimators_are_candidates_too(blobs):
    X, y = blobs
    found = genera.select(
        X, y, models=["lda", genera.QDA(shrinkage="oas"), genera.QDA(shrinkage=0.2)]
    )
    named = genera.select(X, y, models=["lda", "qda"], shrinkage="oas")
    assert found.candidates["log_loss"][1] == named.candidates["log_loss"][1]
    assert "QDA #2" in repr(found) and list(found.candidates["model"]) == ["lda", "qda", "qda"]
    own = genera.QDA(shrinkage="oas")
    assert genera.select(X, y, models=own).best_estimator is not own
    assert not hasattr(own, "model_")
    with pytest.raises(TypeError, match="neither the name of a model nor a classifier of genera"):
        genera.select(X, y, models=[object()])
    with pytest.raises(genera.Error, match="auto chooses among models by itself"):
        genera.select(X, y, models=[genera.GenerativeClassifier()])


def test_what_cannot_be_used_says_why(blobs):
    X, y = blobs
    X = np.column_stack((X, X[:, 0] + X[:, 1]))
    found = genera.select(X, y, models=["lda", "gnb"])
    assert found.best["model"] == "gnb"
    assert "singular" in found.to_dict()["candidates"][0]["why_not"]
    assert "lda: cannot be used" in repr(found)
    with pytest.raises(genera.Error, match="no candidate can be used; of lda: .*singular") as error:
        genera.select(X, y, models="lda")
    assert 'shrinkage="oas"' in error.value.hint and error.value.code == "bad_model"
    with pytest.warns(genera.FitWarning, match="linearly dependent on the others: 'x"):
        assert genera.select(X, y, models="lda", on_singular="shrink").best["model"] == "lda"


def test_weights_sparse_rows_and_texts(counts):
    from scipy.sparse import csr_matrix

    X, y = counts
    sparse = genera.select(csr_matrix(X), y, models=["multinomial"])
    dense = genera.select(X, y, models=["multinomial"])
    assert sparse.best["log_loss"] == pytest.approx(dense.best["log_loss"], rel=1e-12)
    assert {"gnb", "bernoulli"} <= set(genera.select(csr_matrix(X), y).candidates["model"])
    weights = np.where(np.arange(len(y)) % 2, 3.0, 1.0)
    weighted = genera.select(X, y, weights, models=["lda"])
    assert weighted.best["log_loss"] != genera.select(X, y, models=["lda"]).best["log_loss"]
    expected = genera.LDA(on_singular="error").fit(X, y, weights)
    np.testing.assert_array_equal(weighted.best_estimator.means_, expected.means_)
    texts = ["red wine", "white wine", "red rose", "white snow"] * 8
    found = genera.select(texts, ["r", "w", "r", "w"] * 8, folds=4, grid={"smoothing": [0.1, 1]})
    assert len(found.candidates) == 4 and found.best["errors"] == 0
    assert found.best_estimator.predict(["red"]).tolist() == ["r"]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"metric": "accuracy"}, "metric is 'accuracy'"),
        ({"models": ["ldaa"]}, "models is 'ldaa'"),
        ({"models": []}, "models is empty"),
        ({"models": ["lda"], "grid": {"beta": [1]}}, "grid is 'beta'"),
        (
            {"models": ["lda"], "grid": {"alpha": [1]}},
            "grid has alpha, which belongs to none of lda",
        ),
        ({"models": ["lda"], "ridge": 2.0}, "no model of models uses ridge"),
        ({"models": ["lda", "logistic"], "priors": "uniform"}, "logistic learns posteriors"),
        ({"loo_priors": "full"}, "loo_priors is about leaving out one row at a time"),
        ({"missing": "refuse"}, "missing is 'refuse'"),
        ({"folds": 1}, "fold"),
    ],
)
def test_wishes_of_select_that_make_no_sense(iris, options, message):
    with pytest.raises(genera.Error, match=message) as error:
        genera.select(*iris, **options)
    assert error.value.hint


def test_unknown_parameters_get_the_nearest(iris):
    with pytest.raises(TypeError, match="no parameter 'shrinkige'; did you mean 'shrinkage'"):
        genera.select(*iris, shrinkige="oas")
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        genera.select(iris[0], iris[1][:-1])


# -- compare -------------------------------------------------------------------------------------


@needs_program
@pytest.mark.parametrize(
    "name, words, options",
    [
        ("iris", ["--sizes", "15,40", "--repeats", "4"], {"sizes": [15, 40], "repeats": 4}),
        (
            "iris",
            [
                "--pairs",
                "gnb,qda-quadratic",
                "--repeats",
                "3",
                "--ridge",
                "1",
                "--seed",
                "3",
                "--classes",
                "versicolor,virginica",
            ],
            {
                "pairs": ["gnb", "qda-quadratic"],
                "repeats": 3,
                "ridge": 1,
                "random_state": 3,
                "classes": ["versicolor", "virginica"],
            },
        ),
        (
            "wine",
            [
                "--pairs",
                "lda",
                "--missing-share",
                "0.2",
                "--repeats",
                "2",
                "--ridge",
                "1",
                "--sizes",
                "60",
            ],
            {"pairs": "lda", "missing_share": 0.2, "repeats": 2, "ridge": 1, "sizes": [60]},
        ),
        (
            "house_votes84",
            [
                "--missing",
                "drop",
                "--repeats",
                "2",
                "--ridge",
                "1",
                "--sizes",
                "50",
                "--pairs",
                "categorical,joint",
            ],
            {
                "missing": "drop",
                "repeats": 2,
                "ridge": 1,
                "sizes": [50],
                "pairs": ["categorical", "joint"],
            },
        ),
    ],
    ids=["defaults", "classes", "holes", "categories"],
)
def test_compare_has_the_numbers_of_the_command_line(name, words, options):
    X, y = frame(name)
    expected = printed("compare", f"@{name}", *words)
    del expected["data"]
    same(genera.compare(X, y, **options).to_dict(), expected)


@needs_program
def test_rows_drawn_from_a_model(tmp_path):
    X, y = frame("iris")
    model = genera.GenerativeClassifier("dlda").fit(X, y)
    model.save(tmp_path / "iris.json")
    words = ["--from", tmp_path / "iris.json", "--repeats", "2", "--ridge", "1", "--sizes", "20,50"]
    expected = printed("compare", *words)
    del expected["data"]
    found = genera.compare(from_=model, repeats=2, ridge=1, sizes=[20, 50])
    same(found.to_dict(), expected)
    assert list(found.needed["dimension"]) == [2, 2, 2, 4, 4, 4]
    assert "4 columns: within 0.02 of its limit" in repr(found)


def test_the_frames_of_a_comparison(iris):
    X, y = iris
    found = genera.compare(X, y, pairs=[("lda", "logistic")], sizes=[15, 60], repeats=3, ridge=1)
    assert found.sizes == [15, 60] and found.repeats == 3 and found.rows == 150
    assert list(found.curves["model"]) == ["logistic"] * 2 + ["lda"] * 2
    assert found.classes == ["setosa", "versicolor", "virginica"]
    assert set(found.crossings["metric"]) == {"error", "log_loss"}
    assert "mean error of 3 random splits" in repr(found) and "<table>" in found._repr_html_()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"pairs": "lda-lda"}, "pairs is 'lda-lda'"),
        ({"classes": ["setosa"]}, "classes names one class only"),
        ({"classes": ["setosa", "tulip"]}, "classes is 'tulip'"),
        ({"within": 0.1}, "within is about rows drawn with from_"),
        ({"dimensions": [2]}, "dimensions is about rows drawn with from_"),
        ({"repeats": 0}, "repeats"),
        ({"sizes": [1000]}, "1000"),
    ],
)
def test_wishes_of_compare_that_make_no_sense(iris, options, message):
    with pytest.raises(genera.Error, match=message):
        genera.compare(*iris, **options)


def test_a_comparison_needs_rows_or_a_model(iris):
    with pytest.raises(genera.Error, match="compare needs X and y, or from_"):
        genera.compare()
    with pytest.raises(genera.Error, match="X is about rows, but rows are drawn"):
        genera.compare(iris[0], from_=genera.LDA().fit(*iris))
    with pytest.raises(TypeError, match="is not a classifier of genera"):
        genera.compare(from_=object())
    with pytest.raises(TypeError, match="no parameter 'starts'"):
        genera.compare(*iris, starts=3)


# -- diagnose ------------------------------------------------------------------------------------


@needs_program
@pytest.mark.parametrize("name", ["iris", "wine", "penguins", "crabs"])
def test_diagnose_has_the_numbers_of_the_command_line(name):
    X, y = frame(name)
    expected = printed("diagnose", f"@{name}", "--outliers", "5")
    found = genera.diagnose(X, y, outliers=5).to_dict()
    for one, other in zip(found["outliers"]["rows"], expected["outliers"]["rows"]):
        assert other.pop("line") == one["row"] + 2  # after the header
        assert other.pop("place").endswith(str(one["row"] + 2))
        assert one.pop("line") is None and one.pop("place") == f"row {one['row'] + 1}"
    meanings = []
    for tree in (found, expected):  # hints are in the words of either
        meanings.append(json.dumps(tree).count("meaning"))
        _drop(tree, "meaning")
        _drop(tree, "why")
    assert meanings[0] == meanings[1]
    same(found, expected)


def _drop(tree, key):
    if isinstance(tree, dict):
        tree.pop(key, None)
    for one in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        _drop(one, key)


def test_what_a_diagnosis_says(blobs):
    X, y = blobs
    found = genera.diagnose(X, y)
    assert list(found.features["column"]) == [f"x{j}" for j in range(5)]
    assert list(found.mardia["class"]) == [0, 1, 2] and list(found.classes["name"]) == [0, 1, 2]
    assert found.rows == 300 and found.wilks["why_not"] is None
    text = repr(found)
    for question in ("means", "covariances", "Gaussian", "nearly determined", "outliers"):
        assert question in text
    X = X.copy()
    X[7, 2] = 1e4
    rows = genera.diagnose(X, y).outliers
    assert rows["row"][0] == 7 and rows["column"][0] == "x2"
    with pytest.raises(ValueError, match="requires y"):
        genera.diagnose(X)


def test_statistics_are_enough_for_most_of_it(iris):
    found = genera.diagnose(genera.LDA().fit(*iris).statistics_)
    expected = genera.diagnose(*iris)
    assert found.wilks["lambda"] == pytest.approx(expected.wilks["lambda"], rel=1e-12)
    assert found.to_dict()["outliers"]["why_not"] and "no test" in repr(found)


# -- evaluate ------------------------------------------------------------------------------------


@needs_program
@pytest.mark.parametrize(
    "train, test, model, words, options",
    [
        ("vowel_train", "vowel_test", "lda", [], {}),
        (
            "vowel_train",
            "vowel_test",
            "qda",
            ["--reject", "0.9", "--priors", "estimate"],
            {"reject": 0.9, "priors": "estimate"},
        ),
        ("sonar", "sonar", "lda", ["--positive", "M"], {"positive": "M"}),
        ("sonar", "sonar", "logistic", [], {}),
    ],
)
def test_evaluate_has_the_numbers_of_the_command_line(tmp_path, train, test, model, words, options):
    X, y = frame(train)
    how = {} if model == "logistic" else {"on_singular": "error"}
    classifier = genera.GenerativeClassifier(model, **how).fit(X, y)
    classifier.save(tmp_path / "model.json")
    expected = printed(
        "evaluate", tmp_path / "model.json", f"@{test}", "--target", _target(test), *words
    )
    found = genera.evaluate(classifier, *frame(test), **options).to_dict()
    same(found, expected)


@needs_program
def test_weights_of_an_evaluation_are_those_of_the_command_line(tmp_path):
    X, y = genera.datasets.load_iris(return_X_y=True)
    classifier = genera.GaussianNB().fit(X, y)
    classifier.save(tmp_path / "model.json")
    weights = 1 + np.arange(len(y)) % 4
    header = ",".join([*(name for name, _ in classifier.model_.features), "label", "w"])
    lines = [",".join(map(str, [*x, label, w])) for x, label, w in zip(X, y, weights)]
    (tmp_path / "rows.csv").write_text("\n".join([header, *lines]) + "\n")
    words = ["--target", "label", "--weights", "w"]
    expected = printed("evaluate", tmp_path / "model.json", tmp_path / "rows.csv", *words)
    found = genera.evaluate(classifier, X, y, weights)
    same(found.to_dict(), expected)
    assert found.weight == weights.sum()
    assert found.accuracy_interval["low"] < found.accuracy < found.accuracy_interval["high"]
    assert found.baseline["accuracy"] < found.balanced_accuracy
    with pytest.raises(ValueError, match="sample_weight"):
        genera.evaluate(classifier, X, y, weights[:3])


def _target(name):
    return genera._genera.read_table(f"@{name}", True)["target"]


@needs_program
def test_costs_are_those_of_the_command_line(tmp_path):
    X, y = frame("iris")
    classifier = genera.GenerativeClassifier("gnb").fit(X, y)
    classifier.save(tmp_path / "model.json")
    costs = np.array([[0, 1, 1], [1, 0, 5], [1, 20, 0]])
    lines = ["truth," + ",".join(classifier.classes_)]
    lines += [f"{name}," + ",".join(map(str, row)) for name, row in zip(classifier.classes_, costs)]
    (tmp_path / "costs.csv").write_text("\n".join(lines))
    words = ["--costs", tmp_path / "costs.csv", "--target", "species"]
    expected = printed("evaluate", tmp_path / "model.json", "@iris", *words)
    named = {
        a: {b: costs[i, j] for j, b in enumerate(classifier.classes_)}
        for i, a in enumerate(classifier.classes_)
    }
    import pandas

    order = classifier.classes_[::-1]
    table = pandas.DataFrame(costs, classifier.classes_, classifier.classes_).loc[order, order]
    for given in (costs, named, table):
        same(genera.evaluate(classifier, X, y, costs=given).to_dict(), expected)
    with pytest.raises(genera.Error, match=r"costs has the shape \(2, 3\)"):
        genera.evaluate(classifier, X, y, costs=costs[:2])
    with pytest.raises(genera.Error, match="costs has nothing for the class 'virginica'"):
        genera.evaluate(
            classifier, X, y, costs={k: v for k, v in named.items() if k != "virginica"}
        )


@needs_program
def test_review_has_a_price(tmp_path):
    X, y = frame("iris")
    classifier = genera.GenerativeClassifier("gnb").fit(X, y)
    classifier.save(tmp_path / "model.json")
    costs = np.array([[0, 1, 1, 0.2], [1, 0, 5, 0.2], [1, 20, 0, 0.4]])
    decisions = [*classifier.classes_, "review"]
    lines = ["truth," + ",".join(decisions)]
    lines += [f"{name}," + ",".join(map(str, row)) for name, row in zip(classifier.classes_, costs)]
    (tmp_path / "costs.csv").write_text("\n".join(lines))
    words = ["--costs", tmp_path / "costs.csv", "--target", "species"]
    expected = printed("evaluate", tmp_path / "model.json", "@iris", *words)
    assert expected["rejected"] > 0
    import pandas

    table = pandas.DataFrame(costs, classifier.classes_, decisions)
    turned = table.loc[::-1, decisions[::-1]]
    for given in (costs, table, turned, turned.to_dict("index")):
        same(genera.evaluate(classifier, X, y, costs=given).to_dict(), expected)
    lacking = table.to_dict("index")
    del lacking["setosa"]["review"]
    with pytest.raises(genera.Error, match="costs has nothing for the decision 'review'"):
        genera.evaluate(classifier, X, y, costs=lacking)


def test_an_evaluation_agrees_with_scikit_learn(blobs):
    from sklearn.metrics import confusion_matrix, log_loss, precision_recall_fscore_support

    X, y = blobs
    classifier = genera.QDA().fit(X[:200], y[:200])
    found = genera.evaluate(classifier, X[200:], y[200:])
    predicted = classifier.predict(X[200:])
    np.testing.assert_array_equal(found.confusion, confusion_matrix(y[200:], predicted))
    assert found.log_loss == pytest.approx(
        log_loss(y[200:], classifier.predict_proba(X[200:])), rel=1e-9
    )
    scores = precision_recall_fscore_support(y[200:], predicted)
    np.testing.assert_allclose(found.per_class, np.transpose(scores))
    assert list(found.per_class.index) == [0, 1, 2] and found.confusion.index.name == "truth"
    assert found.accuracy == classifier.score(X[200:], y[200:])


def test_rows_without_a_known_label_are_left_out(iris):
    X, y = iris
    classifier = genera.LDA().fit(X, y)
    labels = y.astype(object)
    labels[0], labels[1] = None, "tulip"
    with pytest.warns(genera.FitWarning, match="no label|not a class"):
        found = genera.evaluate(classifier, X, labels)
    assert found.rows == 148 and found.left_out == {
        "rows": 2,
        "missing": 1,
        "unknown": 1,
        "labels": {"tulip": 1},
    }
    assert "2 rows are left out" in repr(found)
    with pytest.raises(genera.Error, match="label"):
        genera.evaluate(classifier, X, labels, strict=True)
    with pytest.raises(genera.Error, match="positive is for two classes, but the model has 3"):
        genera.evaluate(classifier, X, y, positive="setosa")
    with pytest.raises(TypeError, match="LogisticRegression is not a fitted classifier"):
        from sklearn.linear_model import LogisticRegression

        genera.evaluate(LogisticRegression(), X, y)


def test_priors_of_an_evaluation(iris):
    X, y = iris
    classifier = genera.LDA(priors=[0.8, 0.1, 0.1]).fit(X, y)
    uniform = genera.evaluate(classifier, X, y, priors="uniform")
    assert uniform.log_loss == pytest.approx(genera.evaluate(genera.LDA().fit(X, y), X, y).log_loss)
    named = genera.evaluate(
        classifier, X, y, priors={"setosa": 1 / 3, "versicolor": 1 / 3, "virginica": 1 / 3}
    )
    assert named.log_loss == pytest.approx(uniform.log_loss)
    estimated = genera.evaluate(classifier, X, y, priors="estimate")
    np.testing.assert_allclose(estimated.priors, 1 / 3, atol=0.02)
    with pytest.raises(genera.Error, match="priors is 'tulip'"):
        genera.evaluate(classifier, X, y, priors={"tulip": 1})


def test_priors_of_classes_that_are_hardly_different():
    rng = np.random.default_rng(1)
    y = np.arange(2000) % 2
    X = rng.normal(size=(2000, 1)) + 0.001 * y[:, None]
    with pytest.warns(
        genera.FitWarning,
        match=r"the priors still changed after \d+ iterations; the classes can hardly be told apart",
    ):
        genera.evaluate(genera.LDA().fit(X, y), X + 0.01, y, priors="estimate")


def test_scorers_are_not_calibrated(counts):
    X, y = counts
    scorer = genera.ComplementNB().fit(X, y)
    words = "decisions are made by its probabilities, which are not calibrated"
    with pytest.warns(genera.FitWarning, match=f"complement is a scorer: {words}"):
        found = genera.evaluate(scorer, X, y, reject=0.9)
    assert math.isnan(found.log_likelihood)
    with pytest.raises(genera.Error, match="no density"):
        genera.evaluate(scorer, X, y, priors="uniform")


# -- what all results are like -------------------------------------------------------------------


@pytest.fixture
def results(iris):
    X, y = iris
    return [
        genera.select(X, y, models=["lda", "gnb"]),
        genera.compare(X, y, pairs="lda", sizes=[20], repeats=2, ridge=1),
        genera.diagnose(X, y),
        genera.evaluate(genera.LDA().fit(X, y), X, y),
    ]


def test_results_are_shown_in_notebooks(results):
    for result in results:
        html = result._repr_html_()
        assert html.startswith("<div>") and "<table>" in html and html.count("<tr>") > 2
        assert len(repr(result).splitlines()) > 3


def test_results_are_pickled(results):
    for result in results:
        again = pickle.loads(pickle.dumps(result))
        same(again.to_dict(), result.to_dict())
        assert repr(again) == repr(result)
        assert again._repr_html_() == result._repr_html_()


def test_names_are_escaped_in_notebooks(iris):
    X, y = iris
    labels = np.where(y == "setosa", "<b>x</b>", y)
    html = genera.evaluate(genera.LDA().fit(X, labels), X, labels)._repr_html_()
    assert "&lt;b&gt;x" in html and "<b>x" not in html


def test_frames_without_pandas(iris, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    polars = pytest.importorskip("polars")
    found = genera.evaluate(genera.LDA().fit(*iris), *iris)
    assert isinstance(found.per_class, polars.DataFrame)
    assert found.confusion.columns == ["truth", "setosa", "versicolor", "virginica"]
    assert found.confusion["setosa"].to_list() == [50, 0, 0]
    monkeypatch.setitem(sys.modules, "polars", None)
    found = genera.evaluate(genera.LDA().fit(*iris), *iris)
    assert found.per_class["class"].tolist() == ["setosa", "versicolor", "virginica"]
    assert found.confusion["versicolor"].tolist() == [0, 48, 1]


def test_progress_of_a_comparison_is_told(iris, capfd):
    genera.compare(*iris, pairs="qda", repeats=30, verbose=1)
    assert "fitting" in capfd.readouterr().err


LONG = """
import numpy as np, genera
rng = np.random.default_rng(1)
X, y = rng.normal(size=(20000, 8)), rng.integers(0, 3, 20000)
print("begun", flush=True)
try:
    genera.compare(X, y, pairs="qda", repeats=100000)
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_stops_a_comparison():
    with subprocess.Popen(
        [sys.executable, "-B", "-c", LONG], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        os.kill(process.pid, signal.SIGINT)
        rest = process.stdout.read()
        process.wait()
    assert rest == "interrupted\n" and process.returncode == 0


def test_select_refuses_where_no_row_can_be_judged():
    X = np.arange(20.0).reshape(-1, 1)
    y = [f"only {i}" for i in range(20)]
    with pytest.raises(ValueError, match="no class has rows in several folds: no row can be judged"):
        genera.select(X, y, models=["lda"])


def test_evaluations_of_any_classifier(iris):
    """By their posteriors: those of a pipeline around a model are those of the model."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import brier_score_loss, log_loss
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    X, y = iris
    own = genera.LDA().fit(X[::2], y[::2])
    around = make_pipeline(FunctionTransformer(), genera.LDA()).fit(X[::2], y[::2])
    costs = 1 - np.eye(3) * 1.5
    for parameters in ({}, {"reject": 0.9}, {"costs": costs}):
        expected = genera.evaluate(own, X, y, **parameters).to_dict()
        found = genera.evaluate(around, X, y, **parameters).to_dict()
        for name, value in expected.items():
            if isinstance(value, float) and name != "log_likelihood":
                assert found[name] == pytest.approx(value, rel=1e-12), name
    peer = LogisticRegression(max_iter=2000).fit(X[::2], y[::2])
    found = genera.evaluate(peer, X[1::2], y[1::2])
    assert found.log_loss == pytest.approx(log_loss(y[1::2], peer.predict_proba(X[1::2])))
    assert found.accuracy == peer.score(X[1::2], y[1::2])
    assert found.confusion.to_numpy().sum() == 75
    two = peer.fit(X[50:], y[50:])
    found = genera.evaluate(two, X[50:], y[50:], sample_weight=np.arange(1.0, 101.0))
    expected = brier_score_loss(
        y[50:], two.predict_proba(X[50:])[:, 1], sample_weight=np.arange(1.0, 101.0), pos_label="virginica"
    )
    assert found.brier == pytest.approx(2 * expected)  # summed over both classes
    with pytest.raises(genera.Error, match="has no priors"):
        genera.evaluate(peer, X, y, priors="uniform")
    with pytest.raises(TypeError, match="not a fitted classifier with predict_proba"):
        genera.evaluate(object(), X, y)
