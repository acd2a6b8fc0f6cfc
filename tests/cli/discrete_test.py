"""Categories, flags and counts: the formulas, what inspect shows, unseen values, bad input."""

import itertools
import math
import random
import re
import unittest

from discrete_formulas import Categorical, Complement, Joint, Model, Multinomial, counts_of
from discrete_support import DiscreteTest, categories, counts, flags, only, reference_text
from support import DATA, NOT_A_NUMBER, Sample, csv_text, parse_csv, read_data

SMOOTHINGS = (1.0, 0.0, 0.25, 7.5)


def count_view(sample):
    return counts_of(sample.names, range(len(sample.names)))


class AgainstFormulas(DiscreteTest):
    def test_categorical(self):
        for missing in (0.0, 0.15):
            sample = categories(seed=1, missing=missing)
            for s in SMOOTHINGS:
                with self.subTest(missing=missing, smoothing=s):
                    expected = Model(sample, Categorical(sample, (0, 1, 2), s))
                    self.expect(sample, expected, "--model", "categorical", "--smoothing", s)

    def test_one_is_the_default_smoothing(self):
        sample = categories(seed=2)
        self.expect(sample, Model(sample, Categorical(sample, (0, 1, 2))),
                    "--model", "categorical")

    def test_joint(self):
        sample = categories(seed=3)
        for s in SMOOTHINGS:
            with self.subTest(smoothing=s):
                self.expect(sample, Model(sample, Joint(sample, (0, 1, 2), s)),
                            "--model", "joint", "--smoothing", s)

    def test_joint_sums_over_missing_cells(self):
        sample = categories(seed=4)
        asked = Sample(sample.names, [["red", "", "no"], ["", "", "yes"], ["", "", ""],
                                      ["", "large", ""]], ["a"] * 4)
        self.expect(sample, Model(sample, Joint(sample, (0, 1, 2))), "--model", "joint",
                    rows=asked)

    def test_bernoulli(self):
        sample = flags(seed=5)
        for s in SMOOTHINGS:
            with self.subTest(smoothing=s):
                self.expect(sample, Model(sample, Categorical(sample, range(4), s)),
                            "--model", "bernoulli", "--smoothing", s)

    def test_bernoulli_of_words_with_missing_cells(self):
        rng = random.Random(6)
        whole = flags(seed=6)
        sample = Sample(whole.names, [[rng.choice(("", "yes", "no")) if v else "no" for v in row]
                                      for row in whole.rows], whole.labels)
        self.expect(sample, Model(sample, Categorical(sample, range(4))), "--model", "bernoulli")

    def test_multinomial(self):
        sample = counts(seed=7)
        for s in SMOOTHINGS:
            with self.subTest(smoothing=s):
                self.expect(sample, Model(sample, Multinomial(sample, count_view(sample), s)),
                            "--model", "multinomial", "--smoothing", s)

    def test_complement(self):
        for seed, s in ((8, 1.0), (9, 0.1)):
            sample = counts(seed=seed, d=5)
            expected = Complement(sample, count_view(sample), s)
            model = self.fit(sample, "--model", "complement", "--smoothing", s)
            data = self.write("rows.csv", sample)
            posteriors = [expected.posterior(row) for row in sample.rows]
            self.assert_rows_close(self.proba(model, data), posteriors, 1e-9)

    def test_priors(self):
        sample = categories(seed=10)
        block = Categorical(sample, (0, 1, 2))
        for option, priors in (("uniform", dict.fromkeys("abc", 1 / 3)),
                               ("a=.2,b=.5,c=.3", {"a": .2, "b": .5, "c": .3})):
            with self.subTest(priors=option):
                self.expect(sample, Model(sample, block, priors=priors),
                            "--model", "categorical", "--priors", option)

    def test_numbers_can_be_categories(self):
        rng = random.Random(11)
        rows = [[rng.choice(("1", "2", "10", "7"))] for _ in range(60)]
        sample = Sample(["code"], rows, [rng.choice("ab") for _ in rows])
        expected = Model(sample, Categorical(sample, (0,)))
        for options in (("--model", "categorical"), ("--type", "code=categorical")):
            with self.subTest(options=options):
                self.expect(sample, expected, *options)

    def test_evaluate_is_that_of_the_joints(self):
        sample = categories(seed=12, missing=0.1)
        expected = Model(sample, Categorical(sample, (0, 1, 2)))
        model = self.fit(sample, "--model", "categorical")
        found = self.ok_json("evaluate", model, self.write("rows.csv", sample))
        joints = [expected.log_joint(row)[y] for row, y in zip(sample.rows, sample.labels)]
        self.assertAlmostEqual(found["log_likelihood"], math.fsum(joints), delta=1e-8)
        score = self.ok_csv("score", model, self.folder / "rows.csv")
        for row, cells in zip(score, sample.rows):
            total = math.log(sum(map(math.exp, expected.log_joint(cells).values())))
            self.assertAlmostEqual(float(row["log_density"]), total, delta=1e-9)


