#!/usr/bin/python3
"""check_kinds.py [ROOT]: fails if anything outside of src/blocks/ asks what kind a block is, or anything but
src/score/linear/features*.cpp what kind of features a part of a linear model has.

The kinds are the alternatives of `Block` (include/genera/blocks.hpp) and the list `AllKinds`
(src/blocks/kinds.hpp). Files of src/ and apps/ must not name one of either, not ask for an alternative by
its number, and not include the folder of a kind. What must be excepted is listed here, with the reason.
The kinds of features are the alternatives of `LinearFeatures` (include/genera/linear.hpp); whoever learns or
is given some may make them, but nobody asks which they are.
"""

import pathlib
import re
import sys
from typing import NamedTuple

BLOCK = re.compile(r"using\s+Block\s*=\s*std::variant<([^>]*)>")
ALL_KINDS = re.compile(r"using\s+AllKinds\s*=\s*Kinds<([^>]*)>")
FEATURES = re.compile(r"using\s+LinearFeatures\s*=\s*std::variant<([^>]*)>")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\')', re.S)
BY_NUMBER = re.compile(
    r"\bget(?:_if)?<\s*\d+\s*>\s*\([^)]*\bblocks?\b|\bblocks?(?:\(\)|\[[^\]]*\]|\.front\(\))*\s*\.\s*index\(\)"
)
KIND_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(blocks/\w+/)[^"]*"', re.MULTILINE)


class Allowed(NamedTuple):
    path: str  # what the names of the files begin with
    what: str  # that may be found there; empty: anything
    reason: str


EXCEPTIONS = [
    Allowed("src/fit/mixture/", "blocks/gaussian/", "mixtures are found among Gaussian components"),
    Allowed("src/fit/mixture/", "blocks/mixture/", "mixtures are found among Gaussian components"),
    Allowed("python/src/parameters.cpp", "GaussianBlock", "the drop-ins give means and covariances"),
]


def names_in(path, pattern):
    found = pattern.search(path.read_text(encoding="utf-8")) if path.exists() else None
    return [name.strip() for name in found.group(1).split(",")] if found else []


def without_comments(text):
    """Lines stay where they are."""
    return COMMENT.sub(lambda m: m.group(1) or "\n" * m.group(0).count("\n"), text)


def findings(text, kinds):
    """(line, what is found, what is wrong with it), in the order of the lines."""
    text = without_comments(text)
    found = []

    def add(match, what, problem):
        found.append((text.count("\n", 0, match.start()) + 1, what, problem))

    for match in re.finditer(rf"\b({'|'.join(map(re.escape, kinds))})\b", text):
        add(match, match[1], f"names {match[1]}")
    for match in BY_NUMBER.finditer(text):
        add(match, "number", "asks for the number of an alternative")
    for match in KIND_INCLUDE.finditer(text):
        add(match, match[1], f"includes {match[1]}, the folder of a kind")
    return sorted(found)


def asked_features(text, kinds):
    """(line, kind) wherever a kind of features is asked for."""
    text = without_comments(text)
    asked = rf"\b(?:get|get_if|holds_alternative)<\s*(?:const\s+)?({'|'.join(map(re.escape, kinds))})\s*>"
    return [(text.count("\n", 0, m.start()) + 1, m[1]) for m in re.finditer(asked, text)]


def sources(root):
    """Name and text of every file that may not ask."""
    for folder in ("src", "apps", "python/src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".cpp", ".hpp"}:
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def problems_of_features(root):
    kinds = names_in(root / "include/genera/linear.hpp", FEATURES)
    if not kinds:
        return ["include/genera/linear.hpp: no list of kinds of features"]
    return [
        f"{name}:{line}: asks for {kind}; what it does is in src/score/linear/features.cpp"
        for name, text in sources(root)
        if not name.startswith("src/score/linear/features")
        for line, kind in asked_features(text, kinds)
    ]


def problems(root, exceptions=None):
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    blocks = names_in(root / "include/genera/blocks.hpp", BLOCK)
    kinds = names_in(root / "src/blocks/kinds.hpp", ALL_KINDS)
    if not blocks or not kinds:
        return ["include/genera/blocks.hpp and src/blocks/kinds.hpp: no list of blocks or of kinds"]
    found, used = [], set()
    for name, text in sources(root):
        if name.startswith("src/blocks/"):
            continue
        for line, what, problem in findings(text, blocks + kinds):
            allowed = [e for e in exceptions if name.startswith(e.path) and e.what in ("", what)]
            used.update(allowed)
            if not allowed:
                found.append(f"{name}:{line}: {problem}; what a kind does is in src/blocks/")
    for exception in exceptions:
        if exception not in used:
            found.append(f"scripts/check_kinds.py: the exception of {exception.path} is not needed")
    return found + problems_of_features(root)


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
