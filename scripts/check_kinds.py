#!/usr/bin/python3
"""check_kinds.py [ROOT]: fails if anything outside of src/blocks/ asks what kind a block is.

The kinds are the alternatives of `Block` (include/genera/blocks.hpp) and the list `AllKinds`
(src/blocks/kinds.hpp). Files of src/ and apps/ must not name one of either, not ask for an alternative by
its number, and not include the folder of a kind. What must be excepted is listed here, with the reason.
"""

import pathlib
import re
import sys
from typing import NamedTuple

BLOCK = re.compile(r"using\s+Block\s*=\s*std::variant<([^>]*)>")
ALL_KINDS = re.compile(r"using\s+AllKinds\s*=\s*Kinds<([^>]*)>")
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


def problems(root, exceptions=None):
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    blocks = names_in(root / "include/genera/blocks.hpp", BLOCK)
    kinds = names_in(root / "src/blocks/kinds.hpp", ALL_KINDS)
    if not blocks or not kinds:
        return ["include/genera/blocks.hpp and src/blocks/kinds.hpp: no list of blocks or of kinds"]
    found, used = [], set()
    for folder in ("src", "apps", "python/src"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in {".cpp", ".hpp"} or name.startswith("src/blocks/"):
                continue
            for line, what, problem in findings(path.read_text(encoding="utf-8"), blocks + kinds):
                allowed = [e for e in exceptions if name.startswith(e.path) and e.what in ("", what)]
                used.update(allowed)
                if not allowed:
                    found.append(f"{name}:{line}: {problem}; what a kind does is in src/blocks/")
    for exception in exceptions:
        if exception not in used:
            found.append(f"scripts/check_kinds.py: the exception of {exception.path} is not needed")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
