#!/usr/bin/env python3
# guardjit: tests/install/run.py: the installed tree serves pkg-config, meson and CMake; a checkout serves meson
# SPDX-License-Identifier: BSL-1.0
import os
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
from checks import HEADERS, INCLUDE, ROOT, Checks, run

OFF = ["-Dtests=disabled", "-Dbench=disabled", "-Dexamples=disabled", "-Dcuda=disabled"]


def main():
    checks = Checks()

    def step(name, command, **options):
        result = run(command, **options)
        checks.check(result.returncode == 0, f"{name}: {' '.join(map(str, command))}\n{result.output[-3000:]}")
        return result

    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        prefix = work / "prefix"
        step("install", ["meson", "setup", work / "guardjit", ROOT, f"--prefix={prefix}", *OFF])
        step("install", ["meson", "install", "-C", work / "guardjit"])
        expected = {header.relative_to(INCLUDE) for header in HEADERS}
        installed = {header.relative_to(prefix / "include") for header in prefix.rglob("*.hpp")}
        checks.check(installed == expected, f"installed headers differ: {sorted(installed ^ expected)}")
        for file in ("LICENSE", "CHANGELOG.md"):
            checks.check((prefix / "share/doc/guardjit" / file).is_file(), f"{file} is not installed")

        env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
        flags = step("pkg-config", ["pkg-config", "--cflags", "guardjit-eigen"], env=env).output.split()
        checks.check("-ffp-contract=off" in flags, f"pkg-config: no -ffp-contract=off in {flags}")
        step("pkg-config", ["g++", "-std=c++20", *flags, HERE / "consumer.cpp", "-o", work / "by_pkgconfig"])
        step("pkg-config", [work / "by_pkgconfig"])

        # meson: the installed tree, then a checkout as subproject
        for way, options in (("meson", []), ("meson_subproject", ["--wrap-mode=forcefallback"])):
            source = work / way
            shutil.copytree(HERE / "meson", source)
            shutil.copy(HERE / "consumer.cpp", source)
            if options:
                (source / "subprojects").mkdir()
                (source / "subprojects/guardjit").symlink_to(ROOT, target_is_directory=True)
            step(way, ["meson", "setup", *options, source / "build", source], env=env)
            step(way, ["meson", "compile", "-C", source / "build"])
            step(way, [source / "build/consumer"])

        if shutil.which("cmake"):
            source = work / "cmake"
            shutil.copytree(HERE / "cmake", source)
            shutil.copy(HERE / "consumer.cpp", source)
            step("cmake", ["cmake", "-G", "Ninja", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={prefix}"])
            step("cmake", ["cmake", "--build", source / "build"])
            step("cmake", [source / "build/consumer"])
        else:
            print("cmake: not checked, there is no cmake")
    checks.finish()


main()
