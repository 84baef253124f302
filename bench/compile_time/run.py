#!/usr/bin/env python3
# guardjit: bench/compile_time/run.py: what tracing, passes and kernels cost the compiler
# SPDX-License-Identifier: BSL-1.0
"""run.py [g++ | clang++-16]: a table of seconds, memory and object size of generated units; `front` are the
seconds without code (-fsyntax-only). Nodes count after merging, half of them in a loop. The seconds of the include
alone are part of each row. Not part of any test."""
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from checks import INCLUDE, compile_flags

SIZES = (64, 256, 1000, 2048)
EXPRESSION_SIZES = (4, 16, 64, 256)
OPTIMIZED = ["-O2", "-DNDEBUG"]
STEPS = ["-fconstexpr-steps=4000000"]  # clang's own limit is 1,048,576 an evaluation
UMBRELLA = INCLUDE / "guardjit/guardjit.hpp"
PASSES = ("#include <guardjit/graph/passes/lower.hpp>\n#include <guardjit/graph/passes/optimize.hpp>\n"
          "#include <guardjit/graph/trace.hpp>\n")
GELU = "0.5f * x * (1.0f + gj::tanh(0.7978845608f * (x + 0.044715f * x * x * x)))"


def chain(nodes):
    """A lambda of so many nodes: two arguments, then turns of an op on the weights, an offset, a tanh."""
    turns = (nodes - 2) // 4
    straight = turns // 2
    lines = [f"  y = gj::tanh(y * w + {k}.5f);" for k in range(straight)]
    return "\n".join([
        "constexpr auto f = [](auto const& x, auto const& w) {", "  auto y = x * w;", *lines,
        f"  for (int i = 0; i < {turns - straight}; ++i) y = gj::tanh(y * w + static_cast<float>(i));",
        "  return y;", "};"])


def traced(body, arguments):
    """A unit that traces, optimises, groups and lowers."""
    return f"""{PASSES}
namespace gj = guardjit;
{body}
constexpr gj::argument_type argument{{gj::dtype::f32, false, gj::shape(gj::dyn, 64)}};
using source = gj::traced<std::remove_const_t<decltype(f)>, gj::call_signature<{", ".join(["argument"] * arguments)}>>;
constexpr auto const& graph = gj::optimized<source>::graph;
constexpr auto fates_of_nodes = gj::group<graph>(true);
constexpr auto kernels = gj::lower<graph, fates_of_nodes>();
static_assert(!source::graph.wrong);
int count() {{ return kernels.count; }}
"""


def compiled(body, arguments):
    """A unit that makes the kernels as well."""
    names = ", ".join("xw"[:arguments])
    parameters = ", ".join(f"gj::tensor<float, gj::dyn, 64> const& {name}" for name in "xw"[:arguments])
    return f"""#include <guardjit/guardjit.hpp>
namespace gj = guardjit;
{body}
gj::tensor<float, gj::dyn, 64> call({parameters}) {{
  static auto g = gj::compile(f);
  return g({names});
}}
"""


def another(unit):
    """The same unit with a second function in it, of other constants."""
    second = unit.split("namespace gj = guardjit;\n")[1]
    for old, new in (("auto f =", "auto f2 ="), ("compile(f)", "compile(f2)"), (" call(", " call2("), ("0.5f", "0.25f")):
        second = second.replace(old, new)
    return unit + second


def statement(ops, x, w):
    """One expression of so many ops."""
    text = x
    for k in range(ops):
        text = f"({text} {'+*'[k % 2]} {w})" if k % 3 else f"({text} - {k}.5f)"
    return text


def expression(ops):
    return f"""#include <guardjit/guardjit.hpp>
namespace gj = guardjit;
void call(gj::tensor<float, gj::dyn>& y, gj::tensor<float, gj::dyn> const& x, gj::tensor<float, gj::dyn> const& w) {{
  y = {statement(ops, "x", "w")};
}}
"""


def eigen_expression(ops):
    return f"""#include <Eigen/Core>
void call(Eigen::ArrayXf& y, Eigen::ArrayXf const& x, Eigen::ArrayXf const& w) {{
  y = {statement(ops, "x", "w")};
}}
"""


def units():
    gelu = f"constexpr auto f = [](auto const& x) {{ return {GELU}; }};"
    yield "include, passes", PASSES
    yield "gelu, passes", traced(gelu, 1)
    for size in SIZES:
        yield f"{size} nodes, passes", traced(chain(size), 2)
    if UMBRELLA.exists():
        yield "include", "#include <guardjit/guardjit.hpp>\n"
        yield "gelu", compiled(gelu, 1)
        yield "gelu, and another", another(compiled(gelu, 1))
        for size in SIZES:
            yield f"{size} nodes", compiled(chain(size), 2)
        for ops in EXPRESSION_SIZES:
            yield f"expression of {ops}", expression(ops)
            yield "the same by Eigen", eigen_expression(ops)


def measure(compiler, unit, folder):
    """Seconds of the front end and in all, peak memory in MiB, bytes of the object; or the first error."""
    source, target = folder / "unit.cpp", folder / "unit.o"
    source.write_text(unit, encoding="utf-8")
    command = [compiler, *map(str, compile_flags()), *OPTIMIZED, *(STEPS if "clang" in compiler else []), str(source)]
    front, error = timed([*command, "-fsyntax-only"], folder)
    if error:
        return None, error
    whole, error = timed([*command, "-c", "-o", str(target)], folder)
    return (None, error) if error else ((front[0], *whole, target.stat().st_size), "")


def timed(command, folder):
    """Seconds and peak memory in MiB of a command that succeeds; or the first error."""
    with open(folder / "output", "w+", encoding="utf-8") as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        output.seek(0)
        if process.returncode != 0:
            error = re.search(r"error: .*", output.read())
            return None, error[0][:120] if error else "the compiler failed"
    return (seconds, usage.ru_maxrss / 1024), ""


def main(compilers):
    failed = False
    for compiler in compilers:
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
        print(f"\n{version}; {' '.join(OPTIMIZED)}; {datetime.date.today()}")
        print(f"{'unit':<22} {'front':>8} {'seconds':>8} {'MiB':>6} {'object kB':>10}")
        with tempfile.TemporaryDirectory() as folder:
            for name, unit in units():
                numbers, error = measure(compiler, unit, pathlib.Path(folder))
                failed = failed or numbers is None
                row = error
                if numbers:
                    front, whole, memory, size = numbers
                    row = f"{front:>8.2f} {whole:>8.2f} {memory:>6.0f} {size / 1000:>10.1f}"
                print(f"{name:<22} {row}", flush=True)
    sys.exit(1 if failed else 0)


main(sys.argv[1:] or ["g++", "clang++-16"])