class Inspected(DiscreteTest):
    def assert_parameters(self, model, classes, probabilities):
        found = self.ok_json("inspect", model)["parameters"]
        self.assertEqual((found["priors"], found["probabilities"]), (classes - 1, probabilities))
        self.assertEqual(found["total"], sum(v for k, v in found.items() if k != "total"))

    def assert_levels(self, block, expected, names):
        """The block lists what the formula gives, feature by feature."""
        self.assertEqual(block["features"], names)
        self.assertEqual(block["smoothing"], 1)
        for j, (levels, by_class) in enumerate(zip(block["levels"], block["probabilities"])):
            self.assertEqual(sorted(levels), expected.levels[j])
            for k, p in zip(sorted(expected.tables), by_class, strict=True):
                self.assert_tables_close(dict(zip(levels, p, strict=True)),
                                         expected.tables[k][j])

    def test_categorical(self):
        sample = only(categories(seed=20), (0, 1))
        model = self.fit(sample, "--model", "categorical")
        self.assert_levels(self.block(model, "categorical"), Categorical(sample, (0, 1)),
                           ["colour", "size"])
        self.assert_parameters(model, 3, 3 * (3 + 2))

    def test_bernoulli(self):
        sample = flags(seed=21)
        model = self.fit(sample, "--model", "bernoulli")
        self.assert_levels(self.block(model, "bernoulli"), Categorical(sample, range(4)),
                           sample.names)
        self.assert_parameters(model, 2, 2 * 4)

    def test_joint(self):
        sample = categories(seed=22)
        expected = Joint(sample, (0, 1, 2))
        model = self.fit(sample, "--model", "joint")
        block = self.block(model, "joint")
        cells = list(itertools.product(*block["levels"]))
        for k, p in zip("abc", block["probabilities"], strict=True):
            self.assert_tables_close(dict(zip(cells, p, strict=True)), expected.tables[k])
        self.assert_parameters(model, 3, 3 * (4 * 3 * 2 - 1))

    def test_counts(self):
        sample = counts(seed=23)
        for name, block_type in (("multinomial", Multinomial), ("complement", Complement)):
            with self.subTest(model=name):
                expected = block_type(sample, count_view(sample))
                model = self.fit(sample, "--model", name)
                block = self.block(model, name)
                self.assertNotIn("text", block)
                self.assertEqual(block["terms"], sample.names)
                for k, p in zip("ab", block["probabilities"], strict=True):
                    self.assert_tables_close(dict(zip(block["terms"], p)), expected.p[k])
                if name == "multinomial":
                    self.assert_parameters(model, 2, 2 * (3 - 1))

    def test_for_people(self):
        text = self.ok("inspect", self.fit(categories(seed=24), "--model", "categorical")).out
        for word in ("categorical", "colour", "size", "spotted", "green"):
            self.assertIn(word, text)


