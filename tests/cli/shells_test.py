"""The manual page and the completion of shells, which are made of the texts of the verbs."""

import re
import shutil
import subprocess
import unittest

from support import CliTest


class Manual(CliTest):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "genera.1"
        self.ok("help", "--man", "-o", self.page)

    def test_names_every_verb_and_option(self):
        text = self.page.read_text(encoding="utf-8").replace("\\-", "-")
        for verb in re.findall(r"^  (\w+) ", self.ok("help").out.split("Verbs:")[1].split("\n\n")[0], re.M):
            self.assertRegex(text, rf"(?m)^\.SS genera {verb}\b")
            for option in re.findall(r"^  (?:-\w, )?(--[\w-]+)", self.ok("help", verb).out, re.M):
                self.assertIn(option, text)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_finds_no_error(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "error", self.page],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.returncode, 0)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_finds_no_fault_and_shows_it(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", self.page], capture_output=True,
                              check=False)
        self.assertEqual(done.stderr.decode(), "")
        shown = re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout.decode())
        for words in ("genera fit DATA", "--model NAME", "EXIT STATUS", "NO_COLOR"):
            self.assertTrue(words in shown, words)
        self.assertNotIn("\\", shown)


class Bash(CliTest):
    def setUp(self):
        super().setUp()
        self.script = self.folder / "genera.bash"
        self.ok("help", "--completion", "bash", "-o", self.script)

    def completed(self, *words):
        """What bash offers for the last of the words."""
        done = subprocess.run(
            ["bash", "--norc", "-c",
             'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _genera; printf "%s\\n" "${COMPREPLY[@]}"',
             self.script, *words], capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_verbs(self):
        self.assertEqual(self.completed("genera", "pre"), ["predict"])
        self.assertIn("fit", self.completed("genera", ""))
        self.assertIn("--version", self.completed("genera", "--"))

    def test_options_are_those_of_the_verb(self):
        self.assertIn("--model", self.completed("genera", "fit", "@iris", "--mo"))
        self.assertEqual(self.completed("genera", "predict", "m.json", "--prob"), ["--proba"])
        self.assertEqual(self.completed("genera", "merge", "--proba"), [])

    def test_values_of_options(self):
        self.assertEqual(self.completed("genera", "fit", "@iris", "--model", "mult"), ["multinomial"])
        self.assertEqual(self.completed("genera", "fit", "@iris", "--ridge", ""), [])

    def test_data_sets_kinds_and_files(self):
        self.assertEqual(self.completed("genera", "fit", "@iri"), ["@iris"])
        self.assertIn("density", self.completed("genera", "plot", "dens"))
        self.assertEqual(self.completed("genera", "help", "clus"), ["cluster"])
        (self.folder / "flowers.csv").write_text("x", encoding="utf-8")
        self.assertEqual(self.completed("genera", "fit", "flow"), ["flowers.csv"])
        self.assertEqual(self.completed("genera", "fit", "@iris", "-o", "flow"), ["flowers.csv"])


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(CliTest):
    def offered(self, *words):
        """What the function hands to zsh's own ones, which only a line editor has."""
        script = self.folder / "_genera"
        self.ok("help", "--completion", "zsh", "-o", script)
        stubs = ('_describe() { print -l -- ${(P)@[-1]} }; compadd() { shift; print -l -- $@ }; '
                 '_files() { print files }; words=("${@[2,-1]}"); CURRENT=$#words; source "$1"')
        done = subprocess.run(["zsh", "-f", "-c", stubs, "zsh", script, *words],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_offers(self):
        self.assertTrue(any(line.startswith("fit:learn") for line in self.offered("genera", "")))
        self.assertTrue(any(line.startswith("--proba:")
                            for line in self.offered("genera", "predict", "-")))
        self.assertIn("multinomial", self.offered("genera", "fit", "@iris", "--model", ""))
        self.assertIn("@iris", self.offered("genera", "fit", "@"))
        self.assertEqual(self.offered("genera", "fit", ""), ["files"])


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(CliTest):
    def completed(self, line):
        script = self.folder / "genera.fish"
        self.ok("help", "--completion", "fish", "-o", script)
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                              capture_output=True, text=True, cwd=self.folder, check=False)
        self.assertEqual(done.stderr, "")
        return [word.split("\t")[0] for word in done.stdout.splitlines()]

    def test_offers(self):
        self.assertEqual(self.completed("genera pre"), ["predict"])
        self.assertIn("--proba", self.completed("genera predict m.json --pro"))
        self.assertEqual(self.completed("genera fit @iris --model mult"), ["multinomial"])
        self.assertIn("@iris", self.completed("genera fit @ir"))


class Refusals(CliTest):
    def test_questions_are_asked_one_at_a_time(self):
        self.refused("help", "fit", "--man", "--completion", "bash", status=2)
        self.assertIn("expected bash, zsh or fish",
                      self.refused("help", "--completion", "csh", status=2))


if __name__ == "__main__":
    unittest.main()
