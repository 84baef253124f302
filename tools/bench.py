#!/usr/bin/env python3
# guardjit: tools/bench.py: builds and runs the benchmarks, and shows each row against its baselines
# SPDX-License-Identifier: BSL-1.0
"""bench.py [FILTER] [--benchmark_…]: FILTER is a regular expression on names BM_<subject>/<variant>/<arguments>.
Rows with equal subject and arguments are a family; a ratio is baseline time / row time, above 1 is faster.
`compile_time` as FILTER measures the compiler instead (bench/compile_time)."""
import collections
import datetime
import json
import os
import re
import sys

from checks import CORES, ROOT, run

BASELINES = ("eigen", "eigen_static", "hand", "direct", "std_function", "hash_map", "virtual_guards")
DEFAULTS = ["--benchmark_repetitions=5", "--benchmark_min_time=0.05", "--benchmark_enable_random_interleaving=true"]


def build(compiler):
    folder = ROOT / "build" / f"bench-{os.path.basename(compiler)}"
    again = ["--reconfigure"] if (folder / "build.ninja").exists() else []
    steps = [["meson", "setup", *again, folder, "--buildtype=release", "-Db_ndebug=true", "-Dcpp_args=-march=native",
              "-Dtests=disabled", "-Dexamples=disabled", "-Dcuda=disabled", "-Dbench=enabled"],
             ["ninja", "-C", folder, "-j", CORES]]
    for step in steps:
        result = run(step, cwd=ROOT, env={**os.environ, "CXX": compiler})
        if result.returncode != 0:
            sys.exit(f"{' '.join(map(str, step))} failed:\n{result.output[-4000:]}")
    return folder


def nanoseconds(row):
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[row["time_unit"]]
    is_wall = row["run_name"].endswith(("/real_time", "/manual_time"))
    return scale * row["real_time" if is_wall else "cpu_time"]


def measured(report):
    """run name -> ns: the median where a row was repeated."""
    rows = [row for row in report["benchmarks"] if not row.get("error_occurred")]
    once = {row["run_name"]: nanoseconds(row) for row in rows if row["run_type"] == "iteration"}
    medians = {row["run_name"]: nanoseconds(row) for row in rows if row.get("aggregate_name") == "median"}
    return {**once, **medians}


def text_of(time):
    for unit, scale in (("ns", 1), ("us", 1e3), ("ms", 1e6)):
        if time < 1000 * scale:
            break
    return f"{time / scale:.3g} {unit}" if time / scale < 100 else f"{time / scale:.0f} {unit}"


def natural(texts):
    """A sorting key by which 4 comes before 15."""
    return [(int(part) if part.isdigit() else -1, part) for text in texts for part in re.split(r"(\d+)", text)]


def table(times):
    families = collections.defaultdict(dict)
    for name, time in times.items():
        subject, _, rest = name.partition("/")
        variant, _, arguments = rest.partition("/")
        arguments = re.sub(r"/(iterations:\d+|real_time|manual_time)", "", arguments)
        families[subject, arguments][variant] = time
    lines = []
    for (subject, arguments), variants in sorted(families.items(), key=lambda item: natural(item[0])):
        baselines = {name: variants[name] for name in BASELINES if name in variants}
        own = {name: time for name, time in variants.items() if name not in BASELINES}
        for variant, time in (own or baselines).items():
            ratios = "  ".join(f"{name} {base / time:5.2f}x ({text_of(base)})" for name, base in baselines.items())
            ratios = ratios if own else "baseline only"
            lines.append(("/".join(filter(None, (subject, variant, arguments))), text_of(time), ratios))
    wide = max((len(line[0]) for line in lines), default=0)
    for name, time, ratios in lines:
        print(f"{name:<{wide}}  {time:>9}  {ratios}")


def main(arguments):
    flags = [word for word in arguments if word.startswith("--")]
    words = [word for word in arguments if not word.startswith("--")]
    compiler = os.environ.get("CXX", "g++")
    if words == ["compile_time"]:
        os.execvp(sys.executable, [sys.executable, str(ROOT / "bench/compile_time/run.py")])

    folder = build(compiler)
    programs = sorted(path for path in (folder / "bench").glob("bench_*") if path.is_file() and os.access(path, os.X_OK))
    total = 0
    for program in programs:
        report = folder / f"{program.name}.json"
        report.unlink(missing_ok=True)
        result = run([program, *DEFAULTS, *flags, *(f"--benchmark_filter={word}" for word in words[:1]),
                      f"--benchmark_out={report}", "--benchmark_out_format=json"])
        if result.returncode != 0:
            sys.exit(f"{program.name} failed:\n{result.output[-4000:]}")
        text = report.read_text(encoding="utf-8") if report.exists() else ""
        times = measured(json.loads(text)) if text.strip() else {}
        if times:
            print(f"\n{program.name.removeprefix('bench_')}  ({report.relative_to(ROOT)})")
            table(times)
            total += len(times)
    version = run([compiler, "--version"]).output.splitlines()[0]
    cpu = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo", encoding="utf-8").read())
    print(f"\n{total} rows. {version}; -O3 -march=native -DNDEBUG -ffp-contract=off; {cpu[1] if cpu else 'unknown CPU'}; "
          f"{datetime.date.today()}; median of 5 repetitions unless flags say otherwise.")
    if not total:
        sys.exit("no benchmark matches" if programs else "there is no benchmark yet")


main(sys.argv[1:])
