"""What pip's users are told of a build from source."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


# The extra and the library of a folder, which `import genera` does not import.
OF_FOLDERS = {"dask": ("dask", "dask"), "spark": ("spark", "pyspark")}


def packages():
    text = (ROOT / "scripts" / "setup.sh").read_text()
    return re.search(r'program="([^"]*)"', text)[1].replace("\\\n", "").split()


@pytest.mark.skipif(not shutil.which("cmake"), reason="there is no CMake")
def test_missing_libraries_are_named_with_the_line_that_installs_them(tmp_path):
    found = subprocess.run(
        [
            "cmake",
            "-S",
            ROOT,
            "-B",
            tmp_path,
            "-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON",
            "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON",
        ],
        capture_output=True,
        text=True,
    )
    assert found.returncode != 0
    told = " ".join(found.stderr.split())
    assert "genera needs libraries that are not found: hwy, fmt" in told
    assert "apt-get install --no-install-recommends " + " ".join(packages()) in told


def test_the_page_has_the_same_line():
    line = "    apt-get install --no-install-recommends " + " ".join(packages())
    assert line in (ROOT / "docs" / "python.md").read_text().splitlines()


def test_what_is_imported_is_declared():
    declared = (ROOT / "pyproject.toml").read_text()
    for name in ("numpy", "scipy", "scikit-learn"):
        assert re.search(rf'dependencies = \[.*"{name}>=', declared)
    module = ROOT / "python" / "genera"
    known = {"numpy", "scipy", "sklearn", "genera"} | set(sys.stdlib_module_names)
    for source in module.rglob("*.py"):
        imported = set(re.findall(r"^(?:from|import) (\w+)", source.read_text(), re.M))
        extra, library = OF_FOLDERS.get(source.relative_to(module).parts[0], ("", ""))
        if library:  # what the folder is for; the rest of the module does without
            assert re.search(rf'^{extra} = \[.*"{library}[\[>]', declared, re.M)
        assert imported - known <= {library}, source
