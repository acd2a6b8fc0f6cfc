"""The table of options of the core, as each edge shows it."""

import inspect
import pathlib
import subprocess

import pytest

import genera
from genera import _genera

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "bin" / "genera"
OPTIONS = _genera.model_options()
ESTIMATORS = (genera.GenerativeClassifier, genera.SoftmaxRegression, genera.TextClassifier)
FLAGS = ("raw_units", "simple", "fast", "no_rows")
IN_PYTHON = {"no_rows": "keep_rows"}  # what is on by default has no "no" there


def parameters(estimator):
    return inspect.signature(estimator.__init__).parameters


@pytest.fixture(scope="module")
def help_of_fit():
    if not PROGRAM.exists():
        pytest.skip("the command line is not built")
    return subprocess.run([PROGRAM, "help", "fit"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", OPTIONS)
def test_every_edge_has_every_option(name, help_of_fit):
    flag = "--" + name.replace("_", "-")
    assert f"{flag} " in help_of_fit, "command line"
    assert any(IN_PYTHON.get(name, name) in parameters(one) for one in ESTIMATORS), "Python"
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    assert flag in pages or f"`{name}" in pages, "documentation"


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_parameters_are_options_or_about_data_and_execution(estimator):
    others = {"self", "model", "types", "class_weight", "threads", "random_state", "verbose"}
    cutting = {"ngrams", "chars", "hash_bits"}  # how a text becomes terms, before any model
    options = {IN_PYTHON.get(name, name) for name in OPTIONS}
    assert set(parameters(estimator)) <= others | cutting | options


def test_a_parameter_of_another_name_is_refused_by_its_own(blobs):
    with pytest.raises(genera.Error, match="lda does not use keep_rows"):
        genera.GenerativeClassifier("lda", keep_rows=False).fit(*blobs)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_that_the_model_does_not_use_is_refused_alike(name, help_of_fit):
    """By the same sentence in the command line and in Python."""
    unused = [one for one in ("lda", "logistic", "poisson", "complement") if one not in OPTIONS[name]]
    if not unused:
        pytest.skip("every model uses it")
    flag = "--" + name.replace("_", "-")
    words = [PROGRAM, "fit", "@iris", "--model", unused[0], flag]
    if name not in FLAGS:
        words.append({"priors": "uniform", "covariance": "full", "stop_words": "the"}.get(name, "1"))
    said = subprocess.run(words, capture_output=True, text=True).stderr
    assert f"{unused[0]} does not use {flag}" in said
    with pytest.raises(genera.Error, match=f"{unused[0]} does not use {name}"):
        _genera.fit(_genera.Data(0), {"model": unused[0], name: 1})
