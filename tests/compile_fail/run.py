#!/usr/bin/env python3
# guardjit: tests/compile_fail/run.py: what must not compile does not, and says what it should
# SPDX-License-Identifier: BSL-1.0
"""run.py [PART OF A PATH]: each tests/compile_fail/<layer>/<case>.cpp starts with comment lines:

    // expect-error: <regex>     one or more; each must match one line of the compiler's output
    // compilers: g++            only with these; without it with g++ and clang++-16
    // errors: 1                 exactly so many errors; without it at least one

With -DGUARDJIT_ACCEPT the same file is the accepted twin and must compile without a warning, by g++.
Headers of the library that many cases include are precompiled."""
import collections
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from checks import WARNINGS, Checks, compile_flags, run, side_by_side

COMPILERS = ("g++", "clang++-16")
PLAIN = {"g++": ["-fno-diagnostics-show-caret"], "clang++-16": ["-fno-caret-diagnostics", "-ferror-limit=0"]}
DIRECTIVE = re.compile(r"^// (expect-error|compilers|errors): (.+)$")


def directives(file):
    found = {"expect-error": [], "compilers": [], "errors": []}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("//"):
            break
        match = DIRECTIVE.match(line)
        if match:
            found[match[1]].append(match[2].strip())
    return found


def flags_of(compiler):
    return [compiler, *compile_flags(), *WARNINGS, *PLAIN[compiler], "-I", HERE.parent]


def library_headers(file):
    return "".join(f"{line}\n" for line in file.read_text(encoding="utf-8").splitlines()
                   if line.startswith("#include <guardjit/"))


class Precompiled:
    """What many of `files` include of the library, precompiled in `folder`, for each compiler."""

    def __init__(self, files, folder):
        counts = collections.Counter(map(library_headers, files))
        sets = [headers for headers, count in counts.items() if headers and count >= 4]
        self.names = {headers: pathlib.Path(folder) / f"{number}.hpp" for number, headers in enumerate(sets)}
        self.made = set()
        for headers, name in self.names.items():
            name.write_text(headers, encoding="utf-8")
        jobs = [(compiler, headers) for compiler in COMPILERS for headers in self.names]
        for job, result in zip(jobs, side_by_side(lambda job: self.make(*job), jobs)):
            if result.returncode == 0:
                self.made.add(job)

    def output(self, compiler, headers):
        return f"{self.names[headers]}.{'gch' if compiler == 'g++' else 'pch'}"

    def make(self, compiler, headers):
        return run([*flags_of(compiler), "-x", "c++-header", self.names[headers], "-o", self.output(compiler, headers)])

    def flags(self, compiler, file):
        headers = library_headers(file)
        # What g++ precompiled has forgotten which warnings the kernels for Eigen must not give.
        if (compiler, headers) not in self.made or (compiler == "g++" and re.search("guardjit.hpp|eigen", headers)):
            return []
        if compiler == "g++":  # finds the file beside it by its name
            return ["-include", self.names[headers]]
        return ["-include-pch", self.output(compiler, headers)]


def compile_case(compiler, file, accept, first=()):
    return run([*flags_of(compiler), *first, "-fsyntax-only", *(["-DGUARDJIT_ACCEPT"] if accept else []), file])


def judge(compiler, file, first=()):
    """Why a case is wrong, empty when it is right. `first` are flags for what is precompiled."""
    wanted = directives(file)
    if not wanted["expect-error"]:
        return "has no `// expect-error: <regex>`"
    # What is accepted is ordinary code, which both compilers see enough of elsewhere.
    only = wanted["compilers"] and COMPILERS[0] not in wanted["compilers"][0].split()
    twin = compile_case(compiler, file, True, first) if compiler == COMPILERS[0] or only else None
    if twin and twin.returncode != 0:
        return f"the accepted twin does not compile:\n{twin.output[:3000]}"
    case = compile_case(compiler, file, False, first)
    if case.returncode == 0:
        return "compiles, but must not"
    lines = case.output.splitlines()
    missing = [text for text in wanted["expect-error"] if not any(re.search(text, line) for line in lines)]
    if missing:
        return f"no line of the output matches {missing}:\n{case.output[:3000]}"
    errors = sum(1 for line in lines if re.search(r": (fatal )?error: ", line))
    if wanted["errors"] and errors != int(wanted["errors"][0]):
        return f"{errors} errors, not {wanted['errors'][0]}:\n{case.output[:3000]}"
    return ""


def proves_itself(compiler):
    """A good file with twin is accepted; what differs from it in one point each is refused."""
    good = '// expect-error: one is not two\n#ifndef GUARDJIT_ACCEPT\nstatic_assert(1 == 2, "one is not two");\n#endif\n'
    bad = {
        "no message": good.replace("// expect", "// except"),
        "another message": good.replace("two\n", "three\n", 1),
        "compiles": good.replace("1 == 2", "1 == 1"),
        "too many errors": "// errors: 2\n" + good,
    }
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "case.cpp"

        def reason(text):
            file.write_text(text, encoding="utf-8")
            return judge(compiler, file)

        never = good.replace("#ifndef GUARDJIT_ACCEPT\n", "").replace("#endif\n", "")
        if compiler == COMPILERS[0]:
            bad["the twin does not compile"] = never
        return reason(good) == "" and all(reason(text) for text in bad.values())


def main(part):
    checks = Checks()
    for compiler in COMPILERS:
        checks.check(proves_itself(compiler), f"{compiler}: the runner itself does not tell good from bad")
    jobs = [(compiler, file)
            for file in sorted(HERE.rglob("*.cpp")) if part in str(file.relative_to(HERE))
            for compiler in COMPILERS
            if not directives(file)["compilers"] or compiler in " ".join(directives(file)["compilers"]).split()]
    with tempfile.TemporaryDirectory() as folder:
        headers = Precompiled({file for _, file in jobs}, folder)
        reasons = side_by_side(lambda job: judge(*job, headers.flags(*job)), jobs)
    for (compiler, file), reason in zip(jobs, reasons):
        checks.check(not reason, f"{file.relative_to(HERE)} with {compiler}: {reason}")
    checks.finish()


main(sys.argv[1] if len(sys.argv) > 1 else "")