class UnseenValues(DiscreteTest):
    def test_unseen_categories_are_named_with_their_columns(self):
        sample = categories(seed=40)
        rows = [["pink", "small", "no"], ["pink", "tiny", "maybe"], ["lime", "small", "yes"],
                ["teal", "small", "no"], ["puce", "small", "no"], ["\x9bm", "small", "no"]]
        data = self.write("d.csv", csv_text(sample.names, rows))
        model = self.fit(sample, "--model", "categorical")
        labelled = self.write("l.csv", csv_text([*sample.names, "class"], [
            [*row, sample.labels[0]] for row in rows]))
        for result in (self.ok("predict", model, data), self.ok("score", model, data),
                       self.ok("predict", model, data, "--proba"),
                       self.ok("evaluate", model, labelled)):
            first, second, third = sample.names
            self.assertIn(f"'{first}' ('pink' 2, 'lime' 1, 'puce' 1 and 2 more)", result.err)
            self.assertIn(f"'{second}' ('tiny' 1)", result.err)
            self.assertIn(f"'{third}' ('maybe' 1)", result.err)
            self.assertNotIn("\x9b", result.err)

    def test_json_escapes_what_terminals_obey(self):
        rows = [["\x7fq", "x"], ["b", "y"], ["\x9bz", "x\x9b"]] * 4
        train = self.write("t.csv", csv_text(["a", "class"], rows))
        model = self.fit(train, "--type", "a=categorical")
        for text in (model.read_text(), self.ok("inspect", model, "--json").out,
                     self.ok("predict", model, train, "--json").out):
            self.assertNotRegex(text, "[\x7f-\x9f]")
        self.assertIn("\\u009b", model.read_text())

    def test_levels_that_are_the_same_number_match(self):
        rows = [["4", "a", "x"], ["4", "b", "x"], ["5", "a", "y"], ["5.50", "b", "y"]] * 5
        train = self.write("t.csv", csv_text(["size", "kind", "label"], rows))
        model = self.fit(train, "--type", "size=categorical", "--model", "categorical")
        same = self.write("s.csv", csv_text(["size", "kind"], [["4", "a"], ["5.50", "b"]]))
        other = self.write("o.csv", csv_text(["size", "kind"], [["4.0", "a"], ["5.5", "b"]]))
        expected, found = (self.ok("predict", model, data, "--joint") for data in (same, other))
        self.assertEqual(found.out, expected.out)
        self.assertNotIn("never seen", found.err)
        unknown = self.write("u.csv", csv_text(["size", "kind"], [["4.01", "a"]]))
        self.assertIn("'size' ('4.01' 1)", self.ok("predict", model, unknown).err)

    def test_scores_without_numbers_have_no_distances(self):
        sample = categories(seed=41)
        model = self.fit(sample, "--model", "categorical")
        data = self.write("d.csv", csv_text(sample.names, [["red", "small", "no"]]))
        result = self.ok("score", model, data)
        self.assertEqual(result.out.splitlines()[0], "log_density,tail")
        self.assertEqual(len(result.out.splitlines()[1].split(",")), 2)
        self.assertNotIn("d2", self.ok("score", model, data, "--json").out)
        self.assertIn("1e-05, or 0.0001 for a row that lacks a cell", result.err)

    def test_outliers_among_rows_with_holes_need_a_larger_level(self):
        sample = categories(seed=42)
        model = self.fit(sample, "--model", "categorical")
        data = self.write("d.csv", csv_text(sample.names, [["red", "", "no"]]))
        self.assertIn("1 row that lacks a cell cannot be flagged: its tail",
                      self.ok("predict", model, data, "--outlier", "5e-5").err)
        self.assertNotIn("cannot be flagged", self.ok("predict", model, data, "--outlier", "0.01").err)

    def test_an_unseen_category_is_missing_and_counted(self):
        sample = categories(seed=40)
        rows = [["pink", "small", "no"], ["red", "tiny", "maybe"], ["red", "small", "yes"],
                ["", "", ""]]
        data = self.write("d.csv", csv_text(sample.names, rows))
        blank = self.write("b.csv", csv_text(sample.names, [
            ["", "small", "no"], ["red", "", ""], ["red", "small", "yes"], ["", "", ""]]))
        for name in ("categorical", "joint"):
            with self.subTest(model=name):
                model = self.fit(sample, "--model", name)
                result = self.ok("predict", model, data, "--proba", "--joint")
                self.assertRegex(result.err, r"warning.*\b3\b")
                silent = self.ok("predict", model, blank, "--proba", "--joint")
                self.assertEqual(result.out, silent.out)
                self.assertNotIn("warning", silent.err)
                self.assert_rows_close(self.proba(model, data)[3:], [Model(sample).priors],
                                       1e-12)

    def test_a_row_impossible_under_every_class_gets_the_prior_and_is_counted(self):
        sample = Sample(["u", "v"], [["x", "p"], ["x", "p"], ["y", "q"]], ["a", "a", "b"])
        model = self.fit(sample, "--model", "categorical", "--smoothing", 0)
        data = self.write("d.csv", csv_text(["u", "v"], [["x", "q"], ["x", "p"]]))
        result = self.ok("predict", model, data, "--proba")
        self.assertRegex(result.err, r"\b1 row")
        self.assert_rows_close(self.proba(model, data),
                               [{"a": 2 / 3, "b": 1 / 3}, {"a": 1.0, "b": 0.0}], 1e-15)
        self.assert_rows_close(self.joint(model, data)[:1], [{"a": -math.inf, "b": -math.inf}],
                               0)
        for verb in ("score", "evaluate"):
            with self.subTest(verb=verb):
                labelled = self.write("l.csv", csv_text(["u", "v", "class"], [["x", "q", "a"]]))
                self.ok(verb, model, labelled)
                self.ok(verb, model, labelled, "--json")

    def test_a_class_without_any_value_of_a_column(self):
        """With smoothing 0 its probabilities are 0 / 0; no NaN may come of it."""
        sample = Sample(["u", "v"], [["x", "p"], ["y", "q"], ["", "p"], ["", "q"]], list("aabb"))
        for s in (0, 1):
            for name in ("categorical", "bernoulli"):
                with self.subTest(smoothing=s, model=name):
                    model = self.fit(sample, "--model", name, "--smoothing", s)
                    self.assertIsNone(NOT_A_NUMBER.search(model.read_text()))
                    data = self.write("d.csv", sample)
                    self.ok("inspect", model, "--json")
                    for row in self.proba(model, data):
                        self.assertAlmostEqual(sum(row.values()), 1, delta=1e-12)


