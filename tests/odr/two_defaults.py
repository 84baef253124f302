#!/usr/bin/env python3
# guardjit: tests/odr/two_defaults.py: two units whose default backends differ share no compiled function
# SPDX-License-Identifier: BSL-1.0
"""two_defaults.py <compiler>: GRD-157. Both units compile, and do not link; with one default they do."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import compile_flags

SHARED = """#include <guardjit/guardjit.hpp>
struct twice { constexpr auto operator()(auto x) const { return x * 2; } };
using function = decltype(guardjit::compile(twice{}));
int compiles_of(function const& f);
"""
UNITS = {
    "owner": SHARED + "int compiles_of(function const& f) { return f.compiles(); }\n",
    "user": SHARED + "int main() { return compiles_of(guardjit::compile(twice{})); }\n",
}


def main(compiler):
    with tempfile.TemporaryDirectory() as folder:
        objects = {}
        for name, backend in (("owner", "eigen"), ("user", "eigen"), ("user", "reference")):
            objects[name, backend] = pathlib.Path(folder) / f"{name}_{backend}.o"
            subprocess.run([*compiler, *compile_flags(), f"-DGUARDJIT_DEFAULT_BACKEND={backend}", "-O0", "-c", "-x", "c++", "-", "-o",
                            objects[name, backend]], input=UNITS[name], text=True, check=True)
        for backend, links in (("eigen", True), ("reference", False)):
            result = subprocess.run([*compiler, objects["owner", "eigen"], objects["user", backend], "-pthread", "-o",
                                     pathlib.Path(folder) / "program"], text=True, capture_output=True, check=False)
            if (result.returncode == 0) != links or (not links and "undefined reference" not in result.stderr):
                print(f"a user whose default is {backend}:\n{result.stderr[:2000]}")
                return 1
    return 0


sys.exit(main(sys.argv[1:]))
