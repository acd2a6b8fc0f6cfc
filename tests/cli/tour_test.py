"""The tour: its numbers against other ways to them, its commands, its files, what is refused."""

import html
import math
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import tempfile
import time
import unittest

from support import GENERA, CliTest, read_data, run, seconds

SECTIONS = ["data", "discriminative", "mixture", "guessed", "components", "raw", "normals", "area",
            "trivariate", "likelihood", "predictions", "family", "bivariate", "posteriors", "naive",
            "parameters", "logistic", "likelihoods", "notes3b", "words", "curves", "needed", "missing", "groups", "code"]


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", text))).strip()


class WithTour(CliTest):
    """One tour for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = tempfile.TemporaryDirectory(prefix="genera_tour_")
        cls.addClassCleanup(cls.home.cleanup)
        cls.folder_of_tour = pathlib.Path(cls.home.name) / "tour"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.result = run("tour", "-o", cls.folder_of_tour)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if cls.result.status != 0:
            raise AssertionError(str(cls.result))
        cls.page = (cls.folder_of_tour / "index.html").read_text(encoding="utf-8")
        cls.sections = dict(re.findall(r'<section id="(\w+)">(.*?)</section>', cls.page, re.S))


class Page(WithTour):
    def rows(self, section, table=0):
        """The cells of a table as texts."""
        found = re.findall(r"<table>(.*?)</table>", self.sections[section], re.S)[table]
        return [[plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
                for row in re.findall(r"<tr>(.*?)</tr>", found, re.S)]

    def test_sections_in_the_order_of_the_lectures(self):
        self.assertEqual(re.findall(r'<section id="(\w+)">', self.page), SECTIONS)
        self.assertEqual(re.findall(r'<li><a href="#(\w+)">', self.page), SECTIONS)

    def test_it_says_where_it_is_and_prints_nothing_else(self):
        self.assertEqual(self.result.out, "")
        self.assertEqual(self.result.err.count("\n"), 1, self.result)
        self.assertIn("index.html", self.result.err)

    @unittest.skipIf(os.environ.get("GENERA_SANITIZE"), "sanitizers are slow")
    def test_it_is_finished_in_twenty_seconds(self):
        self.assertLess(self.seconds, 20)  # of the processor: others may use the machine, too

    def test_maximum_likelihood(self):
        rows = self.rows("likelihood")
        self.assertEqual([row[2:] for row in rows[1:]],
                         [["5.006", "3.428"], ["5.936", "2.77"], ["6.588", "2.974"]])
        names, data = read_data("iris")
        for row in self.rows("likelihood", 1)[1:]:
            chosen = [flower for flower in data if row[0] in (flower[-1], "p(x) itself")]
            a, b = ([float(flower[j]) for flower in chosen] for j in (0, 1))
            covariance = statistics.fmean(x * y for x, y in zip(a, b)) \
                - statistics.fmean(a) * statistics.fmean(b)
            expected = [statistics.pvariance(a), statistics.pvariance(b), covariance,
                        covariance / statistics.pstdev(a) / statistics.pstdev(b)]
            for shown, value in zip(row[1:], expected, strict=True):
                self.assertAlmostEqual(float(shown.replace("−", "-")), value,
                                       delta=6e-4 * abs(value))
        self.assertEqual(names[0], "sepal_length")

    def test_probabilities(self):
        rows = {row[0]: row for row in self.rows("area")[1:]}
        expected = 0
        for species, mean, variance in (("setosa", 5.006, 0.121764), ("versicolor", 5.936, 0.261104),
                                        ("virginica", 6.588, 0.396256)):
            sd = math.sqrt(2 * variance)
            p = 0.5 * (math.erf((6 - mean) / sd) - math.erf((5 - mean) / sd))
            self.assertAlmostEqual(float(rows[species][2]), p, delta=6e-5)
            expected += p / 3
        self.assertAlmostEqual(float(rows["all"][2]), expected, delta=6e-5)
        quadrant = 0.25 + math.asin(0.6) / (2 * math.pi)
        self.assertEqual(plain(self.sections["bivariate"]).count(f"{quadrant:.6f}"), 3)

    def test_mixtures_have_the_moments_of_the_formula(self):
        self.assertIn("mean 0.2 and standard deviation 1.1", plain(self.sections["mixture"]))
        deviation = math.sqrt(0.7 + 0.3 * 2 + 0.7 * 0.3 * 36)
        self.assertIn(f"mean 1.8 and standard deviation {deviation:.4g}",
                      plain(self.sections["components"]))

    def test_ten_flowers_of_the_guess(self):
        rows = self.rows("guessed")
        self.assertEqual(len(rows), 11)
        means = {"setosa": (5, 3.5), "versicolor": (6, 2.5), "virginica": (6.5, 3)}
        for *sepals, species in rows[1:]:
            for value, mean in zip(sepals, means[species], strict=True):
                self.assertLess(abs(float(value) - mean), 5 * math.sqrt(0.05))

    def test_free_parameters_are_those_of_the_formulas(self):
        p, classes, values = 4, 3, 3
        self.assertEqual([int(row[2]) for row in self.rows("parameters")[1:]],
                         [values ** p * classes - 1,
                          classes - 1 + classes * p * (values - 1),
                          classes - 1 + 2 * classes * p,
                          classes - 1 + classes * p + p * (p + 1) // 2,
                          classes - 1 + classes * p + classes * p * (p + 1) // 2,
                          classes - 1 + classes * (p - 1),
                          (classes - 1) * (p + 1)])

    def test_two_species_are_a_logistic_function(self):
        """theta = S^-1 (mean_1 - mean_0), by hand."""
        _, data = read_data("iris")
        groups = [[(float(row[2]), float(row[3])) for row in data if row[4] == species]
                  for species in ("versicolor", "virginica")]
        means = [[statistics.fmean(row[j] for row in group) for j in (0, 1)] for group in groups]
        s = [[sum((row[i] - mean[i]) * (row[j] - mean[j])
                  for group, mean in zip(groups, means) for row in group) / 100
              for j in (0, 1)] for i in (0, 1)]
        det = s[0][0] * s[1][1] - s[0][1] ** 2
        d = [means[1][j] - means[0][j] for j in (0, 1)]
        theta = [(s[1][1] * d[0] - s[0][1] * d[1]) / det, (s[0][0] * d[1] - s[0][1] * d[0]) / det]
        intercept = -0.5 * sum(theta[j] * (means[0][j] + means[1][j]) for j in (0, 1))
        rows = self.rows("logistic")
        for row, value in zip(rows[1:], [intercept, *theta], strict=True):
            self.assertAlmostEqual(float(row[1].replace("−", "-")), value, delta=6e-4)

    def test_learning_curves_cross(self):
        """dlda and logistic cross, and the text names the size that the figure shows."""
        for name in ("pima", "nuclei"):
            figure = (self.folder_of_tour / f"{name}.svg").read_text(encoding="utf-8")
            size = int(re.search(r"dlda and logistic cross at (\d+) rows", plain(figure)).group(1))
            self.assertRegex(plain(self.sections["curves"]), rf"at {size} rows")
            self.assertTrue(10 < size < 100, size)
        ratios = re.search(r"needs ([\d.]+) times the rows, naive LDA ([\d.]+) times",
                           plain(self.sections["needed"]))
        self.assertGreater(float(ratios.group(1)), 1.5 * float(ratios.group(2)))

    def test_words_have_the_probabilities_of_laplace(self):
        text = plain(self.sections["words"])
        for word, ham, spam in (("cheap", 1, 3), ("lunch", 2, 0), ("pills", 0, 2), ("now", 1, 2)):
            self.assertIn(f"{word} {(ham + 1) / 5:g} {(spam + 1) / 5:g}", text)

    def test_the_choice_on_notes3b_has_the_lowest_log_loss(self):
        rows = self.rows("notes3b")[1:]
        best = min(rows, key=lambda row: float(row[1]))[0]
        self.assertIn(f"The lowest log loss is chosen: {best}.", plain(self.sections["notes3b"]))
        self.assertIn("mda", [row[0] for row in rows])

    def test_votes_with_the_largest_log_odds(self):
        """log psi_r / psi_d - log (1 - psi_r) / (1 - psi_d), smoothed by one row for each level."""
        names, data = read_data("house_votes84")
        complete = [row for row in data if "" not in row]
        odds = {}
        for j, name in enumerate(names[:-1]):
            yes = {party: sum(row[j] == "y" for row in complete if row[-1] == party) + 1
                   for party in ("democrat", "republican")}
            no = {party: sum(row[j] == "n" for row in complete if row[-1] == party) + 1 for party in yes}
            odds[name.replace("_", " ")] = math.log(yes["republican"] / no["republican"]) \
                - math.log(yes["democrat"] / no["democrat"])
        largest = sorted(odds, key=lambda name: -abs(odds[name]))[:5]
        rows = self.rows("logistic", 1)[1:]
        self.assertEqual([row[0].lower() for row in rows], largest)
        for row in rows:
            self.assertAlmostEqual(float(row[1].replace("−", "-")), odds[row[0].lower()], delta=6e-4)

    def test_joint_and_conditional_likelihood(self):
        """sum log N(x; mean, S) / 3 of QDA, and each model best at its own objective."""
        _, data = read_data("iris")
        species = {}
        for row in data:
            species.setdefault(row[-1], []).append((float(row[0]), float(row[1])))
        joint = conditional = 0
        normals = []
        for flowers in species.values():
            means = [statistics.fmean(column) for column in zip(*flowers)]
            a, b = (statistics.pvariance(column) for column in zip(*flowers))
            c = statistics.fmean((x - means[0]) * (y - means[1]) for x, y in flowers)
            normals.append((means, a, b, c))
        for k, flowers in enumerate(species.values()):
            for x, y in flowers:
                densities = []
                for (u, v), a, b, c in normals:
                    det = a * b - c * c
                    square = (b * (x - u) ** 2 - 2 * c * (x - u) * (y - v) + a * (y - v) ** 2) / det
                    densities.append(math.exp(-square / 2) / (2 * math.pi * math.sqrt(det)) / 3)
                joint += math.log(densities[k])
                conditional += math.log(densities[k] / sum(densities))
        rows = {row[0]: [float(cell.replace("−", "-")) for cell in row[1:] if cell]
                for row in self.rows("likelihoods")[1:]}
        self.assertAlmostEqual(rows["QDA"][0], joint, delta=6e-3)
        self.assertAlmostEqual(rows["QDA"][1], conditional, delta=6e-3)
        self.assertGreater(rows["QDA"][0], max(rows["LDA"][0], rows["naive Bayes"][0]))
        self.assertGreater(rows["softmax regression"][0], rows["LDA"][1])

    def test_labels_that_the_printed_code_changes(self):
        self.assertEqual([row[2] for row in self.rows("code")[1:]], ["73", "86", "104", "147"])
        self.assertEqual([row[2] for row in self.rows("code", 1)[1:]],
                         "57 69 71 73 86 88 101 109 112 124 134 137 147 149".split())

    def test_nothing_comes_from_elsewhere(self):
        self.assertNotIn("<script", self.page)
        self.assertIsNone(re.search(r"https?://", self.page))
        images = re.findall(r'<img src="([^"]*)"', self.page)
        self.assertGreater(len(images), 30)
        for name in images:
            self.assertIn("<svg", (self.folder_of_tour / name).read_text(encoding="utf-8")[:2000])
        self.assertEqual(self.page.count("<figure>"), len(images))
        self.assertEqual(re.search(r"\bnan\b", plain(self.page), re.I), None)

    def test_nothing_half_done_is_left(self):
        self.assertEqual([p.name for p in self.folder_of_tour.iterdir() if p.name.startswith(".")], [])


@unittest.skipIf(os.environ.get("GENERA_SANITIZE"), "the same commands, slowly")
class Commands(WithTour):
    """What stands beside a figure makes it, alone in an empty folder."""

    def test_commands(self):
        blocks = re.findall(r'<img src="([^"]*)".*?<pre class="command">(.*?)</pre>', self.page, re.S)
        tables = [(None, block) for block in re.findall(r'<pre class="command">(.*?)</pre>', self.page,
                                                        re.S)
                  if block not in {commands for _, commands in blocks}]
        environment = {**os.environ,
                       "PATH": str(pathlib.Path(GENERA).parent) + ":" + os.environ["PATH"]}
        self.assertEqual(len(blocks), self.page.count("<figure>"))
        for image, block in [*dict.fromkeys(blocks), *dict.fromkeys(tables)]:
            commands = html.unescape(block)
            with self.subTest(commands=commands), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env=environment,
                                      capture_output=True, text=True, timeout=seconds(120), check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                if image:
                    self.assertEqual((pathlib.Path(folder) / image).read_bytes(),
                                     (self.folder_of_tour / image).read_bytes())


class Refused(CliTest):
    def test_no_folder(self):
        self.refused("tour", status=2, mentions=("'tour' needs -o",))

    def test_a_file_in_its_place(self):
        name = self.write("file", "here\n")
        self.refused("tour", "-o", name, status=1, mentions=("is not a folder",))
        self.assertEqual(pathlib.Path(name).read_text(encoding="utf-8"), "here\n")

    def test_a_place_that_cannot_be_written(self):
        self.refused("tour", "-o", "/proc/tour", status=1, mentions=("/proc/tour: cannot be made",))

    def test_a_signal_leaves_nothing_half_done(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            folder = self.folder / str(number)
            folder.mkdir()
            (folder / "mine.txt").write_text("kept", encoding="utf-8")
            process = subprocess.Popen([GENERA, "tour", "-o", folder], stderr=subprocess.DEVNULL)
            try:
                end = time.monotonic() + 60
                while time.monotonic() < end and len(list(folder.glob(".tour-*/*"))) < 2:
                    time.sleep(0.01)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=seconds(30)), -number)
            finally:
                process.kill()
                process.wait()
            self.assertEqual(os.listdir(folder), ["mine.txt"])

    def test_the_next_run_removes_what_a_killed_one_left(self):
        killed = subprocess.Popen(["sleep", "600"])
        killed.kill()
        killed.wait()
        for name in (f".tour-{killed.pid}", f".tour-{os.getpid()}", ".tour-guide"):
            (self.folder / "t" / name).mkdir(parents=True)
            (self.folder / "t" / name / "figure.svg").write_text("half", encoding="utf-8")
        subprocess.run([GENERA, "tour", "-o", self.folder / "t"], env={"PATH": str(self.folder)},
                       capture_output=True, check=False)  # ends without gnuplot
        self.assertEqual(sorted(os.listdir(self.folder / "t")),
                         sorted([f".tour-{os.getpid()}", ".tour-guide"]))

    def test_without_gnuplot_nothing_is_left(self):
        folder = self.folder / "none"
        done = subprocess.run([GENERA, "tour", "-o", folder], env={"PATH": str(self.folder)},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("gnuplot", done.stderr)
        self.assertFalse(folder.exists())


if __name__ == "__main__":
    unittest.main()
