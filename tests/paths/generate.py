#!/usr/bin/env python3
# guardjit: tests/paths/generate.py: writes the units that call random expressions on each path
# SPDX-License-Identifier: BSL-1.0
"""generate.py SHARE OPS SEED FOLDER UNITS OP_UNITS: writes random_0.cpp to random_<UNITS - 1>.cpp and op_0.cpp to
op_<OP_UNITS - 1>.cpp. SHARE is how many of the expressions of SEED, OPS how many rows of the op table by dtype, both
chosen by SEED, or `all`."""
import collections
import pathlib
import random
import re
import sys

from expressions import CPP, random_expression
from ops import FORMS, WITHOUT_ROW

HERE = pathlib.Path(__file__).resolve().parent
EXPRESSIONS, DRAWS, OP_DRAWS = 200, 5000, 360  # 10^6 calls of all expressions
# The kinds of signatures of an op: the numbers of m, n and k in the types.
OPEN, MIXED, FIXED, EMPTY = {}, {"n": 17}, {"m": 3, "n": 17, "k": 4}, {"m": 0, "n": 17, "k": 4}


def expression_test(number, expression, seed):
    lines = expression.body()
    head = ", ".join(f"auto const& {name}" for name, *_ in expression.parameters)
    parameters = ", ".join(f'{{gj::dtype_v<{CPP[dtype]}>, "{letters}"{", true" if weak else ""}}}'
                           for _, dtype, letters, weak in expression.parameters)
    fixed = ", ".join("dyn" if value is None else str(value) for value in expression.fixed)
    names, text = ", ".join(name for name, *_ in expression.parameters), " ".join(lines)
    body = "\n    ".join(lines)
    return "\n".join([
        f'TEST_CASE("random expression {number} of seed {seed}: each path agrees with plain loops") {{',
        f"  constexpr auto f = []({head}) {{\n    {body}\n  }};",
        f"  check_expression<{expression.parameter_types(False)},",
        f"                   {expression.parameter_types(True)}>(",
        f'      f, {{"({names}) {text}", {{{parameters}}}, {{any_sizes, {{{fixed}}}}}}},',
        f"      {seed * 1000003 + number}u, {DRAWS});", "}"])


def dtype_of(operand, dtype):
    if operand.startswith("?"):
        return "bool"
    if operand == "s":
        return {"bool": "bool", "f32": "f32", "f64": "f64"}.get(dtype, "i64")
    return dtype


def letters_of(operand):
    return "" if operand == "s" else operand.strip("?-")


def signature(form, dtype, numbers):
    types = []
    for operand in form.operands:
        words = [CPP[dtype_of(operand, dtype)]]
        known = {**numbers, "1": 1} if numbers else {}
        words += [str(known.get(letter, "dyn")) for letter in letters_of(operand)]
        types.append(f"as_{'scalar' if operand == 's' else 'tensor'}<{', '.join(words)}>")
    return f"call_signature<{', '.join(types)}>"


def op_test(form, dtype, seed):
    names = "abc"[:len(form.operands)]
    call, head = form.call.format(*names), ", ".join(f"auto const& {name}" for name in names)
    is_empty = form.empty and any("m" in operand for operand in form.operands)
    kinds = [OPEN, MIXED, FIXED] + ([EMPTY] if is_empty else [])
    parameters = ", ".join(f'{{gj::dtype_v<{CPP[dtype_of(operand, dtype)]}>, "{letters_of(operand)}"'
                           f'{", true" if operand == "s" else ""}}}' for operand in form.operands)
    drawn = "any_sizes, sizes{dyn, 17, dyn}, sizes{3, 17, 4}" + (", sizes{0, 17, 4}" if is_empty else "")
    title = f"{call.replace('gj::', '')} of {dtype}, extents {' '.join(form.operands)}"
    lines = ",\n           ".join(signature(form, dtype, kind) for kind in kinds)
    return "\n".join([
        f'TEST_CASE("on each path: {title}") {{', f"  check_op<{lines}>(",
        f'      []({head}) {{ return {call}; }}, {{"{call}", {{{parameters}}}, {{{drawn}}}}}, {seed}u, {OP_DRAWS});',
        "}"])


def missing_ops():
    """Ops of the table that no row calls."""
    text = (HERE.parents[1] / "include/guardjit/ops/op.hpp").read_text(encoding="utf-8")
    ids = re.findall(r"\w+", re.search(r"enum class op : std::uint8_t \{(.*?)\};", text, re.DOTALL)[1])
    called = {form.op for form in FORMS} | set(WITHOUT_ROW)
    return [name for name in ids if name not in called]


def part_of(entries, share):
    """The third of twenty parts of all, where the share is 3/20."""
    part, parts = map(int, share.split("/"))
    return entries[part - 1::parts]


def shared_out(entries, share, dice):
    """A number of rows, in turn of each op."""
    if "/" in share:
        return part_of(entries, share)
    turns = collections.defaultdict(list)
    for entry in entries:
        turns[entry[0].op].append(entry)
    ranked = []
    for rows in turns.values():
        dice.shuffle(rows)
        ranked += [(turn, dice.random(), entry) for turn, entry in enumerate(rows)]
    ranked.sort(key=lambda entry: entry[:2])
    return [entry for _, _, entry in ranked[:len(entries) if share == "all" else int(share)]]


def write_units(folder, name, header, tests, units, shown):
    for unit in range(units):
        content = "\n".join([
            f"// guardjit: {name}_{unit}.cpp: written by tests/paths/generate.py", "// SPDX-License-Identifier: BSL-1.0",
            f'#include "paths/{header}"', "", "namespace paths {", "",
            *([f'[[maybe_unused]] static int const shown = std::puts("{shown}");', ""] if unit == 0 else []),
            *tests[unit::units], "", "}  // namespace paths", ""])
        (folder / f"{name}_{unit}.cpp").write_text(content, encoding="utf-8")


def main(share, op_share, seed, folder, units, op_units):
    if missing_ops():
        sys.exit(f"tests/paths/ops.py has no row of {' '.join(missing_ops())}")
    expressions = [(number, random_expression(random.Random(f"{seed} {number}"))) for number in range(EXPRESSIONS)]
    if "/" in share:
        chosen = part_of(expressions, share)
    else:
        chosen = expressions if share == "all" else random.Random(seed).sample(expressions, int(share))
    write_units(folder, "random", "expression.hpp", [expression_test(*entry, seed) for entry in chosen], units,
                f"random expressions: {len(chosen)} of {EXPRESSIONS}, {len(chosen) * DRAWS} calls, seed {seed}")
    entries = [(form, dtype) for form in FORMS for dtype in form.dtypes]
    some = shared_out(entries, op_share, random.Random(seed))
    write_units(folder, "op", "op.hpp", [op_test(*entry, seed) for entry in some], op_units,
                f"ops on each path: {len(some)} of {len(entries)} rows by dtype, seed {seed}")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), pathlib.Path(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]))
