"""cluster: groups without labels, chosen by BIC."""

import json
import math
import random
import unittest

from support import DATA, CliTest, csv_text, read_data, run

IRIS = DATA / "iris.csv"
FAITHFUL = DATA / "faithful_unlabelled.csv"


def three_clouds(seed=1, n=240):
    """Rows of three round clouds, and which cloud each is of."""
    rng = random.Random(seed)
    centres = [(0, 0), (8, 1), (3, 9)]
    clouds = [rng.choice((0, 0, 0, 1, 1, 2)) for _ in range(n)]
    return [[c + rng.gauss(0, 1) for c in centres[k]] for k in clouds], clouds


class LargeTables(CliTest):
    def test_what_cannot_become_the_best_is_marked(self):
        rng = random.Random(4)
        rows = []
        for i in range(10000):
            common = rng.gauss(0, 1)
            rows.append([8 * (i % 2 == j % 2) + common * (1 + i % 2) + rng.gauss(0, 1) for j in range(11)])
        data = self.write_data("large.csv", [f"x{j}" for j in range(11)], rows)
        options = ("--components", "1-3", "--starts", 3)
        found = self.ok_json("cluster", data, *options)
        self.assertEqual((found["best"]["components"], found["best"]["covariance"]), (2, "full"))
        self.assertFalse(found["best"]["given_up"])
        given_up = [one for one in found["candidates"] if one["given_up"]]
        self.assertTrue(given_up)
        self.assertFalse(any(one["converged"] for one in given_up))
        said = self.ok("cluster", data, *options).out
        for one in given_up:
            self.assertIn(f"{one['bic']:.2f}~", said)
        self.assertIn("~ not followed to its end", said)


class References(CliTest):
    def one(self, data, structure, *options):
        said = self.ok_json("cluster", data, "--components", 3, "--covariance", structure, *options)
        self.assertEqual(len(said["candidates"]), 1)
        return said["best"]

    def test_iris_with_three_full_components(self):
        for seed in (1, 2, 3):
            best = self.one(IRIS, "qda", "--target", "species", "--seed", seed)
            self.assertGreater(best["log_likelihood"], -180.1855 - 0.001)
            self.assertLess(best["log_likelihood"], -180.1855 + 0.02)
            self.assertTrue(best["converged"])
            self.assertEqual(best["parameters"], 44)
            self.assertAlmostEqual(best["bic"], 580.84, delta=0.01)

    def test_faithful_with_a_shared_covariance(self):
        best = self.one(FAITHFUL, "lda")
        self.assertGreater(best["log_likelihood"], -1126.3159 - 0.001)
        self.assertLess(best["log_likelihood"], -1126.3159 + 0.02)

    def test_the_choice_on_faithful(self):
        best = self.ok_json("cluster", FAITHFUL)["best"]
        self.assertEqual((best["components"], best["covariance"]), (3, "tied"))


