#!/usr/bin/python3
"""check_mirror.py [ROOT]: fails if tests/ does not mirror src/.

The test of src/a/b.cpp, or of the header src/a/b.hpp, is tests/a/b_test.cpp. One file can have several
tests: tests/a/b_aspect_test.cpp. So can a folder src/a/b/ as a whole, and a public header of the layer
(include/genera/b.hpp). Tests of several folders at once are in tests/laws/. Each source of at least
MIN_LINES lines has a test of its own, or its folder has one, or COVERED names the test that covers it.
"""

import pathlib
import sys
from typing import NamedTuple

MIN_LINES = 200



class Covered(NamedTuple):
    test: str
    folder: str
    sources: str
    reason: str


# Sources without a test of their own name: the test that covers them, and the reason.
COVERED = [
    Covered("blocks/gaussian_test", "blocks/gaussian/density", "decision density", "closed forms of log densities"),
    Covered(
        "blocks/gaussian_test", "blocks/gaussian/estimate", "estimate estimate_input", "closed forms of estimates"
    ),
    Covered(
        "blocks/gaussian/estimate/singular_test", "blocks/gaussian/estimate", "remedies", "texts of the same errors"
    ),
    Covered("fit/em/fit_by_em_test", "blocks/gaussian/missing", "expectation", "an E-step is tested as EM"),
    Covered("fit/em/fit_by_em_test", "fit/em", "latent_rows", "an E-step is tested as EM"),
    Covered("data/csv/csv_rows_test", "data/csv", "csv_sniff fields", "texts in, tables out"),
    Covered("data/sample_rows_test", "data", "row_digests", "samples are chosen by digests"),
    Covered("data/text/text_terms_test", "data/text", "text_pieces", "texts in, terms out"),
    Covered(
        "diagnose/diagnose_test", "diagnose", "class_scatters covariances robust_shape", "one test per statistic"
    ),
    Covered("document/parse_test", "document", "fields", "documents are printed and parsed together"),
    Covered("evaluate/fit_auto_test", "evaluate", "auto_candidates judging", "the steps of one choice"),
    Covered("figure/figures_regions_test", "figure", "axes scene shown tracing", "properties of drawn figures"),
    Covered("figure/evaluations_test", "figure", "canonical", "properties of drawn figures"),
    Covered(
        "fit/linear/logistic_test", "fit/linear", "design newton softmax softmax_hessian softmax_plan",
        "properties of the minimum",
    ),
    Covered("io/files/files_discrete_test", "io", "discrete_statistics", "files are written and read"),
    Covered("fit/linear/softmax_partitions_test", "io", "softmax_document", "its bytes connect partitions"),
    Covered("kernel/normal_box_test", "kernel", "normal_lattice", "one integral by two methods"),
    Covered("query/tail_test", "query", "tail_draws", "tails by both methods"),
    Covered("score/linear/model_test", "score/linear", "features parts", "closed forms of linear scores"),
    Covered("query/queries_test", "score", "run_all scorer", "questions are functions of the scores"),
    Covered("spec/spec_test", "spec", "recipes table", "every option of the table through spec.cpp"),
    Covered("sums/statistics_test", "sums", "summarise", "laws of statistics of rows"),
]


def stems(name):
    """'a_b_c' -> 'a_b_c', 'a_b', 'a': what a test of this name can be a test of."""
    words = name.split("_")
    return ["_".join(words[:count]) for count in range(len(words), 0, -1)]


def subject(root, test):
    """What the test tests/a/b_test.cpp is a test of, or None."""
    folder = test.relative_to(root / "tests").parent
    for stem in stems(test.name.removesuffix("_test.cpp")):
        for path in (folder / f"{stem}.cpp", folder / f"{stem}.hpp", folder / stem):
            if (root / "src" / path).exists():
                return (pathlib.Path("src") / path).as_posix()
        if (root / "include/genera" / f"{stem}.hpp").exists():
            return f"include/genera/{stem}.hpp"
    return None


def covered_sources(covered):
    return {f"src/{entry.folder}/{name}.cpp" for entry in covered for name in entry.sources.split()}


def subjects_of(root):
    """(test, what it tests or None) of every test of a folder of src/."""
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        for test in sorted((root / "tests" / folder.name).rglob("*_test.cpp")):
            yield test, subject(root, test)


def untested(root, subjects):
    for source in sorted((root / "src").rglob("*.cpp")):
        name = source.relative_to(root).as_posix()
        lines = len(source.read_text(encoding="utf-8").splitlines())
        own = {name, name.removesuffix(".cpp") + ".hpp", str(pathlib.Path(name).parent)}
        if lines >= MIN_LINES and not own & subjects:
            yield name, lines


def problems(root, covered=COVERED):
    tests = list(subjects_of(root))
    found = [
        f"{test.relative_to(root).as_posix()}: there is no such file or folder in src/"
        for test, tested in tests
        if tested is None
    ]
    others = covered_sources(covered)
    for name, lines in untested(root, {tested for _, tested in tests}):
        if name not in others:
            found.append(f"{name}: {lines} lines without a test; add {test_of(name)}")
    listed = others | {f"tests/{entry.test}.cpp" for entry in covered}
    found += [f"{name}: listed in COVERED, but not there" for name in sorted(listed) if not (root / name).exists()]
    return found


def test_of(source):
    return source.replace("src/", "tests/", 1).removesuffix(".cpp") + "_test.cpp"


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