class BadInput(DiscreteTest):
    def test_wrong_counts(self):
        for cell in ("-1", "2.5", "1e-3", "-0.5"):
            sample = counts(seed=50)
            sample.rows[10][1] = cell
            data = self.write("d.csv", sample)
            for options in (("--model", "multinomial"), ("--model", "complement"),
                            ("--type", "n2=count")):
                with self.subTest(cell=cell, options=options):
                    self.refused("fit", data, *options, status=1,
                                 mentions=("d.csv:12", "'n2'", cell))

    def test_wrong_counts_at_prediction(self):
        sample = counts(seed=51)
        model = self.fit(sample, "--model", "multinomial")
        data = self.write("p.csv", csv_text(sample.names, [[1, 2, 3], [1, -2, 3]]))
        self.refused("predict", model, data, status=1, mentions=("p.csv:3", "'n2'", "-2"))

    def test_whole_numbers_written_with_a_point_are_counts(self):
        sample = counts(seed=52)
        pointed = Sample(sample.names, [[f"{v}.0" for v in row] for row in sample.rows],
                         sample.labels)
        data = self.write("d.csv", sample)
        self.assert_same_answers(self.fit(sample, "--model", "multinomial", name="a.json"),
                                 self.fit(pointed, "--model", "multinomial", name="b.json"), data,
                                 tolerance=0)

    def test_an_id_is_warned_about(self):
        sample = categories(seed=53)
        named = Sample(["person", *sample.names], [[f"{c}{i}x{i * 7 % 90}", *row] for i, (c, row) in
                                                   enumerate(zip("qrst" * 30, sample.rows))],
                       sample.labels)
        result = self.ok("fit", self.write("d.csv", named), "--model", "categorical",
                         "-o", self.folder / "m.json")
        self.assertIn("'person'", result.err)
        self.assertIn("use --drop person", result.err)
        shown = self.ok("fit", self.folder / "d.csv", "--model", "categorical")
        self.assertIn("use --drop person", shown.out)
        kept = self.ok("inspect", self.folder / "m.json")  # files speak no shell
        self.assertIn("use drop = person", kept.out)

    def test_too_many_cells(self):
        rows = [[f"v{(i * (j + 1) + i // 10) % 10}" for j in range(12)] for i in range(200)]
        sample = Sample([f"c{j}" for j in range(12)], rows, ["a", "b"] * 100)
        cells = math.prod(len({row[j] for row in rows}) for j in range(12))
        data = self.write("d.csv", sample)
        message = self.refused("fit", data, "--model", "joint", status=1)
        self.assertIn(str(cells), re.sub(r"(?<=\d)[ ,'_](?=\d)", "", message))

    def test_invalid_utf8_in_a_category(self):
        data = self.write("d.csv", categories(seed=54).text().encode().replace(b"red", b"r\xc3d"))
        message = self.refused("fit", data, "--model", "categorical", status=1,
                               mentions=("d.csv:", "'colour'"))
        self.assertIn("UTF-8", message)

    def test_three_values_are_not_binary(self):
        data = self.write("d.csv", categories(seed=55))
        self.refused("fit", data, "--type", "colour=binary", status=1, mentions=("'colour'",))

    def test_smoothing(self):
        data = self.write("d.csv", categories(seed=56))
        for value in ("-1", "-0.001", "nan", "inf", "much"):
            with self.subTest(value=value):
                self.refused("fit", data, "--model", "categorical", "--smoothing", value, status=2,
                             mentions=("--smoothing",))

    def test_what_complement_refuses(self):
        sample = counts(seed=57)
        data = self.write("d.csv", sample)
        model = self.fit(data, "--model", "complement")
        self.refused("score", model, data, status=1, mentions=("complement",))
        self.refused("predict", model, data, "--joint", status=1, mentions=("complement",))
        self.assertIsNone(self.ok_json("evaluate", model, data)["log_likelihood"])
        self.refused("fit", data, "--model", "complement", "--type", "n1=numeric",
                     mentions=("complement",))
        self.refused("fit", data, "--model", "complement", "--priors", "uniform", status=2,
                     mentions=("complement does not use --priors", "leave out --priors"))
        self.refused("predict", model, data, "--priors", "uniform", status=2,
                     mentions=("complement has no prior in its score", "leave --priors out"))
        self.refused("predict", model, data, "--priors", "estimate", status=2,
                     mentions=("--priors estimate: complement has no prior in its score",
                               "--model multinomial"))
        numeric = [f"--type={name}=numeric" for name in sample.names]
        self.refused("fit", data, "--model", "complement", *numeric, status=1,
                     mentions=("complement is not a model of numbers", "--model gnb"))


