#!/usr/bin/env python3
# guardjit: tools/sources.py: lists source files, so that a new one needs no edit of a build file
# SPDX-License-Identifier: BSL-1.0
"""sources.py FOLDER [PATTERN [TEXT]]: the paths under FOLDER, relative to it, that match the glob
PATTERN ('*.cpp') and contain TEXT. sources.py --folders FOLDER: its sub-folders with a .cpp below."""
import pathlib
import sys


def main(arguments):
    folders = arguments[0] == "--folders"
    root = pathlib.Path(arguments[1 if folders else 0])
    if folders:
        found = {p.relative_to(root).parts[0] for p in root.glob("*/**/*.cpp")}
    else:
        pattern = arguments[1] if len(arguments) > 1 else "*.cpp"
        text = arguments[2] if len(arguments) > 2 else ""
        found = {p.relative_to(root).as_posix() for p in root.glob(pattern)
                 if p.is_file() and text in p.read_text(encoding="utf-8")}
    print("\n".join(sorted(found)))


main(sys.argv[1:])
