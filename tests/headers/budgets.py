#!/usr/bin/env python3
# guardjit: tests/headers/budgets.py: what an include costs, and that an unused one leaves no kernel
# SPDX-License-Identifier: BSL-1.0
"""Lines as `g++ -E -P | wc -l` gives them, our own apart."""
import functools
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import HEADERS, INCLUDE, Checks, compile_flags, name_of, run, side_by_side

SMALL = ("base", "tensor")
MIDDLE = ("ops", "reference", "graph", "modes", "expr", "guards", "transforms")
TEXTS = 9_000  # more, for headers that make texts and so pay for <string>
UMBRELLA = 6_000  # more than Eigen/Core and core.hpp together, for guardjit.hpp


@functools.lru_cache(maxsize=None)
def lines_of(includes):
    unit = "".join(f"#include {name}\n" for name in includes)
    result = run(["g++", *compile_flags(), "-E", "-P", "-x", "c++", "-"], input=unit)
    return result.output.count("\n")


def foreign_lines(header):
    """Lines of the foreign headers that our own ones include; and whether <string> is among them."""
    unit = f"#include <{name_of(header)}>\n"
    tree = run(["g++", *compile_flags(), "-E", "-H", "-x", "c++", "-", "-o", "/dev/null"], input=unit)
    if tree.returncode != 0:
        return None, False
    parents, foreign = [True], []
    for depth, path in re.findall(r"^(\.+) (\S+)$", tree.output, re.MULTILINE):
        ours = pathlib.Path(path).resolve().is_relative_to(INCLUDE)
        del parents[len(depth):]
        if parents[-1] and not ours:
            foreign.append(f'"{path}"')
        parents.append(ours)
    return lines_of(tuple(foreign)), any(name.endswith('/string"') for name in foreign)


def budgets(checks):
    worst = {}
    for header, (lines, texts) in zip(HEADERS, side_by_side(foreign_lines, HEADERS)):
        name = name_of(header)
        folder = name.split("/")[1]
        limit = 19_000 if folder in SMALL else 29_000 if folder in MIDDLE else 42_000 if folder == "core.hpp" else None
        if limit is None:
            continue
        limit += TEXTS if texts and (folder in MIDDLE or header.stem == "print") else 0
        checks.check(lines is not None and lines <= limit, f"{name}: {lines} lines of other headers, at most {limit}")
        worst[folder] = max(worst.get(folder, 0), lines or 0)
    print("lines of other headers:", ", ".join(f"{folder} {lines}" for folder, lines in worst.items()))


def umbrella(checks, core, whole):
    limit = lines_of(("<Eigen/Core>",)) + (foreign_lines(core)[0] or 0) + UMBRELLA
    lines = foreign_lines(whole)[0]
    checks.check(lines is not None and lines <= limit, f"guardjit.hpp: {lines} lines of other headers, at most {limit}")
    print(f"lines of other headers: guardjit.hpp {lines} (limit {limit})")
    for header in (core, whole):
        unit = f"#include <{name_of(header)}>\n"
        start = time.monotonic()
        run(["g++", *compile_flags(), "-fsyntax-only", "-x", "c++", "-"], input=unit)
        print(f"{header.name}: {1000 * (time.monotonic() - start):.0f} ms (not judged)")


def unused_include(checks, compiler, whole):
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "unused"
        result = run([compiler, *compile_flags(), "-O1", "-c", "-x", "c++", "-", "-o", unit],
                     input=f"#include <{name_of(whole)}>\n")
        symbols = run(["nm", "--defined-only", "--demangle", unit]).output if result.returncode == 0 else result.output
    code = [line for line in symbols.splitlines() if re.match(r"\S+ [tTwWi] .*guardjit", line)]
    checks.check(result.returncode == 0 and not code,
                 f"{compiler}: guardjit.hpp, not used, leaves code:\n" + "\n".join(code[:10] or [symbols[:1000]]))


def main():
    checks = Checks()
    budgets(checks)
    core, whole = INCLUDE / "guardjit/core.hpp", INCLUDE / "guardjit/guardjit.hpp"
    if whole in HEADERS and core in HEADERS:
        umbrella(checks, core, whole)
        for compiler in ("g++", "clang++-16"):
            unused_include(checks, compiler, whole)
    checks.finish()


main()
