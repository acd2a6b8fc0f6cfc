"""Decisions: costs, rejection, outliers, and what evaluate says of them."""

import gzip
import json
import re
import unittest

import discrete_support
from support import DATA, CliTest, csv_text, parse_csv, three_classes

IRIS = DATA / "iris.csv"
CLASSES = "abc"
COSTS = {"a": {"a": 0, "b": 1, "c": 2.5}, "b": {"a": 10, "b": -1, "c": 3},
         "c": {"a": 4, "b": 0.5, "c": 0}}


def cost_text(costs=None, truths="abc", decisions="abc", corner=""):
    costs = costs or COSTS
    return csv_text([corner, *decisions], [[k, *(costs[k][a] for a in decisions)] for k in truths])


def cheapest(p, costs=None):
    costs = costs or COSTS
    expected = {a: sum(p[k] * costs[k][a] for k in p) for a in p}
    return min(sorted(expected), key=lambda a: expected[a])


def is_plain(p):
    """Whether rounding cannot matter to the cheapest decision."""
    expected = sorted(sum(p[k] * COSTS[k][a] for k in p) for a in p)
    return expected[1] - expected[0] > 1e-9


class Decisions(CliTest):
    def setUp(self):
        super().setUp()
        self.sample = three_classes(seed=3, counts=(60, 40, 80))
        self.data = self.write("d.csv", self.sample)
        self.model = self.fit(self.data, "--model", "qda")
        self.costs = self.write("costs.csv", cost_text())


class Costs(Decisions):
    def test_the_decision_is_the_cheapest(self):
        rows = self.proba(self.model, self.data)
        found = self.labels(self.model, self.data, "--costs", self.costs)
        self.assertGreater(sum(f != max(p, key=p.get) for f, p in zip(found, rows)), 5)
        for p, label in zip(rows, found):
            if is_plain(p):
                self.assertEqual(label, cheapest(p))

    def test_posteriors_stay_what_they_are(self):
        self.assertEqual(self.proba(self.model, self.data, "--costs", self.costs),
                         self.proba(self.model, self.data))

    def test_every_error_at_one_is_the_usual_prediction(self):
        costs = {k: {a: int(a != k) for a in CLASSES} for k in CLASSES}
        path = self.write("one.csv", cost_text(costs))
        self.assertEqual(self.labels(self.model, self.data, "--costs", path),
                         self.labels(self.model, self.data))

    def test_any_order_corner_and_dialect(self):
        wanted = self.labels(self.model, self.data, "--costs", self.costs)
        semicolons = cost_text(corner="truth").replace(",", ";").replace(".", ",")
        quoted = re.sub(r"[^,\n]+", r'"\g<0>"', cost_text(corner="x"))
        for name, text in (("order", cost_text(truths="cab", decisions="bca", corner="t \\ d")),
                           ("corner", cost_text(corner="a")), ("semicolons", semicolons),
                           ("quoted", quoted), ("tabs", cost_text().replace(",", "\t")),
                           ("windows", "\ufeff" + cost_text().replace("\n", "\r\n"))):
            with self.subTest(name=name):
                path = self.write(f"{name}.csv", text)
                self.assertEqual(self.labels(self.model, self.data, "--costs", path), wanted)
        packed = self.write("costs.csv.gz", gzip.compress(cost_text().encode()))
        self.assertEqual(self.labels(self.model, self.data, "--costs", packed), wanted)
        piped = self.ok_csv("predict", self.model, self.data, "--costs", "-", stdin=cost_text())
        self.assertEqual([row["prediction"] for row in piped], wanted)

    def test_names_that_are_numbers_or_hold_commas(self):
        rows = [[-1.0, "1"], [0.0, "1"], [0.5, "2"], [1.0, "2"], [1.5, "1"], [2.0, "2"]]
        model = self.fit(self.write_data("n.csv", ["x", "class"], rows), name="n.json")
        all_two = self.write("c.csv", "t,2.0,1\n1,0,1\n2,0,1\n")
        self.assertEqual(set(self.labels(model, self.folder / "n.csv", "--costs", all_two)), {"2"})
        commas = [[x, "1, 2" if k == "1" else k] for x, k in rows]
        model = self.fit(self.write_data("m.csv", ["x", "class"], commas), name="m.json")
        all_first = self.write("c.csv", 't,2,"1, 2"\n"1, 2",1,0\n2,1,0\n')
        self.assertEqual(set(self.labels(model, self.folder / "m.csv", "--costs", all_first)),
                         {"1, 2"})

    def test_ties_go_to_the_class_that_sorts_first(self):
        nothing = self.write("z.csv", cost_text({k: dict.fromkeys(CLASSES, 0) for k in CLASSES}))
        self.assertEqual(set(self.labels(self.model, self.data, "--costs", nothing)), {"a"})

    def test_priors_change_the_decision_with_them(self):
        options = ("--priors", "a=0.1,b=0.8,c=0.1")
        for p, label in zip(self.proba(self.model, self.data, *options),
                            self.labels(self.model, self.data, "--costs", self.costs, *options)):
            if is_plain(p):
                self.assertEqual(label, cheapest(p))

    def test_refusals_say_where(self):
        good = cost_text().splitlines()
        lines = lambda *changed: "\n".join(changed) + "\n"
        for text, mentions in (
                (lines(*good[:3], "c,4,oops,0"), ("costs.csv:4", "'b'", "'oops'")),
                (lines(*good[:3], "c,4,inf,0"), ("costs.csv:4", "'inf'")),
                (lines(*good[:3], "c,4,1e999,0"), ("costs.csv:4", "'1e999'")),
                (lines(*good[:3], "c,4,nan,0"), ("costs.csv:4", "'nan', which is not a finite number")),
                (lines(*good[:3], "c,4,,0"), ("costs.csv:4", "missing")),
                (lines(*good[:3], "c,4,0"), ("costs.csv:4", "3 fields")),
                (lines(*good[:3]), ("costs.csv", "row of costs for 'c'")),
                (lines(*good, "a,1,2,3"), ("costs.csv:5", "'a' has a row of costs already")),
                (lines(*good[:3], "see,1,2,3"), ("costs.csv:4", "'see' is not a class", "'a', 'b'")),
                (lines(",a,b,b", *good[1:]), ("costs.csv:1", "'b' has a column of costs already")),
                (lines(",a,b", "a,0,1", "b,1,0", "c,1,1"), ("column of costs for 'c'",)),
                (lines(",a,b,", *good[1:]), ("costs.csv:1", "column 4 is empty")),
                (lines(",a,b,c", ",0,1,2", *good[2:]), ("costs.csv:2", "column 1 is empty")),
                ("", ("costs.csv", "empty"))):
            with self.subTest(mentions=mentions):
                path = self.write("costs.csv", text)
                for verb in ("predict", "evaluate"):
                    self.refused(verb, self.model, self.data, "--costs", path, status=1,
                                 mentions=mentions)

    def test_nearest_class(self):
        text = self.write("i.csv", ",setosa,virginca,versicolor\n")
        self.refused("predict", self.fit(IRIS, name="i.json"), IRIS, "--costs", text, status=1,
                     mentions=("i.csv:1", "'virginca'", "did you mean 'virginica'"))

    def test_files_that_cannot_be(self):
        self.refused("predict", self.model, self.data, "--costs", self.folder / "none.csv",
                     status=1, mentions=("none.csv",))
        self.refused("predict", self.model, "-", "--costs", "-", status=2,
                     mentions=("both standard input",), stdin=self.sample.text())
        self.refused("predict", self.model, self.data, "--costs", self.costs, "-o", self.costs,
                     status=2, mentions=("also read",))
        self.assertEqual(self.costs.read_text(), cost_text())


