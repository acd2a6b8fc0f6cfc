"""Files, pipes and threads: the same bits from each, and good manners when something ends early."""

import gzip
import os
import select
import signal
import subprocess
import time
import unittest

from support import DATA, FAMILY, GENERA, CliTest, csv_text, run, three_classes, seconds

IRIS = DATA / "iris.csv"


class SameBits(CliTest):
    """Enough rows for several blocks and threads to share."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sample = three_classes(seed=1, d=4, counts=(9000, 7000, 14000))
        cls.text = cls.sample.text()

    def setUp(self):
        super().setUp()
        self.data = self.write("d.csv", self.text)

    def test_any_number_of_threads(self):
        for family in FAMILY:
            with self.subTest(family=family):
                seen = set()
                for threads in (1, 2, 5):
                    model = self.fit(self.data, "--model", family, "--threads", threads)
                    seen.add((model.read_bytes(), *(
                        self.ok(*ask, "--threads", threads).out for ask in (
                            ("predict", model, self.data, "--proba", "--joint"),
                            ("score", model, self.data),
                            ("evaluate", model, self.data, "--json")))))
                self.assertEqual(len(seen), 1)

    def test_threads_and_ledoit_wolf(self):
        models = {self.fit(self.data, "--model", "qda", "--shrinkage", "lw",
                           "--threads", threads).read_bytes() for threads in (1, 2, 5)}
        self.assertEqual(len(models), 1)

    def test_threads_and_statistics(self):
        seen = set()
        for threads in (1, 2, 5):
            path = self.folder / "s.stats"
            self.ok("stats", self.data, "-o", path, "--threads", threads)
            seen.add(path.read_bytes())
        self.assertEqual(len(seen), 1)

    def test_file_pipe_and_gzip(self):
        packed = self.write("d.csv.gz", gzip.compress(self.text.encode(), 1))
        model = self.fit(self.data, "--model", "qda")
        piped = self.fit("-", "--model", "qda", name="piped.json", stdin=self.text)
        zipped = self.fit(packed, "--model", "qda", name="zipped.json")
        self.assertEqual(piped.read_bytes(), model.read_bytes())
        self.assertEqual(zipped.read_bytes(), model.read_bytes())
        for verb, options in (("predict", ("--proba",)), ("score", ()), ("evaluate", ("--json",))):
            with self.subTest(verb=verb):
                whole = self.ok(verb, model, self.data, *options).out
                self.assertEqual(self.ok(verb, model, packed, *options).out, whole)
                self.assertEqual(self.ok(verb, model, "-", *options, stdin=self.text).out, whole)

    def test_statistics_through_standard_input(self):
        statistics = self.folder / "s.json"
        self.ok("stats", self.data, "-o", statistics)
        model = self.fit(statistics).read_bytes()
        for content in (statistics.read_bytes(), gzip.compress(statistics.read_bytes())):
            with open(self.write("in", content), "rb") as stdin:
                result = subprocess.run([GENERA, "fit", "-", "-o", self.folder / "m.json"],
                                        stdin=stdin, capture_output=True, check=False)
            self.assertEqual(result.returncode, 0, result)
            self.assertEqual((self.folder / "m.json").read_bytes(), model)
            other = self.ok("merge", "-", statistics, stdin=content).out
            self.assertEqual(other, self.ok("merge", statistics, statistics).out)

    def test_statistics_are_no_table_in_a_pipe(self):
        statistics = self.folder / "s.json"
        self.ok("stats", self.data, "-o", statistics)
        self.refused("fit", "-", stdin=statistics.read_text(), status=1, mentions=(
            "standard input: is a JSON document, not a table",
            "statistics that take the place of rows must be in a file, not in a pipe"))

    def test_files_that_are_cut_off(self):
        for ending in ("json", "cbor"):
            statistics, model = self.folder / f"s.{ending}", self.folder / f"m.{ending}"
            self.ok("stats", self.data, "-o", statistics)
            self.ok("fit", self.data, "--model", "lda", "-o", model)
            whole = statistics.read_bytes()
            half = self.write(f"half.{ending}", whole[:len(whole) // 2])
            for words in (("fit", half), ("merge", statistics, half), ("merge", half, statistics),
                          ("forget", half, self.data), ("forget", statistics, half)):
                with self.subTest(words=words):
                    self.refused(*words, status=1, mentions=(
                        f"{half}: the file of statistics ends too early",
                        "it was cut off: copy it again, or make the statistics again"))
            self.refused("select", half, status=2, mentions=("holds statistics",))
            half = self.write(f"half.{ending}", model.read_bytes()[:200])
            for words in (("predict", half, self.data), ("inspect", half)):
                with self.subTest(words=words):
                    self.refused(*words, status=1, mentions=(
                        f"{half}: the model file ends too early",
                        "it was cut off: copy it again, or fit the model again"))

    def test_files_of_nothing(self):
        nothing = self.write("nothing", bytes(1 << 20))
        model = self.fit(self.data)
        for words in (("fit", nothing), ("predict", model, nothing),
                      ("fit", nothing, "--format", "svmlight")):
            self.refused(*words, status=1, mentions=(f"{nothing}: holds NUL bytes, not text",
                                                     "it is damaged, or was never written"))
        self.refused("predict", nothing, self.data, status=1,
                     mentions=(f"{nothing}: the model file holds NUL bytes only",))

    def test_a_summary_says_that_it_is_one(self):
        self.assertIn("this was a summary; -o FILE writes the statistics themselves",
                      self.ok("stats", self.data).err)

    def test_a_model_is_no_table(self):
        model = self.fit(self.data)
        said = self.refused("predict", model, model, status=1,
                            mentions=(f"{model}: is a JSON document, not a table", "give rows"))
        self.assertNotIn("pipe", said)  # it is a file
        for words in (("fit", ""), ("predict", "", self.data), ("predict", model, "")):
            self.refused(*words, status=1, mentions=("the name of a file is empty",))

    def test_gzip_through_a_pipe(self):
        model = self.fit(self.data, "--model", "lda")
        packed = gzip.compress(self.text.encode(), 1)
        self.assertEqual(self.ok("predict", model, "-", stdin=packed).out,
                         self.ok("predict", model, self.data).out)

    def test_one_row_is_the_batch(self):
        lines = self.text.splitlines()
        for family in FAMILY:
            with self.subTest(family=family):
                model = self.fit(self.data, "--model", family)
                batch = self.ok("predict", model, self.data, "--proba", "--joint").out.splitlines()
                for i in (1, 2, 7, 4097, 29_999):
                    single = self.ok("predict", model, "-", "--proba", "--joint",
                                     stdin=f"{lines[0]}\n{lines[i]}\n").out.splitlines()
                    self.assertEqual(single, [batch[0], batch[i]])

    def test_rows_one_at_a_time_through_a_pipe(self):
        model = self.fit(self.data, "--model", "qda")
        lines = self.text.splitlines()[:200]
        with subprocess.Popen([GENERA, "predict", model, "-", "--proba"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            for line in lines:
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
            out, _ = process.communicate(timeout=seconds(60))
        whole = self.ok("predict", model, self.data, "--proba").out.splitlines()
        self.assertEqual(out.decode().splitlines(), whole[:200])

    def test_repeated_runs_are_equal(self):
        first = self.fit(self.data, "--model", "qda", name="one.json")
        time.sleep(1.1)
        self.assertEqual(first.read_bytes(),
                         self.fit(self.data, "--model", "qda", name="two.json").read_bytes())


class Memory(CliTest):
    """Compressed, because the pages of a mapped file would be counted too."""

    def peak(self, *arguments):
        """Largest resident size in MB; a sanitizer is told not to hoard freed memory."""
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8"}
        process = subprocess.Popen([GENERA, *map(str, arguments)], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss / 1024

    def test_does_not_grow_with_rows(self):
        head, *body = three_classes(seed=3, d=8, counts=(400, 300, 300)).text().splitlines(True)
        thousand = "".join(body).encode()
        few = self.write("few.csv.gz", gzip.compress(head.encode() + thousand * 100, 1))
        many = self.write("many.csv.gz", gzip.compress(head.encode() + thousand * 600, 1))
        model = self.fit(few, "--model", "qda")
        for verb, *first in (("fit",), ("predict", model), ("score", model), ("evaluate", model)):
            with self.subTest(verb=verb):
                growth = self.peak(verb, *first, many) - self.peak(verb, *first, few)
                self.assertLess(growth, 20, "half a million rows of eight numbers are 32 MB")


class Interactive(CliTest):
    def answer(self, process):
        """One line of the open pipe, or a failure if it does not come."""
        line = b""
        deadline = time.monotonic() + seconds(20)
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([process.stdout], [], [], deadline - time.monotonic())
            self.assertTrue(ready, f"no answer while the pipe stays open; so far {line}")
            byte = os.read(process.stdout.fileno(), 1)
            self.assertTrue(byte, "the program ended")
            line += byte
        return line.decode().rstrip("\n")

    def test_answers_while_the_pipe_stays_open(self):
        model = self.fit(IRIS, "--model", "lda")
        lines = IRIS.read_text().splitlines()
        expected = self.ok("predict", model, IRIS).out.splitlines()
        with subprocess.Popen([GENERA, "predict", model, "-"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(f"{lines[0]}\n{lines[1]}\n".encode())
            process.stdin.flush()
            self.assertEqual(self.answer(process), "prediction")
            self.assertEqual(self.answer(process), expected[1])
            for i in (2, 71, 134):
                process.stdin.write(f"{lines[i]}\n".encode())
                process.stdin.flush()
                self.assertEqual(self.answer(process), expected[i])
            process.stdin.close()
            self.assertEqual(process.stdout.read(), b"")
            self.assertEqual(process.wait(timeout=seconds(30)), 0)

    def test_a_wrong_row_after_right_ones(self):
        model = self.fit(IRIS, "--model", "lda")
        lines = IRIS.read_text().splitlines()
        text = "\n".join([*lines[:4], "1,2,oops,4,setosa"]) + "\n"
        self.refused("predict", model, "-", stdin=text, status=1,
                     mentions=(":5", "'petal_length'", "'oops'"))


class Manners(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.fit(IRIS, "--model", "qda")

    def test_a_closed_pipe_ends_quietly(self):
        names = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
        data = self.write("big.csv", csv_text(names, [[5.1, 3.5, 1.4, 0.2]] * 200_000))
        for command in (f"predict {self.model} {data} --proba", f"score {self.model} {data}"):
            with self.subTest(command=command):
                done = subprocess.run(
                    ["bash", "-c",
                     f"{GENERA} {command} --quiet | head -1; echo ${{PIPESTATUS[0]}}"],
                    capture_output=True, timeout=seconds(120), check=False)
                header, status = done.stdout.decode().splitlines()
                self.assertIn(header.split(",")[0], ("prediction", "log_density"))
                self.assertIn(int(status), (0, 141))
                self.assertEqual(done.stderr, b"")

    def opened_for_writing(self, fifo, process):
        """The FIFO, as soon as the program reads it; opening must not wait for ever."""
        for _ in range(200):
            self.assertIsNone(process.poll(), "the program ended before it read its input")
            try:
                return open(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK), "wb", buffering=0)
            except OSError:
                time.sleep(0.05)
        return self.fail("the program never opened its input")

    def interrupted(self, verb, number, *arguments):
        """Runs `verb` on a FIFO that stays open, sends a signal, returns the files left behind."""
        fifo = self.folder / "fifo.csv"
        os.mkfifo(fifo)
        before = set(os.listdir(self.folder))
        process = subprocess.Popen([GENERA, verb, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            with self.opened_for_writing(fifo, process) as pipe:
                pipe.write(IRIS.read_bytes())
                time.sleep(0.7)
                self.assertIsNone(process.poll(), "it waits for more rows")
                process.send_signal(number)
                status = process.wait(timeout=seconds(30))
        finally:
            process.kill()
            process.wait()
            fifo.unlink()
        self.assertNotEqual(status, 0)
        return set(os.listdir(self.folder)) - before

    def test_an_interrupt_leaves_no_file(self):
        fifo = self.folder / "fifo.csv"
        for number in (signal.SIGINT, signal.SIGTERM):
            for verb, *arguments in (("predict", self.model, fifo, "-o", self.folder / "p.csv"),
                                     ("fit", fifo, "-o", self.folder / "f.json"),
                                     ("stats", fifo, "-o", self.folder / "s.stats"),
                                     ("score", self.model, fifo, "-o", self.folder / "x.csv")):
                with self.subTest(verb=verb, signal=number):
                    self.assertEqual(self.interrupted(verb, number, *arguments), set())

    def test_an_interrupt_keeps_the_old_file(self):
        old = self.write("p.csv", "old\n")
        self.interrupted("predict", signal.SIGINT, self.model, self.folder / "fifo.csv", "-o", old)
        self.assertEqual(old.read_text(), "old\n")

    def test_an_error_leaves_no_file(self):
        bad = self.write("bad.csv", IRIS.read_text() + "1,2\n")
        before = set(os.listdir(self.folder))
        for verb in ("predict", "score", "evaluate"):
            with self.subTest(verb=verb):
                self.refused(verb, self.model, bad, "-o", self.folder / "out.csv", status=1,
                             mentions=("bad.csv:152",))
                self.assertEqual(set(os.listdir(self.folder)), before)

    def test_the_first_error_is_told_by_any_number_of_threads(self):
        lines = three_classes(seed=4, counts=(20_000, 10_000, 10_000)).text().splitlines(True)
        for line in (15_000, 25_000, 35_000):
            lines[line - 1] = "1,2\n"
        data = self.write("bad.csv", "".join(lines))
        for threads in (1, 2, 5, 5, 5):
            with self.subTest(threads=threads):
                self.refused("fit", data, "--threads", threads, status=1,
                             mentions=("bad.csv:15000",))

    def test_devices(self):
        for verb in ("predict", "score"):
            with self.subTest(verb=verb):
                self.ok(verb, self.model, IRIS, "-o", "/dev/null")
                self.assertFalse(os.path.isfile("/dev/null"))
        piped = self.ok("predict", self.model, IRIS, "-o", "/dev/stdout")
        self.assertEqual(piped.out, self.ok("predict", self.model, IRIS).out)

    def test_a_full_device_is_an_error(self):
        self.refused("predict", self.model, IRIS, "-o", "/dev/full", mentions=("/dev/full",))

    def test_full_standard_output_is_an_error(self):
        done = subprocess.run(f"{GENERA} predict {self.model} {IRIS} > /dev/full", shell=True,
                              capture_output=True, timeout=seconds(60), check=False)
        self.assertIn(done.returncode, (1, 2))
        self.assertIn(b"genera: error: ", done.stderr)

    def test_an_output_that_cannot_be_written(self):
        absent = self.folder / "no" / "such" / "folder.json"
        self.refused("fit", IRIS, "-o", absent, mentions=("folder.json",))
        self.refused("fit", IRIS, "-o", self.folder, mentions=(str(self.folder),))

    def test_output_onto_the_input(self):
        data = self.write("d.csv", IRIS.read_bytes())
        result = self.works_or_refuses("predict", self.model, data, "--keep", "-o", data,
                                       mentions=("d.csv",))
        if result.status != 0:
            self.assertEqual(data.read_bytes(), IRIS.read_bytes())
        self.assertEqual(len(data.read_text().splitlines()), 151)

    def test_no_progress_when_nobody_looks(self):
        data = self.write("d.csv", three_classes(seed=2, counts=(20_000, 20_000, 20_000)))
        self.assertNotIn("\r", run("fit", data).err)


if __name__ == "__main__":
    unittest.main()
