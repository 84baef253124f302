#!/usr/bin/env python3
# guardjit: tests/readme.py: the C++ that README.md and the guide show stands, word for word, in files that tests compile
# SPDX-License-Identifier: BSL-1.0
"""Above each C++ block of README.md and docs/guide.md stands `<!-- from FILE -->`. FILE, an example or a compile_fail case, has one
region from a line `// [readme]` to a line `// [/readme]`. With --write the blocks are taken from the files anew."""
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import ROOT, Checks

REGION = re.compile(r"^[ \t]*// \[readme\]\n(.*?)^[ \t]*// \[/readme\]$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^(<!-- from (\S+) -->\n)?```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", ROOT / "docs" / "guide.md"]
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")


def regions():
    files = [*ROOT.glob("examples/*.cpp"), *ROOT.glob("tests/compile_fail/**/*.cpp")]
    found = {file: REGION.findall(file.read_text(encoding="utf-8")) for file in sorted(files)}
    return {file.relative_to(ROOT).as_posix(): [textwrap.dedent(text) for text in texts]
            for file, texts in found.items() if texts}


def main():
    known, checks, shown = regions(), Checks(), set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if "--write" in sys.argv:
            text = BLOCK.sub(
                lambda old: f"{old[1]}```cpp\n{known[old[2]][0]}```" if old[2] in known else old[0], text)
            page.write_text(text, encoding="utf-8")
        blocks = BLOCK.findall(text)
        checks.check(blocks, f"{page.name} shows no C++")
        for _, file, block in blocks:
            shown.add(file)
            checks.check(known.get(file) == [block],
                         f"{page.name}: not the one region of {file or 'a file named above it'}:\n{block}")
        for target in LINK.findall(text):
            checks.check((page.parent / target).exists(), f"{page.name}: there is no {target}")
    for file in known:
        checks.check(file in shown, f"{file}: neither README.md nor the guide shows its region")
    checks.finish()


main()
