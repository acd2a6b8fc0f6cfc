#!/usr/bin/python3
"""imputation.py GENERA [--data NAME...] [--share P...] [--repeats N] [--write PAGE] [-- FIT OPTIONS]

How much filling holes by a model helps, against filling them with the means of the columns. From tables
without holes, cells are removed at random. `genera fit` learns from half of the rows, holes and all;
`genera impute` fills both halves, the second without its labels. Then, on the second half: how far
filled cells are from the truth, and how often LDA, learned from the filled first half, errs. A table of
means over the repeats goes to standard output, or into PAGE between its marks.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
MARKS = ("<!-- imputation table -->\n", "<!-- end of table -->")


def read(name):
    with open(DATA / f"{name}.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def halves(name, rng):
    """(header, rows to learn from, rows to fill and classify)."""
    if name == "vowel":  # other speakers
        header, known = read("vowel_train")
        return header, known, read("vowel_test")[1]
    header, rows = read(name)
    rng.shuffle(rows)
    return header, rows[::2], rows[1::2]


def with_holes(rows, share, rng):
    """Cells of features are emptied at random; a row keeps at least one."""
    result = []
    for row in rows:
        kept = [cell if rng.random() >= share else "" for cell in row[:-1]]
        if not any(kept):
            place = rng.randrange(len(kept))
            kept[place] = row[place]
        result.append([*kept, row[-1]])
    return result


def column_numbers(rows, j):
    return [float(row[j]) for row in rows if row[j] != ""]


def filled_with_means(rows, means):
    return [[*(cell or repr(mean) for cell, mean in zip(row[:-1], means)), row[-1]] for row in rows]


class Trial:
    """One removal of cells, in a folder of its own."""

    def __init__(self, arguments, folder, header):
        self.genera, self.fit_options = arguments.genera, arguments.fit_options
        self.folder, self.header = pathlib.Path(folder), header

    def run(self, *arguments):
        done = subprocess.run([self.genera, *map(str, arguments), "--quiet"], check=False,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"genera {' '.join(map(str, arguments))}\n{done.stderr}")
        return done.stdout

    def write(self, name, rows):
        path = self.folder / name
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.header)
            writer.writerows(rows)
        return path

    def imputed(self, model, name, rows):
        out = self.run("impute", model, self.write(name, rows))
        return list(csv.reader(out.splitlines()))[1:]

    def error(self, known, unknown):
        """Of LDA learned from the one table, on the other."""
        model = self.folder / "lda.json"
        self.run("fit", self.write("known.csv", known), "-o", model, "--model", "lda",
                 "--on-singular", "shrink", "--target", self.header[-1])
        found = self.run("evaluate", model, self.write("unknown.csv", unknown), "--json")
        return json.loads(found)["error_rate"]


def rmse(filled, holed, truth, scales):
    """Of the filled cells, in standard deviations of their columns."""
    squares = [((float(filled[i][j]) - float(truth[i][j])) / scales[j]) ** 2
               for i, row in enumerate(holed) for j, cell in enumerate(row[:-1]) if cell == ""]
    return math.sqrt(statistics.fmean(squares))


def measure(trial, truth, holes):
    """One line of figures: rmse by means, by the model; error by means, by the model, without holes."""
    (known, unknown), (known_holes, unknown_holes) = truth, holes
    columns = range(len(trial.header) - 1)
    scales = [statistics.pstdev(column_numbers(known, j)) for j in columns]
    means = [statistics.fmean(column_numbers(known_holes, j)) for j in columns]
    by_means = [filled_with_means(rows, means) for rows in (known_holes, unknown_holes)]

    model = trial.folder / "model.json"
    trial.run("fit", trial.write("holes.csv", known_holes), "-o", model, "--target",
              trial.header[-1], *trial.fit_options)
    known_filled = trial.imputed(model, "known_holes.csv", known_holes)
    blind = [[*row[:-1], ""] for row in unknown_holes]  # labels are what is to be found out
    unknown_filled = [[*row[:-1], true[-1]] for row, true in
                      zip(trial.imputed(model, "unknown_holes.csv", blind), unknown, strict=True)]
    return (rmse(by_means[1], unknown_holes, unknown, scales),
            rmse(unknown_filled, unknown_holes, unknown, scales),
            trial.error(*by_means), trial.error(known_filled, unknown_filled),
            trial.error(known, unknown))


def line_of(name, share, figures):
    """Means and standard errors over the repeats, as a line of the table."""
    cells = [name, f"{share:.0%}"]
    for place, column in enumerate(zip(*figures)):
        scale, digits = (1, 3) if place < 2 else (100, 1)
        mean = statistics.fmean(column) * scale
        error = statistics.stdev(column) * scale / math.sqrt(len(column)) if len(column) > 1 else 0
        cells.append(f"{mean:.{digits}f} ± {error:.{digits}f}")
    return "| " + " | ".join(cells) + " |"


def table(arguments):
    yield ("| data | removed | RMSE, means | RMSE, genera | error %, means | error %, genera | "
           "error %, complete |")
    yield "|---|---|---|---|---|---|---|"
    for name in arguments.data:
        for share in arguments.share:
            figures = []
            for repeat in range(arguments.repeats):
                rng = random.Random(f"{name} {share} {repeat}")
                header, *truth = halves(name, rng)
                holes = [with_holes(rows, share, rng) for rows in truth]
                with tempfile.TemporaryDirectory() as folder:
                    figures.append(measure(Trial(arguments, folder, header), truth, holes))
            yield line_of(name, share, figures)


def write_into(page, text):
    path = pathlib.Path(page)
    old = path.read_text(encoding="utf-8")
    pattern = re.escape(MARKS[0]) + ".*?" + re.escape(MARKS[1])
    new, found = re.subn(pattern, lambda _: MARKS[0] + text + MARKS[1], old, flags=re.S)
    if found != 1:
        raise SystemExit(f"{page}: the marks of the table are not there once")
    path.write_text(new, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[1])
    parser.add_argument("genera")
    parser.add_argument("--data", nargs="+", default=["wine", "breast_cancer", "vowel"])
    parser.add_argument("--share", nargs="+", type=float, default=[0.1, 0.2, 0.3])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--write", metavar="PAGE")
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:cut])
    options = words[cut + 1:]
    arguments.fit_options = options if "--model" in options else ["--model", "lda", *options]
    lines = []
    for line in table(arguments):
        lines.append(line)
        if not arguments.write:
            print(line, flush=True)
    if arguments.write:
        write_into(arguments.write, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
