"""Models as files: exact, readable, writable by hand, and refused with a reason when wrong."""

import copy
import gzip
import json
import math
import os
import subprocess
import unittest

import formulas
from support import DATA, FAMILY, GENERA, CliTest, Sample, csv_text, read_data, three_classes

IRIS = DATA / "iris.csv"
BY_HAND = {
    "format": "genera-model", "version": 1, "features": ["height", "weight"],
    "classes": [
        {"name": "cat", "prior": 0.25, "mean": [25, 4], "covariance": [[4, 1], [1, 1]]},
        {"name": "dog", "prior": 0.75, "mean": [50, 20], "covariance": [[100, 20], [20, 36]]},
    ],
}
ROWS = [[24.0, 5.0], [48.0, 18.0], [30.0, 7.5], [0.0, 0.0]]


class Packed(CliTest):
    def bomb(self, blanks):
        model = json.dumps(BY_HAND)
        packed = self.folder / "bomb.json.gz"
        with gzip.open(packed, "wb") as to:
            to.write(b"{")
            for _ in range(blanks):
                to.write(b" " * (1 << 20))
            to.write(model[1:].encode())
        return packed

    def test_what_unpacks_to_far_more_than_a_model_is_refused_within_200_megabytes(self):
        packed = self.bomb(400)
        with subprocess.Popen([GENERA, "predict", packed, IRIS], stderr=subprocess.PIPE) as process:
            told = process.stderr.read().decode()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 1)
        self.assertIn("packed bytes unpack to more than", told)
        self.assertIn("unpack the file with gunzip", told)
        self.assertLess(used.ru_maxrss, 200_000)  # KiB

    def test_the_remedy_is_to_unpack_it(self):
        data = self.write("d.csv", csv_text(["height", "weight"], ROWS))
        packed = self.bomb(80)
        self.refused("predict", packed, data, status=1, mentions=("unpack to more",))
        unpacked = self.folder / "whole.json"
        unpacked.write_bytes(gzip.decompress(packed.read_bytes()))
        whole = self.write("m.json", json.dumps(BY_HAND))
        self.assertEqual(self.ok("predict", unpacked, data).out,
                         self.ok("predict", whole, data).out)

    def test_packed_models_of_zeros_are_read(self):
        sizes = [0] * 400
        for i in range(len(sizes)):
            sizes[i] = [float(i == j) for j in range(len(sizes))]
        names = [f"x{i}" for i in range(len(sizes))]
        packed = self.folder / "zeros.json.gz"
        packed.write_bytes(gzip.compress(json.dumps({
            **BY_HAND, "features": names,
            "classes": [{"name": name, "prior": 0.5, "mean": [mean] * len(names),
                         "covariance": sizes} for name, mean in (("cat", 0), ("dog", 1))]}).encode()))
        self.ok("inspect", packed, "--json")


