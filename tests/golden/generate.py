#!/usr/bin/env python3
# guardjit: tests/golden/generate.py: writes the compiled tests of the golden values, and what the eager runner reads
# SPDX-License-Identifier: BSL-1.0
"""generate.py SHARE SEED FOLDER UNITS: writes tables.cpp, and unit_0.cpp to unit_<UNITS - 1>.cpp with a test case for
each function, that is for each op, attributes, ranks and dtypes; cases share functions. SHARE is how many functions,
spread evenly over the ops and chosen by SEED, or `all`.

Fails where a case of an op that the headers declare is neither a call nor one of the stated exceptions."""
import collections
import json
import pathlib
import random
import re
import sys

import composite
from calls import CALLS, CPP_TYPES, FACTORIES, MISSING_FORMS, MissingForm, number, plain

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "include/guardjit"
DECLARATIONS = [
    re.compile(r"^(?:template <.*> )?inline constexpr .*\b(\w+)\{\};", re.MULTILINE),      # function objects
    re.compile(r"^(?:template <.*> )?(?:inline |constexpr )*[\w:<>]+ (\w+)\(", re.MULTILINE),  # functions
]
PREFIX = "// guardjit: {}: written by tests/golden/generate.py\n// SPDX-License-Identifier: BSL-1.0\n"


def read_cases():
    cases = [json.loads(line) for file in sorted(HERE.glob("*.jsonl"))
             for line in file.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if "upstream" not in case]  # derivatives do not exist yet


def declared_names():
    """Functions and function objects at namespace scope, apart from namespaces `detail`."""
    names = set()
    for header in [*HEADERS.glob("ops/**/*.hpp"), *HEADERS.glob("expr/**/*.hpp")]:
        text = re.sub(r"^namespace detail \{.*?^\}  // namespace detail", "", header.read_text(encoding="utf-8"),
                      flags=re.MULTILINE | re.DOTALL)
        names |= {name for pattern in DECLARATIONS for name in pattern.findall(text)}
    return names


def dtypes_of_the_library():
    return re.findall(r'\{"(\w+)", dtype_kind', (HEADERS / "tensor/dtype.hpp").read_text(encoding="utf-8"))


def dtypes_of(case):
    names = [tensor["dtype"] for tensor in case["inputs"] if tensor]
    names += [tensor.get("result", tensor["dtype"]) for tensor in case.get("outputs", [])]
    return names + ([case["attrs"]["dtype"]] if "dtype" in case["attrs"] else [])


def is_refused_by_the_compiler(case):
    """Mistakes that types show: for typed operands C++ compile errors, so that only the eager runner meets them."""
    ranks = [len(tensor["shape"]) for tensor in case["inputs"] if tensor]
    attributes = case["attrs"]
    if case["op"] == "squeeze" and attributes["axes"] is None:
        return True  # the rank of the result depends on extents
    if case["op"] == "arange" and any(number(tensor) % 1 for tensor in case["inputs"]):
        return True  # in a trace its numbers are whole
    if "error" not in case:
        return False
    if case["error"] == "dtype_error":
        return not any(tensor.get("weak") for tensor in case["inputs"])
    if case["op"] == "matmul":
        return 0 in ranks
    if case["op"] == "arange":
        return True
    if case["op"] == "index":
        return case["error"] == "shape_error"  # a step of 0
    if case["op"] == "expand":
        return ranks[0] > len(attributes["shape"])
    if case["op"] == "reshape":
        return attributes["shape"].count(-1) > 1
    named = [attributes[key] for key in ("axis", "axes", "order", "i", "j") if attributes.get(key) is not None]
    numbers = [number for value in named for number in (value if isinstance(value, list) else [value])]
    normal = [number + ranks[0] if number < 0 else number for number in numbers]
    return len(set(normal)) < len(normal) or any(not 0 <= number < ranks[0] for number in normal)


class Function:
    """One lambda and one signature; its cases."""

    def __init__(self, op, title, head, body, types, output):
        self.op, self.title, self.head, self.body, self.types, self.output = op, title, head, body, types, output
        self.ids = []

    def test(self):
        ids = ", ".join(f'"{name}"' for name in self.ids)
        return (f'TEST_CASE("golden values, compiled: {self.title}") {{\n'
                f"  check_paths<{self.output}, {', '.join(self.types)}>(\n"
                f"      []({self.head}) {{ {self.body} }},\n      {{{ids}}});\n}}")


def parameter_type(tensor):
    if tensor.get("weak"):
        return f"scalar_parameter<{CPP_TYPES[tensor['dtype']]}>"
    return f"tensor_parameter<{CPP_TYPES[tensor['dtype']]}, {len(tensor['shape'])}>"


def calls_of(case):
    """The parameters of a case's function, their types, and the bodies, one a result."""
    if case["op"] == "composite":
        parameters, bodies = composite.translated(composite.parsed(case["function"]))
        return parameters, [parameter_type(tensor) for tensor in case["inputs"]], bodies
    if case["op"] not in CALLS and case["attrs"]:
        sys.exit(f"{case['op']}: its attributes need an entry in calls.py: {case['attrs']}")
    spell, names = CALLS.get(case["op"], plain), list("abcdefgh")
    if case["op"] in FACTORIES:
        types = [f"like_result<{len(case['outputs'][0]['shape'])}>"]
        calls = spell(case, "a")
    else:
        present = [tensor for tensor in case["inputs"] if tensor]
        if all(tensor.get("weak") for tensor in present):
            raise MissingForm("an op on scalars alone")
        types, rest = [parameter_type(tensor) for tensor in present], iter(names)
        calls = spell(case, *(next(rest) if tensor else None for tensor in case["inputs"]))
    calls = calls if isinstance(calls, list) else [calls]
    return names[:len(types)], types, [f"return {text};" for text in calls]


