#!/usr/bin/python3
"""check_docs.py ROOT: quoted code equals its source, and links between pages lead somewhere.

A fenced block after `<!-- quote: FILE#MARK -->` must equal the lines of FILE between two comment lines
`[MARK]`, without their common indentation; after `<!-- quote: FILE -->` the whole file.
"""
import pathlib
import re
import sys
import textwrap

QUOTE = re.compile(r"<!-- quote: ([^#\s]+)(?:#(\w+))? -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def quoted(source, mark):
    if mark is None:
        return source
    parts = re.split(rf"^.*\[{mark}\]\s*$\n?", source, flags=re.M)
    return textwrap.dedent(parts[1]) if len(parts) == 3 else None


def problems_of(page, root):
    text = page.read_text(encoding="utf-8")
    for name, mark, block in QUOTE.findall(text):
        source = root / name
        if not source.exists():
            yield f"{page.relative_to(root)}: quotes {name}, which does not exist"
        elif quoted(source.read_text(encoding="utf-8"), mark or None) != block:
            yield f"{page.relative_to(root)}: the quotation of {name}{'#' + mark if mark else ''} differs from its source"
    for target in LINK.findall(text):
        if "://" not in target and not (page.parent / target).exists():
            yield f"{page.relative_to(root)}: links to {target}, which does not exist"


def problems(root):
    pages = sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts)
    return [problem for page in pages for problem in problems_of(page, root)]


def main():
    found = problems(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "the pages agree with their sources")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
