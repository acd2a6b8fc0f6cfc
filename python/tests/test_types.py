"""What type checkers say of a program of a user."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

import genera
from genera import _typing
from genera._candidates import Options

PROGRAM = pathlib.Path(__file__).with_name("typed_program.py")
WRONG = {
    number
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
    if line.endswith("# wrong")
}


def test_mypy_finds_what_is_wrong():
    mypy = pytest.importorskip("mypy.api")
    options = ["--cache-dir", os.devnull, "--ignore-missing-imports", "--config-file", os.devnull]
    out, err, _ = mypy.run([*options, str(PROGRAM)])
    lines = {int(line) for line in re.findall(r"typed_program\.py:(\d+): error", out)}
    assert lines == WRONG, out + err


def test_pyright_finds_what_is_wrong():
    pytest.importorskip("pyright")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, PROGRAM],
        capture_output=True,
        text=True,
    )
    if not done.stdout.startswith("{"):
        pytest.skip("pyright needs Node.js: " + done.stderr[-300:])
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    lines = {one["range"]["start"]["line"] + 1 for one in found}
    assert lines == WRONG, found


def test_the_options_are_those_of_the_estimators():
    known = {
        name
        for estimator in (genera.GenerativeClassifier, genera.TextClassifier)
        for name in estimator._get_param_names()
    }
    of_auto = {"calibrate", "simple", "fast", "keep_rows", "folds"}
    own = {"model", "threads", "random_state", "verbose"} | of_auto
    of_both = {"missing", "unlabelled_weight"}
    assert set(_typing.SelectedOptions.__annotations__) == known - own - of_both
    decided = {"components", "covariance", "starts", "terms", "on_singular"}
    assert set(_typing.ComparedOptions.__annotations__) == known - own - of_both - decided
    Options({}, texts=False)


def test_every_data_set_is_declared():
    declared = pathlib.Path(genera.datasets.__file__).with_suffix(".pyi").read_text()
    assert set(re.findall(r"def load_(\w+)\(", declared)) == set(genera.datasets.names())
