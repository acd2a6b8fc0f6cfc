#!/usr/bin/python3
"""check_core.py [ROOT]: fails if the core reaches for the operating system.

The core is what `set(GENERA_CORE ...)` of src/CMakeLists.txt lists, with every header of ours
that it includes. It must run where there are no files, pipes, signals or zlib (a browser, for one);
threads are in src/kernel/parallel.* alone, and what can be asked about memory in src/kernel/pages.cpp.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
LIST = re.compile(r"set\(GENERA_CORE\b([^)]*)\)")
SYSTEM = re.compile(
    r"(unistd|fcntl|poll|signal|dirent|dlfcn|pthread|zlib|termios|spawn|stdio)\.h"
    r"|(sys|netinet|arpa)/.*|filesystem|fstream|csignal|cstdio|iostream"
)
THREADS = re.compile(r"thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|stop_token")
THREADS_LIVE_IN = "src/kernel/parallel."
EXCEPTED = {("src/kernel/pages.cpp", "sys/mman.h")}  # within a condition: it is done without elsewhere


def core_sources(root):
    """Paths below ROOT, without what CMake makes during the build."""
    lists = (root / "src/CMakeLists.txt").read_text(encoding="utf-8")
    found = LIST.search(lists)
    return [f"src/{name}" for name in found.group(1).split() if name.endswith(".cpp")] if found else []


def our_header(kind, target):
    if kind == '"':
        return f"src/{target}"
    return f"include/{target}" if target.startswith("genera/") else None


def problem_with(name, target):
    if (name, target) in EXCEPTED:
        return None
    if SYSTEM.fullmatch(target):
        return f"{name}: includes <{target}>, which the core must do without"
    if THREADS.fullmatch(target) and not name.startswith(THREADS_LIVE_IN):
        return f"{name}: includes <{target}>; threads are in {THREADS_LIVE_IN}cpp alone"
    return None


def problems(root):
    waiting = core_sources(root)
    if not waiting:
        return ["src/CMakeLists.txt: there is no set(GENERA_CORE ...) with sources"]
    seen, found = set(waiting), []
    while waiting:
        name = waiting.pop()
        path = root / name
        if not path.exists():
            if name.endswith(".cpp"):
                found.append(f"{name}: listed in src/CMakeLists.txt, but not there")
            continue  # a header that CMake makes
        for kind, target in INCLUDE.findall(path.read_text(encoding="utf-8")):
            found += filter(None, [problem_with(name, target)])
            header = our_header(kind, target)
            if header and header not in seen:
                seen.add(header)
                waiting.append(header)
    return sorted(found)


if __name__ == "__main__":
    sys.exit("\n".join(problems(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))) or 0)
