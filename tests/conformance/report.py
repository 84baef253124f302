#!/usr/bin/env python3
# guardjit: tests/conformance/report.py: which cases of the specification have a test, and what it found
# SPDX-License-Identifier: BSL-1.0
"""report.py CASES: CASES is what the test programs wrote under GUARDJIT_CASES (see tests/main.cpp)."""
import collections
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import CASE_ID, ROOT, Checks


def main(path):
    # id -> place -> [name, assertions, result]; the instances of a template stand at one place
    cases = collections.defaultdict(dict)
    file = pathlib.Path(path)
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        _, result, assertions, place, name = line.split("\t", 4)
        name = re.sub(r"<[^<>]*>$", "", name)
        place = re.sub(r"^.*?(?=tests/)", "", place)  # a build may know it by another way
        for family, number in CASE_ID.findall(name):
            known = cases[family, int(number)].setdefault(place, [name, 0, "passed"])
            known[1] += int(assertions)
            known[2] = "failed" if "failed" in (known[2], result) else "passed"

    checks = Checks()
    totals = collections.defaultdict(lambda: [0, 0, 0])
    for (family, number), places in sorted(cases.items()):
        where = f"{family}-{number}" if family == "POL" else f"{family}-{number:03}"  # as the specification spells them
        for name, assertions, result in places.values():
            print(f"{where:9} {result} {assertions:8} assertions  {name}")
            checks.check(result == "passed" and assertions > 0, f"{where}: {result}, {assertions} assertions: {name}")
            totals[family][0] += 1
            totals[family][1] += assertions
            totals[family][2] += result != "passed"
    # Cases that must not compile are files of their own, which the row compile_fail judges.
    for file in sorted((ROOT / "tests/compile_fail").rglob("*.cpp")):
        rules = re.search(r"^// Rules: (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        for family, number in CASE_ID.findall(rules[1] if rules else ""):
            if family != "POL" and (family, int(number)) not in cases:
                print(f"{family}-{number:0>3}  refused by the compiler: {file.relative_to(ROOT)}")
                totals[family][0] += 1
    for family, (count, assertions, failed) in sorted(totals.items()):
        print(f"{family}: {count} cases, {assertions} assertions, {failed} failed")
    checks.finish()


main(sys.argv[1])
