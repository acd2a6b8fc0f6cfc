"""Models and rows as files, shared with the command line."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import genera

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin" / "genera"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the command line is not built")


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


@needs_program
@pytest.mark.parametrize("model", ["qda", "lda", "rda", "bqda", "gnb", "mda", "kernel", "logistic"])
def test_models_of_the_command_line_load(model, tmp_path, iris):
    X, y = iris
    path = tmp_path / "model.json"
    run("fit", "@iris", "--model", model, "-o", path)
    found = genera.load(path)
    how = {} if model == "logistic" else {"on_singular": "error"}
    expected = genera.GenerativeClassifier(model, **how).fit(X, y)
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))
    assert found.classes_.tolist() == expected.classes_.tolist()
    text = run("predict", path, "@iris", "--proba")
    rows = [line.split(",") for line in text.splitlines()[1:]]
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal([[float(x) for x in row[1:]] for row in rows], found.predict_proba(X))


@needs_program
@pytest.mark.parametrize("name", ["model.json", "model.cbor"])
def test_models_of_python_load_in_the_command_line(name, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = genera.datasets.load_iris(as_frame=True)
    found = genera.QDA().fit(frame.data, frame.target)
    path = tmp_path / name
    found.save(path)
    lines = run("predict", path, "@iris").splitlines()[1:]
    assert lines == found.predict(frame.data).tolist()
    again = genera.load(path)
    np.testing.assert_array_equal(again.predict_proba(frame.data), found.predict_proba(frame.data))
    assert isinstance(frame.data, pandas.DataFrame)


def test_a_saved_array_model_takes_arrays(tmp_path, blobs):
    X, y = blobs
    found = genera.LDA().fit(X, y)
    found.save(tmp_path / "m.json")
    again = genera.load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict(X), found.predict(X))
    assert again.classes_.dtype.kind == "i" and again.means_.shape == (3, 5)


@pytest.mark.parametrize(
    "estimator",
    [
        genera.AODE(),
        genera.BayesianQDA(),
        genera.KernelBayes(),
        genera.LDA(),
        genera.MDA(2, starts=1),
        genera.QDA(),
        genera.RDA(),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["m.json", "m.cbor"])
def test_a_model_is_loaded_as_an_estimator_of_its_class(estimator, name, tmp_path, blobs):
    X, y = blobs
    found = estimator.fit(X, y)
    found.save(tmp_path / name)
    again = genera.load(tmp_path / name)
    assert type(again) is type(estimator)
    np.testing.assert_array_equal(again.predict_proba(X), found.predict_proba(X))
    np.testing.assert_array_equal(again.score_samples(X), found.score_samples(X))


def test_texts(tmp_path):
    found = genera.TextClassifier().fit(["aa bb", "cc dd", "aa cc"], ["x", "y", "x"])
    found.save(tmp_path / "m.json")
    again = genera.load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_proba(["aa dd"]), found.predict_proba(["aa dd"]))


def test_broken_files(tmp_path):
    with pytest.raises(genera.Error, match="nowhere.json"):
        genera.load(tmp_path / "nowhere.json")
    (tmp_path / "broken.json").write_text('{"format": "genera-mo')
    with pytest.raises(genera.Error, match="broken.json"):
        genera.load(tmp_path / "broken.json")


def test_rows_of_files(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("size,colour,class\n1.5,red,yes\n,blue,no\n2.5,,yes\n")
    columns, labels = genera.read_csv(path)
    np.testing.assert_array_equal(columns["size"], [1.5, np.nan, 2.5])
    assert columns["colour"].tolist() == ["red", "blue", None]
    assert labels.tolist() == ["yes", "no", "yes"]
    pandas = pytest.importorskip("pandas")
    frame, _ = genera.read_csv(path, as_frame=True)
    assert frame["colour"].isna().tolist() == [False, False, True]
    assert isinstance(frame, pandas.DataFrame)
    columns, labels = genera.read_csv(path, target=False)
    assert labels is None and "class" in columns
    with pytest.raises(genera.Error, match="sise"):
        genera.read_csv(path, target="sise")


def test_data_sets():
    assert {"iris", "wine", "digits", "penguins"} <= set(genera.datasets.names())
    for name in genera.datasets.names():
        found = genera.datasets.load(name)
        assert found.DESCR and len(found.feature_names) > 0
    iris = genera.datasets.load_iris()
    assert iris.data.shape == (150, 4) and iris.target_names.tolist()[0] == "setosa"
    digits = genera.datasets.load_digits()
    assert digits.target.dtype.kind == "i"
    pytest.importorskip("pandas")
    penguins = genera.datasets.load_penguins(as_frame=True)
    assert str(penguins.frame["island"].dtype) == "category" and len(penguins.frame) == 344
    found = genera.MixedNB().fit(penguins.data, penguins.target)
    assert found.score(penguins.data, penguins.target) > 0.95
    with pytest.raises(genera.Error, match="irsi"):
        genera.datasets.load("irsi")


def test_no_file_is_left_behind(tmp_path, blobs):
    found = genera.LDA().fit(*blobs)
    with pytest.raises(genera.Error):
        found.save(tmp_path / "no" / "such" / "folder.json")
    assert os.listdir(tmp_path) == []


def test_auto_saves_and_loads_numbers_that_became_categories(tmp_path):
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 150)
    code = np.where(rng.random(300) < 0.85, np.array([7, 3])[y], rng.choice([1, 3, 5, 7], 300))
    X = np.column_stack([rng.normal(y, 2.0), code]).astype(float)
    fitted = genera.GenerativeClassifier().fit(X, y)
    assert dict(fitted.model_.features)["x1"] == "categorical"
    fitted.save(tmp_path / "model.json")
    loaded = genera.load(tmp_path / "model.json")
    for one in (fitted, loaded):
        np.testing.assert_array_equal(one.predict_proba(X), fitted.predict_proba(X))
        drawn, _ = one.sample(50, random_state=1)
        assert drawn.shape == (50, 2) and set(drawn[:, 1]) <= {1.0, 3.0, 5.0, 7.0}
    assert one.predict_proba([[0.0, 4.0]]).sum() == pytest.approx(1)  # a value that was never seen


@pytest.mark.parametrize(
    "estimator",
    [
        genera.LDA(),
        genera.QDA(shrinkage=0.1),
        genera.GaussianNB(),
        genera.RDA(),
        genera.MDA((1, 2), starts=2),
        genera.SoftmaxRegression(),
        genera.BernoulliNB(),
        genera.CategoricalNB(),
        genera.MultinomialNB(),
        genera.ComplementNB(),
        genera.PoissonNB(),
        genera.GenerativeClassifier("dlda"),
        genera.GenerativeClassifier("joint"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_the_class_that_was_saved_comes_back(estimator, counts, tmp_path):
    X, y = counts
    found = estimator.fit(X, y)
    found.save(tmp_path / "m.json")
    again = genera.load(tmp_path / "m.json")
    assert type(again) is type(found)
    np.testing.assert_array_equal(again.predict_proba(X), found.predict_proba(X))
    if isinstance(found, genera.LDA):
        np.testing.assert_array_equal(again.transform(X), found.transform(X))
    if isinstance(found, genera.GenerativeClassifier):
        assert again.model == found.model


def test_a_loaded_model_takes_the_columns_of_a_frame_by_their_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame(
        {"s": rng.choice(["u", "v"], 80), "a": rng.normal(size=80), "f": rng.random(80) < 0.5}
    )
    found = genera.MixedNB().fit(frame, rng.integers(0, 2, 80))
    found.save(tmp_path / "m.json")
    again = genera.load(tmp_path / "m.json")
    assert isinstance(again, genera.MixedNB)
    for other in (frame, frame[["f", "s", "a"]], frame.assign(more=1)):
        np.testing.assert_array_equal(again.predict_proba(other), found.predict_proba(frame))
    with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing"):
        again.predict(frame[["s", "a"]])


def test_the_threshold_of_flags_is_not_in_the_file(counts, tmp_path):
    X, y = counts
    with pytest.warns(genera.FitWarning, match="the file does not keep binarize=2"):
        genera.BernoulliNB(binarize=2).fit(X, y).save(tmp_path / "m.json")


def test_mixtures_are_saved(iris, tmp_path):
    X, _ = iris
    found = genera.GaussianMixture(3).fit(X)
    found.save(tmp_path / "m.json")
    again = genera.load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict(X) - 1, found.predict(X))
    np.testing.assert_array_equal(again.score_samples(X), found.score_samples(X))
