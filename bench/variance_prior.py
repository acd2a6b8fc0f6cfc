#!/usr/bin/python3
"""variance_prior.py GENERA ROOT [TABLE.csv ...]: what --variance-prior does for gnb, held out.

Ten times, a random half of the rows is learned from and the other half asked about; the label is the last column, or
the one named class, label or target. Flags are the levels of promoters.csv as columns of 0 and 1. Prints the table of
docs/numerics.md: mean log loss and mean error, of flags also those of --model bernoulli.
"""
import csv
import gzip
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PRIORS = ("0", "0.1", "1", "10")
REPEATS = 10


def read(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    header, *rows = list(csv.reader(io.StringIO(text)))
    return header, rows


def label_of(header):
    named = [j for j, name in enumerate(header) if name.lower() in ("class", "label", "target")]
    return named[0] if len(named) == 1 else len(header) - 1


def flags(header, rows):
    """Each level of each feature as a column of 0 and 1."""
    label = label_of(header)
    columns = [(j, v) for j in range(len(header)) if j != label
               for v in sorted({row[j] for row in rows})]
    names = [f"{header[j]}_{v}" for j, v in columns]
    return ([*names, "class"],
            [[*(str(int(row[j] == v)) for j, v in columns), row[label]] for row in rows])


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


WAYS = {f"κ = {prior}": ("--model", "gnb", "--variance-prior", prior) for prior in PRIORS}


def scores(genera, folder, options, target):
    def run(*words):
        return subprocess.run([genera, *map(str, words)], check=True, capture_output=True).stdout
    run("fit", folder / "train.csv", "--target", target, *options,
        "-o", folder / "m.json", "--quiet")
    found = json.loads(run("evaluate", folder / "m.json", folder / "test.csv", "--json", "--quiet"))
    return found["log_loss"], found["error_rate"]


def measure(genera, name, table, ways):
    header, rows = table
    target = header[label_of(header)]
    means = {way: [0.0, 0.0] for way in ways}
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for repeat in range(REPEATS):
            order = list(range(len(rows)))
            random.Random(repeat).shuffle(order)
            half = len(rows) // 2
            write(folder / "train.csv", header, [rows[i] for i in order[:half]])
            write(folder / "test.csv", header, [rows[i] for i in order[half:]])
            for way, options in ways.items():
                for i, value in enumerate(scores(genera, folder, options, target)):
                    means[way][i] += value / REPEATS
    cells = " | ".join(f"{loss:.3f}, {100 * error:.1f} %" for loss, error in means.values())
    print(f"| {name} ({len(rows)} x {len(header) - 1}) | {cells} |", flush=True)


def main():
    genera, root, *more = sys.argv[1:]
    data = pathlib.Path(root) / "data"
    promoters = pathlib.Path(root) / "tests" / "reference" / "data" / "promoters.csv.gz"
    print("| data | " + " | ".join(WAYS) + " |")
    print("|---" * (1 + len(WAYS)) + "|")
    measure(genera, "promoters as flags", flags(*read(promoters)), WAYS)
    for name in ("wine", "breast_cancer", "digits"):
        measure(genera, name, read(data / f"{name}.csv"), WAYS)
    for path in map(pathlib.Path, more):
        measure(genera, path.stem, read(path), WAYS)
    measure(genera, "promoters, bernoulli", flags(*read(promoters)),
            {"bernoulli": ("--model", "bernoulli")})


if __name__ == "__main__":
    main()