class Clouds(CliTest):
    def setUp(self):
        super().setUp()
        self.rows, self.clouds = three_clouds()
        self.data = self.write_data("clouds.csv", ["x", "y"], self.rows)
        self.model = self.folder / "groups.json"

    def test_the_clouds_are_found_and_predicted(self):
        said = self.ok_json("cluster", self.data, "-o", self.model)
        self.assertEqual(said["best"]["components"], 3)
        inspected = self.ok_json("inspect", self.model)
        self.assertEqual([c["name"] for c in inspected["classes"]], ["1", "2", "3"])
        priors = [c["prior"] for c in inspected["classes"]]
        self.assertEqual(priors, sorted(priors, reverse=True))
        found = self.labels(self.model, self.data)
        self.assertGreater(sum(int(f) - 1 == k for f, k in zip(found, self.clouds)), 235)

    def test_the_log_likelihood_is_that_of_the_model(self):
        best = self.ok_json("cluster", self.data, "-o", self.model)["best"]
        scores = self.ok_csv("score", self.model, self.data)
        total = sum(float(row["log_density"]) for row in scores)
        self.assertAlmostEqual(total, best["log_likelihood"], delta=1e-7)
        self.assertEqual(self.ok_json("inspect", self.model)["parameters"]["total"],
                         best["parameters"])

    def test_bic_is_what_it_says(self):
        for one in self.ok_json("cluster", self.data, "--components", "1-4")["candidates"]:
            self.assertAlmostEqual(
                one["bic"],
                -2 * one["log_likelihood"] + one["parameters"] * math.log(len(self.rows)),
                delta=1e-6)

    def test_the_table_has_a_line_for_each_number(self):
        out = self.ok("cluster", self.data, "--components", "2-4", "--covariance",
                      "dlda,centroid").out.splitlines()
        self.assertEqual(out[1].split(), ["components", "tied_diag", "tied_spherical"])
        self.assertEqual([line.split()[0] for line in out[2:5]], ["2", "3", "4"])
        self.assertTrue(any(line.startswith("best: 3 components, ") for line in out), out)

    def test_the_same_seed_gives_the_same_file_for_any_threads(self):
        for threads in (1, 4):
            self.ok("cluster", self.data, "--threads", threads, "-o",
                    self.folder / f"t{threads}.json")
        self.assertEqual((self.folder / "t1.json").read_bytes(),
                         (self.folder / "t4.json").read_bytes())

    def test_a_unit_changes_no_group(self):
        other = self.write_data("other.csv", ["x", "y"], [[x * 1e4, y] for x, y in self.rows])
        for structure in ("qda", "lda", "gnb", "dlda", "spherical", "centroid"):
            options = ("--components", 3, "--covariance", structure)
            first = self.ok_json("cluster", self.data, *options)["best"]
            second = self.ok_json("cluster", other, *options)["best"]
            self.assertAlmostEqual(
                first["log_likelihood"],
                second["log_likelihood"] + len(self.rows) * math.log(1e4), delta=1e-5)

    def test_weights_are_repetitions(self):
        weighted = self.write_data("w.csv", ["x", "y", "w"],
                                   [[*row, 1 + i % 2] for i, row in enumerate(self.rows)])
        repeated = self.write_data("r.csv", ["x", "y"],
                                   [row for i, row in enumerate(self.rows) for _ in range(1 + i % 2)])
        options = ("--components", 3, "--covariance", "qda")
        a = self.ok_json("cluster", weighted, "--weights", "w", *options)["best"]
        b = self.ok_json("cluster", repeated, *options)["best"]
        self.assertAlmostEqual(a["log_likelihood"], b["log_likelihood"], delta=1e-4)
        self.assertAlmostEqual(a["bic"], b["bic"], delta=1e-3)


class Columns(CliTest):
    def test_labels_and_words_are_not_used(self):
        result = self.ok("cluster", IRIS, "--components", 2, "--covariance", "qda")
        self.assertIn("'species' is not a number and left out", result.err)
        header, rows = read_data("iris")
        bare = self.write_data("bare.csv", header[:4], [row[:4] for row in rows])
        self.assertEqual(result.out,
                         self.ok("cluster", bare, "--components", 2, "--covariance", "qda").out)
        labelled = self.ok("cluster", IRIS, "--target", "species", "--components", 2,
                           "--covariance", "qda").out
        self.assertTrue(labelled.startswith(result.out))
        self.assertEqual(labelled[len(result.out):].splitlines(), [
            "", "agreement with 'species': adjusted Rand index 0.5681",
            "  label \\ group   1   2", "  setosa          0  50", "  versicolor     50   0",
            "  virginica      50   0"])

    def test_a_numeric_label_with_the_name_of_one_is_left_out(self):
        header, rows = read_data("iris")
        kinds = {"setosa": 0, "versicolor": 1, "virginica": 2}
        data = self.write_data("n.csv", ["Class", *header[:4]],
                               [[kinds[row[4]], *row[:4]] for row in rows])
        model = self.folder / "m.json"
        options = ("--components", 3, "--covariance", "qda")
        result = self.ok("cluster", data, *options, "-o", model)
        self.assertIn("groups are found by 'sepal_length', 'sepal_width', 'petal_length', "
                      "'petal_width'; 'Class' is a label and not used", result.err)
        self.assertEqual(self.ok_json("inspect", model)["features"], header[:4])
        agreement = self.ok_json("cluster", data, *options)["agreement"]
        self.assertEqual(agreement["labels"], ["0", "1", "2"])
        self.assertEqual(sum(map(sum, agreement["rows"])), 150)
        self.assertAlmostEqual(agreement["adjusted_rand_index"], 0.9039, delta=1e-3)
        feature = self.ok("cluster", data, *options, "--features", "Class,petal_width").err
        self.assertIn("groups are found by 'Class', 'petal_width'", feature)

    def test_a_numeric_label_is_left_out_if_named(self):
        header, rows = read_data("iris")
        kinds = {"setosa": 0, "versicolor": 1, "virginica": 2}
        data = self.write_data("n.csv", [*header[:4], "class"],
                               [[*row[:4], kinds[row[4]]] for row in rows])
        model = self.folder / "m.json"
        self.ok("cluster", data, "--target", "class", "--components", 2, "-o", model)
        self.assertEqual(len(self.ok_json("inspect", model)["features"]), 4)

    def test_constant_columns_are_left_out(self):
        rows, _ = three_clouds()
        data = self.write_data("c.csv", ["x", "y", "same"], [[*row, 3] for row in rows])
        result = self.ok("cluster", data, "--components", 3)
        self.assertIn("'same' is constant and left out", result.err)

    def test_dependent_columns_leave_the_simple_structures(self):
        rows, _ = three_clouds()
        data = self.write_data("d.csv", ["x", "y", "z"], [[*row, row[0] + row[1]] for row in rows])
        result = self.ok("cluster", data, "--components", 3, "--json")
        self.assertIn("structures with full covariances are left out", result.err)
        self.assertEqual({c["covariance"] for c in json.loads(result.out)["candidates"]},
                         {"diag", "spherical"})
        self.refused("cluster", data, "--covariance", "qda", status=1,
                     mentions=["singular", "'z'", "--on-singular shrink"])
        self.ok("cluster", data, "--covariance", "qda", "--components", 3, "--on-singular",
                "shrink")

    def test_missing_values(self):
        rows, _ = three_clouds()
        data = self.write_data("m.csv", ["x", "y"], [["", 1], *rows])
        learned = self.ok("cluster", data, "--components", 2)
        self.assertIn("1 missing number is marginalised by EM", learned.err)
        self.ok("cluster", data, "--components", 2, "--missing", "drop")


