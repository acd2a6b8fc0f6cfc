"""Tables as they come: each shape of file is read rightly or refused with its place."""

import codecs
import gzip
import json
import random
import subprocess
import unittest

from support import FAMILY, GENERA, CliTest, csv_text, run, three_classes, seconds


def small_rows(n=60, seed=1):
    """Rows (length, width, kind) of two overlapping classes."""
    rng = random.Random(seed)
    return [[round(rng.gauss(k, 1), 4), round(rng.gauss(-k, 2), 4), "ab"[k]]
            for k in (i % 2 for i in range(n))]


HEADER = ["length", "width", "kind"]
PLAIN = csv_text(HEADER, small_rows())


class Csv(CliTest):
    def model_of(self, content, *options, name="data.csv"):
        """What inspect says of a model of this file."""
        return self.ok_json("inspect", self.fit(self.write(name, content), *options))

    def assert_same_as_plain(self, content, *options, name="data.csv"):
        plain = self.model_of(PLAIN, name="plain.csv")
        found = self.model_of(content, *options, name=name)
        self.assertEqual(found["features"], plain["features"])
        self.assertEqual(found["classes"], plain["classes"])

    def refuse(self, content, *options, mentions=(), name="data.csv", status=(1, 2)):
        model = self.folder / "never.json"
        message = self.refused("fit", self.write(name, content), "-o", model, *options,
                               mentions=mentions, status=status)
        self.assertFalse(model.exists())
        return message


