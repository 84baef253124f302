#!/usr/bin/env python3
# guardjit: tests/conformance/artifacts/numpy_side.py: NumPy as the other side of files and texts
# SPDX-License-Identifier: BSL-1.0
"""numpy_side.py write FOLDER DESCR…: one file per dtype, shape and order, elements as `elements` says
numpy_side.py check FOLDER DESCR…: the same files, written by us
numpy_side.py savez FOLDER / checkz FILE: archives for us; one by us
numpy_side.py text FOLDER: arrays, and beside each the text that NumPy makes of it"""
import pathlib
import sys
import zipfile

import numpy

SHAPES = [(), (1,), (3,), (2, 3, 4), (0,), (2, 0, 3)]


def elements(descr, shape):
    """1.5, 2.5, … in row-major order as the dtype takes them; bools alternate."""
    count = int(numpy.prod(shape))
    values = numpy.arange(count) % 2 == 0 if descr == "|b1" else (numpy.arange(count) + 1.5).astype(descr)
    return values.reshape(shape)


def files(folder, descrs):
    for descr in descrs:
        for shape in SHAPES:
            for order in "CF":
                name = f"{descr[1:]}_{'x'.join(map(str, shape)) or 'scalar'}_{order}.npy"
                yield pathlib.Path(folder) / name, elements(descr, shape), order


def write(folder, *descrs):
    for path, array, order in files(folder, descrs):
        numpy.save(path, numpy.asarray(array, order=order))


def check(folder, *descrs):
    for path, array, order in files(folder, descrs):
        read = numpy.load(path)
        assert read.dtype == array.dtype and read.shape == array.shape, (path, read.dtype, read.shape)
        assert numpy.array_equal(read, array), (path, read)
        start = path.stat().st_size - array.nbytes
        assert start % 64 == 0, (path, start)
        if array.ndim > 1 and array.size:
            assert read.flags.f_contiguous == (order == "F"), path


def members():
    return {"weights": numpy.arange(12, dtype="<f4").reshape(3, 4).T, "flags": numpy.array([True, False]),
            "bytes": numpy.zeros(70000, dtype="|u1"), "scalar": numpy.array(-3, dtype="<i8"),
            "empty": numpy.zeros((0, 5)), "deep/name": numpy.array([2.5])}


def savez(folder):
    numpy.savez(pathlib.Path(folder) / "stored.npz", **members())
    numpy.savez_compressed(pathlib.Path(folder) / "deflated.npz", **members())


def checkz(path):
    assert zipfile.ZipFile(path).testzip() is None
    wanted = members()
    with numpy.load(path) as read:
        assert sorted(read.files) == sorted(wanted), read.files
        for name, array in wanted.items():
            found = read[name]
            assert found.dtype == array.dtype and numpy.array_equal(found, array), (name, found)


def texts():
    random = numpy.random.RandomState(1)
    for dtype in ("<f4", "<f8"):
        for scale in (1, 1e-3, 1e-6, 1e4, 1e8, 1e30):
            yield (random.standard_normal((3, 4)) * scale).astype(dtype)
            yield (random.standard_normal(30) * scale).astype(dtype)
        yield random.standard_normal((2, 3, 4)).astype(dtype)
        yield random.standard_normal((40, 40)).astype(dtype)
        yield random.standard_normal((7, 8, 20)).astype(dtype)
        yield numpy.array([1, numpy.nan, -numpy.inf, 0.25], dtype)
        yield numpy.array([numpy.nan, numpy.inf], dtype)
        yield numpy.array([1e10, 1e-10, -1e100 if dtype == "<f8" else -1e30, numpy.nan], dtype)
        yield numpy.array([0.0, -0.0, 1.5], dtype)
        yield numpy.array([1, 2, 300], dtype)
        yield numpy.array(2.0, dtype)
        yield numpy.array(1e-9, dtype)
        yield numpy.zeros((3, 0), dtype)
        yield numpy.arange(1000, dtype=dtype)
        yield numpy.arange(1001, dtype=dtype)
        yield numpy.arange(2000, dtype=dtype).reshape(2, 1000)
        yield numpy.arange(2000, dtype=dtype).reshape(1000, 2)
        yield numpy.array([0.1, 1 / 3, 123456.789], dtype)
        yield numpy.linspace(0, 1, 25, dtype=dtype).reshape(5, 5).T
    yield numpy.array([True, False, True])
    yield numpy.zeros((2, 2), bool)
    yield numpy.arange(256, dtype="|u1")
    yield numpy.array([-5, 2**62, -2**63])
    yield numpy.arange(-60, 60).reshape(2, 3, 4, 5)
    yield numpy.array(7)


def text(folder):
    for number, array in enumerate(texts()):
        numpy.save(pathlib.Path(folder) / f"{number}.npy", array)
        words = numpy.array2string(array, separator=", ", threshold=1000)
        if array.dtype == bool:  # C++ words, right-aligned as all are
            words = words.replace("True", "true").replace("False", "false")
        (pathlib.Path(folder) / f"{number}.txt").write_text(words, encoding="utf-8")


{"write": write, "check": check, "savez": savez, "checkz": checkz, "text": text}[sys.argv[1]](*sys.argv[2:])
