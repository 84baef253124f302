# guardjit: tools/checks.py: what the check scripts share: counting, running commands side by side
# SPDX-License-Identifier: BSL-1.0
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
HEADERS = sorted((INCLUDE / "guardjit").rglob("*.hpp"))
CORES = len(os.sched_getaffinity(0))
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror".split()
# A case of the specification, in the name of its test.
CASE_ID = re.compile(r"\b(MODE|GRD|ART|NUM|CASE|POL)-(\d+)\b")
THRUST_ON_CPP = ["-DTHRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP",
                 "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP"]


def name_of(header):
    """How users include it: guardjit/base/config.hpp."""
    return header.relative_to(INCLUDE).as_posix()


def run(command, **options):
    """Runs a command; its result has one text `output`. A missing program is a failure, no exception."""
    try:
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    except FileNotFoundError as error:
        result = subprocess.CompletedProcess(command, 127, str(error))
    result.output = result.stdout
    return result


def side_by_side(function, items):
    """[function(item) for item in items], on all cores."""
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        return list(pool.map(function, items))


def eigen_flags():
    """-isystem for Eigen, from pkg-config or the usual place; None where there is none."""
    if shutil.which("pkg-config"):
        found = run(["pkg-config", "--variable=includedir", "eigen3"])
        if found.returncode == 0 and found.output.strip():
            folder = pathlib.Path(found.output.strip())
            folder = folder if (folder / "Eigen").is_dir() else folder / "eigen3"
            if (folder / "Eigen").is_dir():
                return ["-isystem", folder]
    return ["-isystem", "/usr/include/eigen3"] if pathlib.Path("/usr/include/eigen3").is_dir() else None


def compile_flags():
    return ["-std=c++20", "-ffp-contract=off", *THRUST_ON_CPP, "-I", INCLUDE, *(eigen_flags() or [])]


class Checks:
    """Counts checks, shows the failed ones, ends with `N passed, N failed`."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, text):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED", text)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
