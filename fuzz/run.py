"""run.py FOLDER: runs the fuzzers in FOLDER, each for some seconds, one after the other or several at
a time.

What is new to a target is kept in OUT/corpus/TARGET from run to run, what breaks a promise in
OUT/crashes; OUT/results.json adds up seconds, executions and bytes of all runs, OUT/status.txt says
the same as a table. The status is 1 if anything was found."""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
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
               f"-timeout={options.timeout}", "-rss_limit_mb=3000", "-malloc_limit_mb=1024", "-print_final_stats=1",
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
    logs.mkdir(parents=True, exist_ok=True)
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
    for target in [name for name in TARGETS if name in results]:
        total = results[target]
        lines.append(f"| {target} | " + " | ".join(f"{total.get(n, 0):,}" for n in names) + " |")
    sums = {n: sum(total.get(n, 0) for total in results.values()) for n in names}
    sums["edges"] = ""
    lines.append("| total | " + " | ".join(f"{sums[n]:,}" if sums[n] != "" else "" for n in names)
                 + " |")
    return "\n".join(lines) + "\n"


class Log:
    """Figures of all runs, kept in a file from one to the next."""

    def __init__(self, out):
        self.out, self.lock, self.found_any = out, threading.Lock(), False
        self.kept = out / "results.json"
        self.results = json.loads(self.kept.read_text()) if self.kept.exists() else {}

    def add(self, target, seconds, output, found):
        with self.lock:
            add(self.results, target, seconds, output, found)
            self.found_any |= found
            self.kept.write_text(json.dumps(self.results, indent=1))
            now = datetime.datetime.now(datetime.timezone.utc)
            (self.out / "status.txt").write_text(f"{now:%Y-%m-%d %H:%M:%S} UTC\n\n"
                                                 + table(self.results))
            print(f"{target}: {executions(output):,} executions" + (", FOUND" if found else ""),
                  flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="where the fuzzers are")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/fuzz/out"))
    parser.add_argument("--seconds", type=int, default=60, help="of each target in a round")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=1, help="targets that run at a time")
    parser.add_argument("--timeout", type=int, default=30,
                        help="seconds after which one input has taken too long, by the clock")
    parser.add_argument("--until", help="rounds begin until this time (ISO 8601, UTC)")
    options = parser.parse_args()
    until = (datetime.datetime.fromisoformat(options.until).replace(tzinfo=datetime.timezone.utc)
             if options.until else None)
    options.out.mkdir(parents=True, exist_ok=True)
    log = Log(options.out)

    def run_in_time(target):
        now = datetime.datetime.now(datetime.timezone.utc)
        if until and now + datetime.timedelta(seconds=options.seconds) > until:
            return False
        begin = time.monotonic()
        output, found = run(target, options)
        log.add(target, time.monotonic() - begin, output, found)
        return True

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while all(list(pool.map(run_in_time, options.targets.split(",")))) and until:
            pass
    print(table(log.results))
    return int(log.found_any)


if __name__ == "__main__":
    sys.exit(main())
