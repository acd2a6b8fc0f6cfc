#!/usr/bin/python3
"""check_words.py [ROOT [PATH...]]: fails on wordings that make a reader stop, and on long lines of Markdown prose.

Checks the files and folders of CLEAN, or PATHs relative to ROOT: the prose of Markdown, and the comments and string
literals of C++ and Python. Code blocks, `inline code` and link targets are not prose.
"""

import pathlib
import re
import sys

# Files and folders that follow the rules. Add one when it has been rewritten.
CLEAN = (
    "README.md",
    "apps/cli/plot",
    "apps/cli/show",
    "apps/cli/tour",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/adding-a-block.md",
    "docs/architecture.md",
    "docs/cluster.md",
    "docs/command-line.md",
    "docs/cpp.md",
    "docs/decisions",
    "docs/diagnosis.md",
    "docs/figures.md",
    "docs/file-format.md",
    "docs/generative-or-discriminative.md",
    "docs/imputation.md",
    "docs/numerics.md",
    "docs/performance.md",
    "docs/python.md",
    "docs/reliability.md",
    "docs/selection.md",
    "docs/tutorial.md",
    "include/genera/blocks.hpp",
    "include/genera/fit_auto.hpp",
    "include/genera/mixture.hpp",
    "include/genera/recipe.hpp",
    "src/blocks",
    "src/document",
    "src/figure",
    "src/fit",
    "src/io",
    "src/score",
    "src/spec",
    "src/sums",
)
# Headings that other pages link to.
KEPT = ("New rows, filled holes",)
MAX_COLUMNS = 100

# (wording, what to write instead). A space is any white space, also the end of a line. Case matters only in
# wordings with a capital. Good English must pass: a rule with false alarms is worse than none.
RULES = (
    (r"anew", "write 'again'"),
    (r"somebody|nobody|whoever", "name the actor: the caller, the user, this function"),
    (r"so many(?![^.;:]* that\b)", "give the number, or its name"),
    (r"of as many|if as many more", "give the number, or its name"),
    (r"holes?", "write 'missing values'"),
    (
        r"(?<!there\s)(?:is|are|was|were) no(?= \w)"
        r"(?! (?:\w+er|more|less|worse|different|one|exception|match|use|surprise)\b)",
        "write 'is not a' or 'has no'",
    ),
    (r"Of (?:more|fewer|less) than|(?<=[;:]\s)of (?:more|fewer|less) than", "write 'With more than N rows, ...'"),
    (r"(?:is|are|was|were|be|been) told(?! apart)", "name the actor: 'fit reports ...'"),
    (r"(?<!at\s)least (?:log loss|loss|error|error rate|AIC|BIC|cost|risk)", "write 'lowest'"),
    (r"less (?:AIC|BIC|log loss)", "write 'lower'"),
    (r"the least and the (?:largest|most|greatest)", "write 'minimum and maximum'"),
    (r"whole or not at all", "write 'atomically'"),
    (r"(?:in|on) (?:its|their|his) stead", "write 'instead'"),
    (r"to be had", "write 'available'"),
    (r"speaks? (?:most )?(?:for|against)(?! itself)", "write 'favours', or 'contributes to'"),
    (r"probabilities (?:\w+ )?honest", "write 'calibrated'"),
    (r"cures", "write 'remedies'"),
    (r"good likeness", "write 'approximation'"),
    (r"what is the matter", "state the error"),
    (r"what stands (?:here|there)", "write 'the output shown'"),
    (r"(?:those|what) there (?:is|are)", "name the things"),
    (r"(?:normal|gaussian|poisson|F|t|chi-square) laws?", "write 'distribution'"),
)

INLINE_CODE = re.compile(r"`[^`\n]+(?:\n[^`\n]+)?`")
MARKDOWN_CODE = re.compile(
    r"^(?:> )?```.*?^(?:> )?```[^\n]*$|^(?: {4}|\t)[^\n]*$|<!--.*?-->|(?<=\])\([^)\s]*\)|"
    + INLINE_CODE.pattern,
    re.S | re.M,
)
CPP_PROSE = re.compile(
    r'//+!?<?(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|R"(?P<mark>[^()\s]*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'',
    re.S,
)
PYTHON_PROSE = re.compile(
    r'#(?P<line>[^\n]*)|"""(?P<doc>.*?)"""|\'\'\'(?P<raw>.*?)\'\'\''
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?P<quoted>(?:[^\'\\\n]|\\.)*)\'',
    re.S,
)
PROSE_OF_CODE = {".cpp": CPP_PROSE, ".hpp": CPP_PROSE, ".py": PYTHON_PROSE}
NOT_PROSE = "\0"  # not white space, so no wording spans it


def compiled(wording):
    flags = 0 if re.search("[A-Z]", wording) else re.I
    return re.compile(r"(?<!\w)(?:" + wording.replace(" ", r"\s+") + r")(?!\w)", flags)


COMPILED = tuple((compiled(wording), advice) for wording, advice in RULES)


def blank(text):
    """As long as the text, with the same lines."""
    return re.sub(r"[^\s]", NOT_PROSE, text)


def prose_of_markdown(source):
    for heading in KEPT:
        source = source.replace(heading, blank(heading))
    return MARKDOWN_CODE.sub(lambda code: blank(code[0]), source)


def prose_of_code(source, pattern):
    """Comments and texts at their places; marks of comments and quotes between them are spaces."""
    pieces, end = [], 0
    for match in pattern.finditer(source):
        groups = [name for name, text in match.groupdict().items() if text is not None and name != "mark"]
        begin, stop = match.span(groups[0]) if groups else (match.end(), match.end())
        pieces += [blank(source[end : match.start()]), " " * (begin - match.start()), source[begin:stop]]
        pieces.append(" " * (match.end() - stop))
        end = match.end()
    return INLINE_CODE.sub(lambda code: blank(code[0]), "".join(pieces) + blank(source[end:]))


def long_lines(prose, source):
    for number, (left, line) in enumerate(zip(prose.split("\n"), source.split("\n")), 1):
        code = line.strip() and not left.replace(NOT_PROSE, "").strip()
        if len(line) > MAX_COLUMNS and not code and not line.startswith(("|", "#", "![")) and " " in line.strip():
            yield number, f"{len(line)} columns, at most {MAX_COLUMNS}"


def problems_of(path):
    source = path.read_text(encoding="utf-8")
    markdown = path.suffix == ".md"
    prose = prose_of_markdown(source) if markdown else prose_of_code(source, PROSE_OF_CODE[path.suffix])
    found = list(long_lines(prose, source)) if markdown else []
    for pattern, advice in COMPILED:
        for match in pattern.finditer(prose):
            line = prose.count("\n", 0, match.start()) + 1
            found.append((line, f"'{' '.join(match[0].split())}': {advice}"))
    return sorted(found)


def files(root, names):
    for name in names:
        path = root / name
        if path.is_file():
            yield path
        for inside in sorted(path.rglob("*")):
            if inside.suffix == ".md" or inside.suffix in PROSE_OF_CODE:
                yield inside


def problems(root, names=CLEAN):
    missing = [f"{name}: does not exist" for name in names if not (root / name).exists()]
    return missing + [
        f"{path.relative_to(root)}:{line}: {problem}" for path in files(root, names) for line, problem in problems_of(path)
    ]


if __name__ == "__main__":
    found = problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."), tuple(sys.argv[2:]) or CLEAN)
    sys.exit("\n".join(found) or 0)
