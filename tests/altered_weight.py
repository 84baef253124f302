#!/usr/bin/env python3
# guardjit: tests/altered_weight.py: the quickstart must notice one wrong weight
# SPDX-License-Identifier: BSL-1.0
"""altered_weight.py PROGRAM DATA_FOLDER"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile


def main(program, data):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "digits"
        shutil.copytree(data, copy)
        if subprocess.run([program, copy], stdout=subprocess.DEVNULL).returncode != 0:
            return "the unchanged copy fails already"
        weights = copy / "w1.npy"
        content = bytearray(weights.read_bytes())
        header = 10 + struct.unpack_from("<H", content, 8)[0]
        middle = header + 4 * (28 * 128)  # row 28: a pixel in the middle of the image, never always 0
        struct.pack_into("<f", content, middle, struct.unpack_from("<f", content, middle)[0] + 1.0)
        weights.chmod(0o644)
        weights.write_bytes(content)
        result = subprocess.run([program, copy], capture_output=True, text=True)
        if result.returncode <= 0:
            return f"exit status {result.returncode} with an altered weight:\n{result.stdout}"
    return 0


sys.exit(main(*sys.argv[1:]))