class Formats(Csv):
    def test_byte_order_mark(self):
        self.assert_same_as_plain(codecs.BOM_UTF8 + PLAIN.encode())

    def test_line_ends(self):
        self.assert_same_as_plain(PLAIN.replace("\n", "\r\n"))
        self.assert_same_as_plain(PLAIN.rstrip("\n"))
        self.assert_same_as_plain(PLAIN + "\n\n")

    def test_delimiters(self):
        for delimiter, name in (("\t", "data.tsv"), ("\t", "data.csv"), ("|", "data.csv"),
                                (";", "data.csv")):
            with self.subTest(delimiter=delimiter, name=name):
                self.assert_same_as_plain(csv_text(HEADER, small_rows(), delimiter), name=name)

    def test_a_line_that_names_the_delimiter(self):
        for line in ("sep=;\n", '"sep=;"\r\n', "sep=;\r\n"):
            with self.subTest(line=line):
                text = line + csv_text(HEADER, small_rows(), ";")
                self.assert_same_as_plain(text)
                self.assert_same_as_plain(codecs.BOM_UTF8 + text.encode())
        self.refuse("sep=;\n" + csv_text(HEADER, small_rows(), ";") + "1;2\n",
                    mentions=("data.csv:63: 2 fields, the header has 3",))

    def test_imputing_keeps_the_line_that_names_the_delimiter(self):
        model = self.fit(self.write("plain.csv", PLAIN))
        text = "sep=;\r\nlength;width;kind\r\n1;;a\r\n2;3;b\r\n"
        out = run("impute", model, self.write("holes.csv", text)).out.replace("\r\n", "\n").split("\n")
        self.assertEqual(out[:2] + out[3:], ["sep=;", "length;width;kind", "2;3;b", ""])

    def test_gzip(self):
        self.assert_same_as_plain(gzip.compress(PLAIN.encode()), name="data.csv.gz")

    def test_damaged_gzip_is_refused(self):
        whole = gzip.compress(PLAIN.encode())
        self.refuse(whole[:len(whole) // 2], name="data.csv.gz", mentions=("data.csv.gz",),
                    status=1)

    def test_decimal_comma(self):
        text = csv_text(HEADER, small_rows(), ";").replace(".", ",")
        self.assert_same_as_plain(text)
        self.assert_same_as_plain(text, "--decimal", ",")

    def test_decimal_comma_in_a_comma_file_is_noticed(self):
        rows = [[str(x).replace(".", ","), y, k] for x, y, k in small_rows()]
        result = self.works_or_refuses("fit", self.write("d.csv", csv_text(HEADER, rows)),
                                       mentions=("'length'",))
        self.assertIn("'length'", result.out + result.err)

    def test_plus_signs_blanks_and_exponents(self):
        rows = [[f" +{x} " if x >= 0 else f" {x}", f"{y:.4e}", k]
                for x, y, k in small_rows()]
        text = "\n".join([",".join(HEADER), *(",".join(row) for row in rows)]) + "\n"
        self.assert_same_as_plain(text)

    def test_quoted_numbers(self):
        lines = [",".join(f'"{cell}"' for cell in line.split(",")) for line in PLAIN.splitlines()]
        self.assert_same_as_plain("\n".join(lines) + "\n")

    def test_weights_that_are_too_large(self):
        data = self.write("w.csv", "a,w,class\n1,1,x\n2,1e308,x\n3,1e308,y\n5,1,y\n")
        for words in (("fit",), ("fit", "--model", "lda"), ("stats",), ("select",), ("cluster",)):
            self.refused(*words[:1], data, *words[1:], "--weights", "w", status=1, mentions=(
                f"{data}:3: column 'w' holds '1e308', which is too large for a weight",
                "divide all weights by the same number"))

    def test_a_header_behind_blank_rows_of_one_column(self):
        data = self.write("h.csv", "\n\nlength\n" + "".join(f"{i}.5\n" for i in range(30)))
        self.refused("cluster", data, "--no-header", status=1, mentions=(
            "column 'c1' looks numeric, but 1 of 31 cells is not a number: ",
            "if line 3 is the header, leave --no-header out; else fix the cell"))
        self.ok("cluster", data)

    def test_no_header(self):
        body = PLAIN.split("\n", 1)[1]
        found = self.model_of(body, "--no-header")
        self.assertEqual(found["features"], ["c1", "c2"])
        self.assertEqual([k["count"] for k in found["classes"]], [30, 30])


class Labels(Csv):
    def test_awkward_names(self):
        names = ["two words", "a,b", 'say "hi"', "čeština λ", "=1+1", "line\nbreak"]
        rng = random.Random(2)
        rows = [[rng.gauss(5 * k, 1), name] for k, name in enumerate(names) for _ in range(20)]
        data = self.write("d.csv", csv_text(["x", "kind"], rows))
        model = self.fit(data)
        self.assertEqual([k["name"] for k in self.ok_json("inspect", model)["classes"]],
                         sorted(names, key=lambda s: s.encode()))
        answers = self.ok_csv("predict", model, data, "--proba")
        self.assertEqual(set(answers[0]), {"prediction", *(f"p({name})" for name in names)})
        self.assertEqual({row["prediction"] for row in answers}, set(names))
        self.assertEqual(self.ok_json("evaluate", model, data)["rows"], 120)

    def test_one_and_one_point_zero_are_one_class_or_refused(self):
        labels = ["1", "1.0", "2"]
        rows = [[x, y, labels[i % 3]] for i, (x, y, _) in enumerate(small_rows())]
        data = self.write("d.csv", csv_text(HEADER, rows))
        model = self.folder / "m.json"
        if self.works_or_refuses("fit", data, "-o", model, mentions=("1.0",)).status == 0:
            counts = [k["count"] for k in self.ok_json("inspect", model)["classes"]]
            self.assertEqual(counts, [40, 20])

    def test_numbers_sort_as_numbers(self):
        labels = ["10", "9", "-1", "2"]
        rows = [[x, y, labels[i % 4]] for i, (x, y, _) in enumerate(small_rows())]
        found = self.model_of(csv_text(HEADER, rows))
        self.assertEqual([k["name"] for k in found["classes"]], ["-1", "2", "9", "10"])

    def test_one_class_only_is_said(self):
        rows = [[x, y, "a"] for x, y, _ in small_rows()]
        data = self.write("d.csv", csv_text(HEADER, rows))
        for family in FAMILY:
            with self.subTest(family=family):
                model = self.folder / "m.json"
                result = self.works_or_refuses("fit", data, "--model", family, "-o", model)
                self.assertRegex(result.err, "one class.*'a'")
                if result.status == 0:
                    self.assertEqual({row["a"] for row in self.proba(model, data)}, {1.0})

    def test_continuous_target_is_refused(self):
        rng = random.Random(3)
        rows = [[x, y, rng.gauss(0, 1)] for x, y, _ in small_rows()]
        self.refuse(csv_text(["length", "width", "price"], rows), mentions=("'price'",))

    def test_missing_target_column(self):
        message = self.refuse(PLAIN, "--target", "kin", mentions=("'kin'",))
        self.assertIn("'kind'", message)

    def test_default_target_by_name(self):
        rows = [[k, x, y] for x, y, k in small_rows()]
        for name in ("label", "Class", "TARGET", "y"):
            with self.subTest(name=name):
                data = self.write("d.csv", csv_text([name, "u", "v"], rows))
                result = self.ok("fit", data, "-o", self.folder / "m.json")
                self.assertIn(f"'{name}'", result.err)
                self.assertEqual(self.ok_json("inspect", self.folder / "m.json")["features"],
                                 ["u", "v"])

    def test_empty_labels_are_missing(self):
        rows = small_rows()
        rows[4][2] = ""
        text = csv_text(HEADER, rows)
        told = self.ok("fit", self.write("d.csv", text), "--model", "gnb", "-o", self.folder / "m.json").err
        self.assertRegex(told, r"\b1 row has no label in 'kind' and is left out")
        found = self.model_of(text, "--missing", "drop")
        self.assertEqual(sum(k["count"] for k in found["classes"]), 59)


class Damage(Csv):
    def with_line(self, number, line):
        """The plain file with its line `number` (the header is 1) replaced."""
        lines = PLAIN.splitlines()
        lines[number - 1] = line
        return "\n".join(lines) + "\n"

    def test_ragged_rows(self):
        for line, fields in (("1,2", "2"), ("1,2,a,9", "4"), ("1", "1")):
            with self.subTest(line=line):
                self.refuse(self.with_line(17, line), mentions=("data.csv:17", fields, "3"),
                            status=1)

    def test_unterminated_quote(self):
        self.refuse(self.with_line(30, '1,2,"a'), mentions=("data.csv:30", "quote"), status=1)

    def test_empty_files(self):
        for content in ("", "\n", "\n\n\n", codecs.BOM_UTF8):
            with self.subTest(content=content):
                self.refuse(content, mentions=("data.csv",), status=1)

    def test_header_only(self):
        self.refuse("length,width,kind\n", mentions=("data.csv",), status=1)

    def test_duplicate_names(self):
        self.refuse(PLAIN.replace("length,width", "length,length", 1), mentions=("'length'",),
                    status=1)

    def test_empty_name(self):
        result = self.works_or_refuses(
            "fit", self.write("d.csv", PLAIN.replace("width", "", 1)), mentions=("d.csv", "2"))
        self.assertNotEqual(result.err, "")

    def test_utf16_is_named(self):
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            with self.subTest(encoding=encoding):
                self.refuse(PLAIN.encode(encoding), mentions=("data.csv", "UTF-16"), status=1)

    def test_infinite_and_overflowing_numbers(self):
        for cell in ("inf", "-inf", "Infinity", "1e400", "-1e400"):
            with self.subTest(cell=cell):
                self.refuse(self.with_line(12, f"1,{cell},a"),
                            mentions=("data.csv:12", "'width'", cell), status=1)

    def test_nan_and_empty_cells_are_missing(self):
        for cell in ("", "nan", "NaN"):
            with self.subTest(cell=cell):
                text = self.with_line(12, f"1,{cell},a")
                told = self.ok("fit", self.write("d.csv", text), "--model", "gnb", "-o", self.folder / "m.json").err
                self.assertRegex(told, r"\b1 missing number")
                self.assertEqual(sum(k["count"] for k in self.model_of(
                    text, "--missing", "drop")["classes"]), 59)

    def test_missing_tokens_are_a_list(self):
        text = self.with_line(12, "1,?,a").replace("\n", "\n1,NA,a\n1,\"1,5\",a\n", 1)
        message = self.refuse(text, mentions=("'1,5'", "'?'"), status=1)  # NA is a token by default
        self.assertIn("--missing-token 'NA,\"1,5\",?'", message)  # all that were named
        for tokens in (("NA,?,\"1,5\"",), ("NA,?", "--missing-token", '"1,5"')):
            found = self.model_of(text, "--missing-token", *tokens, "--missing", "drop")
            self.assertEqual(sum(k["count"] for k in found["classes"]), 59)

    def test_nan_is_a_name_among_names(self):
        data = self.write("d.csv", "x,language,name\n" + "".join(
            f"{i % 7},{('de', 'nan', 'en')[i % 3]},{('Nan', 'Ann')[i % 2]}\n" for i in range(60)))
        fitted = self.ok("fit", data, "-o", self.folder / "m.json")
        self.assertIn("taken as a category or a class: 'Nan' in 'name' (30); 'nan' in 'language' (20); "
                      "if it means missing, use --missing-token NA,Nan,nan\n", fitted.err)
        found = run("inspect", self.folder / "m.json", "--json")  # says nan, rightly
        self.assertEqual([k["count"] for k in json.loads(found.out)["classes"]], [30, 30])
        fitted = run("fit", data, "-o", self.folder / "m.json", "--missing-token", "nan,Nan",
                     "--missing", "drop")  # a note has the tokens
        self.assertEqual(fitted.status, 0, fitted)
        self.assertIn("read as missing: 'Nan' in 30 cells", fitted.err)
        found = run("inspect", self.folder / "m.json", "--json").out  # the notes are in the model
        self.assertEqual([k["name"] for k in json.loads(found)["classes"]], ["Ann"])

    def test_a_blank_line_of_one_column_is_a_row(self):
        model = self.fit(self.write("t.csv", "x,y\n" + "".join(
            f"{i % 10},{'ab'[i % 10 > 4]}\n" for i in range(60))))
        for end in ("\n", "\r\n"):
            for header in ("x" + end, ""):
                lines = ["1", "", "8", "  ", "", "2"]
                options = [] if header else ["--no-header"]
                given = model if header else self.fit(self.write("u.csv", "".join(
                    f"{i % 10},{'ab'[i % 10 > 4]}\n" for i in range(60))), "--no-header",
                    name="u.json")
                text = header + "".join(line + end for line in lines)
                with self.subTest(end=end, header=header):
                    for data in (self.write("p.csv", text), "-"):
                        result = self.ok("predict", given, data, *options,
                                         stdin=text if data == "-" else "")
                        answers = result.out.splitlines()[1:]
                        self.assertEqual(len(answers), 6, result)
                        self.assertEqual([answers[i] for i in (0, 2, 5)], ["a", "b", "a"])
                        self.assertIn("3 rows have 3 missing cells", result.err)
                    filled = self.ok("impute", given, self.write("p.csv", text), *options)
                    self.assertEqual(len(filled.out.splitlines()), 6 + bool(header), filled)

    def test_missing_tokens(self):
        text = self.with_line(12, "1,?,a")
        message = self.refuse(text, mentions=("data.csv:12", "'width'", "'?'"), status=1)
        self.assertIn("--missing-token", message)
        learnt = self.model_of(text, "--missing-token", "?")
        self.assertEqual(sum(k["count"] for k in learnt["classes"]), 60)
        found = self.model_of(text, "--missing-token", "?", "--missing", "drop")
        self.assertEqual(sum(k["count"] for k in found["classes"]), 59)

    def test_dropped_rows_are_counted(self):
        data = self.write("d.csv", self.with_line(12, "1,,a"))
        result = self.ok("fit", data, "--missing", "drop", "-o", self.folder / "m.json")
        self.assertRegex(result.err, r"\b1 row")

    def test_missing_values_at_prediction_are_counted(self):
        model = self.fit(self.write("plain.csv", PLAIN))
        data = self.write("d.csv", self.with_line(12, "1,,a"))
        for verb in ("predict", "score", "evaluate"):
            with self.subTest(verb=verb):
                self.assertRegex(self.ok(verb, model, data).err, r"\b1 row has 1 missing cell\b")

    def test_statistics_refuse_missing_values(self):
        data = self.write("d.csv", self.with_line(12, "1,,a"))
        self.refused("stats", data, "-o", self.folder / "s.json", status=1,
                     mentions=("'width'", "--missing drop"))
        self.refused("stats", data, "--missing", "em", status=2, mentions=("--missing em",))

    def test_missing_file(self):
        self.refused("fit", self.folder / "absent.csv", mentions=("absent.csv",))
        self.refused("fit", self.folder, mentions=(str(self.folder),))

    def test_binary_rubbish(self):
        rubbish = bytes(random.Random(4).randrange(256) for _ in range(5000))
        self.refuse(rubbish, status=(1, 2), mentions=("data.csv",))
        self.refuse(bytes(4096), status=(1, 2), mentions=("data.csv",))


class Size(Csv):
    def test_twenty_thousand_columns(self):
        rng = random.Random(5)
        names = [f"x{j}" for j in range(20000)]
        rows = [[*(rng.randrange(1000) for _ in names), "ab"[i % 2]] for i in range(12)]
        data = self.write("wide.csv", csv_text([*names, "kind"], rows))
        found = self.fit(data, "--features", "x7,x19999", "--model", "lda")
        self.assertEqual(self.ok_json("inspect", found)["features"], ["x7", "x19999"])
        model = self.fit(data, "--model", "gnb")
        self.assertEqual(self.labels(model, data), [row[-1] for row in rows])

    def test_a_line_of_a_hundred_megabytes(self):
        with subprocess.Popen([GENERA, "fit", "-", "--target", "kind"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                process.stdin.write(PLAIN.encode() + b"1,2,")
                for _ in range(100):
                    process.stdin.write(b"a" * 1_000_000)
                process.stdin.write(b"\n")
            except BrokenPipeError:
                pass
            out, err = process.communicate(timeout=seconds(300))
        self.assertIn(process.returncode, (0, 1), err[:2000])
        self.assertLess(len(err), 100_000, "the cell is not repeated in full")
        if process.returncode == 1:
            self.assertIn(b"genera: error: ", err)
            self.assertIn(b"hint: ", err)
            self.assertIn(b":62", err)
        self.assertNotIn(b"nan", out)

    def test_a_pipe_is_a_file(self):
        sample = three_classes(seed=6)
        path = self.write("d.csv", sample)
        piped = run("fit", "-", "--model", "lda", "-o", self.folder / "piped.json",
                    stdin=sample.text())
        self.assertEqual(piped.status, 0, piped)
        self.assertEqual((self.folder / "piped.json").read_bytes(), self.fit(path).read_bytes())


if __name__ == "__main__":
    unittest.main()
