"""run.py FOLDER: runs the fuzzers in FOLDER, one after the other, each for some seconds.

What is new to a target is kept in OUT/corpus/TARGET from run to run, what breaks a promise in
OUT/crashes; OUT/results.json adds up seconds, executions and bytes of all runs, OUT/status.txt says
the same as a table. The status is 1 if anything was found."""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ("csv", "records", "svmlight", "gzip", "model_json", "model_cbor", "statistics", "text",
           "costs", "pipeline")
LONGEST = {"model_json": 8192, "model_cbor": 8192, "statistics": 8192, "pipeline": 2048,
           "text": 1024, "costs": 512}
DICTIONARY = {"model_json": "json.dict", "statistics": "json.dict", "csv": "csv.dict",
              "records": "csv.dict", "pipeline": "csv.dict", "costs": "csv.dict", "gzip": "csv.dict",
              "svmlight": "svmlight.dict"}
ENVIRONMENT = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:allocator_may_return_null=0",
               "UBSAN_OPTIONS": "print_stacktrace=1"}


def run(target, options):
    """One run of a target; (its log, whether it found something)."""
    corpus = options.out / "corpus" / target
    crashes = options.out / "crashes"
    for folder in (corpus, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    command = [options.folder / f"fuzz_{target}", corpus, HERE / "corpus" / target,
               f"-max_total_time={options.seconds}", f"-max_len={LONGEST.get(target, 4096)}",
               "-timeout=30", "-rss_limit_mb=3000", "-malloc_limit_mb=1024", "-print_final_stats=1",
               "-verbosity=1", f"-artifact_prefix={crashes}/{target}-"]
    reproducers = HERE / "reproducers" / target
    if reproducers.is_dir():
        command.append(reproducers)
    if target in DICTIONARY:
        command.append(f"-dict={HERE / 'dictionaries' / DICTIONARY[target]}")
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, **ENVIRONMENT}, check=False)
    log = done.stdout.decode("utf-8", "replace")
    logs = options.out / "logs"
    logs.mkdir(exist_ok=True)
    (logs / f"{target}.txt").write_text(log[-20000:], encoding="utf-8")
    if done.returncode != 0:
        stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%H%M%S")
        (logs / f"{target}-found-{stamp}.txt").write_text(log[-40000:], encoding="utf-8")
    return log, done.returncode != 0


def figure(log, name):
    found = re.findall(rf"stat::{name}:\s+(\d+)", log)
    return int(found[-1]) if found else 0


def executions(log):
    """Of a run that was cut short, those that its last line of progress told."""
    told = [int(number) for number in re.findall(r"^#(\d+)\s", log, re.MULTILINE)]
    return max([figure(log, "number_of_executed_units"), *told])


def add(results, target, seconds, log, found):
    total = results.setdefault(target, {"seconds": 0, "executions": 0, "bytes": 0, "found": 0})
    total["seconds"] += round(seconds)
    total["executions"] += executions(log)
    total["bytes"] += figure(log, "executed_bytes")
    total["found"] += int(found)
    edges = re.findall(r"cov: (\d+)", log)
    total["edges"] = max(total.get("edges", 0), int(edges[-1]) if edges else 0)


def table(results):
    lines = ["| target | seconds | executions | bytes | edges | found |", "|---|---|---|---|---|---|"]
    names = ("seconds", "executions", "bytes", "edges", "found")
    for target, total in results.items():
        lines.append(f"| {target} | " + " | ".join(f"{total.get(n, 0):,}" for n in names) + " |")
    sums = {n: sum(total.get(n, 0) for total in results.values()) for n in names}
    sums["edges"] = ""
    lines.append("| total | " + " | ".join(f"{sums[n]:,}" if sums[n] != "" else "" for n in names)
                 + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="where the fuzzers are")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/fuzz/out"))
    parser.add_argument("--seconds", type=int, default=60, help="of each target in a round")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--until", help="rounds begin until this time (ISO 8601, UTC)")
    options = parser.parse_args()
    until = (datetime.datetime.fromisoformat(options.until).replace(tzinfo=datetime.timezone.utc)
             if options.until else None)
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "results.json"
    results = json.loads(kept.read_text()) if kept.exists() else {}
    found_any = False
    while True:
        for target in options.targets.split(","):
            now = datetime.datetime.now(datetime.timezone.utc)
            if until and now + datetime.timedelta(seconds=options.seconds) > until:
                return int(found_any)
            begin = time.monotonic()
            log, found = run(target, options)
            add(results, target, time.monotonic() - begin, log, found)
            kept.write_text(json.dumps(results, indent=1))
            (options.out / "status.txt").write_text(f"{now:%Y-%m-%d %H:%M:%S} UTC\n\n" + table(results))
            found_any |= found
            print(f"{target}: {executions(log):,} executions" + (", FOUND" if found else ""),
                  flush=True)
        if not until:
            print(table(results))
            return int(found_any)


if __name__ == "__main__":
    sys.exit(main())
