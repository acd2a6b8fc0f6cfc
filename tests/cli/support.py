"""Running the program, reading its answers, and tables to feed it."""

import csv
import gzip
import io
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

GENERA = os.environ["GENERA"]
DATA = pathlib.Path(os.environ["GENERA_DATA"])
REFERENCE_DATA = pathlib.Path(os.environ["GENERA_REFERENCE_DATA"])

FAMILY = ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda")
CRASH = re.compile(r"terminate called|std::|Assertion|Sanitizer|runtime error|Traceback")
NOT_A_NUMBER = re.compile(r"(?<![\w.])[-+]?nan(?![\w.])", re.IGNORECASE)


def seconds(count):
    """A limit that only a hanging program reaches, however busy the machine: `count` is ample when it is idle."""
    return 20 * count * (10 if os.environ.get("GENERA_SANITIZE") else 1)


class Result:
    """What a finished run left behind."""

    def __init__(self, arguments, status, out, err):
        self.arguments, self.status, self.out, self.err = arguments, status, out, err

    def __str__(self):
        command = " ".join(map(str, self.arguments))
        return f"\n$ genera {command}\nstatus {self.status}\n{self.out[:2000]}\n{self.err[:4000]}"


def run(*arguments, stdin=b"", timeout=300, cwd=None, env=None):
    """Runs genera to its end; a string as `stdin` is sent as UTF-8, `env` adds to the environment."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    done = subprocess.run([GENERA, *map(str, arguments)], input=stdin, capture_output=True,
                          timeout=seconds(timeout), cwd=cwd, env={**os.environ, **(env or {})}, check=False)
    return Result(arguments, done.returncode, done.stdout.decode("utf-8", "replace"),
                  done.stderr.decode("utf-8", "replace"))


def parse_csv(text):
    """CSV text as a list of dictionaries."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def csv_text(header, rows, delimiter=","):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[repr(cell) if isinstance(cell, float) else cell for cell in row]
                      for row in rows])
    return out.getvalue()


def read_data(name):
    """(header, rows of text) of a data set of the repository."""
    path = DATA / f"{name}.csv"
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        text = gzip.decompress((REFERENCE_DATA / f"{name}.csv.gz").read_bytes()).decode()
    header, *rows = list(csv.reader(io.StringIO(text, newline="")))
    return header, rows


class Sample:
    """Numbers with class labels (and perhaps weights) made up for a test."""

    def __init__(self, names, rows, labels, weights=None):
        self.names, self.rows, self.labels, self.weights = names, rows, labels, weights

    @property
    def classes(self):
        return sorted(set(self.labels))

    def text(self, order=None):
        """CSV with the label column 'class' and, if there are weights, the column 'w'."""
        header = [*self.names, *(["w"] if self.weights else []), "class"]
        rows = [[*row, *([self.weights[i]] if self.weights else []), self.labels[i]]
                for i, row in enumerate(self.rows)]
        if order is not None:
            rows = [rows[i] for i in order]
        return csv_text(header, rows)

    def scaled(self, factors):
        rows = [[x * f for x, f in zip(row, factors)] for row in self.rows]
        return Sample(self.names, rows, self.labels, self.weights)

    def subset(self, indices):
        weights = [self.weights[i] for i in indices] if self.weights else None
        return Sample(self.names, [self.rows[i] for i in indices],
                      [self.labels[i] for i in indices], weights)


def three_classes(seed, d=3, counts=(30, 20, 45), centre=0.0):
    """Three overlapping correlated Gaussian classes a, b, c, shuffled."""
    rng = random.Random(seed)
    rows, labels = [], []
    for k, count in enumerate(counts):
        mix = [[rng.gauss(0, 0.5) + (1.0 if i == j else 0.0) for j in range(d)] for i in range(d)]
        mean = [centre + rng.gauss(0, 1.2) for _ in range(d)]
        for _ in range(count):
            z = [rng.gauss(0, 1) for _ in range(d)]
            rows.append([m + sum(a * b for a, b in zip(line, z)) for m, line in zip(mean, mix)])
            labels.append("abc"[k])
    order = list(range(len(rows)))
    rng.shuffle(order)
    names = [f"x{j + 1}" for j in range(d)]
    return Sample(names, [rows[i] for i in order], [labels[i] for i in order])