class Saved(CliTest):
    def test_json_and_cbor_predict_the_same_bytes(self):
        for family in FAMILY:
            with self.subTest(family=family):
                text = self.fit(IRIS, "--model", family, name="m.json")
                binary = self.fit(IRIS, "--model", family, name="m.cbor")
                self.assertNotEqual(binary.read_bytes()[:1], b"{")
                for ask in (("predict", "--proba", "--joint"), ("score",), ("evaluate", "--json")):
                    verb, *options = ask
                    self.assertEqual(self.ok(verb, text, IRIS, *options).out,
                                     self.ok(verb, binary, IRIS, *options).out)

    def test_parameters_in_the_file_are_exact(self):
        model = self.fit(IRIS, "--model", "qda")
        described = self.ok_json("inspect", model)
        again = self.write("again.json", json.dumps({
            "format": "genera-model", "version": 1, "features": described["features"],
            "classes": [{key: k[key] for key in ("name", "prior", "mean", "covariance")}
                        for k in described["classes"]]}))
        self.assertEqual(self.ok("predict", again, IRIS, "--joint").out,
                         self.ok("predict", model, IRIS, "--joint").out)

    def test_files_are_readable_and_say_nothing_of_the_machine(self):
        model = self.fit(IRIS, "--model", "qda", "--threads", 2)
        text = model.read_text()
        document = json.loads(text)
        self.assertEqual((document["format"], document["version"]), ("genera-model", 1))
        self.assertGreater(len(text.splitlines()), 10)
        self.assertLess(max(map(len, text.splitlines())), 400)
        self.assertNotIn(str(self.folder), text)
        self.assertEqual(list(document), sorted(document))

    def test_statistics_are_exact(self):
        data = self.write("d.csv", three_classes(seed=1, centre=1e6))
        for name in ("s.json", "s.cbor"):
            with self.subTest(name=name):
                statistics = self.folder / name
                self.ok("stats", data, "-o", statistics)
                for family in FAMILY:
                    kept = self.fit(statistics, "--model", family, name="kept.json")
                    fresh = self.fit(data, "--model", family, name="fresh.json")
                    found = self.ok("predict", kept, data, "--joint").out
                    expected = self.ok("predict", fresh, data, "--joint").out
                    if family in ("qda", "lda", "rda"):
                        self.assertEqual(found, expected)
                    else:  # rows give variances alone, summed in another order
                        self.assert_same_numbers(found, expected)

    def assert_same_numbers(self, found, expected):
        for ours, theirs in zip(found.split()[1:], expected.split()[1:], strict=True):
            label, *numbers = ours.split(",")
            self.assertEqual(label, theirs.split(",")[0])
            for a, b in zip(numbers, theirs.split(",")[1:], strict=True):
                self.assertAlmostEqual(float(a), float(b), delta=1e-9)

    def test_the_model_of_iris_is_the_lecture_formula(self):
        names, rows = read_data("iris")
        sample = Sample(names[:4], [[float(v) for v in row[:4]] for row in rows],
                        [row[4] for row in rows])
        expected = formulas.estimate(sample, "qda")
        for found in self.ok_json("inspect", self.fit(IRIS, "--model", "qda"))["classes"]:
            self.assert_matrices_close(found["covariance"], expected[found["name"]][2],
                                       lambda i, j: 1e-14)


class ByHand(CliTest):
    def setUp(self):
        super().setUp()
        self.rows = self.write("rows.csv", csv_text(BY_HAND["features"], ROWS))

    def test_a_minimal_file_answers(self):
        model = self.write("hand.json", json.dumps(BY_HAND))
        parameters = {k["name"]: (k["prior"], k["mean"], k["covariance"])
                      for k in BY_HAND["classes"]}
        expected = [formulas.log_joint(parameters, x) for x in ROWS]
        self.assert_rows_close(self.joint(model, self.rows), expected, 1e-12)
        self.assertEqual(self.labels(model, self.rows), [max(j, key=j.get) for j in expected])
        for score, x in zip(self.ok_csv("score", model, self.rows), ROWS):
            d2 = [formulas.mahalanobis(x, m, c)[0] for _, m, c in parameters.values()]
            # Known parameters: D^2 is chi-squared with two degrees of freedom.
            self.assertAlmostEqual(float(score["tail"]), math.exp(-min(d2) / 2), delta=1e-12)

    def test_it_can_be_inspected_and_evaluated(self):
        model = self.write("hand.json", json.dumps(BY_HAND))
        found = self.ok_json("inspect", model)
        self.assertEqual([k["mean"] for k in found["classes"]], [[25, 4], [50, 20]])
        data = self.write("d.csv", csv_text(["weight", "height", "class"],
                                            [[4, 26, "cat"], [22, 55, "dog"]]))
        self.assertEqual(self.ok_json("evaluate", model, data, "--target", "class")["errors"], 0)

    def test_white_space_and_order_of_keys_do_not_matter(self):
        plain = self.write("a.json", json.dumps(BY_HAND))
        turned = self.write("b.json", "\n" + json.dumps(
            {key: BY_HAND[key] for key in reversed(list(BY_HAND))}, indent=7) + "\n\n")
        self.assertEqual(self.ok("predict", plain, self.rows, "--joint").out,
                         self.ok("predict", turned, self.rows, "--joint").out)


