#!/usr/bin/python3
"""check_flags.py [ROOT]: fails if a text of the library names an option of the command line.

The library also speaks to C++ and Python: it says which option it means as data (Advice, OptionUse), and
each edge writes it in its own words.
"""

import pathlib
import re
import sys

FOLDERS = ("include", "src")
SUFFIXES = {".cpp", ".hpp"}
# Comments, raw strings and strings, whichever begins first; characters may hold a quote.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^()\s]*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'',
    re.S,
)
FLAG = re.compile(r"--[A-Za-z][\w-]*")


def texts(source):
    """(line, text) of every string literal."""
    for match in TOKEN.finditer(source):
        text = match["text"] if match["text"] is not None else match["raw"]
        if text is not None:
            yield source.count("\n", 0, match.start()) + 1, text


def problems(root):
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            for line, text in texts(path.read_text(encoding="utf-8")):
                for flag in FLAG.findall(text):
                    found.append(f"{path.relative_to(root)}:{line}: names {flag}; write it as an OptionUse")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
