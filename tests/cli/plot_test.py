"""Figures: every kind as a picture and as text, hostile names, many points, and what is refused."""

import json
import os
import re
import resource
import shutil
import stat
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from support import CliTest, csv_text, read_data

GNUPLOT = shutil.which("gnuplot")
SANITIZED = bool(os.environ.get("GENERA_SANITIZE"))
BEGINS = {"svg": b"<?xml", "png": b"\x89PNG\r\n", "pdf": b"%PDF-"}
OF_MODEL = ("regions", "density", "posterior", "features")
OF_BOTH = ("regions", "predictions", "samples", "pairs", "canonical", "confusion", "reliability", "roc")
HOSTILE = ["`touch pwned`", "it's $(touch pwned) \"x\"", "a\nb\tc {d}_e^f \\n", "100% %s %d @macro ''"]
HOSTILE_COLUMNS = ["x `touch pwned` 'y'", "p\nq \"r\" {s}_t^u %g @v $HOME", "plain"]


def processor_seconds():
    """Of the programs that have ended: others may use the machine, too."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def texts_of(svg):
    """What a person reads in an svg."""
    root = ElementTree.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text")]


def hostile_table():
    rows = [[k + ((7 * i) % 10) / 9.0, (k % 2) * 2 + ((3 * i) % 11) / 10.0, (i % 5) / 4.0, HOSTILE[k]]
            for i in range(40) for k in range(4)]
    return csv_text([*HOSTILE_COLUMNS, "class"], rows)


@unittest.skipUnless(GNUPLOT, "gnuplot is not installed")
class Plot(CliTest):
    def iris(self, model="qda"):
        return self.fit("@iris", "--model", model, name=f"{model}.json")

    def plot(self, *arguments, extension="svg", **options):
        """The bytes of a picture, which is what its extension says."""
        path = self.folder / f"figure.{extension}"
        path.unlink(missing_ok=True)
        result = self.ok("plot", *arguments, "-o", path, **options)
        self.assertEqual(result.out, "")
        content = path.read_bytes()
        self.assertEqual(content[:len(BEGINS[extension])], BEGINS[extension], result)
        return content

    def test_every_kind_in_every_format(self):
        model = self.iris()
        for extension in BEGINS:
            for kind in OF_MODEL:
                self.plot(kind, model, extension=extension)
            for kind in OF_BOTH:
                self.plot(kind, model, "@iris", extension=extension)
            self.plot("scatter", "@iris", extension=extension)

    def test_every_kind_of_every_model_draws_or_refuses(self):
        data = {"counts.svm": "".join(f"{'ab'[i % 2]} 1:{i % 3} 2:{1 + i % 2} {3 + i % 2}:{i % 5}\n"
                                      for i in range(16)),
                "text.csv": "note,class\n" + "".join(
                    f"{('cheap pills', 'lunch today')[i % 2]} no {i % 4},{'ab'[i % 2]}\n"
                    for i in range(16))}
        models = ("qda", "lda", "gnb", "dlda", "spherical", "centroid", "rda", "mda", "bernoulli",
                  "categorical", "joint", "multinomial", "complement", "poisson", "logistic", "auto")
        for name, content in data.items():
            rows = self.write(name, content)
            for model in models:
                file = self.folder / f"{model}.json"
                if self.works_or_refuses("fit", rows, "--model", model, "-o", file).status:
                    continue
                for kind in OF_MODEL:
                    self.works_or_refuses("plot", kind, file, "--terminal")
                for kind in OF_BOTH:
                    self.works_or_refuses("plot", kind, file, rows, "--terminal")
        bernoulli = self.fit(self.folder / "counts.svm", "--model", "bernoulli")
        self.refused("plot", "regions", bernoulli, "--terminal",
                     mentions=["no feature that is a number"])
        self.refused("plot", "posterior", bernoulli, "--x", "1", "--terminal",
                     mentions=["no density of '1'"])
        self.assertIn("1", self.ok("plot", "features", bernoulli, "--terminal").out)

    def test_every_kind_as_json(self):
        model = self.iris()
        for kind in (*OF_MODEL, *OF_BOTH):
            inputs = [model] if kind in OF_MODEL else [model, "@iris"]
            figure = self.ok_json("plot", kind, *inputs)
            shown = figure["regions"] if kind == "canonical" else figure
            self.assertEqual(shown["classes"], ["setosa", "versicolor", "virginica"], kind)
            for axis in shown["axes"]:
                self.assertEqual(sorted(axis), ["name", "range"])
        regions = self.ok_json("plot", "regions", model)
        for cell in zip(*(sum(of_class, []) for of_class in regions["posterior"])):
            self.assertAlmostEqual(sum(cell), 1, places=12)
        self.refused("plot", "regions", model, "--json", "--terminal", status=2)

    def test_what_regions_show(self):
        texts = texts_of(self.plot("regions", self.iris(), "@iris", "--x", "sepal_length", "--y",
                                   "petal_width", "--title", "Flowers & more"))
        for text in ("sepal_length", "petal_width", "species", "setosa", "versicolor", "virginica",
                     "misclassified (3)", "50 % inside", "99 % inside", "Flowers & more",
                     "sepal_width and petal_length are marginalised"):
            self.assertIn(text, texts)
        texts = texts_of(self.plot("regions", self.iris(), "--others", "mean", "--mass", "0.8"))
        self.assertIn("80 % inside", texts)
        self.assertTrue(any("where expected" in text for text in texts), texts)

    def test_densities(self):
        model = self.iris()
        texts = texts_of(self.plot("density", model, "--x", "sepal_length", "--between", "5:6"))
        area = next(text for text in texts if text.startswith("P(5"))
        self.assertRegex(area, r"= 0\.39\d\d$")
        self.plot("density", model, "--surface")
        self.assertIn("equally probable", texts_of(self.plot("density", model, "--by-class")))
        texts = texts_of(self.plot("density", model, "@iris", "--x", "sepal_length", "--y",
                                   "sepal_width", "--z", "petal_length"))
        self.assertIn("petal_length", texts)
        self.assertTrue(any("90 % of each class" in text for text in texts), texts)

    def test_one_feature(self):
        model = self.fit("@iris", "--features", "petal_length", "--model", "qda", name="one.json")
        for kind in ("density", "posterior", "regions", "predictions", "samples"):
            texts = texts_of(self.plot(kind, model, "@iris"))
            for text in ("petal_length", "virginica", "all together"):
                self.assertIn(text, texts, kind)
            bars = {"predictions": "by prediction", "samples": "density, 150 rows drawn"}.get(kind, "data")
            self.assertIn(bars, texts)
            self.assertEqual("misclassified (7)" in texts, kind in ("regions", "predictions"))
            self.assertIn("|", self.ok("plot", kind, model, "@iris", "--terminal").out)
            if kind != "predictions":
                self.assertNotEqual(self.plot(kind, model), self.plot(kind, model, "@iris"))
        linear = self.fit("@iris", "--features", "petal_length", "--model", "logistic", name="l.json")
        for kind in ("posterior", "regions", "predictions"):
            self.assertIn("density", texts_of(self.plot(kind, linear, "@iris")))
        rows = self.write("one.csv", self.ok("sample", model, "-n", "30").out)
        texts = texts_of(self.plot("scatter", rows))
        self.assertIn("data", texts)
        self.assertIn("density", texts)
        histogram = self.ok_json("plot", "scatter", rows)["histogram"]
        width = histogram["edges"][1] - histogram["edges"][0]
        self.assertAlmostEqual(sum(histogram["density"]) * width, 1, places=9)

    def test_samples_of_a_mixture_beside_its_density(self):
        model = self.write("mixture.json", json.dumps(
            {"format": "genera-model", "version": 1, "classes": [{"name": "all", "prior": 1}],
             "blocks": [{"type": "mixture", "model": "mda", "structure": "qda", "features": ["x"],
                         "components": [2], "weights": [0.7, 0.3], "means": [[0], [6]],
                         "covariances": [[[1]], [[2]]]}]}))
        texts = texts_of(self.plot("samples", model, "-n", "1000"))
        for text in ("1000 rows drawn", "component", "density"):
            self.assertIn(text, texts)
        figure = self.ok_json("plot", "samples", model, "-n", "1000")
        self.assertEqual([part["weight"] for part in figure["parts"]], [0.7, 0.3])
        self.assertEqual(figure["draws"], 1000)
        iris = self.iris()
        self.assertEqual(len(self.ok_json("plot", "samples", iris, "-n", "40")["drawn"]["at"][0]), 40)
        self.assertNotIn("data", texts_of(self.plot("samples", iris)))

    @unittest.skipIf(SANITIZED, "it is about time")
    def test_tables_of_many_columns(self):
        names = [f"v{j}" for j in range(8000)]
        rows = [[(i * 7 + j * 3 + i * j) % 11 + 5 * (i % 2) * (j == 4711) + i % 2 * (j == 99)
                 for j in range(8000)] + ["ab"[i % 2]] for i in range(20)]
        data = self.write("wide.csv", csv_text([*names, "y"], rows))
        model = self.fit(data, "--model", "gnb")
        for arguments in (("scatter", data), ("features", model)):
            before = processor_seconds()
            self.ok("plot", *arguments, "--terminal")
            self.assertLess(processor_seconds() - before, 5, arguments)

    def test_curves_of_several_numbers_of_columns(self):
        curves = [{"dimension": p, "model": "dlda", "kind": "generative", "size": n,
                   "error_mean": 0.3 + n / 1000 + p / 100, "error_se": 0.01}
                  for p in (1, 8) for n in (10, 20, 50)]
        file = self.write("c.json", json.dumps({"curves": curves, "crossings": [], "repeats": 3}))
        text = self.ok("plot", "curves", file, "--terminal").out
        self.assertIn("A dlda, 1 column   B dlda, 8 columns", text)
        for curve in curves:
            del curve["dimension"]
        file = self.write("c.json", json.dumps({"curves": curves[:3], "crossings": []}))
        self.assertIn("A dlda\n", self.ok("plot", "curves", file, "--terminal").out)

    def test_rows_needed(self):
        needed = [{"dimension": p, "model": m, "rows": n, "low": n and n / 2, "high": n and 2 * n}
                  for m, p, n in (("dlda", 2, 20), ("dlda", 8, 30), ("logistic", 2, 22),
                                  ("logistic", 8, 90), ("logistic", 16, None))]
        content = {"needed": needed, "within": 0.05, "models": [
            {"model": "dlda", "kind": "generative"}, {"model": "logistic", "kind": "discriminative"}]}
        file = self.write("n.json", json.dumps(content))
        texts = texts_of(self.plot("needed", file))
        for text in ("columns", "training rows needed", "proportional to the columns", "logistic", "50"):
            self.assertIn(text, texts)
        self.assertIn("within 0.05", " ".join(texts))
        self.assertIn("logistic with 16 columns: outside", " ".join(texts))
        self.assertEqual([t["solid"] for t in self.ok_json("plot", "needed", file)["trends"]],
                         [True, False])
        self.assertIn("A dlda   B logistic", self.ok("plot", "needed", file, "--terminal").out)
        file = self.write("n.json", json.dumps({"curves": []}))
        self.refused("plot", "needed", file, "--terminal", status=1, mentions=["compare --from"])

    def test_posteriors_say_how_they_differ_from_the_densities(self):
        model = self.fit("@iris", "--model", "gnb", "--calibrate", "temperature")
        plain = texts_of(self.plot("posterior", model, "--x", "petal_length"))
        self.assertRegex(" ".join(plain),
                         r"posteriors and boundaries have the temperature \d\.\d+, densities none")
        self.assertNotIn("this feature alone", " ".join(plain))
        mean = texts_of(self.plot("posterior", model, "--x", "petal_length", "--others", "mean"))
        self.assertIn("densities and areas are those of this feature alone", " ".join(mean))

    def test_softmax_has_regions_but_no_density(self):
        model = self.iris("logistic")
        texts = texts_of(self.plot("regions", model, "@iris"))
        self.assertTrue(any("at their means in the training rows" in text for text in texts), texts)
        self.plot("posterior", model, "@iris")
        self.plot("canonical", model, "@iris")
        self.plot("pairs", model, "@iris")
        self.plot("regions", model, "--x-range", "4:8", "--y-range=-1:3")
        self.refused("plot", "density", model, "-o", self.folder / "a.svg", status=1,
                     mentions=["logistic is a scorer"])
        self.refused("plot", "regions", model, "-o", self.folder / "a.svg", status=2,
                     mentions=["nothing says how far", "--x-range"])
        self.assertFalse((self.folder / "a.svg").exists())

    def test_mixtures_mixed_tables_and_two_classes(self):
        self.plot("regions", self.fit("@iris", "--model", "mda", "--components", "2"), "@iris")
        table = self.write("mixed.csv", "u,v,colour,words,class\n" + "".join(
            f"{i % 7},{(i * i) % 11 + i % 2},{'red' if i % 3 else 'blue'},"
            f"{'some words here' if i % 2 else 'other texts there'} {i},{'yes' if i % 2 else 'no'}\n"
            for i in range(60)))
        model = self.fit(table, "--model", "qda", "--target", "class", name="mixed.json")
        texts = texts_of(self.plot("regions", model, table))
        self.assertIn("colour and words are marginalised", texts)
        self.plot("features", model)
        texts = texts_of(self.plot("roc", model, table, "--positive", "no"))
        self.assertTrue(any(text.startswith("no  AUC") for text in texts), texts)
        self.assertIn("canonical variate 1 (100 %)", texts_of(self.plot("canonical", model, table)))
        self.refused("plot", "roc", model, table, "--positive", "nope", "-o", self.folder / "a.svg",
                     status=2, mentions=["'nope'", "'no'"])

    def test_json_of_other_verbs(self):
        compared = self.write("compare.json", self.ok(
            "compare", "@iris", "--repeats", "2", "--sizes", "15,40", "--json").out)
        selected = self.write("select.json", self.ok("select", "@iris", "--models", "rda", "--json").out)
        clustered = self.write("cluster.json", self.ok(
            "cluster", "@iris", "--components", "1-3", "--json").out)
        self.assertIn("training rows", texts_of(self.plot("curves", compared)))
        self.assertIn("log loss of test rows", texts_of(self.plot("curves", compared, "--metric",
                                                                  "log_loss")))
        self.assertIn("log loss, cross-validated", texts_of(self.plot("path", selected)))
        self.assertIn("chosen", texts_of(self.plot("bic", clustered)))
        for kind, right in (("curves", compared), ("path", selected), ("bic", clustered)):
            self.assertIn("chosen" if kind != "curves" else "training rows",
                          self.ok("plot", kind, right, "--terminal").out)
            for wrong in (compared, selected, clustered):
                if wrong != right:
                    self.refused("plot", kind, wrong, "--terminal", status=1, mentions=["write it with"])
            self.refused("plot", kind, self.write("text.json", "{nonsense"), "--terminal", status=1,
                         mentions=["is not JSON"])
            self.refused("plot", kind, self.folder / "none.json", "--terminal", status=1,
                         mentions=["cannot be read"])

    def test_points_outside_the_axes_are_counted(self):
        _, rows = read_data("iris")
        outside = sum(not 5 <= float(row[0]) <= 6 or float(row[1]) > 4 for row in rows)
        texts = texts_of(self.plot("scatter", "@iris", "--x", "sepal_length", "--y", "sepal_width",
                                   "--x-range", "5:6", "--y-range", "0:4"))
        self.assertIn(f"{outside} points lie outside the axes", texts)
        self.assertNotIn("outside", " ".join(texts_of(self.plot("scatter", "@iris"))))

    def test_equal_scales_make_circles_of_circles(self):
        model = self.write("round.json", json.dumps(
            {"format": "genera-model", "version": 1, "features": ["x", "y"],
             "classes": [{"name": "all", "prior": 1, "mean": [0, 0], "covariance": [[1, 0], [0, 1]]}]}))
        shapes = {}
        for options in ((), ("--equal",)):
            svg = self.plot("density", model, *options).decode()
            paths = [[tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
                     for path in re.findall(r"<path[^>]* d='([^']*)'", svg)]
            longest = max(paths, key=len)
            width, height = (max(axis) - min(axis) for axis in zip(*longest))
            shapes[options] = width / height
        self.assertGreater(abs(shapes[()] - 1), 0.05)
        self.assertAlmostEqual(shapes["--equal",], 1, delta=0.01)
        self.refused("plot", "density", model, "--x", "x", "--equal", "-o", self.folder / "a.svg", status=2,
                     mentions=["the figure shows one feature", "leave --equal out, or add --y"])
        self.plot("density", model, "--surface", "--equal")
        self.plot("samples", model, self.write("rows.csv", self.ok("sample", model, "-n", "9").out), "--equal")

    def test_one_class_has_no_legend(self):
        data = self.write("one.csv", "a,b,class\n1,2,only\n2,3,only\n4,3,only\n")
        self.assertNotIn("only", texts_of(self.plot("scatter", data)))

    def test_a_grid_with_one_gamma_is_a_curve(self):
        selected = self.write("select.json", self.ok("select", "@iris", "--models", "rda", "--grid",
                                                     "gamma=0", "--json").out)
        texts = texts_of(self.plot("path", selected))
        for text in ("gamma = 0", "chosen", "alpha: own (1) or pooled (0) covariances",
                     "log loss, cross-validated", "0.8"):
            self.assertIn(text, texts)
        self.assertNotIn("gamma: towards a simple target", texts)

    def test_pictures_as_text(self):
        model = self.iris()
        for kind in (*OF_MODEL, *OF_BOTH):
            arguments = ("plot", kind, model, *([] if kind == "features" else ["@iris"]), "--terminal")
            if kind == "pairs":
                self.refused(*arguments, status=2, mentions=["too coarse"])
                continue
            out = self.ok(*arguments).out
            self.assertGreater(len(out.splitlines()), 3)
        picture = self.ok("plot", "regions", model, "@iris", "--terminal").out
        self.assertIn("A setosa", picture)
        self.assertRegex(picture, r"\|[abcABC!. ]{68}\|")
        self.assertIn("boundary at 2.24", self.ok("plot", "posterior", model, "--x", "petal_length",
                                                  "--terminal").out)

    def test_the_same_bytes_for_any_number_of_threads(self):
        model = self.iris()
        one = self.plot("regions", model, "@iris", "--threads", "1")
        self.assertEqual(one, self.plot("regions", model, "@iris", "--threads", "3"))

    def test_names_are_data(self):
        table = self.write("hostile.csv", hostile_table())
        model = self.fit(table, "--model", "qda", cwd=self.folder)
        title = "`touch pwned` ' \" $(touch pwned) @x {y}_z"
        for kind in (*OF_MODEL, *OF_BOTH):
            inputs = [model] if kind in ("density", "posterior", "features") else [model, table]
            texts = texts_of(self.plot(kind, *inputs, "--title", title, cwd=self.folder))
            self.assertIn(title.replace("'", "’"), texts, kind)
            if kind in ("regions", "predictions", "samples", "pairs", "density", "posterior"):
                self.assertIn("`touch pwned`", texts, kind)
                self.assertTrue(any(text.startswith("it’s $(touch") for text in texts), texts)
                self.assertTrue(any(text.startswith("100% %s %d") for text in texts), texts)
        texts = texts_of(self.plot("confusion", model, table, cwd=self.folder))
        self.assertIn("true", texts)
        self.assertIn("100% %s %d @macro ’’", texts)  # a tic, which gnuplot takes for a format
        texts = texts_of(self.plot("features", model, cwd=self.folder))
        self.assertIn("x `touch pwned` ’y’", texts)
        self.plot("density", model, "--by-class", cwd=self.folder)
        self.plot("scatter", table, extension="png", cwd=self.folder)
        self.assertEqual(list(self.folder.glob("**/pwned")), [])

    def test_many_points_are_one_image(self):
        model = self.iris()
        big = self.folder / "big.csv"
        self.ok("sample", model, "-n", "20000" if SANITIZED else "200000", "-o", big)
        for kind, inputs in (("scatter", [big]), ("regions", [model, big]), ("pairs", [model, big])):
            before = processor_seconds()
            self.assertLess(len(self.plot(kind, *inputs)), 1_000_000, kind)
            if not SANITIZED:
                self.assertLess(processor_seconds() - before, 10, kind)

    def test_the_script_draws_the_same_picture(self):
        kept = self.folder / "kept"
        picture = self.plot("regions", self.iris(), "@iris", "--script", kept)
        self.assertEqual(sorted(path.name for path in kept.iterdir()),
                         ["figure.dat", "figure.gp", "figure.rgb"])
        subprocess.run([GNUPLOT, "-d", "figure.gp"], cwd=kept, check=True)
        self.assertEqual((kept / "figure.svg").read_bytes(), picture)
        alone = self.folder / "alone"
        self.ok("plot", "scatter", "@iris", "--script", alone)
        self.assertEqual(sorted(path.name for path in alone.iterdir()), ["figure.dat", "figure.gp"])

    def test_rows_with_holes_and_unknown_labels(self):
        table = self.write("holes.csv", "sepal_length,sepal_width,petal_length,petal_width,species\n"
                           "5,3,,0.2,setosa\n,3,4,1,versicolor\n6,3,5,2,rose\n6,3,5,2,\n")
        texts = texts_of(self.plot("regions", self.iris(), table, "--x", "sepal_length", "--y",
                                   "sepal_width"))
        self.assertTrue(any("1 row that lacks a number shown is left out" in text for text in texts), texts)


class Refusals(CliTest):
    def refuses(self, *arguments, **options):
        """Nothing is written."""
        before = sorted(self.folder.rglob("*"))
        message = self.refused("plot", *arguments, **options)
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        return message

    def test_command_lines(self):
        model = self.fit("@iris")
        out = ("-o", self.folder / "a.svg")
        for arguments, mentions in (
                (("regionz", model, *out), ["'regionz'", "'regions'"]),
                (("regions", *out), ["needs a model or data"]),
                (("predictions", model, *out), ["takes MODEL DATA"]),
                (("scatter", model, "@iris", *out), ["takes DATA"]),
                (("regions", model), ["needs -o", "--terminal"]),
                (("regions", model, "-o", self.folder / "a.jpg"), [".svg, .png or .pdf"]),
                (("regions", model, *out, "--terminal"), ["-o and --terminal"]),
                (("regions", model, *out, "--y", "sepal_width"), ["without --x"]),
                (("density", model, *out, "--x", "sepal_width", "--z", "petal_width"), ["--z"]),
                (("regions", model, *out, "--x-range", "5"), ["A:B"]),
                (("regions", model, *out, "--x-range", "6:5"), ["empty"]),
                (("regions", model, *out, "--others", "medium"), ["marginal or mean"]),
                (("regions", model, *out, "--mass", "2"), ["--mass"]),
                (("regions", model, *out, "--x", "petal_lenth"), ["'petal_lenth'", "'petal_length'"]),
                (("regions", model, *out, "--x", "petal_length", "--y", "petal_length"), ["two axes"]),
                (("roc", model, "@iris", *out, "--positive", "setosa"), ["two classes"]),
                (("regions", model, "-o", model), ["also read"])):
            self.refuses(*arguments, status=2, mentions=mentions)

    def test_options_of_other_kinds_are_refused(self):
        model, out = self.fit("@iris"), ("-o", self.folder / "a.svg")
        for kind, inputs, option in (("scatter", ["@iris"], "--mass=0.5"),
                                     ("scatter", ["@iris"], "--positive=setosa"),
                                     ("density", [model], "--others=mean"),
                                     ("pairs", [model, "@iris"], "--x-range=4:8"),
                                     ("pairs", [model, "@iris"], "--equal"),
                                     ("pairs", [model, "@iris"], "--x=petal_length"),
                                     ("regions", [model], "--features=petal_length,petal_width"),
                                     ("regions", [model], "--between=4:8"),
                                     ("posterior", [model], "--mass=0.5"),
                                     ("canonical", [model, "@iris"], "--x=petal_length"),
                                     ("confusion", [model, "@iris"], "--metric=error")):
            with self.subTest(kind=kind, option=option):
                name = option.partition("=")[0]
                self.refuses(kind, *inputs, option, *out, status=2,
                             mentions=[f"{name} belongs to the figures", f"but this is {kind}",
                                       f"leave {name} out"])

    def test_models_and_data_that_do_not_fit(self):
        out = ("-o", self.folder / "a.svg")
        model = self.fit("@iris")
        words = self.write("words.csv", "text,class\n" + "".join(
            f"some words and {i},{'a' if i % 2 else 'b'}\n" for i in range(20)))
        texts = self.fit(words, "--model", "multinomial", "--type", "text=text", name="texts.json")
        one = self.fit("@iris", "--features", "petal_length", name="one.json")
        for kind in ("regions", "density"):
            self.refuses(kind, texts, *out, status=1, mentions=["no feature that is a number"])
        self.refuses("pairs", one, "@iris", *out, status=1,
                     mentions=["two features", "of one feature, such as posterior"])
        for option in ("--equal", "--y-range=0:1"):
            self.refuses("regions", one, option, *out, status=2,
                         mentions=["the figure shows one feature", f"leave {option.split('=')[0]} out"])
        self.refuses("canonical", texts, words, *out, status=1, mentions=["no feature that is a number"])
        self.refuses("regions", model, "@wine", *out, status=1, mentions=["sepal_length"])
        self.refuses("scatter", words, *out, status=1, mentions=["no feature that is a number"])
        self.refuses("regions", self.folder / "none.json", *out, status=1, mentions=["none.json"])
        unlabelled = self.write("unlabelled.csv", "sepal_length,sepal_width,petal_length,petal_width\n"
                                "5,3,1,0.2\n")
        for kind in ("confusion", "roc", "canonical"):
            self.refuses(kind, model, unlabelled, *out, status=1, mentions=["label", "--target"])

    def test_places_that_cannot_be_written(self):
        model = self.fit("@iris")
        self.write("file", "")
        for path in (self.folder / "none" / "a.svg", self.folder / "file" / "a.svg"):
            self.refuses("regions", model, "-o", path, status=1, mentions=["cannot be written"])
        self.refuses("regions", model, "--script", self.folder / "file", status=1,
                     mentions=["cannot be made"])

    def fake_gnuplot(self, script):
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / "gnuplot"
        path.write_text("#!/bin/sh\n" + script, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{folder}:/usr/bin:/bin"}

    def test_gnuplot_that_is_not_there(self):
        empty = self.folder / "empty"
        empty.mkdir()
        model = self.fit("@iris")
        self.refuses("regions", model, "-o", self.folder / "a.svg", status=1, env={"PATH": str(empty)},
                     mentions=["gnuplot, which is not installed", "apt-get install gnuplot-nox"])
        self.ok("plot", "regions", model, "--terminal", env={"PATH": str(empty)})

    def test_gnuplot_that_fails(self):
        model = self.fit("@iris")
        old = self.write("a.svg", "old")
        for script, mentions in (("echo 'line 3: no such terminal' >&2; exit 1", ["no such terminal"]),
                                 ("exit 0", ["gnuplot failed"]),
                                 ("kill -9 $$", ["gnuplot failed"]),
                                 ("yes 'it is broken' | head -c 100000 >&2; exit 2", ["it is broken"])):
            message = self.refuses("regions", model, "-o", old, status=1, mentions=mentions,
                                   env=self.fake_gnuplot(script))
            self.assertLess(len(message), 900)
        self.assertEqual(old.read_text(encoding="utf-8"), "old")

    def test_settings_of_the_user_are_not_read(self):
        if not GNUPLOT:
            self.skipTest("gnuplot is not installed")
        self.write(".gnuplot", "set terminal nonsense\nexit status 3\n")
        self.ok("plot", "scatter", "@iris", "-o", self.folder / "a.svg", env={"HOME": str(self.folder)},
                cwd=self.folder)
        self.assertIsNotNone(re.match(rb"<\?xml", (self.folder / "a.svg").read_bytes()))


if __name__ == "__main__":
    unittest.main()
