"""Examples of the docstrings and of the pages run."""

import doctest
import importlib
import os
import pathlib
import re
import subprocess
import sys

import pytest

import genera

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [
    "_aode",
    "_density",
    "_numbers",
    "_classifiers",
    "_mixture",
    "_imputer",
    "_text",
    "_io",
    "_laboratory.compare",
    "_laboratory.diagnose",
    "_laboratory.evaluate",
    "_laboratory.select",
    "datasets",
    "sklearn._naive_bayes",
    "sklearn._discriminant",
    "plot._planes",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    if name.startswith("plot"):
        pytest.importorskip("matplotlib").use("agg")
    results = doctest.testmod(importlib.import_module(f"genera.{name}"))
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(path, tmp_path):
    if "dask" in path.read_text(encoding="utf-8"):
        pytest.importorskip("distributed")
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", path], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def code_of(page):
    """All Python of a page, one block after the other."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.S | re.M))


def test_the_page_of_python_shows_every_kind_of_figure():
    pytest.importorskip("matplotlib")
    for kind in genera.plot.__all__:
        assert f"plot.{kind}(" in code_of("docs/python.md"), kind


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_code_of_pages_runs(page, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    if page == "docs/python.md":
        pytest.importorskip("plotly")
    code = code_of(page)
    assert code
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "page.py"],
        cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_types_hold():
    mypy = pytest.importorskip("mypy.api")
    out, _, status = mypy.run(["--cache-dir", os.devnull, str(ROOT / "python" / "genera")])
    assert status == 0, out


def test_the_stub_names_what_there_is():
    import ast

    from genera import _genera

    stub = ast.parse((ROOT / "python" / "genera" / "_genera.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
            there = {name for name in vars(getattr(_genera, node.name)) if not name.startswith("_")}
            assert there == methods - {"__init__"}, node.name
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in vars(_genera) if not name.startswith("_") and name.islower()}
    assert there == functions | {"version"}


def test_everything_public_is_documented():
    for name in genera.__all__:
        thing = getattr(genera, name)
        if isinstance(thing, type) and thing.__module__.startswith("genera._"):
            assert thing.__doc__, name