class Reject(Decisions):
    def test_predictions_are_empty_where_no_class_is_sure(self):
        rows = self.ok_csv("predict", self.model, self.data, "--reject", "0.8", "--proba")
        labels = self.labels(self.model, self.data)
        for row, label in zip(rows, labels):
            best = max(float(row[f"p({k})"]) for k in CLASSES)
            self.assertEqual(row["prediction"], label if best >= 0.8 else "")

    def test_no_row_is_lost(self):
        """A line with nothing on it would be no row to most readers."""
        result = self.ok("predict", self.model, self.data, "--reject", "0.8")
        rows = parse_csv(result.out)
        self.assertEqual(len(rows), len(self.sample.rows))
        self.assertNotIn("\n\n", result.out)
        empty = sum(row["prediction"] == "" for row in rows)
        self.assertGreater(empty, 0)
        self.assertIn(f"{empty} of {len(rows)} rows ({100 * empty / len(rows):.3g}%)", result.err)
        self.assertEqual(self.ok("predict", self.model, self.data, "--reject", "0.8",
                                 "--quiet").err, "")

    def test_from_nothing_to_all(self):
        self.assertEqual(self.labels(self.model, self.data, "--reject", "0"),
                         self.labels(self.model, self.data))
        certain = [max(p.values()) == 1 for p in self.proba(self.model, self.data)]
        found = self.labels(self.model, self.data, "--reject", "1")
        self.assertEqual([label != "" for label in found], certain)

    def test_goes_by_the_posterior_whatever_the_costs(self):
        both = self.labels(self.model, self.data, "--reject", "0.8", "--costs", self.costs)
        for p, label in zip(self.proba(self.model, self.data), both):
            if is_plain(p):
                self.assertEqual(label, cheapest(p) if max(p.values()) >= 0.8 else "")

    def test_refused_numbers(self):
        for option, texts in (("--reject", ("-0.1", "1.01", "often", "nan", "")),
                              ("--outlier", ("0", "1", "-1", "2", "rarely"))):
            for text in texts:
                with self.subTest(option=option, text=text):
                    self.refused("predict", self.model, self.data, f"{option}={text}", status=2,
                                 mentions=(option,))


