#!/usr/bin/python3
"""check_docs.py ROOT: quoted code equals its source, and links between pages lead to files and headings that exist.

A fenced block after `<!-- quote: FILE#MARK -->` must equal the lines of FILE between two comment lines
`[MARK]`, without their common indentation; after `<!-- quote: FILE -->` the whole file.
"""
import pathlib
import re
import sys
import textwrap

QUOTE = re.compile(r"<!-- quote: ([^#\s]+)(?:#(\w+))? -->\n```\w*\n(.*?)```", re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def quoted(source, mark):
    if mark is None:
        return source
    parts = re.split(rf"^.*\[{mark}\]\s*$\n?", source, flags=re.M)
    return textwrap.dedent(parts[1]) if len(parts) == 3 else None


def anchors(text):
    """What a link can name after #: headings in lower case, hyphens for spaces, without punctuation."""
    headings = re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
    words = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in words}


def problems_of(page, root):
    text = page.read_text(encoding="utf-8")
    for name, mark, block in QUOTE.findall(text):
        source = root / name
        if not source.exists():
            yield f"{page.relative_to(root)}: quotes {name}, which does not exist"
        elif quoted(source.read_text(encoding="utf-8"), mark or None) != block:
            yield f"{page.relative_to(root)}: the quotation of {name}{'#' + mark if mark else ''} differs from its source"
    for name, anchor in LINK.findall(text):
        target = page.parent / name if name else page
        if "://" in name:
            continue
        if not target.exists():
            yield f"{page.relative_to(root)}: links to {name}, which does not exist"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"{page.relative_to(root)}: links to {name}#{anchor}, a heading that does not exist"


def problems(root):
    pages = sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts)
    return [problem for page in pages for problem in problems_of(page, root)]


def main():
    found = problems(pathlib.Path(sys.argv[1]))
    print("\n".join(found) if found else "the pages agree with their sources")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
