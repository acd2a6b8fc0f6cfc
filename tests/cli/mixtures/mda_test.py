"""fit --model mda: a mixture of Gaussians in each class."""

import json
import math
import random
import unittest

from support import DATA, CliTest, Sample, csv_text, three_classes

IRIS = DATA / "iris.csv"
STRUCTURES = ("qda", "lda", "gnb", "dlda", "spherical", "centroid")


def rings(seed=1, n=400):
    """Class a lies on both sides of class b, along the first column."""
    rng = random.Random(seed)
    rows, labels = [], []
    for i in range(n):
        label = "ab"[i % 2]
        centre = 0 if label == "b" else rng.choice((-5, 5))
        rows.append([centre + rng.gauss(0, 1), rng.gauss(0, 1)])
        labels.append(label)
    return Sample(["x", "y"], rows, labels)


def log_normal(row, mean, covariance):
    """Two columns."""
    (a, b), (_, c) = covariance
    det = a * c - b * b
    u, v = row[0] - mean[0], row[1] - mean[1]
    return -math.log(2 * math.pi) - 0.5 * math.log(det) - 0.5 * (c * u * u - 2 * b * u * v
                                                                 + a * v * v) / det


class Mda(CliTest):
    def setUp(self):
        super().setUp()
        self.sample = rings()
        self.data = self.write("rings.csv", self.sample)

    def test_one_component_is_the_family(self):
        data = self.write("three.csv", three_classes(seed=2, counts=(40, 30, 50)))
        for structure in STRUCTURES:
            plain = self.fit(data, "--model", structure, name="p.json")
            mixture = self.fit(data, "--model", "mda", "--components", 1, "--covariance", structure,
                               name="m.json")
            self.assert_rows_close(self.joint(mixture, data), self.joint(plain, data), 1e-9)

    def test_it_finds_what_a_single_gaussian_cannot(self):
        for structure in STRUCTURES:
            model = self.fit(self.data, "--model", "mda", "--covariance", structure)
            self.assertLess(self.ok_json("evaluate", model, self.data)["error_rate"], 0.03)
            block = self.ok_json("inspect", model)["blocks"][0]
            owners = [c["class"] for c in block["components"]]
            self.assertGreaterEqual(owners.count("a"), 2)
        lda = self.fit(self.data, "--model", "lda")
        self.assertGreater(self.ok_json("evaluate", lda, self.data)["error_rate"], 0.3)

    def test_weights_of_any_scale(self):
        options = ("--model", "mda", "--components", 2, "--covariance", "qda", "--weights", "w")
        found = []
        for weight in (1, 1e-17, 1e-200):
            rows = [[*row, weight, label] for row, label in zip(self.sample.rows,
                                                                self.sample.labels)]
            data = self.write("weighted.csv", csv_text(["x", "y", "w", "class"], rows))
            found.append(self.joint(self.fit(data, *options), self.data))
        self.assert_rows_close(found[1], found[0], 1e-6)
        self.assert_rows_close(found[2], found[0], 1e-6)
        rows = [[*row, 1e-308, label] for row, label in zip(self.sample.rows, self.sample.labels)]
        data = self.write("faint.csv", csv_text(["x", "y", "w", "class"], rows))
        self.refused("fit", data, *options, status=1, mentions=(
            "the 200 rows of class 'a' weigh 2e-306 together, which is too little to compute with",
            "multiply all weights by the same number"))

    def test_the_number_is_chosen_and_announced(self):
        result = self.ok("fit", self.data, "--model", "mda", "-o", self.folder / "m.json")
        self.assertIn("components: 'a' 2, 'b' 1", result.err)
        self.assertIn("mda: 2 features, 2 classes", result.err)

    def test_densities_are_those_of_the_formula(self):
        model = self.fit(self.data, "--model", "mda", "--components", 2)
        inspected = self.ok_json("inspect", model)
        self.assertEqual(inspected["model"], "mda")
        components = inspected["blocks"][0]["components"]
        priors = {c["name"]: c["prior"] for c in inspected["classes"]}
        expected = [{k: math.log(priors[k]) + math.log(sum(
            c["weight"] * math.exp(log_normal(row, c["mean"], c["covariance"]))
            for c in components if c["class"] == k)) for k in "ab"} for row in self.sample.rows]
        self.assert_rows_close(self.joint(model, self.data), expected, 1e-9)
        self.assertEqual(inspected["parameters"], {"priors": 1, "means": 8, "covariances": 12,
                                                   "weights": 2, "total": 23})

    def test_every_verb_takes_it(self):
        model = self.fit(self.data, "--model", "mda", "--covariance", "lda")
        cbor = self.fit(self.data, "--model", "mda", "--covariance", "lda", name="m.cbor")
        self.assertEqual(self.labels(model, self.data), self.labels(cbor, self.data))
        scores = self.ok_csv("score", model, self.data)
        self.assertEqual(list(scores[0]), ["log_density", "tail", "d2(a)", "d2(b)"])
        low = sum(float(row["tail"]) < 0.1 for row in scores)
        self.assertLess(abs(low - 40), 25)
        told = self.ok_csv("predict", model, self.data, "--explain", 2)
        for row in told[:20]:
            self.assertEqual(row["feature_1"], "mixture(x, y)")
            self.assertAlmostEqual(float(row["log_odds"]),
                                   float(row["base"]) + float(row["contribution_1"]), delta=1e-9)
        out = self.ok("inspect", model).out
        self.assertIn("one full covariance shared by all", out)
        self.assertIn("a 1", out)

    def test_priors_and_other_columns(self):
        rows = [[*row, "uv"[i % 3 == 0], label]
                for i, (row, label) in enumerate(zip(self.sample.rows, self.sample.labels))]
        data = self.write("mixed.csv", csv_text(["x", "y", "kind", "class"], rows))
        model = self.fit(data, "--model", "mda", "--priors", "a=0.2,b=0.8")
        inspected = self.ok_json("inspect", model)
        self.assertEqual([b["model"] for b in inspected["blocks"]], ["mda", "bernoulli"])
        self.assertEqual([c["prior"] for c in inspected["classes"]], [0.2, 0.8])

    def test_threads_and_seeds(self):
        texts = [json.dumps(self.ok_json("fit", self.data, "--model", "mda", "--threads", t))
                 for t in (1, 3)]
        self.assertEqual(texts[0], texts[1])

    def test_it_reads_svmlight(self):
        lines = [f"{ord(label) - 96} 1:{row[0]!r} 2:{row[1]!r}\n"
                 for row, label in zip(self.sample.rows, self.sample.labels)]
        data = self.write("rings.svm", "".join(lines))
        model = self.fit(data, "--model", "mda", "--covariance", "gnb")
        self.assertLess(self.ok_json("evaluate", model, data)["error_rate"], 0.03)


