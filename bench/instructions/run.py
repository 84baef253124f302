#!/usr/bin/env python3
# guardjit: bench/instructions/run.py: how many instructions a call takes, by valgrind
# SPDX-License-Identifier: BSL-1.0
"""run.py [g++ | clang++-16]: instructions of one call of each case of calls.cpp, compiled with -O3 for x86-64-v3.
The count does not depend on the machine, nor on what else it does. Not part of any test."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import compile_flags

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-O3", "-DNDEBUG", "-march=x86-64-v3"]
CALLS = (2000, 4000)


def executed(program, case, calls):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1", str(program)]
    output = subprocess.run([*command, case, str(calls)], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"Collected : (\d+)", output)[1])


def main(compilers):
    cases = re.findall(r'is\("([^"]+)"\)', (HERE / "calls.cpp").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            program = pathlib.Path(folder) / "calls"
            subprocess.run([compiler, *map(str, compile_flags()), *FLAGS, str(HERE / "calls.cpp"), "-o", str(program)],
                           check=True)
            print(f"{compiler} {' '.join(FLAGS)}: instructions a call")
            for case in cases:
                first, second = (executed(program, case, calls) for calls in CALLS)
                print(f"  {case:42} {(second - first) / (CALLS[1] - CALLS[0]):8.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["g++"])
