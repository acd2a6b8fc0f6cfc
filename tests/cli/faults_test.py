"""What fails around the program: full and closed outputs, limits, signals, names that attack."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import time
import unittest

from support import CliTest, GENERA, CRASH, DATA, seconds

SANITIZED = bool(os.environ.get("GENERA_SANITIZE"))  # sanitizers reserve more than any limit allows


def run_in_shell(command, **options):
    """The command line as a shell runs it; genera is $G."""
    return subprocess.run(["bash", "-c", command], env={**os.environ, "G": GENERA}, timeout=seconds(60),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **options)


class Faults(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "iris.json"
        self.ok("fit", "@iris", "-o", self.model)

    def shell(self, command, **options):
        return run_in_shell(command, cwd=self.folder, **options)

    def test_words_that_nobody_can_hear_do_not_stop_the_work(self):
        for sink in ("2>/dev/full", "2>&-"):
            with self.subTest(sink=sink):
                done = self.shell(f"$G fit @iris -o again.json {sink}")
                self.assertEqual(done.returncode, 0)
                self.assertEqual((self.folder / "again.json").read_bytes(),
                                 self.model.read_bytes())
                self.assertEqual(self.shell(f"$G fit no.csv {sink}").returncode, 1)
                self.assertEqual(self.shell(f"$G fitt {sink}").returncode, 2)

    def test_what_is_offered_for_a_name_that_cannot_be_shown_can_be_typed(self):
        name = 'a \x1b[31m\n"it\'s"\\'
        quoted = '"' + name.replace('"', '""') + '"'
        self.write("odd.csv", f"{quoted},label\n" + "".join(f"{i}.5,{'xy'[i % 2]}\n"
                                                            for i in range(30)) + "w,x\n")
        said = self.shell("$G fit odd.csv --model lda").stderr.decode()
        offered = re.findall(r"--type \$'(?:[^'\\]|\\.)*'", said)
        self.assertEqual(len(offered), 1, said)
        done = self.shell(f"$G fit odd.csv --model gnb {offered[0]}")
        self.assertEqual(done.returncode, 0, done)

    def test_no_file_takes_the_place_of_a_closed_descriptor(self):
        expected = self.shell("$G predict iris.json @iris").stdout
        for closed in ("2>&-", "<&-", "<&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                done = self.shell(f"$G predict iris.json @iris -o p.csv {closed}")
                self.assertEqual(done.returncode, 0)
                self.assertEqual((self.folder / "p.csv").read_bytes(), expected)
        done = self.shell("$G predict iris.json - <&-")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"standard input: cannot be read: Bad file descriptor\n"
                      b"hint: redirect it from a file or a pipe\n", done.stderr)

    def test_output_that_cannot_be_written_is_told_with_the_reason(self):
        for verb in ("sample iris.json -n 100000", "predict iris.json @iris", "score iris.json @iris",
                     "impute iris.json @iris --draws 2", "impute iris.json @iris", "datasets",
                     "inspect iris.json", "evaluate iris.json @iris", "--version", "help"):
            for sink, reason in ((">/dev/full", "No space left on device"),
                                 (">&-", "Bad file descriptor")):
                with self.subTest(verb=verb, sink=sink):
                    done = self.shell(f"$G {verb} {sink}")
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(f"genera: error: standard output cannot be written: {reason}\nhint: ",
                                  done.stderr.decode())

    def test_a_limit_of_file_sizes(self):
        before = set(os.listdir(self.folder))
        done = self.shell("ulimit -S -f 100; $G sample iris.json -n 100000 -o rows.csv")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"rows.csv: cannot be written: File too large\nhint: raise the limit of file "
                      b"sizes, which ulimit -f shows", done.stderr)
        self.assertEqual(set(os.listdir(self.folder)), before)
        raised = self.shell("ulimit -S -f 100; ulimit -S -f unlimited; "
                            "$G sample iris.json -n 100000 -o rows.csv")
        self.assertEqual(raised.returncode, 0, raised.stderr)

    def interrupted(self, number):
        """What is left of a file that is being written when a signal comes."""
        before = set(os.listdir(self.folder))
        process = subprocess.Popen([GENERA, "sample", self.model, "-n", "1000000000", "-o",
                                    self.folder / "rows.csv"], stderr=subprocess.DEVNULL)
        try:
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=0.3)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=seconds(30)), -number)
        finally:
            process.kill()
            process.wait()
        return set(os.listdir(self.folder)) - before

    def test_signals_leave_no_partial_file(self):
        for number in (signal.SIGUSR1, signal.SIGABRT, signal.SIGXCPU, signal.SIGQUIT):
            with self.subTest(signal=number):
                self.assertEqual(self.interrupted(number), set())

    def test_kill_leaves_no_partial_file(self):
        try:
            os.close(os.open(self.folder, os.O_TMPFILE | os.O_WRONLY))
        except OSError:
            self.skipTest("this file system has no files without a name")
        self.assertEqual(self.interrupted(signal.SIGKILL), set())

    def refused_with(self, limit, *arguments):
        """Refused within `limit` bytes of memory and some seconds."""
        def bounded():
            if not SANITIZED:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        done = subprocess.run([GENERA, *map(str, arguments)], capture_output=True, timeout=seconds(60),
                              preexec_fn=bounded, check=False)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, 1, said)
        self.assertIsNone(CRASH.search(said), said)
        self.assertNotIn("not enough memory", said)
        return said

    def done_within(self, limit, *arguments):
        """Done within `limit` bytes of memory; returns the process."""
        def bounded():
            if not SANITIZED:
                resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        done = subprocess.run([GENERA, *map(str, arguments)], capture_output=True, timeout=seconds(300),
                              preexec_fn=bounded, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done

    def test_many_columns(self):
        chance = random.Random(3)
        columns = 12000
        table = self.write("wide.csv", ",".join(f"c{j}" for j in range(columns)) + ",label\n" + "".join(
            ",".join(f"{chance.gauss(i % 2, 1):.3f}" for _ in range(columns)) + f",{'ab'[i % 2]}\n"
            for i in range(8)))
        # Ten folds of full covariances would be 23 GB.
        said = self.done_within(2 << 30, "fit", table, "-o", self.folder / "wide.json").stderr.decode()
        self.assertRegex(said, "auto: (gnb|dlda)")
        done = self.done_within(2 << 30, "select", table, "--models", "gnb,lda", "--folds", "4", "--json")
        lda = next(c for c in json.loads(done.stdout)["candidates"] if c["model"] == "lda")
        self.assertIn("need 2 GB", json.dumps(lda))
        said = self.refused_with(2 << 30, "cluster", table)
        self.assertIn("use fewer columns (--features, --drop), or fit --model gnb", said)

    def test_long_texts(self):
        chance = random.Random(4)
        words = [f"w{i}" for i in range(20000)]
        rows = "".join(" ".join(chance.choices(words, k=12000)) + f",{'ab'[i % 2]}\n" for i in range(6))
        table = self.write("long.csv", "text,label\n" + rows)
        model = self.folder / "long.json"
        self.done_within(1 << 30, "fit", table, "--model", "multinomial", "--type", "text=text", "-o", model)
        # Ten thousand rows as long as these, in memory, would be gigabytes.
        tails = self.done_within(1 << 30, "score", model, table).stdout.decode().split()
        self.assertEqual(len(tails), 7)

    def test_a_model_that_claims_many_components(self):
        classes = 20000
        model = self.write("m.json", json.dumps({
            "format": "genera-model", "version": 1,
            "classes": [{"name": str(k)} for k in range(classes)],
            "blocks": [{"type": "mixture", "structure": "gnb", "features": ["a"],
                        "components": [1000000] * classes, "weights": [1], "means": [[0]],
                        "variances": [[1]]}]}))
        said = self.refused_with(2 << 30, "inspect", model)
        self.assertIn("'blocks[0].weights' has 1 entry, expected 20000000000", said)

    def test_devices_without_an_end(self):
        for device in ("/dev/zero", "/dev/urandom"):
            for verb, *arguments in (("inspect", device), ("predict", device, "@iris"),
                                     ("merge", device, device), ("fit", device),
                                     ("predict", self.model, device)):
                with self.subTest(verb=verb, device=device):
                    said = self.refused_with(2 << 30, verb, *arguments)
                    self.assertIn(device, said)
                    self.assertLess(len(said), 2000)

    def test_long_names_are_not_repeated(self):
        name = "n" * 5_000_000
        data = self.write("d.csv", f"{name},label\n1,a\n2,b\nx,a\n")
        model = self.write("m.json", json.dumps({"format": name, "version": 1}))
        for arguments in (("fit", data, "--type", f"{name[:100_000]}=count"),
                          ("predict", self.model, data), ("inspect", model),
                          ("fit", data, "--target", "n" * 100_000)):
            with self.subTest(arguments=str(arguments)[:60]):
                self.assertLess(len(self.refused(*arguments)), 4000)
        fitted = self.ok("fit", data)
        self.assertLess(len(fitted.out + fitted.err), 10_000)

    def test_names_do_not_reach_the_terminal_as_they_are(self):
        attack = "\x1b]0;owned\x07\x1b[2J"
        data = self.write("d.csv", f"{attack}a,label\n1,{attack}x\n2,y\n3,{attack}x\n5,y\n4,y\n")
        model = self.folder / "m.json"
        fitted = self.ok("fit", data, "-o", model)
        for result in (fitted, self.ok("inspect", model), self.ok("evaluate", model, data),
                       self.ok("stats", data), self.ok("fit", data)):
            self.assertNotRegex(result.out + result.err, "[\x00-\x09\x0b-\x1f\x7f]")
        self.assertNotRegex(self.refused("predict", model, "@iris"), "[\x00-\x09\x0b-\x1f\x7f]")
        kept = self.ok("predict", model, data, "--keep")  # data are data
        self.assertIn(attack, kept.out)


class Disturbances(CliTest):
    """Whatever happens around a run: the answer is right or there is none, and nothing is left."""

    def setUp(self):
        super().setUp()
        header, *rows = (DATA / "digits.csv").read_bytes().splitlines(keepends=True)
        self.rows = self.write("rows.csv", header + b"".join(rows) * 10)
        self.model = self.folder / "model.json"
        self.ok("fit", self.rows, "--model", "gnb", "-o", self.model)

    def has_unnamed_files(self):
        try:
            os.close(os.open(self.folder, os.O_TMPFILE | os.O_WRONLY))
        except OSError:
            return False
        return True

    def test_kill_at_random_moments_leaves_the_old_file_or_the_new_one(self):
        jobs = {"model": ["fit", self.rows, "--model", "gnb"],
                "answers": ["predict", self.model, self.rows, "--proba"],
                "statistics": ["stats", self.rows], "sample": ["sample", self.model, "-n", "20000"]}
        chance = random.Random(1)
        for name, words in jobs.items():
            out = self.folder / f"{name}.out"
            begin = time.monotonic()
            self.ok(*words, "-o", out)
            lasts = time.monotonic() - begin
            whole = out.read_bytes()
            before = set(os.listdir(self.folder))
            for trial in range(8):
                old = f"what was there {trial}".encode()
                out.write_bytes(old)
                process = subprocess.Popen([GENERA, *map(str, words), "-o", out],
                                           stderr=subprocess.DEVNULL)
                try:
                    process.wait(timeout=chance.uniform(0, 1.1 * lasts))
                except subprocess.TimeoutExpired:
                    pass
                process.kill()
                status = process.wait()
                left = out.read_bytes()
                with self.subTest(job=name, trial=trial, status=status):
                    self.assertIn(left, (old, whole))
                    if status == 0:
                        self.assertEqual(left, whole)
                    if self.has_unnamed_files():
                        # Between its link and the rename that replaces the old file a whole one
                        # has a name of its own: the system has no call for both at once.
                        for other in set(os.listdir(self.folder)) - before:
                            self.assertRegex(other, r"^\.genera-.*\.partial$")
                            self.assertEqual((self.folder / other).read_bytes(), whole)
                            (self.folder / other).unlink()

    def test_a_disk_that_fills_up(self):
        mounted = self.folder / "disk"
        mounted.mkdir()
        script = (f"mount -t tmpfs -o size=256k none {mounted} && cp {self.model} {mounted}/old && "
                  f"{GENERA} sample {self.model} -n 100000 -o {mounted}/$0; s=$?; "
                  f"ls -A {mounted}; cmp {self.model} {mounted}/old && exit $s")
        for name in ("new", "old"):
            done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                                   script, name], capture_output=True, timeout=seconds(60), check=False)
            if b"mount:" in done.stderr or b"unshare:" in done.stderr:
                self.skipTest("a small disk cannot be mounted here")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"cannot be written: No space left on device\nhint: ", done.stderr)
            self.assertEqual(done.stdout, b"old\n")

    def test_files_that_shrink_or_grow_while_they_are_read(self):
        answers = self.ok("predict", self.model, self.rows).out
        whole = self.rows.read_bytes()
        chance = random.Random(2)
        for trial in range(8):
            moving = self.write("moving.csv", whole)
            process = subprocess.Popen([GENERA, "predict", self.model, moving], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(chance.uniform(0, 0.15))
            if trial % 2 == 0:
                os.truncate(moving, chance.randrange(len(whole)))
            else:
                with open(moving, "ab") as more:
                    more.write(whole[-5000:])
            out, err = process.communicate(timeout=seconds(60))
            with self.subTest(trial=trial):
                self.assertIn(process.returncode, (0, 1), err)
                self.assertIsNone(CRASH.search(err), err)
                # The last row may be one that was cut.
                common = min(out.rfind("\n", 0, len(out) - 1), answers.rfind("\n", 0, -1))
                self.assertEqual(out[:max(common, 0)], answers[:max(common, 0)])

    def limited(self, kind, limit, *words):
        """A run within a limit: its answer is `right`, or it is refused by a sentence."""
        def bounded():
            resource.setrlimit(kind, (limit, limit))
        return subprocess.run([GENERA, *map(str, words)], capture_output=True, timeout=seconds(120),
                              preexec_fn=bounded, check=False)

    @unittest.skipIf(SANITIZED, "the sanitizer needs the memory")
    def test_every_limit_of_memory(self):
        jobs = (["predict", self.model, self.rows, "--proba", "--threads", "2"],
                ["fit", self.rows, "--model", "gnb", "--threads", "2", "--json"])
        for words in jobs:
            right = self.limited(resource.RLIMIT_AS, resource.RLIM_INFINITY, *words).stdout
            outcomes = set()
            for mebibytes in (12, 14, 17, 20, 24, 30, 37, 45, 55, 70, 90, 130, 200, 400):
                done = self.limited(resource.RLIMIT_AS, mebibytes << 20, *words)
                said = done.stderr.decode()
                if done.returncode == 127:  # the system could not load the program
                    continue
                with self.subTest(verb=words[0], mebibytes=mebibytes):
                    self.assertIn(done.returncode, (0, 1), said)
                    self.assertIsNone(CRASH.search(said), said)
                    if done.returncode == 0:
                        self.assertEqual(done.stdout, right)
                    else:
                        self.assertRegex(said, "genera: error: .*\n(genera: )?hint: ")
                outcomes.add(done.returncode)
            self.assertEqual(outcomes, {0, 1}, "both happen, or the limits are none")

    @unittest.skipIf(SANITIZED, "sanitizers are slow")
    def test_many_columns_of_few_values(self):
        columns = 60000
        table = self.write("flags.csv", ",".join(f"c{j}" for j in range(columns)) + ",label\n" + "".join(
            ",".join(value * columns) + "," + label + "\n" for value, label in ("1x", "2y", "1y", "2x")))
        # Each column must not be looked for among all others.
        done = self.limited(resource.RLIMIT_CPU, 20, "fit", table, "-o", self.folder / "flags.json")
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])

    def test_every_limit_of_descriptors(self):
        words = ["predict", self.model, self.rows, "-o", self.folder / "p.csv"]
        self.ok(*words)
        right = (self.folder / "p.csv").read_bytes()
        before = set(os.listdir(self.folder))
        outcomes = set()
        for most in range(3, 12):
            (self.folder / "p.csv").write_bytes(b"old")
            done = self.limited(resource.RLIMIT_NOFILE, most, *words)
            if done.returncode == 127:
                continue
            with self.subTest(descriptors=most):
                said = done.stderr.decode()
                self.assertIn(done.returncode, (0, 1), said)
                self.assertIsNone(CRASH.search(said), said)
                self.assertEqual((self.folder / "p.csv").read_bytes(),
                                 right if done.returncode == 0 else b"old")
                self.assertEqual(set(os.listdir(self.folder)), before)
                if done.returncode == 1:
                    self.assertRegex(said, "Too many open files\n(genera: )?hint: ")
            outcomes.add(done.returncode)
        self.assertEqual(outcomes, {0, 1}, "both happen, or the limits are none")

    def test_pipes_without_a_place_for_their_copy(self):
        for folder in ("/nonexistent", "/proc"):
            done = subprocess.run(["bash", "-c", f"cat {self.rows} | {GENERA} fit - --model gnb"],
                                  env={**os.environ, "TMPDIR": folder}, capture_output=True,
                                  timeout=seconds(60), check=False)
            said = done.stderr.decode()
            with self.subTest(folder=folder):
                self.assertIn(done.returncode, (0, 1), said)
                self.assertIsNone(CRASH.search(said), said)


if __name__ == "__main__":
    unittest.main()