class Refusals(CliTest):
    def test_statistics_are_not_enough(self):
        statistics = self.folder / "s.json"
        self.ok("stats", IRIS, "-o", statistics)
        self.refused("fit", statistics, "--model", "mda", status=2,
                     mentions=["--model mda needs the rows"])

    def test_options_of_others(self):
        for option, value in (("--components", 2), ("--covariance", "lda"), ("--starts", 3)):
            self.refused("fit", IRIS, option, value, status=2,
                         mentions=[f"auto does not use {option} (mda does)"])
        for options, words in ((("--shrinkage", "oas"), "mda does not use --shrinkage"),
                               (("--divisor", "unbiased"), "mda does not use --divisor"),
                               (("--covariance", "mda"), "--covariance is 'mda'"),
                               (("--components", "2-"), "--components is '2-'")):
            self.refused("fit", IRIS, "--model", "mda", *options, status=2, mentions=[words])

    def test_too_few_rows(self):
        data = self.write("few.csv", csv_text(["x", "class"], [[1, "a"], [2, "a"], [3, "b"],
                                                               [5, "b"], [4, "b"]]))
        self.refused("fit", data, "--model", "mda", "--components", 3, "--covariance", "gnb",
                     status=1, mentions=["class 'a' has 2 rows, too few for 3 components"])

    def test_fewer_components_than_were_asked_for_are_named(self):
        rng = random.Random(3)
        rows = [[i % 2, "a"] for i in range(40)] + [[rng.choice((0, 9)) + rng.gauss(0, 1), "b"] for _ in range(60)]
        data = self.write("two.csv", csv_text(["x", "class"], rows))
        said = self.ok("fit", data, "--model", "mda", "--components", 2, "--covariance", "gnb", "-o",
                       self.folder / "two.json").err
        self.assertIn("warning: 'a' has one component: of 2, one was on the variance floor; use fewer "
                      "--components, a simpler --covariance or a lower --variance-floor", said)
        self.assertIn("components: 'a' 1, 'b' 2", said)


if __name__ == "__main__":
    unittest.main()
