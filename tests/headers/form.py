#!/usr/bin/env python3
# guardjit: tests/headers/form.py: form of the headers, order of the layers, who may include what, names of the tests
# SPDX-License-Identifier: BSL-1.0
import collections
import pathlib
import re
import runpy
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import CASE_ID, HEADERS, INCLUDE, ROOT, Checks, name_of
from mutants import Mutant

LAYERS = ("base tensor ops reference graph modes expr guards transforms compile kernels artifact interop "
          "observe distributed").split()
FREE = set("array bit compare concepts cstddef cstdint exception limits new source_location span tuple "
           "type_traits utility".split())
# Standard headers that nothing before `kernels/` takes, and those with one home there.
REFUSED = set("functional ranges iostream stdexcept regex chrono thread iterator algorithm".split())
HOMES = {
    "atomic": r"compile/(epoch|cache)", "mutex": r"compile/(epoch|cache)",
    "shared_mutex": r"compile/(epoch|cache)", "condition_variable": r"compile/(epoch|cache)",
    "memory": r"compile/", "cmath": r"ops/", "vector": r"(graph|modes|expr|guards|transforms|compile)/",
}
THIRD_PARTY = {
    r"(Eigen|unsupported)/": r"kernels/eigen|interop/eigen",
    r"(thrust|cub|cuda)": r"kernels/thrust",
    r"mpi": r"distributed/",
    r"nlohmann/": r"observe/|interop/safetensors",
    r"zlib\.h": r"interop/inflate",
}
MAY_REACH_THIRD_PARTY = r"guardjit\.hpp|kernels/|distributed|observe/|interop/(eigen|safetensors|inflate|zip_reader|npz)"
REFUSED_TEXT = {
    r"#\s*pragma once": "use an include guard", r"^using namespace": "no using namespace in a header",
    r"\b(TODO|FIXME)\b": "no notes to self", r"^\s*#\s*if 0\b": "no disabled code",
    r"\b(class|struct)\s+\w+_guard\b": "RAII types end in _scope", r'#\s*include\s*"': "includes take <guardjit/…>",
}
TEST_NAME = re.compile(r'\bTEST_CASE(?:_TEMPLATE|_FIXTURE)?\([\w\s:]*,?\s*"((?:[^"\\]|\\.)*)"')
INCLUDE_LINE = re.compile(r"^\s*#\s*include\s*<([^>]+)>\s*(//.*)?")


def layer_of(path):
    """The place of `base/config.hpp` among the layers; headers at the top come last."""
    folder = path.split("/")[0]
    return LAYERS.index(folder) if folder in LAYERS else len(LAYERS)


def kind_of(included):
    if included.startswith("guardjit/"):
        return 0
    return 1 if "/" in included or included.endswith(".h") else 2


def is_third_party(included):
    return any(re.match(pattern, included) for pattern in THIRD_PARTY)


def form(checks, path, lines):
    where = f"{path}: "
    checks.check(lines and re.match(rf"// guardjit: {re.escape(path)}: \S", lines[0]),
                 where + "the first line is not `// guardjit: <path>: <one responsibility>`")
    checks.check(lines[1:2] == ["// SPDX-License-Identifier: BSL-1.0"], where + "the second line is not the SPDX line")
    macro = "GUARDJIT_" + re.sub(r"[/.]", "_", path).upper()
    checks.check(lines[2:4] == [f"#ifndef {macro}", f"#define {macro}"], where + f"include guard {macro} expected in line 3")
    checks.check(len(lines) <= 400, where + f"{len(lines)} lines, at most 400")
    long = [number for number, line in enumerate(lines, 1) if len(line) > 110]
    checks.check(not long, where + f"more than 110 columns in lines {long[:5]}")
    for pattern, text in REFUSED_TEXT.items():
        found = [number for number, line in enumerate(lines, 1) if re.search(pattern, line)]
        checks.check(not found, where + f"{text} (lines {found[:5]})")


def standard_header(path, included, comment):
    """Why this header may not include that standard header; empty when it may."""
    if layer_of(path) > LAYERS.index("compile") or included in FREE:
        return ""
    if included in REFUSED:
        return "is not for layers up to compile/"
    home = HOMES.get(included)
    if home and not re.match(home, path):
        return f"is only for {home}"
    if included != "vector" and not comment:
        return "is outside the free list and needs a comment that names what it is for"
    return ""