class Outlier(Decisions):
    def flags(self, model, data, limit, *options):
        return [row["outlier"] for row in
                self.ok_csv("predict", model, data, "--outlier", limit, *options)]

    def tails(self, model, data, *options):
        return [float(row["tail"]) for row in self.ok_csv("score", model, data, *options)]

    def test_flags_are_the_tails_of_score(self):
        for family, limit in (("qda", 0.05), ("lda", 0.2), ("gnb", 0.05)):
            with self.subTest(family=family):
                model = self.fit(self.data, "--model", family, name=f"{family}.json")
                flags = self.flags(model, self.data, limit)
                self.assertEqual(flags, [str(int(t < limit))
                                         for t in self.tails(model, self.data)])
                self.assertEqual(set(flags), {"0", "1"})

    def test_under_other_priors(self):
        options = ("--priors", "a=0.98,b=0.01,c=0.01", "--seed", "5")
        model = self.fit(self.data, "--model", "gnb", name="g.json")
        self.assertEqual(self.flags(model, self.data, 0.1, *options),
                         [str(int(t < 0.1)) for t in self.tails(model, self.data, *options)])

    def test_their_number_is_said(self):
        far = self.write_data("far.csv", self.sample.names, [[1e4] * 3, *self.sample.rows[:9]])
        result = self.ok("predict", self.model, far, "--outlier", "1e-9")
        self.assertEqual(parse_csv(result.out)[0]["outlier"], "1")
        self.assertIn("1 of 10 rows (10%)", result.err)

    def test_finer_than_the_draws_is_refused(self):
        model = self.fit(self.data, "--model", "gnb", name="g.json")
        self.refused("predict", model, self.data, "--outlier", "1e-6", status=2,
                     mentions=("--outlier is 1e-06", "1e-05"))
        self.flags(self.model, self.data, 1e-6)  # exact: no draws

    def test_a_scorer_has_no_tail(self):
        sample = discrete_support.counts(seed=1)
        types = [f"--type={name}=count" for name in sample.names]
        model = self.fit(sample, "--model", "complement", *types, name="c.json")
        data = self.folder / "c.json.train.csv"
        self.refused("predict", model, data, "--outlier", "0.1", mentions=("complement", "scorer"))
        self.refused("predict", model, data, "--priors", "estimate", mentions=("complement",))
        result = self.ok("predict", model, data, "--reject", "0.9")
        self.assertIn("not calibrated", result.err)


class Combinations(Decisions):
    def test_columns(self):
        p, joint = [f"p({k})" for k in CLASSES], [f"logjoint({k})" for k in CLASSES]
        rows = self.ok_csv("predict", self.model, self.data, "--keep", "class", "--outlier", "0.1",
                           "--reject", "0.7", "--costs", self.costs, "--proba", "--joint",
                           "--priors", "estimate", "--explain", "1")
        self.assertEqual(list(rows[0]),
                         ["class", "prediction", "outlier", *p, *joint, "best", "second",
                          "log_odds", "base", "feature_1", "contribution_1", "rest"])
        self.assertEqual([row["class"] for row in rows], self.sample.labels)
        for row in rows:
            best = max(CLASSES, key=lambda k: float(row[f"p({k})"]))
            self.assertEqual(row["best"], best)
            self.assertNotEqual(row["second"], best)
            total = sum(float(row[c]) for c in ("base", "contribution_1", "rest"))
            self.assertAlmostEqual(float(row["log_odds"]), total, delta=1e-9)

    def test_json_says_the_same(self):
        ask = ("--outlier", "0.1", "--reject", "0.7", "--costs", self.costs, "--proba")
        rows = self.ok_csv("predict", self.model, self.data, *ask)
        lines = self.ok("predict", self.model, self.data, *ask, "--json").out.splitlines()
        self.assertEqual(len(lines), len(rows))
        for line, row in zip(map(json.loads, lines), rows):
            self.assertEqual(line["prediction"], row["prediction"] or None)
            self.assertIs(line["outlier"], row["outlier"] == "1")
            self.assertEqual(line["p"], {k: float(row[f"p({k})"]) for k in CLASSES})

    def test_without_them_nothing_is_new(self):
        lines = self.ok("predict", self.model, self.data, "--json", "--explain", "1").out
        first = json.loads(lines.splitlines()[0])
        self.assertEqual(set(first), {"prediction", "second", "log_odds", "base", "evidence",
                                      "rest"})
        found = self.ok_json("evaluate", self.model, self.data)
        self.assertFalse({"risk", "rejected", "coverage", "selective_risk"} & set(found))

    def test_of_texts(self):
        data = self.write("t.csv", "label,message\nspam,win a free prize now\nspam,free cash\n"
                                   "ham,are you home for dinner\nham,see you at home now\n")
        model = self.fit(data, name="t.json")
        never = self.write("never.csv", ",spam,ham\nspam,0,1\nham,1000,0\n")
        self.assertEqual(self.labels(model, data, "--costs", never), ["ham"] * 4)
        self.assertEqual(len(self.labels(model, data, "--priors", "estimate")), 4)