def title_of(case, body):
    text = case["id"].rsplit("-", 1)[0] if case["op"] == "composite" else re.sub(r"return |gj::|;$", "", body)
    operands = [f"weak {tensor['dtype']}" if tensor.get("weak") else f"{tensor['dtype']}[{len(tensor['shape'])}]"
                for tensor in case["inputs"] if tensor]
    return f"{text} of {', '.join(operands) or 'nothing'}"


def functions_of(cases):
    functions = {}
    for case in cases:
        if is_refused_by_the_compiler(case):
            continue
        try:
            parameters, types, bodies = calls_of(case)
        except MissingForm as form:
            if str(form) not in MISSING_FORMS:
                raise
            continue
        for output, body in enumerate(bodies):
            key = (body, *types)
            if key not in functions:
                title, head = title_of(case, body), composite.head_of(parameters)
                functions[key] = Function(case["op"], title, head, body, types, output)
            functions[key].ids.append(case["id"])
    return list(functions.values())


def shared_out(functions, share, seed):
    """A number of functions, in turn of each op, in an order that the seed decides."""
    if share == "all":
        return functions
    if "/" in share:
        part, parts = map(int, share.split("/"))
        return functions[part - 1::parts]
    dice = random.Random(int(seed))
    by_op = collections.defaultdict(list)
    for function in functions:
        by_op[function.op].append(function)
    ranked = []
    for op in by_op.values():
        dice.shuffle(op)
        ranked += [(turn, dice.random(), function) for turn, function in enumerate(op)]
    ranked.sort(key=lambda entry: entry[:2])
    return [function for _, _, function in ranked[:int(share)]]


def composites_of(cases, names):
    """Functions of several ops: texts of those that can run, by name; the op that each of the others waits for."""
    texts, waiting = {}, {}
    for case in cases:
        name = re.fullmatch(r"GLD-composite-(\w+)-\d+", case["id"])[1]
        missing = [op for op in composite.ops_of(composite.parsed(case["function"])) if op not in names]
        if missing:
            waiting[name] = missing[0]
        else:
            texts[name] = case["function"]
    return texts, waiting


def names_text(title, values):
    entries = ", ".join(f'"{value}"' for value in sorted(values))
    return f"constexpr char const* {title}[] = {{{entries}}};"


def tables_text(declared, texts, waiting):
    """What the eager runner reads: names, and the functions of several ops."""
    lambdas, rows = [], []
    for name, text in sorted(texts.items()):
        parameters, bodies = composite.translated(composite.parsed(text))
        results = [f"{name}_{number}" for number in range(len(bodies))]
        lambdas += [f"constexpr auto {result} = []({composite.head_of(parameters)}) {{ {body} }};"
                    for result, body in zip(results, bodies)]
        rows.append(f'{{"{name}", each_of<{len(parameters)}, {", ".join(results)}>}}')
    pairs = [f'pair{{"{name}", "{op}"}}' for name, op in sorted(waiting.items())]
    return "\n".join([
        PREFIX.format("tables.cpp") + '#include "golden/rows.hpp"', "", "namespace golden {", "", "namespace {", "",
        "using pair = std::pair<char const*, char const*>;",
        names_text("declared", declared), names_text("missing_forms", MISSING_FORMS), *lambdas,
        f"constexpr std::array<row, {len(rows)}> composites{{{{{', '.join(rows)}}}}};",
        f"constexpr std::array<pair, {len(pairs)}> waiting{{{{{', '.join(pairs)}}}}};", "", "}  // namespace", "",
        "generated_tables const generated{declared, missing_forms, composites, waiting};", "",
        "}  // namespace golden", ""])


def unit_text(name, functions, shown):
    shown = [f'[[maybe_unused]] static int const shown = std::puts("{shown}");', ""] if shown else []
    return "\n".join([
        PREFIX.format(name) + '#include "golden/compiled.hpp"', "", "namespace golden {", "", *shown,
        *(function.test() for function in functions), "", "}  // namespace golden", ""])


def share_text(chosen, functions, share, seed):
    count = [len({name for function in some for name in function.ids}) for some in (chosen, functions)]
    return (f"golden values, compiled: {len(chosen)} of {len(functions)} functions, {count[0]} of {count[1]} cases"
            + ("" if share == "all" else f", part {share}" if "/" in share else f", seed {seed}"))


def main(share, seed, folder, units):
    cases, names, dtypes = read_cases(), declared_names(), set(dtypes_of_the_library())
    texts, waiting = composites_of([case for case in cases if case["op"] == "composite"], names)
    declared = names & {case["op"] for case in cases}
    existing = [case for case in cases if set(dtypes_of(case)) <= dtypes and
                (case["op"] in declared or case.get("function") in texts.values())]
    functions = functions_of(existing)
    chosen = shared_out(functions, share, seed)
    text = share_text(chosen, functions, share, seed)
    (folder / "tables.cpp").write_text(tables_text(declared, texts, waiting), encoding="utf-8")
    for unit in range(units):
        name = f"unit_{unit}.cpp"
        content = unit_text(name, chosen[unit::units], text if unit == 0 else "")
        (folder / name).write_text(content, encoding="utf-8")


main(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4]))
