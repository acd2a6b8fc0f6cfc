#!/usr/bin/python3
"""check_layers.py [ROOT]: fails if an include points the wrong way.

The rule is the table of docs/architecture.md: a folder of src/ may include the folders its line
names, and so may its public headers, which the line names too. Public headers include each other and
the standard library, and mention no third-party library. Applications and examples see public headers
only.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
TABLE_LINE = re.compile(r"^\| `(\w+)/` \| ([^|]*)\| ([^|]*)\|", re.MULTILINE)
THIRD_PARTY = re.compile(
    r"(?<![A-Za-z])(eigen|fmt|nlohmann|boost|hwy|highway|fast_float|zlib|cli11)(?![A-Za-z])", re.I
)
OF_NO_LAYER = {"genera.hpp", "version.hpp"}  # the list of all headers, and a generated one
MAY_MENTION_EIGEN = "eigen.hpp"  # the adapter for users who want it
# Standard headers that belong to one place of src/, or to none.
RESERVED = {"thread": "kernel/parallel", "iostream": None}


def layer_table(text):
    """{folder: folders it may include} and {public header: its folder}, from the Markdown table."""
    allowed, layer_of = {}, {}
    for folder, folders, headers in TABLE_LINE.findall(text):
        allowed[folder] = set(re.findall(r"`(\w+)/`", folders))
        layer_of |= {header: folder for header in re.findall(r"`(\w+\.hpp)`", headers)}
    return allowed, layer_of


def code_files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in {".hpp", ".cpp", ".h", ".inc"})


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def private_include_problem(folder, target, allowed):
    other = target.split("/")[0]
    if "/" not in target:
        return f'"{target}": write the folder too, or <> if it is not ours'
    if other not in allowed:
        return f'"{target}": {other}/ is not a folder of src/ in docs/architecture.md'
    if other != folder and other not in allowed[folder]:
        return f'"{target}": {folder}/ may not include {other}/'
    return None


def public_include_problem(folder, target, allowed, layer_of):
    header = target.removeprefix("genera/")
    if header in OF_NO_LAYER:
        return None
    other = layer_of.get(header)
    if other is None:
        return f"<{target}>: no line of docs/architecture.md names {header}"
    if other != folder and other not in allowed[folder]:
        return f"<{target}>: {folder}/ may not include headers of {other}/"
    return None


def standard_include_problem(name, target):
    if target not in RESERVED:
        return None
    place = RESERVED[target]
    if place is None:
        return f"<{target}>: the library does not print"
    return None if name.startswith(place) else f"<{target}>: only {place} may"


def check_sources(src, allowed, layer_of):
    for path in code_files(src):
        name = path.relative_to(src).as_posix()
        folder = name.split("/")[0]
        if folder not in allowed:
            yield f"src/{name}: folder {folder}/ has no line in docs/architecture.md"
            continue
        for kind, target in includes(path):
            if kind == '"':
                problem = private_include_problem(folder, target, allowed)
            elif target.startswith("genera/"):
                problem = public_include_problem(folder, target, allowed, layer_of)
            else:
                problem = standard_include_problem(name, target)
            if problem:
                yield f"src/{name}: {problem}"


def check_public(include, allowed, layer_of):
    for path in code_files(include):
        name = path.relative_to(include).as_posix()
        layer = layer_of.get(path.name)
        if layer is None and path.name not in OF_NO_LAYER:
            yield f"{name}: no line of docs/architecture.md names it"
        if path.name == MAY_MENTION_EIGEN:
            continue
        for kind, target in includes(path):
            if layer and target.startswith("genera/"):
                problem = public_include_problem(layer, target, allowed, layer_of)
                if problem:
                    yield f"{name}: {problem}"
            ours = kind == "<" and target.startswith("genera/")
            standard = kind == "<" and re.fullmatch(r"[a-z_]+", target)
            if not ours and not standard:
                yield f"{name}: includes {target}, which is neither <genera/...> nor standard"
        for word in sorted(set(THIRD_PARTY.findall(path.read_text(encoding="utf-8")))):
            yield f"{name}: mentions {word}; public headers name no other library"


def belongs_to(program, target):
    return ".." not in target and any(
        path.as_posix().endswith("/" + target) for path in code_files(program)
    )


def check_users(folder, src_folders):
    """Quoted includes are files of the same program; nothing of src/ is reachable."""
    for path in code_files(folder):
        parts = path.relative_to(folder).parts
        program = folder / parts[0] if len(parts) > 1 else folder
        for kind, target in includes(path):
            if kind == '"':
                fine = belongs_to(program, target)
            else:
                fine = target.split("/")[0] not in src_folders
            if not fine:
                name = path.relative_to(folder.parent).as_posix()
                yield f"{name}: includes {target}; only <genera/...> of the library"


def problems(root):
    allowed, layer_of = layer_table((root / "docs/architecture.md").read_text(encoding="utf-8"))
    if not allowed:
        return ["docs/architecture.md: no table of layers (lines '| `folder/` | ... |')"]
    found = [
        *check_sources(root / "src", allowed, layer_of),
        *check_public(root / "include", allowed, layer_of),
    ]
    for folder in ("apps", "examples"):
        found += check_users(root / folder, allowed)
    return found


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
