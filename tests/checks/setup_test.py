"""scripts/setup.sh on machines made of stubs: what is asked of apt, and what is said instead."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup.sh"
INSTALL = "-o DPkg::Lock::Timeout=300 -qq install -y --no-install-recommends"
COST = "-o DPkg::Lock::Timeout=300 install --assume-no --no-install-recommends"
UPDATE = "-o DPkg::Lock::Timeout=300 -qq update"


class Machine:
    """A PATH with nothing on it but stubs; `calls` is what apt-get was asked."""

    def __init__(self, folder, user=0):
        self.bin = pathlib.Path(folder)
        self.log = self.bin / "calls.log"
        for tool in ("sh", "env", "mkdir"):
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.add("id", f"echo {user}")

    def add(self, tool, script):
        path = self.bin / tool
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def add_apt(self, absent=(), status=0):
        pattern = "|".join(absent) or "none"
        self.add("dpkg-query", f'case "$3" in {pattern}) exit 1;; *) printf "installed ";; esac')
        self.add("apt-get", f'''echo "$DEBIAN_FRONTEND $*" >>{self.log}
case "$*" in
  *--assume-no*) echo "Reading lists"; echo "0 upgraded, 7 newly installed, 0 to remove"
    echo "Need to get 9 MB of archives."; echo "After this operation, 30 MB will be used."; exit 1 ;;
  *install*) echo "noise of apt"; echo "more noise" >&2 ;;
esac
exit {status}''')

    def setup(self, kind="build"):
        return subprocess.run(
            ["/bin/sh", SETUP, kind], env={"PATH": str(self.bin)}, cwd=self.bin, capture_output=True, text=True
        )

    def calls(self):
        return self.log.read_text().splitlines() if self.log.exists() else []


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_calls_nothing_if_everything_is_there(self):
        machine = Machine(self.folder)
        machine.add_apt()
        done = machine.setup()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(machine.calls(), [])

    def test_installs_only_what_is_missing(self):
        machine = Machine(self.folder)
        machine.add_apt(absent=["cmake", "zlib1g-dev"])
        self.assertEqual(machine.setup().returncode, 0)
        self.assertEqual(
            machine.calls(),
            [
                f"noninteractive {UPDATE}",
                f"noninteractive {COST} cmake zlib1g-dev",
                f"noninteractive {INSTALL} cmake zlib1g-dev",
            ],
        )

    def test_says_what_it_costs_and_nothing_else(self):
        machine = Machine(self.folder)
        machine.add_apt(absent=["cmake"])
        done = machine.setup()
        self.assertEqual(
            (done.stdout.splitlines(), done.stderr),
            (
                [
                    "setup: missing Debian packages will be installed, about a minute: cmake",
                    "setup:   0 upgraded, 7 newly installed, 0 to remove",
                    "setup:   Need to get 9 MB of archives.",
                    "setup:   After this operation, 30 MB will be used.",
                ],
                "",
            ),
        )
        self.assertEqual((machine.bin / "build/setup.log").read_text(), "noise of apt\nmore noise\n")

    def test_a_removed_package_with_leftover_configuration_is_missing(self):
        machine = Machine(self.folder)
        machine.add_apt()
        machine.add("dpkg-query", 'case "$3" in cmake) printf "config-files ";; *) printf "installed ";; esac')
        machine.setup()
        self.assertEqual(machine.calls()[-1], f"noninteractive {INSTALL} cmake")

    def test_the_program_needs_no_tools_of_tests(self):
        machine = Machine(self.folder)
        machine.add_apt(absent=["cmake", "clang", "libgtest-dev", "zsh", "mandoc", "gnuplot-nox"])
        machine.setup("program")
        self.assertEqual(machine.calls()[-1], f"noninteractive {INSTALL} cmake")

    def test_peers_of_the_benchmarks_come_with_bench_only(self):
        machine = Machine(self.folder)
        machine.add_apt(absent=["python3-venv"])
        machine.setup("build")
        self.assertEqual(machine.calls(), [])
        machine.setup("bench")
        self.assertEqual(machine.calls()[-1], f"noninteractive {INSTALL} python3-venv")

    def test_uses_sudo_only_if_not_root(self):
        machine = Machine(self.folder, user=1000)
        machine.add_apt(absent=["cmake"])
        machine.add("sudo", f'echo "sudo $1" >>{machine.log}; exec "$@"')
        machine.setup()
        self.assertEqual(machine.calls()[-2:], ["sudo env", f"noninteractive {INSTALL} cmake"])

    def test_says_the_line_to_run_with_neither_root_nor_sudo(self):
        machine = Machine(self.folder, user=1000)
        machine.add_apt(absent=["cmake", "clang"])
        done = machine.setup()
        self.assertEqual((done.returncode, machine.calls()), (0, []))
        self.assertIn("neither root nor sudo", done.stderr)
        self.assertIn("  apt-get update && apt-get install --no-install-recommends cmake clang\n", done.stderr)

    def test_goes_on_if_apt_fails(self):
        machine = Machine(self.folder)
        machine.add_apt(absent=["cmake"], status=100)
        done = machine.setup()
        self.assertEqual(done.returncode, 0)
        self.assertIn("apt-get install failed", done.stderr)
        self.assertIn("apt-get install --no-install-recommends cmake\n", done.stderr)

    def test_another_system_is_told_the_names(self):
        done = Machine(self.folder).setup()
        self.assertEqual(done.returncode, 0)
        self.assertIn("this system has no apt", done.stderr)
        self.assertIn("g++ make cmake ninja-build", done.stderr)

    def test_another_system_with_cmake_and_ninja_is_left_in_peace(self):
        machine = Machine(self.folder)
        machine.add("cmake", "")
        machine.add("ninja", "")
        self.assertEqual(machine.setup().stderr, "")

    def test_refuses_an_unknown_kind(self):
        self.assertEqual(Machine(self.folder).setup("nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
