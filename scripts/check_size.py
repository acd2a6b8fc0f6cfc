#!/usr/bin/python3
"""check_size.py [ROOT]: lists source files and folders that have outgrown a screen. Advice, not a rule: a
file is cut by concept, and a folder with one file per verb is as long as there are verbs."""

import pathlib
import sys

MAX_LINES = 400
MAX_CPP_IN_FOLDER = 12
MAX_SOURCES_IN_FOLDER = 24
FOLDERS = ("include", "src", "apps", "tests", "examples", "bench", "scripts", "cmake", "python")
SUFFIXES = {".cpp", ".hpp", ".py", ".sh", ".cmake", ".js"}


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES or path.name == "CMakeLists.txt":
                yield path


def long_files(root):
    for path in sources(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MAX_LINES:
            yield f"{path.relative_to(root)}: {lines} lines, at most {MAX_LINES}; split it by concept"


def full_folders(root):
    inside = {}
    for path in sources(root):
        inside.setdefault(path.parent, []).append(path)
    for folder, files in sorted(inside.items()):
        cpp = sum(path.suffix == ".cpp" for path in files)
        name = folder.relative_to(root)
        if cpp > MAX_CPP_IN_FOLDER:
            yield f"{name}: {cpp} .cpp files, at most {MAX_CPP_IN_FOLDER}; make a folder of a part"
        elif len(files) > MAX_SOURCES_IN_FOLDER:
            yield f"{name}: {len(files)} source files, at most {MAX_SOURCES_IN_FOLDER}"


def problems(root):
    return [*long_files(root), *full_folders(root)]


if __name__ == "__main__":
    for problem in problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")):
        print(problem)
