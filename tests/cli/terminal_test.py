"""What is different when a person looks on: colours, and how far a long job is."""

import os
import pty
import re
import signal
import subprocess
import threading
import time
import unittest

from support import GENERA, CliTest, csv_text

BOLD, YELLOW, RED = "\033[1m", "\033[33m", "\033[31m"


def pause_often(process):
    """Whatever takes a tenth of a second takes several."""
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.4)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.02)


def on_terminal(*arguments, env=None, streams=("stdout", "stderr"), paused=False, slowly=False):
    """What appears on a terminal to which the named streams go; paused, the run lasts longer than a second, and
    slowly each part of it does."""
    terminal, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update({"TERM": "xterm", **(env or {})})
    process = subprocess.Popen(
        [GENERA, *map(str, arguments)], stdin=subprocess.DEVNULL, env=environment,
        stdout=theirs if "stdout" in streams else subprocess.DEVNULL,
        stderr=theirs if "stderr" in streams else subprocess.DEVNULL)
    os.close(theirs)
    if paused:
        time.sleep(0.05)
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.1)
        process.send_signal(signal.SIGCONT)
    if slowly:
        threading.Thread(target=pause_often, args=(process,), daemon=True).start()
    shown = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux's way of telling that the other side is closed
            break
        if not part:
            break
        shown.append(part)
    os.close(terminal)
    process.wait()
    return b"".join(shown).decode().replace("\r\n", "\n")


class Colours(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit("@penguins", name="penguins.json")

    def test_headings_are_bold_on_a_terminal_only(self):
        shown = on_terminal("inspect", self.model)
        self.assertIn(f"{BOLD}means\033[0m\n", shown)
        plain = self.ok("inspect", self.model).out
        self.assertNotIn("\033", plain)
        self.assertEqual(re.sub(r"\033\[\d+m", "", shown), plain)

    def test_warnings_and_errors(self):
        table = self.write("t.csv", "x,y\n1,a\n2,b\n3,c\n")
        model = self.fit(self.write("u.csv", "x,y\n1,a\n2,a\n3,b\n5,b\n"), name="u.json")
        self.assertIn(f"genera: {YELLOW}warning:\033[0m 1 row is left out",
                      on_terminal("evaluate", model, table))
        self.assertIn(f"genera: {RED}error:\033[0m ", on_terminal("fit", "nowhere.csv"))

    def test_nobody_who_says_no_gets_colours(self):
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with self.subTest(env=env):
                self.assertNotIn("\033", on_terminal("inspect", self.model, env=env))
                self.assertNotIn("\033[3", on_terminal("fit", "nowhere.csv", env=env))
        self.assertIn(BOLD, on_terminal("inspect", self.model, env={"NO_COLOR": ""}))

    def test_json_and_csv_have_none(self):
        for arguments in (("inspect", self.model, "--json"), ("predict", self.model, "@penguins"),
                          ("sample", self.model, "-n", "3")):
            self.assertNotIn("\033", on_terminal(*arguments, streams=("stdout",)))

    def test_each_stream_is_judged_alone(self):
        self.assertIn("genera: error: ", self.refused("fit", "nowhere.csv"))
        self.assertNotIn(RED, self.refused("fit", "nowhere.csv"))


class Progress(CliTest):
    def sample(self, *options, **how):
        return on_terminal("sample", self.fit("@iris"), "-n", "600000", "--threads", "1", *options, **how)

    def test_of_a_sample_to_a_file_tells_the_time_left(self):
        shown = self.sample("-o", self.folder / "s.csv", paused=True)
        self.assertRegex(shown, r"\rgenera: \d+ of 600000 rows, about \d+ s left\033\[K")
        self.assertTrue(shown.endswith("\r\033[K"), shown[-80:])

    def test_only_on_a_terminal_and_not_if_quiet(self):
        self.assertEqual(self.sample("-o", self.folder / "s.csv", "--quiet", paused=True), "")
        self.assertEqual(self.sample("-o", self.folder / "s.csv", paused=True, streams=("stdout",)), "")

    def test_never_between_rows_that_are_shown(self):
        self.assertNotIn("\033", self.sample(paused=True))

    def test_of_reading_tells_the_share_of_the_file_after_the_announcement(self):
        line = ",".join(f"{j}.{j * 7919 % 9973}" for j in range(20))
        body = "".join(f"{i}.5,{line},{'ab'[i % 2]}\n" for i in range(1000))
        data = self.write("large.csv", "x," + ",".join(f"x{j}" for j in range(20)) + ",kind\n" + body * 500)
        shown = on_terminal("stats", data, "-o", self.folder / "s.json", "--threads", "1", paused=True)
        self.assertRegex(shown, r"\rgenera: \d+ rows, \d+% of the file, about \d+ s left\033\[K")
        self.assertEqual(shown.count("target: 'kind'"), 1, shown)
        self.assertLess(shown.index("target: 'kind'"), shown.index("% of the file"))

    def test_of_candidates(self):
        rows = [[(i * (j + 3) * 7919 % 1009) / 100.0 for j in range(6)] for i in range(2000)]
        data = self.write("c.csv", csv_text([f"x{j}" for j in range(6)], rows))
        shown = on_terminal("cluster", data, "--components", "1-4", "--starts", "2", "--threads", "1",
                            paused=True)
        self.assertRegex(shown, r"genera: \d+ of 16 candidates")
        self.assertEqual(shown.count("groups are found by"), 1)
        self.assertLess(shown.index("groups are found by"), shown.index("of 16 candidates"))

    def test_of_fits_tells_of_each(self):
        rows = [[*((i * (j + 3) * 7919 % 1009) / 100.0 for j in range(6)), "ab"[i % 2]] for i in range(60000)]
        data = self.write("f.csv", csv_text([*(f"x{j}" for j in range(6)), "y"], rows))
        for arguments, fits in ((("select", data, "--models", "qda,logistic"), 20),
                                (("compare", data, "--pairs", "qda", "--repeats", "1"), None),
                                (("fit", data, "--fast", "-o", self.folder / "m.json"), None)):
            with self.subTest(verb=arguments[0]):
                shown = on_terminal(*arguments, "--threads", "1", slowly=True)
                self.assertRegex(shown, rf"\rgenera: \d+ of {fits or '[0-9]+'} fits, about \d+ (s|min) left\033\[K")


if __name__ == "__main__":
    unittest.main()