class CliTest(unittest.TestCase):
    """A test with a folder of its own and the habits every run of genera must have."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="genera_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, Sample):
            content = content.text()
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def write_data(self, name, header, rows):
        return self.write(name, csv_text(header, rows))

    def ok(self, *arguments, **options):
        """Runs; status 0, no crash, no NaN in the output."""
        result = run(*arguments, **options)
        self.assertEqual(result.status, 0, result)
        self.assertIsNone(CRASH.search(result.err), result)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        return result

    def ok_json(self, *arguments, **options):
        return json.loads(self.ok(*arguments, "--json", **options).out)

    def ok_csv(self, *arguments, **options):
        return parse_csv(self.ok(*arguments, **options).out)

    def refused(self, *arguments, status=(1, 2), mentions=(), **options):
        """Runs; one sentence of what is wrong, one of what to do, the right status."""
        result = run(*arguments, **options)
        self.assertIn(result.status, (status,) if isinstance(status, int) else status, result)
        self.assertIsNone(CRASH.search(result.err), result)
        lines = result.err.splitlines()
        self.assertEqual(sum(line.startswith("genera: error: ") for line in lines), 1, result)
        self.assertEqual(sum(re.match(r"\s*(genera: )?hint: \S", line) is not None
                             for line in lines), 1, result)
        message = result.err[result.err.index("genera: error: "):]
        for word in mentions:
            self.assertIn(word, message, result)
        return message

    def works_or_refuses(self, *arguments, mentions=(), **options):
        """Runs; either outcome is fine as long as it is clean."""
        result = run(*arguments, **options)
        if result.status != 0:
            self.refused(*arguments, mentions=mentions, **options)
        else:
            self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        return result

    def fit(self, data, *options, name="model.json", **run_options):
        """Fits, lda unless a model is named, and returns the path of the model."""
        if "--model" not in options:
            options = ("--model", "lda", *options)
        if isinstance(data, Sample):
            data = self.write(f"{name}.train.csv", data)
        model = self.folder / name
        self.ok("fit", data, "-o", model, *options, **run_options)
        return model

    def joint(self, model, data, *options):
        """Log joints: one dictionary by class per row."""
        rows = self.ok_csv("predict", model, data, "--joint", *options)
        return [{key[9:-1]: float(value) for key, value in row.items()
                 if key.startswith("logjoint(")} for row in rows]

    def proba(self, model, data, *options):
        """Posteriors: one dictionary by class per row."""
        rows = self.ok_csv("predict", model, data, "--proba", *options)
        return [{key[2:-1]: float(value) for key, value in row.items() if key.startswith("p(")}
                for row in rows]

    def labels(self, model, data, *options):
        return [row["prediction"] for row in self.ok_csv("predict", model, data, *options)]

    def assert_rows_close(self, actual, expected, tolerance):
        """Rows of numbers by class agree to `tolerance`, relative beyond one."""
        self.assertEqual(len(actual), len(expected))
        for i, (got, want) in enumerate(zip(actual, expected)):
            self.assertEqual(list(got), list(want), f"row {i}")
            for key, value in want.items():
                self.assertAlmostEqual(got[key], value, delta=tolerance * max(1.0, abs(value)),
                                       msg=f"row {i}, {key}")

    def assert_matrices_close(self, actual, expected, scale):
        """Entries agree to scale(i, j)."""
        self.assertEqual(len(actual), len(expected))
        for i, (got, want) in enumerate(zip(actual, expected)):
            self.assertEqual(len(got), len(want))
            for j, (g, w) in enumerate(zip(got, want)):
                self.assertAlmostEqual(g, w, delta=scale(i, j), msg=f"entry {i}, {j}")