class UnfitColumns(DiscreteTest):
    """All columns that a model cannot take are named at once, and the hint works."""

    def test_measurements(self):
        for model in ("bernoulli", "multinomial", "poisson", "complement"):
            self.refused("fit", "@iris", "--model", model, status=1,
                         mentions=("4 columns", "'sepal_length'", "'petal_width'", "--model gnb"))
        self.ok("fit", "@iris", "--model", "gnb")
        saved = self.folder / "m.json"
        self.refused("fit", "@iris", "--model", "bernoulli", "--type", "*=numeric", "-o", saved,
                     status=1, mentions=("bernoulli is not a model of numbers",))
        self.assertFalse(saved.exists())
        self.refused("select", "@iris", "--models", "lda,bernoulli", status=1, mentions=("4 columns",))

    def test_the_columns_that_fit_are_left(self):
        said = self.refused("fit", "@penguins", "--model", "multinomial", status=1)
        drop = re.search(r"--drop (\S+)", said).group(1)
        self.assertEqual(drop, "bill_length_mm,bill_depth_mm")
        self.ok("fit", "@penguins", "--model", "multinomial", "--drop", drop)

    def test_texts(self):
        data = self.write("t.csv", csv_text(["n", "a", "b", "y"], [[3, "red sky", "one", "k"],
                                                                   [1, "blue sea", "two", "l"],
                                                                   [0, "red sea", "one", "k"]]))
        for model in ("poisson", "complement"):
            self.refused("fit", data, "--model", model, "--target", "y", status=1,
                         mentions=("'a', 'b' as text", "--drop a,b"))
            self.ok("fit", data, "--model", model, "--target", "y", "--drop", "a,b")

    def test_what_may_be_missing(self):
        rows = [["y", "n", "k"], ["n", "?", "l"], ["?", "y", "k"], ["n", "n", "l"]]
        data = self.write("v.csv", csv_text(["a", "b", "class"], rows))
        self.refused("fit", data, "--model", "bernoulli", status=1,
                     mentions=("2 columns cannot be binary", "--missing-token"))
        self.ok("fit", data, "--model", "bernoulli", "--missing-token", "?")


