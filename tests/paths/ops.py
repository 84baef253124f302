# guardjit: tests/paths/ops.py: the table of ops that are called on each path: one line an op
# SPDX-License-Identifier: BSL-1.0
"""A row has the names of ops that are called alike, the extents of their operands, and their dtypes. `m n k` are
extents, `?mn` is a bool operand, `s` a C++ scalar; extents that are left out are those of rank 0."""
import collections

ALL = "bool u8 i32 i64 f32 f64".split()
NUMBERS = ALL[1:]
INTEGERS = ALL[1:4]
BITS = ALL[:4]

# Ops that have no row: leaves, factories, which take no operands, and a form that a row calls by another name.
WITHOUT_ROW = "input constant zeros ones full arange gelu_tanh".split()

# `call` has the operands as {0}, {1}, …; `empty` says whether extents in the type may be 0.
Form = collections.namedtuple("Form", "op call operands dtypes empty")


def rows(names, call, operands, dtypes, empty=True):
    return [Form(name, call.replace("OP", f"gj::{name}"), tuple(operands.split(" ")), dtypes, empty)
            for name in names.split()]


def unary(names, dtypes):
    return rows(names, "OP({0})", "mn", dtypes) + rows(names, "OP({0})", "-", dtypes)


def binary(names, dtypes):
    return (rows(names, "OP({0}, {1})", "mn n", dtypes) + rows(names, "OP({0}, {1})", "- -", dtypes) +
            rows(names, "OP({0}, {1})", "s m1", dtypes))


def reduction(names, dtypes, empty):
    return (rows(names, "OP({0})", "mn", dtypes, empty) + rows(names, "OP({0}, gj::axes(0))", "nm", dtypes) +
            rows(names, "OP({0}, gj::axes(1, -1), gj::keepdims)", "mnk", dtypes, empty) +
            rows(names, "OP({0}, gj::axes())", "-", dtypes))


def view(call, operands):
    return rows(call.split("(")[0], "gj::" + call, operands, ALL)


# Indices of axis 0 of operand 0 from the elements of operand 1; of an empty axis they are wrong.
INDEX = "gj::remainder(gj::to<std::int64_t>({1}), {0}.extent(0))"

FORMS = [
    *unary("abs square logical_not", ALL),
    *unary("neg sign relu floor ceil round", NUMBERS),
    *unary("bitwise_not", BITS),
    *unary("reciprocal sqrt exp log tanh rsqrt expm1 log1p sin cos erf sigmoid silu softplus gelu", ALL),
    *rows("gelu", "OP({0}, gj::tanh_form)", "mn", ALL),
    *binary("add mul maximum minimum fmax fmin div", ALL),
    *binary("sub floor_divide trunc_divide remainder fmod pow", NUMBERS),
    *binary("lt gt eq le ge ne logical_and logical_or logical_xor", ALL),
    *binary("bitwise_and bitwise_or bitwise_xor", BITS),
    *binary("shift_left shift_right", INTEGERS),
    *rows("clip", "OP({0}, {1}, {2})", "mn n m1", ALL), *rows("clip", "OP({0}, {1}, {2})", "mn s s", ALL),
    *rows("where", "OP({0}, {1}, {2})", "?m1 mn n", ALL), *rows("where", "OP({0}, {1}, {2})", "?- - s", ALL),
    *(form for to in ("bool", "std::uint8_t", "std::int32_t", "std::int64_t", "float", "double")
      for form in rows("to", f"OP<{to}>({{0}})", "mn", ALL)),
    *reduction("sum mean prod any all", ALL, True), *reduction("amax amin", ALL, False),
    *rows("argmax argmin", "OP({0})", "mn", ALL, False), *rows("argmax argmin", "OP({0}, 0, gj::keepdims)", "nm", ALL),
    *reduction("var std", ALL, True), *rows("var", "OP({0}, gj::axes(1), gj::correction(0))", "mn", ALL),
    *rows("matmul", "OP({0}, {1})", "mn nk", ALL), *rows("matmul", "OP({0}, {1})", "mkn n", ALL),
    *rows("softmax log_softmax", "OP({0})", "mn", ALL), *rows("softmax log_softmax", "OP({0}, 0)", "nm", ALL),
    *rows("softmax log_softmax", "OP({0}, 1, {1})", "mn ?n", ALL), *rows("logsumexp", "OP({0}, gj::axes(1))", "mn", ALL),
    *rows("logsumexp", "OP({0}, gj::axes(0), gj::keepdims)", "nm", ALL), *rows("layer_norm", "OP({0}, gj::axes(-1))", "mn", ALL),
    *rows("layer_norm", "OP({0}, gj::axes(-1), {1}, {2})", "mn n n", ALL),
    *view("transpose({0})", "mnk"), *view("permute({0}, gj::axes(2, 0, 1))", "mnk"),
    *view("reshape({0}, {{-1}})", "mn"), *view("expand({0}, {{3, 2}})", "1"),
    *view("select({0}, 1, -1)", "mn"), *view("unsqueeze({0}, 1)", "mn"), *view("flip({0})", "mn"),
    *view("squeeze({0}, gj::axes(1))", "m1"), *view("movedim({0}, 0, -1)", "mnk"),
    *rows("concat", "OP({0}, {1}, 1)", "mn mk", ALL), *rows("concat", "OP({0}, {1}, {0}, 0)", "n n", ALL),
    *rows("stack", "OP({0}, {1}, 0)", "mn mn", ALL),
    *rows("take", f"OP({{0}}, {INDEX}, 0)", "mn k", ALL), *rows("gather", f"OP({{0}}, {INDEX}, 0)", "mn kn", ALL),
    *view("slice({0}, 1, 1, gj::slice_end, 2)", "mn"), *view("slice({0}, 0, -1, gj::slice_end, -1)", "mn"),
]