def includes(checks, path, found):
    where = f"{path}: "
    kinds = [kind_of(name) for name, _ in found]
    checks.check(kinds == sorted(kinds), where + "includes come as own, third party, standard")
    for kind in range(3):
        block = [name for name, _ in found if kind_of(name) == kind]
        checks.check(block == sorted(block, key=str.lower), where + f"includes are not sorted: {' '.join(block)}")
    for included, comment in found:
        if kind_of(included) == 0:
            target = included.removeprefix("guardjit/")
            allowed = layer_of(target) <= layer_of(path)
            if path == "core.hpp":
                allowed = layer_of(target) <= LAYERS.index("compile") or target.startswith("kernels/reference")
            checks.check(allowed, where + f"includes {target}, a later layer")
        elif is_third_party(included):
            homes = [home for pattern, home in THIRD_PARTY.items() if re.match(pattern, included)]
            checks.check(any(re.match(home, path) for home in homes), where + f"<{included}> belongs to {homes[0]}")
        elif kind_of(included) == 1:
            checks.check(bool(comment), where + f"<{included}> needs a comment that names what it is for")
        else:
            reason = standard_header(path, included, comment)
            checks.check(not reason, where + f"<{included}> {reason}")


def cycle_from(path, graph, trail, done):
    if path in trail:
        return [*trail[trail.index(path):], path]
    if path in done:
        return None
    for target in graph.get(path, []):
        cycle = cycle_from(target, graph, [*trail, path], done)
        if cycle:
            return cycle
    done.add(path)
    return None


def version(checks):
    header = (ROOT / "include/guardjit/base/version.hpp").read_text(encoding="utf-8")
    parts = re.findall(r"#define GUARDJIT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    project = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))
    checks.check(project and ".".join(parts) == project.group(1), "base/version.hpp and meson.build differ in the version")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    checks.check(project and f"## {project.group(1)}" in changes, "CHANGELOG.md has no section for meson.build's version")


def names_of_tests(checks):
    """A case of the specification has one test (a policy, POL, may have several); mutants are of text that stands."""
    places, cases = collections.defaultdict(list), {}
    for file in sorted((ROOT / "tests").rglob("*.cpp")):
        path = file.relative_to(ROOT / "tests").as_posix()
        cases[path] = TEST_NAME.findall(file.read_text(encoding="utf-8"))
        for case in cases[path]:
            for family, number in CASE_ID.findall(case):
                places[family, int(number)].append(path)
    for (family, number), files in places.items():
        checks.check(len(files) == 1 or family == "POL", f"{family}-{number} stands in several test cases: {files}")

    for file in sorted((ROOT / "tests/mutants").glob("*.py")):
        for mutant in runpy.run_path(str(file), {"Mutant": Mutant})["MUTANTS"]:
            stands = (INCLUDE / mutant.header).read_text(encoding="utf-8").count(mutant.old)
            checks.check(stands == 1, f"{file.name}: {mutant.name}: stands {stands} times in {mutant.header}")
            checks.check(any(mutant.case in case for case in cases[mutant.test]),
                         f"{file.name}: {mutant.name}: no case of {mutant.test} is named {mutant.case}")


def main():
    checks = Checks()
    own, third = {}, set()
    for header in HEADERS:
        path = name_of(header).removeprefix("guardjit/")
        lines = header.read_text(encoding="utf-8").splitlines()
        found = [(match[1], match[2]) for match in map(INCLUDE_LINE.match, lines) if match]
        own[path] = [name.removeprefix("guardjit/") for name, _ in found if kind_of(name) == 0]
        if any(is_third_party(name) for name, _ in found):
            third.add(path)
        form(checks, path, lines)
        includes(checks, path, found)

    cycles, done = [], set()
    for path in own:
        cycle = cycle_from(path, own, [], done)
        if cycle:
            cycles.append(" -> ".join(cycle))
    checks.check(not cycles, "include cycles: " + "; ".join(cycles))

    for path in own:
        reached, waiting = set(), [path]
        while waiting:
            here = waiting.pop()
            if here not in reached:
                reached.add(here)
                waiting += own.get(here, [])
        checks.check(not reached & third or re.match(MAY_REACH_THIRD_PARTY, path),
                     f"{path}: reaches third-party headers through {sorted(reached & third)}")
    version(checks)
    names_of_tests(checks)
    checks.finish()


main()
