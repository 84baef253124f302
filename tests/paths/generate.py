#!/usr/bin/env python3
# guardjit: tests/paths/generate.py: writes the units that call random expressions on each path
# SPDX-License-Identifier: BSL-1.0
"""generate.py SHARE SEED FOLDER UNITS: writes random_0.cpp to random_<UNITS - 1>.cpp. SHARE is how many of the
expressions of SEED, chosen by it, or `all`."""
import pathlib
import random
import sys

from expressions import CPP, random_expression

EXPRESSIONS, DRAWS = 200, 5000  # 10^6 calls of all


def test_text(number, expression, seed):
    lines = expression.body()
    head = ", ".join(f"auto const& {name}" for name, *_ in expression.parameters)
    parameters = ", ".join(f'{{gj::dtype_v<{CPP[dtype]}>, "{letters}"{", true" if weak else ""}}}'
                           for _, dtype, letters, weak in expression.parameters)
    fixed = ", ".join("dyn" if value is None else str(value) for value in expression.fixed)
    text = " ".join(lines)
    return "\n".join([
        f'TEST_CASE("random expression {number} of seed {seed}: each path agrees with plain loops") {{',
        "  constexpr auto f = []({}) {{\n    {}\n  }};".format(head, "\n    ".join(lines)),
        f"  check_expression<{expression.parameter_types(False)},",
        f"                   {expression.parameter_types(True)}>(",
        f'      f, {{"({", ".join(name for name, *_ in expression.parameters)}) {text}", {{{parameters}}}, {{{fixed}}}}},',
        f"      {seed * 1000003 + number}u, {DRAWS});", "}"])


def main(share, seed, folder, units):
    expressions = [(number, random_expression(random.Random(f"{seed} {number}"))) for number in range(EXPRESSIONS)]
    chosen = expressions if share == "all" else random.Random(seed).sample(expressions, int(share))
    shown = f"random expressions: {len(chosen)} of {EXPRESSIONS}, {len(chosen) * DRAWS} calls, seed {seed}"
    for unit in range(units):
        content = "\n".join([
            f"// guardjit: random_{unit}.cpp: written by tests/paths/generate.py", "// SPDX-License-Identifier: BSL-1.0",
            '#include "paths/function.hpp"', "", "namespace paths {", "",
            *([f'[[maybe_unused]] static int const shown = std::puts("{shown}");', ""] if unit == 0 else []),
            *(test_text(number, expression, seed) for number, expression in chosen[unit::units]), "",
            "}  // namespace paths", ""])
        (folder / f"random_{unit}.cpp").write_text(content, encoding="utf-8")


main(sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4]))
