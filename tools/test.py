#!/usr/bin/env python3
# guardjit: tools/test.py: runs the rows of the test table and counts
# SPDX-License-Identifier: BSL-1.0
"""test.py [--all[=K/N]] [ROW…]: all rows, or those named. --all compiles every function of the golden values,
random expression and row of the op table, or the K-th of N parts of them, else a share.
The last line is `N passed, N failed`; full logs are in build/."""
import collections
import json
import os
import pathlib
import re
import shutil
import sys
import time

from checks import CORES, ROOT, run

BUILD = ROOT / "build"
ADDR2LINE = shutil.which("addr2line")  # from binutils; clang-16 comes without a symbolizer of its own
TESTS_ONLY = ["-Dtests=enabled", "-Dbench=disabled", "-Dexamples=disabled", "-Dcuda=disabled"]
WITH_PROGRAMS = ["-Dtests=enabled", "-Dbench=auto", "-Dexamples=enabled", "-Dcuda=disabled"]
# What is tested is the result, not the speed; kernels are optimized (see tests/meson.build). Merged units instantiate
# once what their files have in common.
QUICK = ["-Doptimization=0", "-Ddebug=false", "-Dmerged_tests=true", "-Dunity_size=4"]
# How many functions of the golden values are compiled (see tests/golden/README.md); instrumented ones take longer.
GOLDEN = {"gcc": "24", "clang": "16", "sanitizers": "8", "threads": "0"}
# How many random expressions, each called 5,000 times, and rows of the op table (see tests/paths/generate.py).
EXPRESSIONS = {"gcc": "3", "clang": "3", "sanitizers": "2", "threads": "0"}
OPS = {"gcc": "4", "clang": "4", "sanitizers": "4", "threads": "0"}
SHOWN = ("golden values, ", "random expressions: ", "ops on each path: ")
SANITIZED = [*QUICK, "-Db_lundef=false", *TESTS_ONLY]
# A fifth of g++'s time goes into collecting garbage that fits into memory.
KEEPS_GARBAGE = "--param=ggc-min-heapsize=2000000"
# Packets have other widths and tails under -march=native: one compiler each tests with and without.
# Sanitizers by clang: in g++ they make constant expressions non-constant. Line numbers of what AddressSanitizer finds
# would take a quarter of the time; UndefinedBehaviorSanitizer has its own.
BUILD_ROWS = {
    "gcc": ("g++", [*QUICK, f"-Dcpp_args=-march=native {KEEPS_GARBAGE}", *WITH_PROGRAMS]),
    # What the row `sanitizers` builds by the same compiler, checks apart, is not built twice; static facts are here.
    "clang": ("clang++-16", [*QUICK, "-Dunit_tests=kernels", *TESTS_ONLY[:2],
                             "-Dexamples=enabled", "-Dcuda=disabled"]),
    "sanitizers": ("clang++-16", [*SANITIZED, "-Db_sanitize=address,undefined",
                                  "-Dcpp_args=-fno-sanitize-recover=all -march=native"]),
    "threads": ("clang++-16", [*SANITIZED, "-Doptimization=1", "-Db_sanitize=thread", "-Dcpp_args=-g1"]),
}
SCRIPT_ROWS = {
    "form": ["tests/headers/form.py"],
    "headers": ["tests/headers/alone.py"],
    "budgets": ["tests/headers/budgets.py"],
    "readme": ["tests/readme.py"],
    "compile_fail": ["tests/compile_fail/run.py"],
    "conformance": ["tests/conformance/report.py", "build/test-gcc/cases.tsv"],
    "install": ["tests/install/run.py"],
}
ROWS = ["form", "headers", "budgets", "readme", "compile_fail", "gcc", "clang", "conformance", "sanitizers", "threads",
        "install", "cuda"]


class Row:
    """What one row found: numbers, and lines to show under it."""

    def __init__(self):
        self.passed = self.failed = 0
        self.skipped = ""
        self.lines = []

    def count(self, passed, text):
        self.passed += bool(passed)
        self.failed += not passed
        if not passed:
            self.lines.append(f"FAILED {text}")


def configure(folder, compiler, options):
    again = ["--reconfigure"] if (folder / "build.ninja").exists() else []
    if not again:
        shutil.rmtree(folder, ignore_errors=True)
    return run(["meson", "setup", *again, folder, *options], cwd=ROOT, env={**os.environ, "CXX": compiler})


def build(row, folder, compiler, options, targets=()):
    """Configures and builds; True when all was built. Units that only compile count one each."""
    result = configure(folder, compiler, options)
    if result.returncode != 0:
        row.count(False, f"meson setup:\n{result.output[-3000:]}")
        return False
    result = run(["ninja", "-C", folder, "-k", "0", "-j", CORES, *targets])
    (folder / "build.log").write_text(result.output, encoding="utf-8")
    broken = re.findall(r"^FAILED: (\S+)", result.output, re.MULTILINE)
    for name in broken:
        row.count(False, f"to build {name}")
    if result.returncode != 0:
        errors = [line for line in result.output.splitlines() if re.search(r"\berror: |undefined reference", line)]
        row.lines += ["  " + line[:300] for line in errors[:20]] + [f"  all of it: {folder}/build.log"]
        row.failed += not broken
    commands = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = [entry for entry in commands if re.search(r"/tests/static/|/bench/", entry["file"])]
    row.passed += sum(1 for entry in compiled if entry["output"] not in broken) if not targets else 0
    return result.returncode == 0


