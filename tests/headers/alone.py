#!/usr/bin/env python3
# guardjit: tests/headers/alone.py: each header compiles alone, and twice in one unit
# SPDX-License-Identifier: BSL-1.0
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import HEADERS, WARNINGS, Checks, compile_flags, name_of, run, side_by_side


def compiles(header):
    unit = f"#include <{name_of(header)}>\n" * 2
    return run(["g++", *compile_flags(), *WARNINGS, "-fsyntax-only", "-x", "c++", "-"], input=unit)


def main():
    checks = Checks()
    headers = [header for header in HEADERS
               if pathlib.Path("/usr/include/thrust").is_dir() or "kernels/thrust" not in name_of(header)]
    for header, result in zip(headers, side_by_side(compiles, headers)):
        checks.check(result.returncode == 0, f"{name_of(header)} alone:\n{result.output[:2000]}")
    checks.finish()


main()
