#!/usr/bin/python3
"""check_size.py [ROOT]: fails if a source file or a folder is too large to read at a glance. A file is
split by concept, usually well before the limit; a folder must fit on a screen."""

import pathlib
import sys

MAX_LINES = 500
MAX_SOURCES_IN_FOLDER = 50
FOLDERS = ("include", "src", "apps", "tests", "examples", "bench", "scripts", "cmake", "python")
SUFFIXES = {".cpp", ".hpp", ".py", ".sh", ".cmake", ".js"}
EXCEPTIONS = {  # path: reason
    "src/kernel": "one file for each numeric function; nothing in it depends on the rest of the folder",
    "python/tests/test_laboratory.py": "one laboratory session, whose steps use the results of earlier ones",
}


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES or path.name == "CMakeLists.txt":
                yield path


def long_files(root):
    for path in sources(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES:
            yield path, f"{lines} lines, at most {MAX_LINES}; split it by concept"


def full_folders(root):
    inside = {}
    for path in sources(root):
        inside[path.parent] = inside.get(path.parent, 0) + 1
    for folder, count in sorted(inside.items()):
        if count > MAX_SOURCES_IN_FOLDER:
            yield folder, f"{count} source files, at most {MAX_SOURCES_IN_FOLDER}; make a folder of a part"


def problems(root, exceptions=EXCEPTIONS):
    found = {path.relative_to(root).as_posix(): what for path, what in [*long_files(root), *full_folders(root)]}
    return [
        *(f"{name}: {what}" for name, what in found.items() if name not in exceptions),
        *(f"{name}: an exception that is no longer needed" for name in exceptions if name not in found),
    ]


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