class Refused(CliTest):
    def refuse_model(self, content, name="broken.json", mentions=()):
        if isinstance(content, dict):
            content = json.dumps(content)
        model = self.write(name, content)
        rows = self.write("rows.csv", csv_text(BY_HAND["features"], ROWS))
        for arguments in (("predict", model, rows), ("inspect", model)):
            self.refused(*arguments, status=1, mentions=(name, *mentions))

    def test_a_newer_version(self):
        self.refuse_model({**BY_HAND, "version": 2}, mentions=("version", "2"))
        self.refuse_model({**BY_HAND, "version": "one"}, mentions=("version",))

    def test_another_format(self):
        self.refuse_model({**BY_HAND, "format": "other"}, mentions=("genera-model",))
        for key in ("format", "version", "classes"):
            with self.subTest(key=key):
                self.refuse_model({k: v for k, v in BY_HAND.items() if k != key},
                                  mentions=(key,))

    def test_files_that_are_no_documents(self):
        for content in ("", "{", "[]", "null", "12", '"text"', "{}", b"\x00\xff\xfe\x80",
                        b"\xa1\x66format", "x,y\n1,2\n"):
            with self.subTest(content=content):
                self.refuse_model(content)
                self.refuse_model(content, name="broken.cbor")

    def test_truncated_files(self):
        for name in ("m.json", "m.cbor"):
            whole = self.fit(IRIS, "--model", "qda", name=name).read_bytes()
            for part in (0.02, 0.3, 0.7, 0.98):
                with self.subTest(name=name, part=part):
                    self.refuse_model(whole[:int(part * len(whole))], name=f"part_{name}")

    def test_inconsistent_parameters(self):
        for where, value in ((("mean",), [1]), (("mean",), [1, 2, 3]), (("mean",), [1, "x"]),
                             (("mean",), [1, None]), (("mean",), "none"),
                             (("covariance",), [[4, 1]]), (("covariance",), [[4, 1], [1]]),
                             (("covariance",), [[4, 1], [2, 1]]), (("covariance",), [[4]]),
                             (("covariance",), [[1, 2], [2, 1]]),
                             (("covariance",), [[1, 1], [1, 1]]),
                             (("covariance",), [[-1, 0], [0, 1]]),
                             (("covariance",), [["inf", 0], [0, 1]]),
                             (("prior",), -0.25), (("prior",), "much"),
                             (("name",), "dog")):
            with self.subTest(where=where, value=value):
                broken = copy.deepcopy(BY_HAND)
                broken["classes"][0][where[0]] = value
                self.refuse_model(broken)

    def test_the_class_is_named(self):
        broken = copy.deepcopy(BY_HAND)
        broken["classes"][1]["covariance"] = [[1, 2], [2, 1]]
        self.refuse_model(broken, mentions=("'dog'",))

    def test_missing_parameters(self):
        for key in ("name", "mean", "covariance"):
            with self.subTest(key=key):
                broken = copy.deepcopy(BY_HAND)
                del broken["classes"][0][key]
                self.refuse_model(broken, mentions=(key,))

    def test_wrong_features(self):
        for features in (["height"], ["height", "height"], ["height", 3], "height", []):
            with self.subTest(features=features):
                self.refuse_model({**BY_HAND, "features": features})

    def test_no_classes(self):
        self.refuse_model({**BY_HAND, "classes": []}, mentions=("class",))
        self.refuse_model({**BY_HAND, "classes": {}}, mentions=("class",))

    def test_hostile_nesting_and_sizes(self):
        self.refuse_model("[" * 100_000)
        self.refuse_model(b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", name="broken.cbor")

    def test_statistics_are_no_model(self):
        statistics = self.folder / "s.json"
        self.ok("stats", IRIS, "-o", statistics)
        self.refused("predict", statistics, IRIS, status=1, mentions=("s.json", "statistics"))
        self.refused("merge", self.fit(IRIS), statistics, "-o", self.folder / "x", status=1,
                     mentions=("model.json",))


if __name__ == "__main__":
    unittest.main()
