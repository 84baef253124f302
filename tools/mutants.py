#!/usr/bin/env python3
# guardjit: tools/mutants.py: changes the library in one place at a time and wants a named case to notice
# SPDX-License-Identifier: BSL-1.0
"""mutants.py SET [PATTERN]: each mutant of tests/mutants/SET.py whose name matches is compiled with its test, whose named
case must fail; what noticed is shown for each. CXX chooses the compiler. The last line is `N passed, N failed`: a mutant
that no case notices fails."""
import dataclasses
import os
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile

from checks import INCLUDE, ROOT, Checks, compile_flags, run, side_by_side

TESTS = ROOT / "tests"
SHARED = ["main.cpp", "conformance/modes/allocations.cpp"]  # parts of each test program
SECONDS = 120


@dataclasses.dataclass(frozen=True)
class Mutant:
    """`old`, which stands once in `header`, is replaced by `new`; `case` of `test`, built with `more`, must notice."""
    name: str
    header: str
    old: str
    new: str
    test: str
    case: str
    more: tuple = ()


def flags():
    doctest = ["-isystem", "/usr/include/doctest"]
    return [*compile_flags(), "-I", ROOT, "-I", TESTS, *doctest, "-O0", "-pthread"]


def compiled(units, program, overlay=None, more=()):
    """None, or what the compiler says."""
    first = ["-I", overlay] if overlay else []
    result = run([os.environ.get("CXX", "g++"), *first, *flags(), *more, *units, "-o", program])
    return None if result.returncode == 0 else result.output


def passes(program, case):
    """Whether the case runs and passes."""
    try:
        result = run([program, f"--test-case=*{case}*"], timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    ran = re.search(r"test cases: +(\d+) \|", result.output)
    if result.returncode == 0 and (not ran or ran[1] == "0"):
        raise SystemExit(f"no case is named {case}")
    return result.returncode == 0


def alone(text, case):
    """A test file without its other cases, which compiles in a third of the time."""
    cases = r"^( *)TEST_CASE[^\n]*\}\n|^( *)TEST_CASE.*?\n\2\}\n"
    return re.sub(cases, lambda found: found[0] if case in found[0][:300] else "", text, flags=re.MULTILINE | re.DOTALL)


def judge(mutant, folder, shared):
    """A text where the mutant lives, else None."""
    text = (INCLUDE / mutant.header).read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        return f"the text to change stands {text.count(mutant.old)} times in {mutant.header}"
    overlay = pathlib.Path(tempfile.mkdtemp(dir=folder))
    header = overlay / mutant.header
    header.parent.mkdir(parents=True)
    header.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    program, test = overlay / "test", overlay / pathlib.Path(mutant.test).name
    test.write_text(alone((TESTS / mutant.test).read_text(encoding="utf-8"), mutant.case), encoding="utf-8")
    beside = ("-iquote", (TESTS / mutant.test).parent)  # what the test finds beside itself
    error = compiled([test, *shared], program, overlay, (*mutant.more, *beside, "-w"))
    if error:
        return "does not compile: " + next((line for line in error.splitlines() if "error" in line), error[-300:])
    if passes(program, mutant.case):
        return f"{mutant.case} does not notice"
    print(f"{mutant.name}: noticed by {mutant.case}", flush=True)
    return None


def main(arguments):
    if not arguments:
        print(__doc__)
        return 2
    found = runpy.run_path(str(TESTS / "mutants" / f"{arguments[0]}.py"), {"Mutant": Mutant})["MUTANTS"]
    mutants = [m for m in found if re.search(arguments[1] if len(arguments) > 1 else "", m.name)]
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        shared = []
        for unit in SHARED:
            shared.append(pathlib.Path(folder) / (pathlib.Path(unit).stem + ".o"))
            if error := compiled(["-c", TESTS / unit], shared[-1]):
                print(error)
                return 1

        def unchanged(build):
            test, more = build
            program = pathlib.Path(folder) / re.sub(r"\W", "_", test + "".join(more))
            return build, compiled([TESTS / test, *shared], program, None, more), program

        for build, error, program in side_by_side(unchanged, sorted({(m.test, m.more) for m in mutants})):
            test = build[0]
            cases = sorted({m.case for m in mutants if (m.test, m.more) == build})
            checks.check(not error, f"{test} compiles: {error}")
            for case in cases if not error else []:
                checks.check(passes(program, case), f"{test}: {case} passes on the library as it is")
        for mutant, verdict in zip(mutants, side_by_side(lambda m: judge(m, folder, shared), mutants)):
            checks.check(verdict is None, f"{mutant.name}: {verdict}")
    checks.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
