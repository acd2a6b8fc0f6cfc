"""Every kind of figure of tables of every shape: no text overlaps another or leaves the canvas, and none is too small
to read."""

import json
import math
import random
import shutil
import unittest

from support import CliTest, csv_text
from svg_text import faults_of, texts_of

GNUPLOT = shutil.which("gnuplot")
MIN_FONT = 9  # pixels

OF_MODEL = [["features"], ["density", "--surface"], ["density", "--by-class"]]
OF_BOTH = [["regions"], ["density"], ["predictions"], ["samples"], ["posterior"], ["pairs"], ["canonical"],
           ["confusion"], ["reliability"], ["roc"]]
LONG = "a name that is far longer than any sensible name of a column or class would ever be"


def table(rows, classes, features, names=None, columns=None, value=None):
    """Normal rows around a mean of each class."""
    draw = random.Random(17)
    names = names or [f"class {k}" for k in range(classes)]
    columns = columns or [f"x{j + 1}" for j in range(features)]
    means = [[draw.gauss(0, 2) for _ in range(features)] for _ in range(classes)]
    value = value or (lambda x: f"{x:.3f}")
    lines = [[*(value(draw.gauss(mean, 1)) for mean in means[i % classes]), names[i % classes]]
             for i in range(rows)]
    return csv_text([*columns, "class"], lines)


def categories():
    draw = random.Random(5)
    colours = ["red", "green", "blue", "a colour with quite a long name"]
    lines = [[f"{draw.gauss(k, 1):.3f}", f"{draw.gauss(-k, 1):.3f}", draw.choice(colours[k:]), "ab"[k]]
             for k in (i % 2 for i in range(80))]
    return csv_text(["u", "v", "colour", "class"], lines)


TABLES = {
    "two rows": (lambda: csv_text(["a", "b", "class"], [[1, 2, "p"], [3, 5, "q"]]), "centroid"),
    "one class": (lambda: table(40, 1, 2), "qda"),
    "one feature": (lambda: table(90, 3, 1), "qda"),
    "many rows": (lambda: table(6000, 2, 3), "lda"),
    "26 classes": (lambda: table(520, 26, 4, [chr(97 + k) for k in range(26)]), "lda"),
    "26 long classes": (lambda: table(260, 26, 2, [f"{LONG} {k}" for k in range(26)]), "gnb"),
    "60 features": (lambda: table(300, 3, 60), "lda"),
    "long names": (lambda: table(90, 3, 3, [f"{LONG}, {k}" for k in "pqr"], [f"{j} {LONG}" for j in "uvw"]), "qda"),
    "Unicode": (lambda: table(60, 3, 3, ["größer", "меньше", "花の名前"], ["длина", "高さの測定値", "ŵidth µm²"]), "qda"),
    "whole numbers": (lambda: table(120, 3, 3, value=lambda x: str(round(x))), "qda"),
    "large numbers": (lambda: table(60, 2, 2, value=lambda x: f"{123456789 + x:.2f}"), "lda"),
    "categories": (categories, "qda"),
}


@unittest.skipUnless(GNUPLOT, "gnuplot is not installed")
class Figures(CliTest):
    maxDiff = None

    def check(self, where, *arguments):
        path = self.folder / "figure.svg"
        path.unlink(missing_ok=True)
        result = self.works_or_refuses("plot", *arguments, "-o", path)
        if result.status == 0:
            self.drawn += 1
            options = " ".join(str(word) for word in arguments if str(word).startswith("--"))
            z = {"--surface": "density", "--by-class": "prior × density"}.get(options)
            if z and z not in [text.text for text in texts_of(path.read_bytes())[1]]:
                self.faults.append(f"{where}, {arguments[0]} {options}: no label of z")
            for fault in faults_of(path.read_bytes(), MIN_FONT):
                self.faults.append(f"{where}, {arguments[0]} {options}: {fault}")

    def test_tables_of_every_shape(self):
        for name, (make, model_name) in TABLES.items():
            self.drawn, self.faults = 0, []
            data = self.write("data.csv", make())
            model = self.fit(data, "--model", model_name, "--target", "class",
                             "--on-singular", "shrink", name="model.json")
            self.check(name, "scatter", data)
            for kind, *options in OF_MODEL:
                self.check(name, kind, model, *options)
            for kind, *options in OF_BOTH:
                self.check(name, kind, model, data, *options)
            with self.subTest(table=name):
                self.assertEqual(self.faults, [], f"{len(self.faults)} faults in {self.drawn} figures")
                self.assertGreaterEqual(self.drawn, 11)

    def test_figures_of_other_verbs(self):
        self.drawn, self.faults = 0, []
        files = {"curves": ["compare", "@iris", "--repeats", "2", "--sizes", "15,40"],
                 "path": ["select", "@iris", "--models", "rda"],
                 "bic": ["cluster", "@iris", "--components", "1-9"]}
        for kind, command in files.items():
            file = self.write(f"{kind}.json", self.ok(*command, "--json").out)
            for metric in ([], ["--metric", "error"]) if kind != "bic" else ([],):
                self.check(kind, kind, file, *metric)
        curve = self.ok("select", "@iris", "--models", "rda", "--grid", "gamma=0", "--json").out
        self.check("path", "path", self.write("path.json", curve))
        needed = [{"dimension": p, "model": m, "rows": n * (1 + math.log(p)), "low": n / 2, "high": 9 * n}
                  for m, n in (("dlda", 20), ("logistic", 40)) for p in (1, 2, 4, 8, 16, 32, 64, 100)]
        self.check("needed", "needed", self.write("n.json", json.dumps({"needed": needed, "within": 0.02})))
        sizes = [10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000]
        many = [{"model": f"model {m}", "size": n, "error_mean": 0.1 + m / n, "error_se": 0.01}
                for m in range(9) for n in sizes]
        self.check("curves", "curves", self.write("c.json", json.dumps({"curves": many, "repeats": 4})))
        self.assertEqual(self.faults, [], f"{len(self.faults)} faults in {self.drawn} figures")
        self.assertEqual(self.drawn, 8)


if __name__ == "__main__":
    unittest.main()
