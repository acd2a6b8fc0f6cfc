"""Numbers as spreadsheets write them."""

import random
import unittest

from support import CliTest, csv_text


def grouped(separator, decimal="."):
    return lambda x: f"{x:,.2f}".replace(",", "#").replace(".", decimal).replace("#", separator)


WAYS = {
    "commas": grouped(","),
    "blanks": grouped(" "),
    "no-break blanks": grouped("\u00a0"),
    "narrow blanks": grouped("\u202f"),
    "apostrophes": grouped("'"),
    "dollars": lambda x: f"-${-x:.2f}" if x < 0 else f"${x:.2f}",
    "dollars and commas": lambda x: f"-${-x:,.2f}" if x < 0 else f"${x:,.2f}",
    "euros behind": lambda x: f"{x:.2f} \u20ac",
    "parentheses": lambda x: f"({-x:,.2f})" if x < 0 else f"{x:,.2f}",
    "true minus": lambda x: f"{x:.2f}".replace("-", "\u2212") + " \u00a3",
}


class Written(CliTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(11)
        self.values = [round(rng.gauss(500 + 800 * (i % 2), 2000), 2) for i in range(60)]
        self.labels = ["ab"[i % 2] for i in range(60)]

    def table(self, write, delimiter=",", name="t.csv"):
        rows = [[write(x), k] for x, k in zip(self.values, self.labels)]
        return self.write(name, csv_text(["price", "class"], rows, delimiter))

    def means(self, model):
        return [k["mean"] for k in self.ok_json("inspect", model)["classes"]]

    def test_are_read_as_the_numbers_they_are(self):
        plain = self.means(self.fit(self.table(lambda x: f"{x:.2f}"), name="plain.json"))
        for name, write in WAYS.items():
            for delimiter in (",", "\t", ";"):
                with self.subTest(way=name, delimiter=delimiter):
                    data = self.table(write, delimiter)
                    self.assertEqual(self.means(self.fit(data)), plain)

    def test_with_a_decimal_comma(self):
        plain = self.means(self.fit(self.table(lambda x: f"{x:.2f}"), name="plain.json"))
        for separator in (".", " ", "'"):
            data = self.table(grouped(separator, ","), ";")
            self.assertEqual(self.means(self.fit(data)), plain)

    def test_it_is_said_with_an_example_and_the_way_out(self):
        data = self.table(WAYS["dollars and commas"])
        result = self.ok("fit", data, "-o", self.folder / "m.json")
        self.assertRegex(result.err, r"column 'price': 60 cells such as '-?\$[\d,.]+' are read as "
                                     r"-?[\d.]+; if these are categories, use "
                                     r"--type price=categorical")
        self.assertIn("categorical", self.ok("fit", data, "--type", "price=categorical").out)

    def test_prediction_follows_the_same_rule(self):
        model = self.fit(self.table(WAYS["dollars and commas"]))
        answers = [self.ok("predict", model, self.table(write), "--proba").out
                   for write in (*WAYS.values(), lambda x: f"{x:.2f}")]
        self.assertEqual(len(set(answers)), 1)

    def test_percentages_are_hundredths(self):
        data = self.write("p.csv", "x,class\n12.3%,a\n10%,a\n40 %,b\n45.5%,b\n")
        self.assertEqual(self.means(self.fit(data)), [[0.1115], [0.4275]])

    def test_percentages_among_other_numbers_are_warned_about(self):
        data = self.write("p.csv", "x,class\n12.3%,a\n10,a\n40%,b\n45,b\n")
        result = self.ok("fit", data, "-o", self.folder / "m.json")
        self.assertIn("warning: column 'x' holds 2 percentages among other numbers: '12.3%' is "
                      "read as 0.123", result.err)

    def test_a_lone_comma_changes_nothing_in_silence(self):
        data = self.write("n.csv", 'x,class\n"1,037",a\n"2,500",a\n"3,100",b\n"12,345",b\n')
        result = self.ok("fit", data, "-o", self.folder / "m.json")
        self.assertIn("column 'x' is categorical: '1,037' may mean two numbers; use --decimal . if "
                      "its comma separates thousands", result.err)
        model = self.fit(data, "--decimal", ".")
        self.assertEqual(self.means(model), [[1768.5], [7722.5]])
        message = self.refused("predict", model, data, mentions=("'1,037'", "--decimal ."))
        self.assertIn("may mean two numbers", message)
        self.ok("predict", model, data, "--decimal", ".")

    def test_a_decimal_comma_is_told_where_it_is_not_recognised(self):
        rows = [f"{i / 7 + i % 2:.2f}".replace(".", ",") for i in range(30)]
        for delimiter, cell in (("\t", "{}"), ("|", "{}"), (",", '"{}"')):
            with self.subTest(delimiter=delimiter):
                text = "".join(f"{cell.format(x)}{delimiter}{'ab'[i % 2]}\n" for i, x in enumerate(rows))
                data = self.write("c.csv", f"x{delimiter}class\n{text}")
                result = self.ok("fit", data, "-o", self.folder / "m.json")
                self.assertIn("column 'x' is categorical: '0,00' is not a number; if its comma is the "
                              "decimal sign, use --decimal ,", result.err)
                self.assertNotIn("every cell a different word", result.err)
                self.assertEqual(len(self.means(self.fit(data, "--decimal", ","))), 2)
        data = self.write("p.csv", "x,class\n" + "".join(f"{i}.5,{'ab'[i % 2]}\n" for i in range(9)))
        self.assertIn("column 'x' is categorical: '0.5' is not a number; if its point is the decimal "
                      "sign, use --decimal .", self.ok("fit", data, "--decimal", ",", "-o",
                                                       self.folder / "m.json").err)
        data = self.write("t.csv", "x\tclass\n1,5\ta\n2,5\ta\n3,5\tb\n5,5\tb\n")
        self.assertEqual(self.means(self.fit(data, "--decimal", ",")), [[2.0], [4.5]])

    def test_the_minus_sign_of_typesetters(self):
        data = self.write("u.csv", "x,class\n−1.5,a\n−2.5,a\n3,b\n4,b\n")
        result = self.ok("fit", data, "--model", "lda", "-o", self.folder / "m.json")
        self.assertIn("column 'x': 2 cells such as '−1.5' are read as -1.5", result.err)
        self.assertEqual(self.means(self.folder / "m.json"), [[-2.0], [3.5]])

    def test_a_lone_comma_beyond_the_first_mebibyte(self):
        rows = ["%d.5,%s" % (i, "ab"[i % 2]) for i in range(200000)]
        rows[-1] = '"1,037",b'
        data = self.write("l.csv", "x,class\n" + "\n".join(rows) + "\n")
        self.refused("fit", data, mentions=("'1,037'", "--decimal ."))

    def test_late_ones_are_read_and_said_in_one_pass(self):
        rows = ["%d.5,%s" % (i, "ab"[i % 2]) for i in range(200000)]
        plain = self.fit(self.write("a.csv", "x,class\n" + "\n".join(rows) + "\n"), name="a.json")
        rows[-1] = '"$199,999.50",b'
        late = self.write("b.csv", "x,class\n" + "\n".join(rows) + "\n")
        result = self.ok("fit", late, "--model", "gnb", "-o", self.folder / "b.json")
        self.assertIn("column 'x': 1 cell '$199,999.50' is read as 199999.5", result.err)
        self.assertEqual(self.means(plain), self.means(self.folder / "b.json"))

    def test_what_is_not_such_a_number(self):
        for cell in ("1,03", "12,34.5", "1,0375", "01,234", "1,234 567", "$", "%", "(12)", "1 23",
                     "12-5", "$4.5.0", "1'23", "5 apples", "$$4"):
            with self.subTest(cell=cell):
                data = self.write("w.csv", f'x,class\n"{cell}",a\n"{cell}!",a\n"q{cell}",b\n"z",b\n')
                self.assertNotIn("read as", self.ok("fit", data, "-o", self.folder / "m.json").err)


if __name__ == "__main__":
    unittest.main()
