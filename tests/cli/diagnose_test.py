"""What a table says about the choice of a model."""

import json
import unittest

from support import DATA, CliTest, csv_text, read_data

FINDINGS = {
    "wilks": ["lambda", "log_lambda", "f", "df1", "df2", "p", "exact", "why_not", "meaning"],
    "box": ["m", "chi2", "df", "p", "f", "f_df1", "f_df2", "f_p", "bic_gain",
            "classes_left_out", "why_not", "meaning"],
    "collinearity": ["condition", "sets", "why_not", "meaning"],
    "outliers": ["level", "tested", "count", "rows", "classes_by_column", "classes_left_out",
                 "why_not", "meaning"],
}
OF_LISTS = {
    "variates": ["eigenvalue", "proportion", "correlation", "chi2", "df", "p", "coefficients",
                 "meaning"],
    "mardia": ["class", "rows", "skewness", "skewness_chi2", "skewness_df", "skewness_p",
               "kurtosis", "kurtosis_z", "kurtosis_p", "why_not", "meaning"],
    "features": ["column", "f", "df1", "df2", "p", "partial_f", "partial_df1", "partial_df2",
                 "partial_p", "inflation", "meaning"],
}


class Diagnose(CliTest):
    def diagnose(self, *arguments):
        return json.loads(self.ok("diagnose", *arguments, "--json").out)

    def assert_keys(self, found):
        self.assertEqual(list(found), ["rows", "rows_left_out", "classes", "columns",
                                       "columns_left_out", "wilks", "variates", "box", "mardia",
                                       "features", "collinearity", "outliers"])
        for key, keys in FINDINGS.items():
            self.assertEqual(list(found[key]), keys)
        for key, keys in OF_LISTS.items():
            for entry in found[key]:
                self.assertEqual(list(entry), keys)

    def test_keys_are_the_same_whatever_can_be_tested(self):
        self.assert_keys(self.diagnose("@iris"))
        tiny = self.write("tiny.csv", "a,b,class\n1,2,x\n2,2,x\n3,2,y\n")
        found = self.diagnose(tiny)
        self.assert_keys(found)
        self.assertIsNone(found["box"]["m"])
        self.assertIn("singular", found["box"]["why_not"])
        self.assertEqual(found["columns_left_out"],
                         [{"name": "b", "reason": "constant", "why": "is constant"}])

    def test_iris_as_the_references_have_it(self):
        found = self.diagnose("@iris")
        self.assertAlmostEqual(found["wilks"]["lambda"], 0.023439, delta=5e-7)
        self.assertAlmostEqual(found["wilks"]["f"], 199.15, delta=5e-3)
        self.assertAlmostEqual(found["box"]["m"], 146.6632, delta=5e-5)
        self.assertAlmostEqual(found["box"]["chi2"], 140.943, delta=5e-4)
        self.assertEqual(found["box"]["df"], 20)
        self.assertAlmostEqual(found["box"]["p"], 3.35e-20, delta=5e-23)
        self.assertEqual([round(v["proportion"], 6) for v in found["variates"]],
                         [0.991213, 0.008787])
        for got, right in zip(found["variates"][0]["coefficients"],
                              (0.8293776, 1.5344731, -2.2012117, -2.8104603)):
            self.assertAlmostEqual(got, -right, delta=5e-8)
        self.assertEqual([(round(m["skewness"], 4), round(m["kurtosis"], 4))
                          for m in found["mardia"]],
                         [(3.0797, 26.5377), (3.0222, 22.8794), (3.1525, 24.2991)])
        self.assertEqual([round(f["f"], 2) for f in found["features"]],
                         [119.26, 49.16, 1180.16, 960.01])

    def test_every_line_ends_with_what_it_means(self):
        for data in ("@iris", "@crabs", "@wine", "@breast_cancer"):
            out = self.ok("diagnose", data).out
            for line in out.splitlines():
                if any(line.lstrip().startswith(what) for what in
                       ("Wilks", "Box", "condition index", "largest condition")):
                    self.assertIn("  → ", line)
        out = self.ok("diagnose", "@iris").out
        self.assertIn("→ the covariances differ enough to be worth their parameters: --model qda",
                      out)
        self.assertRegex(out, r"  petal_width .*  → tells classes apart\n")
        self.assertRegex(out, r"  versicolor  +50 .*  → a Gaussian is believable\n")

    def test_names_nearly_dependent_columns(self):
        found = self.diagnose("@crabs")
        self.assertGreater(found["collinearity"]["condition"], 30)
        self.assertIn("CW", found["collinearity"]["sets"][0]["columns"])
        self.assertIn("keep them", found["collinearity"]["sets"][0]["meaning"])
        noise = self.write("n.csv", "a,b,class\n" + "".join(
            f"{i % 7},{i % 7 + 0.01 * (i % 3)},{i % 2}\n" for i in range(60)))
        self.assertRegex(self.diagnose(noise)["collinearity"]["sets"][0]["meaning"], "--drop [ab],")

    def test_outliers_are_lines_of_the_file(self):
        header, rows = read_data("iris")
        rows[20][2] = "51"  # a decimal point was lost
        file = self.write("iris.csv", csv_text(header, rows))
        row = self.diagnose(file)["outliers"]["rows"][0]
        self.assertEqual((row["line"], row["column"], row["value"]), (22, "petal_length", 51))
        self.assertTrue(row["place"].endswith("iris.csv:22"))
        self.assertIn("iris.csv:22 ('setosa')", self.ok("diagnose", file).out)
        most = self.ok("diagnose", file, "--outliers", "0").out
        self.assertIn("(--outliers N lists them)", most)
        self.refused("diagnose", file, "--outliers", "-1", mentions=("--outliers",))

    def test_rows_with_holes_are_counted(self):
        done = self.ok("diagnose", "@penguins", "--json")
        found = json.loads(done.out)
        self.assertEqual(found["rows"] + found["rows_left_out"], 344)
        self.assertGreater(found["rows_left_out"], 0)
        self.assertIn("rows lack a number or the label and are left out", done.err)
        self.assertIn("not numeric and left out", done.err)

    def test_statistics_are_enough_for_most(self):
        stats = self.folder / "s.json"
        self.ok("stats", "@iris", "-o", stats)
        found, rows = self.diagnose(stats), self.diagnose("@iris")
        self.assert_keys(found)
        for key in ("wilks", "variates", "box", "features", "collinearity"):
            self.assertEqual(found[key], rows[key])
        self.assertEqual(found["outliers"]["why_not"], "statistics do not keep the rows")
        self.refused("diagnose", stats, "--drop", "petal_width", status=(2,),
                     mentions=("holds statistics",))

    def test_sparse_files_are_made_dense(self):
        header, rows = read_data("iris")
        dense = self.write("d.csv", csv_text(["1", "2", "3", "4", "class"],
                                             [[*r[:4], str(i // 50)] for i, r in enumerate(rows)]))
        sparse = self.write("d.svm", "".join(
            f"{i // 50} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(r[:4])) + "\n"
            for i, r in enumerate(rows)))
        self.assertAlmostEqual(self.diagnose(sparse)["box"]["m"], self.diagnose(dense)["box"]["m"],
                               delta=1e-9)

    def test_refuses_what_has_no_numbers(self):
        self.refused("diagnose", "@house_votes84", status=(1,), mentions=("no numeric column",))

    def test_from_a_pipe(self):
        text = (DATA / "iris.csv").read_bytes()
        piped = json.loads(self.ok("diagnose", "-", "--json", stdin=text).out)
        self.assertEqual(piped["box"], self.diagnose("@iris")["box"])


if __name__ == "__main__":
    unittest.main()