def execute(row, folder, suite=None, prefix=()):
    """Runs meson's tests. A program that wrote its cases counts by case, any other as one."""
    cases_file = folder / "cases.tsv"
    cases_file.unlink(missing_ok=True)
    log = folder / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    environment = {
        **os.environ, "GUARDJIT_CASES": str(cases_file), "MESON_TESTTHREADS": str(CORES),
        "ASAN_OPTIONS": f"detect_leaks=1:detect_stack_use_after_return=1:external_symbolizer_path={ADDR2LINE}",
        "UBSAN_OPTIONS": f"print_stacktrace=1:external_symbolizer_path={ADDR2LINE}",
        "TSAN_OPTIONS": f"halt_on_error=1:external_symbolizer_path={ADDR2LINE}",
    }
    known = json.loads((folder / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    tests = [test for test in known if suite is None or f"guardjit:{suite}" in test["suite"]]
    built = [test["name"] for test in tests
             if all(pathlib.Path(word).exists() for word in test["cmd"] if word.startswith("/"))]
    if built:
        result = run([*prefix, "meson", "test", "-C", folder, "--no-rebuild", *built], env=environment)
        if not log.exists():
            row.count(False, f"meson test:\n{result.output[-3000:]}")
            return

    cases = collections.defaultdict(list)
    for line in cases_file.read_text(encoding="utf-8").splitlines() if cases_file.exists() else []:
        program, outcome, _, place, name = line.split("\t", 4)
        cases[program].append((outcome == "passed", f"{name} ({place})"))
    for line in log.read_text(encoding="utf-8").splitlines() if built else []:
        test = json.loads(line)
        ran = cases.get(pathlib.Path(test["command"][0]).name, [])
        for passed, text in ran:
            row.count(passed, text)
        row.lines += [text for text in (test.get("stdout") or "").splitlines() if text.startswith(SHOWN)]
        if test["result"] == "SKIP":
            row.lines.append(f"skipped: {test['name']}")
        elif test["result"] != "OK":
            if all(passed for passed, _ in ran):
                row.count(False, f"{test['name']}: {test['result']}, exit status {test.get('returncode')}")
            output = (test.get("stdout") or "") + (test.get("stderr") or "")
            row.lines += ["  " + text[:300] for text in output.splitlines()[-60:]]
        elif not ran:
            row.count(True, test["name"])


def compiler_row(row, name, all_of_them):  # "all", "3/20", or empty
    compiler, options = BUILD_ROWS[name]
    folder = BUILD / f"test-{name}"
    if not shutil.which(compiler):
        row.count(False, f"{compiler} is missing")
        return
    # TSan's shadow memory wants a fixed layout of the address space.
    fixed = ["setarch", "--addr-no-randomize"]
    prefix = fixed if name == "threads" and run([*fixed, "true"]).returncode == 0 else []
    shares = [f"-D{option}={all_of_them or share[name]}"
              for option, share in (("golden_share", GOLDEN), ("paths_share", EXPRESSIONS), ("paths_op_share", OPS))]
    build(row, folder, compiler, [*options, *shares])
    execute(row, folder, prefix=prefix)


def cuda_row(row):
    if not (shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists()):
        row.skipped = "no nvcc here; with one, tests/cuda/*.cu are compiled and linked"
        return
    folder = BUILD / "test-cuda"
    options = [*TESTS_ONLY[:3], "-Dcuda=enabled", *QUICK]
    programs = [f"tests/cuda/cuda_{file.stem}" for file in sorted((ROOT / "tests/cuda").glob("*.cu"))]
    if not programs:
        row.skipped = "no tests/cuda/*.cu"
    elif build(row, folder, "g++", options, programs):
        row.passed += len(programs)
        execute(row, folder, suite="cuda")


def script_row(row, name):
    result = run([sys.executable, *SCRIPT_ROWS[name]], cwd=ROOT)
    *lines, last = result.output.splitlines() or [""]
    numbers = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if not numbers:
        row.count(False, f"{SCRIPT_ROWS[name][0]}:\n{result.output[-3000:]}")
        return
    row.passed, row.failed = int(numbers[1]), int(numbers[2])
    if row.failed:
        shown = [index for index, line in enumerate(lines) if line.startswith("FAILED")]
        row.lines = lines[shown[0]:][:200] if shown else lines[-50:]
    elif name == "budgets":
        row.lines = lines


def main(arguments):
    names = [name for name in arguments if not name.startswith("--all")]
    everything = [name.partition("=")[2] or "all" for name in arguments if name.startswith("--all")]
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        print(f"no row is named {' '.join(unknown)}; there are: {' '.join(ROWS)}")
        return 2
    passed = failed = 0
    for name in names or ROWS:
        print(f"{name:<13}", end="", flush=True)
        row, start = Row(), time.monotonic()
        if name in BUILD_ROWS:
            compiler_row(row, name, everything[-1] if everything and name in ("gcc", "clang") else "")
        elif name == "cuda":
            cuda_row(row)
        else:
            script_row(row, name)
        seconds = time.monotonic() - start
        print(f"skipped: {row.skipped}" if row.skipped
              else f"{row.passed:6} passed {row.failed:5} failed {seconds:6.0f} s")
        for line in row.lines:
            print("    " + line.replace("\n", "\n    "))
        passed += row.passed
        failed += row.failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))
