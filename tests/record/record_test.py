#!/usr/bin/python3
"""Compares what the program answers with what it answered when the record was written.

usage: record_test.py [--write] [--strict-bytes] [--list] [--answers DIR] [NAME...]

NAME is a case or a group of cases; none: all. The environment names the programs: GENERA and
GENERA_EM_STEPS. Every case runs with 1 and with 3 threads, which must give the same bytes.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import outputs
from cases import CASES

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"genera": "GENERA", "em_steps": "GENERA_EM_STEPS"}
THREADS = (1, 3)


class Failure(Exception):
    """A case that could not be compared."""


def chosen(names):
    unknown = set(names) - {case.name for case in CASES} - {case.group for case in CASES}
    if unknown:
        raise SystemExit(f"record_test.py: no such case or group: {', '.join(sorted(unknown))}")
    return [case for case in CASES if not names or case.name in names or case.group in names]


# Running ----------------------------------------------------------------------------------------

def program(name):
    path = os.environ.get(PROGRAMS[name])
    if not path:
        raise SystemExit(f"record_test.py: the environment has no {PROGRAMS[name]}, the path of {name}")
    return os.path.abspath(path)


def command_of(step, threads):
    words = [str(HERE / word) if word.startswith("data/") else word for word in step.words]
    return [program(step.program), *words, "--threads", str(threads)]


def run_step(step, folder, threads):
    """What the step printed, or what it wrote to its file."""
    command = command_of(step, threads)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=3000, check=False)
    if done.returncode != 0:
        raise Failure(f"$ {' '.join(command)}\n{done.stderr.decode('utf-8', 'replace')}")
    if "-o" not in step.words:
        return done.stdout.decode()
    return (folder / step.words[step.words.index("-o") + 1]).read_text(encoding="utf-8")


def run_case(case, threads):
    """Step -> text."""
    with tempfile.TemporaryDirectory(prefix="genera_record_") as name:
        folder = pathlib.Path(name)
        for file, text in case.files().items():
            (folder / file).write_text(text, encoding="utf-8")
        return [(step, run_step(step, folder, threads)) for step in case.steps]


def texts_of(case):
    """The outputs, which are the same for any number of threads."""
    first, *others = [run_case(case, threads) for threads in THREADS]
    for threads, other in zip(THREADS[1:], others):
        for (step, text), (_, again) in zip(first, other, strict=True):
            if text != again:
                raise Failure(f"{step.output or step.words[0]}: {THREADS[0]} and {threads} "
                              "threads give different bytes")
    return [(step, text) for step, text in first if step.output]


# Record and comparison ----------------------------------------------------------------------------

def laid_out(record):
    """One list of cells on a line, so that a change reads well in a diff."""
    lines = []
    for output, entry in record.items():
        cells = ",\n".join(f"    {json.dumps(name)}: {json.dumps(kept)}"
                           for name, kept in entry["lists"].items())
        lines.append(f' {json.dumps(output)}: {{\n  "bytes": {json.dumps(entry["bytes"])},\n'
                     f'  "lists": {{\n{cells}\n  }}\n }}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write(case, answers):
    record = {}
    for step, text in texts_of(case):
        assert step.output not in record, (case.name, step.output)
        record[step.output] = outputs.record_of(step.lists_of, text)
    (answers / f"{case.name}.json").write_text(laid_out(record), encoding="utf-8")


class Comparison:
    """What was found about one case."""

    def __init__(self):
        self.outputs, self.differences, self.other_bytes = 0, [], []

    def add(self, step, text, record):
        self.outputs += 1
        if step.output not in record:
            self.differences.append(f"{step.output}: is not in the record")
            return
        entry = record[step.output]
        self.differences += [f"{step.output}: {sentence}" for sentence in
                             outputs.differences(step.lists_of, text, entry)]
        if outputs.bytes_of(text) != entry["bytes"]:
            self.other_bytes.append(step.output)


def compare(case, answers):
    found = Comparison()
    path = answers / f"{case.name}.json"
    if not path.exists():
        found.differences.append("there is no record; write it with --write " + case.name)
        return found
    record = json.loads(path.read_text(encoding="utf-8"))
    try:
        steps = texts_of(case)
    except Failure as failure:
        found.differences.append(str(failure))
        return found
    for step, text in steps:
        found.add(step, text, record)
    for output in record.keys() - {step.output for step, _ in steps}:
        found.differences.append(f"{output}: is in the record, but the case no longer asks for it")
    return found


# Report -----------------------------------------------------------------------------------------

MOST_SENTENCES = 12  # of a case


def report(case, found):
    for sentence in found.differences[:MOST_SENTENCES]:
        print(f"{case.name}: {sentence}")
    if len(found.differences) > MOST_SENTENCES:
        print(f"{case.name}: and {len(found.differences) - MOST_SENTENCES} more differences")
    if found.other_bytes:
        print(f"{case.name}: other bytes in {', '.join(found.other_bytes)}")


def compare_all(cases, options):
    results = []
    for case in cases:
        results.append(compare(case, options.answers))
        report(case, results[-1])
    count = sum(found.outputs for found in results)
    different = sum(bool(found.differences) for found in results)
    other_bytes = sum(len(found.other_bytes) for found in results)
    print(f"record: {len(cases)} cases, {different} differ; "
          f"{other_bytes} of {count} outputs no longer have the same bytes")
    return 1 if different or (options.strict_bytes and other_bytes) else 0


def orphans(answers):
    return sorted({path.stem for path in answers.glob("*.json")} - {case.name for case in CASES})


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases or groups; none: all")
    parser.add_argument("--write", action="store_true", help="write the record instead")
    parser.add_argument("--strict-bytes", action="store_true",
                        help="fail also where only the bytes differ")
    parser.add_argument("--list", action="store_true", help="print groups and cases")
    parser.add_argument("--answers", type=pathlib.Path, default=HERE / "answers",
                        help="the folder of the record")
    return parser.parse_args()


def main():
    options = arguments()
    cases = chosen(options.names)
    if options.list:
        print("\n".join(f"{case.group} {case.name}" for case in cases))
        return 0
    if options.write:
        options.answers.mkdir(exist_ok=True)
        for case in cases:
            write(case, options.answers)
        print(f"record: {len(cases)} cases written")
        return 0
    for name in orphans(options.answers):
        print(f"record: answers/{name}.json belongs to no case; delete it")
    return compare_all(cases, options) or (1 if orphans(options.answers) else 0)


if __name__ == "__main__":
    sys.exit(main())