class Refusals(CliTest):
    def test_too_few_rows(self):
        data = self.write_data("two.csv", ["x", "y"], [[1, 2], [2, 5], [3, 3]])
        self.refused("cluster", data, "--components", 4, "--covariance", "gnb", status=1,
                     mentions=["4 components for 3 rows"])
        self.ok("cluster", data, "--components", "1-9", "--covariance", "gnb")

    def test_nothing_to_find(self):
        words = self.write("w.csv", csv_text(["a"], [["x"], ["y"]]))
        self.refused("cluster", words, status=1, mentions=["no numeric column"])
        same = self.write("s.csv", csv_text(["a"], [[1], [1]]))
        self.refused("cluster", same, status=1, mentions=["every column is constant"])

    def test_options_that_mean_nothing(self):
        for options, words in ((("--components", "0"), ["--components is 0"]),
                               (("--components", "5-2"), ["--components is 5-2"]),
                               (("--components", "a"), ["--components is 'a'"]),
                               (("--components", "1-x"), ["--components is '1-x'"]),
                               (("--starts", "0"), ["--starts is 0"]),
                               (("--covariance", "qdb"), ["--covariance is 'qdb'", "full"]),
                               (("--covariance", "rda"), ["--covariance is 'rda'"]),
                               (("--variance-floor", "-1"), ["--variance-floor is -1"]),
                               (("--model", "qda"), ["has no option '--model'"])):
            self.refused("cluster", IRIS, *options, status=2, mentions=words)

    def test_statistics_are_no_rows(self):
        statistics = self.folder / "s.json"
        self.ok("stats", IRIS, "-o", statistics)
        self.refused("cluster", statistics, status=2, mentions=["needs the rows"])

    def test_groups_that_hardly_vary_in_a_direction(self):
        """The variance floor keeps the true groups from being the best; a lower one does not."""
        rng = random.Random(5)
        rows = []
        for i in range(800):
            x = rng.gauss(8 * (i % 4), 1)
            rows.append([x, rng.gauss(0, 3), x + (0.002 if i % 4 == 2 else 1) * rng.gauss(0, 1)])
        data = self.write_data("flat.csv", ["a", "b", "c"], rows)
        words = ("cluster", data, "--components", "3-4", "--covariance", "qda")
        result = self.ok(*words)
        self.assertIn("best: 3 components", result.out)
        self.assertRegex(result.err, r"4 components would have a BIC of [\d.]+, but one varies in some direction as "
                                     "little as the variance floor allows; if that is real, use a lower --variance-floor")
        lower = self.ok(*words, "--variance-floor", 1e-7)
        self.assertIn("best: 4 components", lower.out)
        self.assertNotIn("would have a BIC", lower.err)

    def test_repeated_rows(self):
        data = self.write_data("r.csv", ["x", "y"], [[i % 2, (i % 2) * 3] for i in range(30)])
        result = run("cluster", data, "--covariance", "gnb,spherical")
        self.assertEqual(result.status, 0, result)


if __name__ == "__main__":
    unittest.main()