class LinearByHand(DiscreteTest):
    """Coefficients that somebody wrote down: scores 1 + 2 x for a, 3 [c = red] for b."""

    FILE = """{"format": "genera-model", "version": 1,
        "classes": [{"name": "a"}, {"name": "b"}],
        "blocks": [{"type": "logistic",
            "parts": [{"columns": ["x"]}, {"column": "c", "levels": ["red"]}],
            "intercepts": [1, 0], "coefficients": [[2, 0], [0, 3]]}]}"""

    def test_answers(self):
        model, data = self.write("m.json", self.FILE), self.write("d.csv", "x,c\n1,red\n-2,red\n")
        rows = self.ok_csv("predict", model, data, "--proba", "--explain", 1)
        self.assertEqual([row["prediction"] for row in rows], ["a", "b"])
        self.assertAlmostEqual(float(rows[1]["p(b)"]), 1 / (1 + math.exp(-6)), places=12)
        self.assertEqual([rows[0][key] for key in ("base", "feature_1", "contribution_1", "rest")],
                         ["1", "c=red", "-3", "2"])

    def test_is_shown(self):
        model = self.write("m.json", self.FILE)
        text = self.ok("inspect", model).out
        self.assertIn("model: logistic (1 column, 1 level of 'c')", text)
        self.assertRegex(text, r"c=red +0 +3")
        self.assertIn("free parameters: 3 (coefficients 3)", text)
        document = self.ok_json("inspect", model)
        self.assertEqual(document["blocks"][0]["coefficients"], [[2, 0], [0, 3]])
        self.assertEqual(document["parameters"]["total"], 3)
        self.assertIn("c=red", self.ok("inspect", model, "--top", 1).out)

    def test_has_no_density(self):
        model, data = self.write("m.json", self.FILE), self.write("d.csv", "x,c\n1,red\n")
        for verb in (("score", model, data), ("sample", model, "-n", 2), ("impute", model, data)):
            with self.subTest(verb=verb[0]):
                self.refused(*verb, status=1,
                             mentions=("m.json: logistic is a scorer, not a density",))


class References(DiscreteTest):
    """scikit-learn 1.2.1, CategoricalNB with smoothing 1."""

    def complete(self, name, header, rows):
        return self.write_data(name, header, [row for row in rows if "" not in row])

    def test_lenses(self):
        path = DATA / "lenses.csv"
        self.assertEqual(self.errors(self.fit(path, "--model", "categorical"), path), 1)

    def test_house_votes(self):
        header, rows = read_data("house_votes84")
        path = self.complete("votes.csv", header, rows)
        self.assertEqual(self.errors(self.fit(path, "--model", "categorical"), path), 20)
        dropped = self.fit(DATA / "house_votes84.csv", "--model", "categorical",
                           "--missing", "drop", name="dropped.json")
        self.assertEqual(self.ok_json("evaluate", dropped, path)["errors"], 20)
        self.assertEqual(self.ok_json("evaluate", dropped, path)["rows"], 232)

    def test_mushroom_and_promoters(self):
        for name, expected in (("mushroom", 130), ("promoters", 1)):
            with self.subTest(data=name):
                table = parse_csv(reference_text(f"{name}.csv"))
                path = self.complete(f"{name}.csv", list(table[0]),
                                     [list(row.values()) for row in table])
                self.assertEqual(self.errors(self.fit(path, "--model", "categorical"), path),
                                 expected)


if __name__ == "__main__":
    unittest.main()
