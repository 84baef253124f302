#!/usr/bin/env python3
# guardjit: tests/readme.py: the C++ that README.md shows stands, word for word, in files that tests compile
# SPDX-License-Identifier: BSL-1.0
"""Above each C++ block of README.md stands `<!-- from FILE -->`. FILE, an example or a compile_fail case, has one
region from a line `// [readme]` to a line `// [/readme]`. With --write the blocks are taken from the files anew."""
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import ROOT, Checks

REGION = re.compile(r"^[ \t]*// \[readme\]\n(.*?)^[ \t]*// \[/readme\]$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^(<!-- from (\S+) -->\n)?```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
README = ROOT / "README.md"


def regions():
    files = [*ROOT.glob("examples/*.cpp"), *ROOT.glob("tests/compile_fail/**/*.cpp")]
    found = {file: REGION.findall(file.read_text(encoding="utf-8")) for file in sorted(files)}
    return {file.relative_to(ROOT).as_posix(): [textwrap.dedent(text) for text in texts]
            for file, texts in found.items() if texts}


def main():
    known, readme, checks = regions(), README.read_text(encoding="utf-8"), Checks()
    if "--write" in sys.argv:
        readme = BLOCK.sub(
            lambda old: f"{old[1]}```cpp\n{known[old[2]][0]}```" if old[2] in known else old[0], readme)
        README.write_text(readme, encoding="utf-8")
    shown = {}
    for _, file, text in BLOCK.findall(readme):
        shown[file] = text
        checks.check(known.get(file) == [text],
                     f"README.md: not the one region of {file or 'a file named above it'}:\n{text}")
    for file in known:
        checks.check(file in shown, f"{file}: README.md does not show its region")
    checks.check(shown, "README.md shows no C++")
    checks.finish()


main()