class Evaluate(Decisions):
    def setUp(self):
        super().setUp()
        self.posteriors = self.proba(self.model, self.data)

    def test_risk_is_the_mean_cost(self):
        found = self.ok_json("evaluate", self.model, self.data, "--costs", self.costs)
        decisions = self.labels(self.model, self.data, "--costs", self.costs)
        pairs = list(zip(self.sample.labels, decisions))
        self.assertAlmostEqual(found["risk"], sum(COSTS[y][a] for y, a in pairs) / len(pairs),
                               delta=1e-12)
        self.assertEqual(found["confusion"],
                         [[pairs.count((y, a)) for a in CLASSES] for y in CLASSES])
        self.assertEqual(found["errors"], sum(y != a for y, a in pairs))
        usual = self.ok_json("evaluate", self.model, self.data)
        for key in ("log_loss", "brier", "log_likelihood"):
            self.assertEqual(found[key], usual[key])
        self.assertFalse({"rejected", "coverage", "selective_risk"} & set(found))

    def test_rejection_is_reported_besides(self):
        usual = self.ok_json("evaluate", self.model, self.data)
        found = self.ok_json("evaluate", self.model, self.data, "--reject", "0.8")
        decided = [(y, max(p, key=p.get)) for y, p in zip(self.sample.labels, self.posteriors)
                   if max(p.values()) >= 0.8]
        rows = len(self.sample.labels)
        self.assertEqual(found["rejected"], rows - len(decided))
        self.assertAlmostEqual(found["coverage"], len(decided) / rows, delta=1e-15)
        self.assertAlmostEqual(found["selective_risk"],
                               sum(y != a for y, a in decided) / len(decided), delta=1e-15)
        self.assertNotIn("risk", found)
        self.assertEqual({key: found[key] for key in usual}, usual)

    def test_both(self):
        found = self.ok_json("evaluate", self.model, self.data, "--reject", "0.8", "--costs",
                             self.costs)
        decisions = self.labels(self.model, self.data, "--reject", "0.8", "--costs", self.costs)
        costs = [COSTS[y][a] for y, a in zip(self.sample.labels, decisions) if a]
        self.assertAlmostEqual(found["selective_risk"], sum(costs) / len(costs), delta=1e-12)
        self.assertEqual(found["risk"], self.ok_json("evaluate", self.model, self.data, "--costs",
                                                     self.costs)["risk"])

    def test_nothing_decided(self):
        middle = self.write("e.csv", csv_text([*self.sample.names, "class"],
                                              [[*self.sample.rows[i], self.sample.labels[i]]
                                               for i, p in enumerate(self.posteriors)
                                               if max(p.values()) < 0.9]))
        found = self.ok_json("evaluate", self.model, middle, "--reject", "0.9")
        self.assertIsNone(found["selective_risk"])
        self.assertEqual(found["coverage"], 0)
        self.assertRegex(self.ok("evaluate", self.model, middle, "--reject", "0.9").out,
                         r"selective risk +none")

    def test_for_people(self):
        text = self.ok("evaluate", self.model, self.data, "--reject", "0.8", "--costs",
                       self.costs).out
        for words in ("risk", "rejected", "coverage", "selective risk"):
            self.assertRegex(text, rf"(?m)^ *{words} +-?\d")

    def test_any_number_of_threads(self):
        seen = {self.ok("evaluate", self.model, self.data, "--reject", "0.8", "--costs", self.costs,
                        "--priors", "estimate", "--threads", threads).out for threads in (1, 2, 5)}
        self.assertEqual(len(seen), 1)


if __name__ == "__main__":
    unittest.main()
