"""The commands that README and the pages of docs show: they print what stands there."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import DATA, GENERA, CliTest, seconds

ROOT = DATA.parent
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
# Digits beyond these depend on the compiler and the machine, and EM stops within 1e-8.
RELATIVE = 1e-7


def blocks(page):
    """Indented blocks of a page with a command in them, as lists of lines."""
    found, lines = [], []
    for line in [*page.read_text(encoding="utf-8").splitlines(), "end"]:
        if line.startswith("    "):
            lines.append(line[4:])
        elif not line.strip() and lines:
            lines.append("")
        else:
            if any(shown.startswith("$ ") for shown in lines):
                while not lines[-1]:
                    lines.pop()
                found.append(lines)
            lines = []
    return found


def commands(lines):
    """(command, the lines it prints) of a block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def unit_of(text):
    """What the last digit of a number stands for."""
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def differs(shown, printed):
    """Whether two lines differ in words, or in numbers by more than they show."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return True
    return any(abs(float(a) - float(b)) > max(0 if float(a).is_integer() and "." not in a
                                             else 1.01 * unit_of(a), RELATIVE * abs(float(a)))
               for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)))


# At least so many commands are found on the pages that live by them.
COMMANDS = {"README.md": 5, "docs/tutorial.md": 20, "docs/command-line.md": 25}


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Pages(CliTest):
    def run_shown(self, command, folder):
        path = f"{pathlib.Path(GENERA).parent}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds(300), check=False,
                              env={**os.environ, "PATH": path})
        return done.stdout.decode()

    def check_page(self, page):
        """Runs its commands in an empty folder, as a reader does who follows it; how many there are."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        checked = 0
        for lines in blocks(page):
            for command, shown in commands(lines):
                with self.subTest(page=page.name, command=command):
                    printed = self.run_shown(command, folder).splitlines()
                    self.assertEqual(len(printed), len(shown), "\n".join(printed))
                    for a, b in zip(shown, printed):
                        self.assertFalse(differs(a, b), f"shown:   {a}\nprinted: {b}")
                    checked += 1
        return checked

    def test_print_what_is_shown(self):
        checked = {str(page.relative_to(ROOT)): self.check_page(page) for page in pages()}
        for name, least in COMMANDS.items():
            self.assertGreaterEqual(checked[name], least, name)

    def test_options_exist(self):
        """Also of commands about files that are not there."""
        help_of = {}
        for page in pages():
            text = page.read_text(encoding="utf-8")
            for verb, rest in re.findall(r"^ {4}(?:\$ )?genera (\w+)(.*)", text, re.M):
                if verb not in help_of:
                    help_of[verb] = self.ok("help", verb).out
                for option in re.findall(r"(?<!\S)--[a-z-]+", rest.partition("|")[0]):
                    self.assertRegex(help_of[verb], rf"{option}(?![\w-])",
                                     f"{page.name}: genera {verb}{rest}")


class Comparison(unittest.TestCase):
    """The comparison itself can fail."""

    def test_words_and_shown_digits_count(self):
        for shown, printed, wrong in (("BIC 2344.99", "BIC 2344.9851", False),
                                      ("BIC 2344.99", "BIC 2340.99", True),
                                      ("150 rows", "151 rows", True),
                                      ("150 rows", "150 lines", True),
                                      ("p 0.12345678901234567", "p 0.12345678901299999", False),
                                      ("p 0.12345678901234567", "p 0.123456", True),
                                      ("change 1.0e-08", "change 9.9e-09", False)):
            self.assertEqual(differs(shown, printed), wrong, (shown, printed))


if __name__ == "__main__":
    unittest.main()
