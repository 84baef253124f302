# guardjit: tests/paths/expressions.py: random expressions of 4 to 24 ops, by the dtype rules of the op table
# SPDX-License-Identifier: BSL-1.0
import collections

ORDER = ["bool", "u8", "i32", "i64", "f32", "f64"]
CPP = {"bool": "bool", "u8": "std::uint8_t", "i32": "std::int32_t", "i64": "std::int64_t", "f32": "float",
       "f64": "double"}
INEXACT = ("exp expm1 log log1p rsqrt sin cos tanh erf sigmoid silu softplus gelu").split()
SMOOTH = "exp expm1 sin cos tanh erf sigmoid silu softplus gelu".split()  # these also follow inexact ones
MOST_NODES = 40  # of an expression as a tree: what is used twice is computed twice

# What a value is: its name, dtype, extents (each a name and the number in the fixed signature), whether other
# paths may differ from the oracle, and how many nodes it has as a tree.
Value = collections.namedtuple("Value", "name dtype shape inexact nodes")


def kind(dtype):
    return 0 if dtype == "bool" else 2 if dtype in ("f32", "f64") else 1


def promoted(a, b):
    return max(a, b, key=ORDER.index)


def promoted_weak(dtype, scalar):
    if kind(scalar) <= kind(dtype):
        return dtype
    return {"i64": "i64", "f32": "f32", "f64": "f64"}[scalar]


def as_float(dtype):
    return dtype if kind(dtype) == 2 else "f64"


def joined(a, b):
    """The shape of two operands together; None where it is not known to fit."""
    long, short = (a, b) if len(a) >= len(b) else (b, a)
    shape = list(long)
    for place in range(1, len(short) + 1):
        one, other = long[-place], short[-place]
        if one[0] != other[0] and "1" not in (one[0], other[0]):
            return None
        shape[-place] = one if other[0] == "1" else other
    return tuple(shape)


class Expression:
    """One random expression. `fixed`: the numbers of m, n and k in the fixed signature, None where it has none."""

    def __init__(self, dice):
        self.dice = dice
        numbers = {letter: dice.choice([3, 4, 5, 8, 9, 16, 17]) for letter in "mnk"}
        self.extents = {letter: (letter, number) for letter, number in numbers.items()} | {"1": ("1", 1)}
        self.fixed = [numbers[letter] if dice.random() < 0.7 else None for letter in "mnk"]
        self.statements, self.parameters, self.values, self.new_extents = {}, [], [], {}
        for _ in range(dice.choice([1, 2, 2, 3, 3, 4])):
            self.add_parameter()
        if dice.random() < 0.3:
            self.add_parameter(weak=True)
        wanted = dice.randint(4, 24)
        for _ in range(40 * wanted):
            if self.nodes() >= wanted:
                break
            self.step()
        self.result = self.values[-1]
        self.keep_what_is_used()

    # Parameters

    def add_parameter(self, weak=False):
        name = "abcdefgh"[len(self.parameters)]
        if weak:
            dtype, letters = self.dice.choice(["bool", "i64", "f32", "f64"]), ""
        else:
            dtype = self.dice.choice(["f32", "f32", "f32", "f64", "f64", "i32", "i32", "i64", "u8", "bool"])
            letters = self.dice.choice(["mn", "mn", "mn", "n", "m1", "mnk", "nk", "", "1n", "k"])
        self.parameters.append((name, dtype, letters, weak))
        if not weak:
            shape = tuple(self.extents[letter] for letter in letters)
            self.values.append(Value(name, dtype, shape, False, 0))

    def nodes(self):
        return self.values[-1].nodes

    # Operands

    def pick(self, accept=lambda value: True):
        """A value, most often the last one."""
        able = [value for value in self.values if accept(value)]
        if not able:
            return None
        if able[-1] is self.values[-1] and self.dice.random() < 0.75:
            return able[-1]
        return self.dice.choice(able)

    def other(self, first, accept):
        """A second operand, now and then the first one."""
        able = [value for value in self.values if accept(value) and value is not first]
        return self.dice.choice(able) if able and self.dice.random() < 0.9 else first if accept(first) else None

    def scalar(self, dtype):
        """The text and dtype of a scalar that an op on `dtype` takes."""
        weak = [(name, kind_of) for name, kind_of, _, is_weak in self.parameters if is_weak]
        if weak and self.dice.random() < 0.4:
            return weak[0]
        if kind(dtype) == 2 or self.dice.random() < 0.2:
            number = self.dice.choice(["0.5", "2.0", "-1.5", "0.0", "-0.0", "3.25", "1.0", "0.1"])
            return (number + "f", "f32") if self.dice.random() < 0.7 else (number, "f64")
        return self.dice.choice([("1", "i64"), ("2", "i64"), ("3", "i64"), ("7", "i64"), ("true", "bool")])

    def add(self, text, dtype, shape, inexact, *operands):
        nodes = 1 + sum(value.nodes for value in operands)
        if nodes > MOST_NODES or len(shape) > 4:
            return
        name = f"t{len(self.statements)}"
        self.statements[name] = (text, [value.name for value in operands])
        self.values.append(Value(name, dtype, shape, inexact, nodes))

    # Ops

    def step(self):
        choices = [self.unary] * 4 + [self.function] * 3 + [self.binary] * 6 + [self.with_scalar] * 4 + [
            self.compare] * 2 + [self.bits] * 2 + [self.select] * 2 + [self.convert] * 2 + [self.reduce] * 3 + [
            self.view] * 4 + [self.product] + [self.row]
        self.dice.choice(choices)()

    def unary(self):
        x = self.pick()
        names = ["abs", "square"]
        if x.dtype != "bool":
            names += ["neg", "relu", "minus"]
            if not x.inexact:
                names += ["sign", "floor", "ceil", "round"]
        name = self.dice.choice(names)
        self.add(f"-{x.name}" if name == "minus" else f"gj::{name}({x.name})", x.dtype, x.shape, x.inexact, x)

    def function(self):
        x = self.pick()
        exact = not x.inexact
        name = self.dice.choice(INEXACT + ["sqrt", "reciprocal"] if exact else SMOOTH)
        form = ", gj::tanh_form" if name == "gelu" and self.dice.random() < 0.5 else ""
        self.add(f"gj::{name}({x.name}{form})", as_float(x.dtype), x.shape, x.inexact or name in INEXACT, x)

    def names_of_two(self, dtype, exact):
        """Names of ops on two operands that promote to `dtype`, and their signs."""
        names = ["add", "mul", "maximum", "minimum", "fmax", "fmin", "div", "+", "*", "/"]
        if dtype != "bool":
            names += ["sub", "-"]
            names += ["floor_divide", "trunc_divide", "remainder", "fmod", "pow"] if exact else []
        return names

    def spelled(self, name, a, b):
        return f"{a} {name} {b}" if not name[0].isalpha() else f"gj::{name}({a}, {b})"

    def two(self, a, b, dtype, shape, operands):
        inexact = any(value.inexact for value in operands)
        name = self.dice.choice(self.names_of_two(dtype, not inexact))
        result = as_float(dtype) if name in ("div", "/") else dtype
        inexact = inexact or (name == "pow" and kind(dtype) == 2)
        self.add(self.spelled(name, a, b), result, shape, inexact, *operands)

    def binary(self):
        a = self.pick()
        b = self.other(a, lambda value: joined(a.shape, value.shape) is not None)
        if self.dice.random() < 0.5:
            a, b = b, a
        self.two(a.name, b.name, promoted(a.dtype, b.dtype), joined(a.shape, b.shape), [a, b])

    def with_scalar(self):
        x = self.pick()
        text, dtype = self.scalar(x.dtype)
        sides = [x.name, text] if self.dice.random() < 0.5 else [text, x.name]
        self.two(*sides, promoted_weak(x.dtype, dtype), x.shape, [x])

    def compare(self):
        a = self.pick(lambda value: not value.inexact)
        if a is None:
            return
        b = self.other(a, lambda value: not value.inexact and joined(a.shape, value.shape) is not None)
        name = self.dice.choice("lt gt le ge eq ne < > <= >= == != logical_and logical_or logical_xor".split())
        if self.dice.random() < 0.2:
            self.add(f"gj::logical_not({a.name})", "bool", a.shape, False, a)
        else:
            self.add(self.spelled(name, a.name, b.name), "bool", joined(a.shape, b.shape), False, a, b)

    def bits(self):
        a = self.pick(lambda value: kind(value.dtype) < 2)
        if a is None:
            return
        b = self.other(a, lambda value: kind(value.dtype) < 2 and joined(a.shape, value.shape) is not None)
        dtype, shape = promoted(a.dtype, b.dtype), joined(a.shape, b.shape)
        names = ["bitwise_and", "bitwise_or", "bitwise_xor", "&", "|", "^"]
        names += ["shift_left", "shift_right"] if kind(dtype) == 1 else []
        if self.dice.random() < 0.25:
            self.add(f"~{a.name}", a.dtype, a.shape, False, a)
        else:
            self.add(self.spelled(self.dice.choice(names), a.name, b.name), dtype, shape, False, a, b)

    def select(self):
        a = self.pick()
        if self.dice.random() < 0.4:
            (low, low_type), (high, high_type) = self.scalar(a.dtype), self.scalar(a.dtype)
            dtype = promoted_weak(promoted_weak(a.dtype, low_type), high_type)
            self.add(f"gj::clip({a.name}, {low}, {high})", dtype, a.shape, a.inexact, a)
            return
        c = self.pick(lambda value: value.dtype == "bool" and joined(a.shape, value.shape) is not None)
        if c is None:
            return
        shape = joined(a.shape, c.shape)
        b = self.other(a, lambda value: joined(shape, value.shape) is not None)
        if b is None or self.dice.random() < 0.3:
            text, dtype = self.scalar(a.dtype)
            self.add(f"gj::where({c.name}, {a.name}, {text})", promoted_weak(a.dtype, dtype), shape, a.inexact, c, a)
            return
        self.add(f"gj::where({c.name}, {a.name}, {b.name})", promoted(a.dtype, b.dtype), joined(shape, b.shape),
                 a.inexact or b.inexact, c, a, b)

    def convert(self):
        x = self.pick()
        dtype = self.dice.choice(["f32", "f64"] if x.inexact else ORDER)
        self.add(f"gj::to<{CPP[dtype]}>({x.name})", dtype, x.shape, x.inexact, x)

    def reduce(self):
        x = self.pick()
        rank = len(x.shape)
        some = sorted(self.dice.sample(range(rank), self.dice.randint(0, rank)))
        name, keep = self.dice.choice(["sum", "amax", "mean"]), self.dice.random() < 0.6
        if name == "amax" and any(x.shape[axis][1] == 0 for axis in some):
            return
        shape = [self.extents["1"] if axis in some else extent for axis, extent in enumerate(x.shape)
                 if keep or axis not in some]
        whole = name != "amax" and kind(x.dtype) < 2
        dtype = {"sum": x.dtype if kind(x.dtype) == 2 else "i64", "amax": x.dtype, "mean": as_float(x.dtype)}[name]
        axes = ", ".join(str(axis - (rank if self.dice.random() < 0.3 else 0)) for axis in some)
        text = "" if len(some) == rank and self.dice.random() < 0.5 else f", gj::axes({axes})"
        text += ", gj::keepdims" if keep else ""
        self.add(f"gj::{name}({x.name}{text})", dtype, tuple(shape), x.inexact or (name != "amax" and not whole), x)

    def derived(self, old, text, count):
        """The extent of a slice; the same slice of the same extent is the same one."""
        return self.new_extents.setdefault((old[0], text), (f"x{len(self.new_extents)}", count))

    def view(self):
        x = self.pick()
        rank = len(x.shape)
        name = self.dice.choice(["transpose", "slice", "slice", "reshape", "expand", "permute"])
        if name == "slice" and rank:
            axis = self.dice.randrange(rank)
            start, stop, step = self.dice.choice([
                ("1", None, 1), ("0", "-1", 1), ("-1", None, -1), ("0", None, 2), ("-1", None, -2), ("1", "3", 1),
                ("-2", None, 1)])
            count = len(range(x.shape[axis][1])[int(start):int(stop) if stop else None:step])
            words = [start] + ([stop or "gj::slice_end"] if stop or step != 1 else []) + (
                [str(step)] if step != 1 else [])
            if (start, stop, step) == ("-1", None, -1):
                extent = x.shape[axis]
            else:
                extent = self.derived(x.shape[axis], " ".join(words), count)
            shape = x.shape[:axis] + (extent,) + x.shape[axis + 1:]
            text = f"gj::slice({x.name}, {axis}, {', '.join(words)})"
        elif name == "transpose":
            shape, text = x.shape[::-1], f"gj::transpose({x.name})"
        elif name == "permute" and rank:
            order = self.dice.sample(range(rank), rank)
            shape = tuple(x.shape[axis] for axis in order)
            text = f"gj::permute({x.name}, gj::axes({', '.join(map(str, order))}))"
        elif name == "expand":
            if any(extent[0] != "1" for extent in x.shape) or rank > 2:
                return
            shape = tuple([("2", 2)] + [("3", 3)] * rank)
            text = f"gj::expand({x.name}, {{2{', 3' * rank}}})"
        elif name == "reshape":
            flat = (f"x{len(self.new_extents)}", self.count_of(x.shape))
            self.new_extents[flat] = flat
            shape = self.dice.choice([(flat,), (self.extents["1"], flat), (flat, self.extents["1"])])
            text = f"gj::reshape({x.name}, {{{', '.join('-1' if extent is flat else '1' for extent in shape)}}})"
        else:
            return
        self.add(text, x.dtype, shape, x.inexact, x)

    @staticmethod
    def count_of(shape):
        count = 1
        for _, number in shape:
            count *= number
        return count

    def product(self):
        a = self.pick(lambda value: len(value.shape) >= 1)
        if a is None:
            return
        b = self.other(a, lambda value: len(value.shape) in (1, 2) and value.shape[0][0] == a.shape[-1][0] != "1")
        if b is None:
            return
        dtype = promoted(a.dtype, b.dtype)
        inexact = a.inexact or b.inexact or kind(dtype) == 2
        self.add(f"gj::matmul({a.name}, {b.name})", dtype if kind(dtype) == 2 else "i64", a.shape[:-1] + b.shape[1:],
                 inexact, a, b)

    def row(self):
        x = self.pick(lambda value: value.shape and all(extent[1] for extent in value.shape))
        if x is None:
            return
        axis = self.dice.randrange(-len(x.shape), len(x.shape))
        self.add(f"gj::softmax({x.name}, {axis})", as_float(x.dtype), x.shape, True, x)

    # Text

    def keep_what_is_used(self):
        used, wanted = set(), [self.result.name]
        while wanted:
            name = wanted.pop()
            if name not in used:
                used.add(name)
                wanted += self.statements.get(name, ("", []))[1]
        texts = [text for name, (text, _) in self.statements.items() if name in used]
        is_named = lambda name: any(name in text.replace("(", " ").replace(")", " ").replace(",", " ")
                                    .replace("-", " ").replace("~", " ").split() for text in texts)
        self.parameters = [entry for entry in self.parameters if entry[0] in used or (entry[3] and is_named(entry[0]))]
        self.statements = {name: entry for name, entry in self.statements.items() if name in used}

    def body(self):
        lines = [f"auto const {name} = {text};" for name, (text, _) in self.statements.items()]
        last = lines.pop()
        return lines + ["return " + last.split(" = ", 1)[1]]

    def parameter_types(self, fixed):
        types = []
        for _, dtype, letters, weak in self.parameters:
            words = [CPP[dtype]]
            for letter in letters:
                number = 1 if letter == "1" else self.fixed["mnk".index(letter)]
                words.append("dyn" if not fixed or number is None else str(number))
            types.append(f"as_{'scalar' if weak else 'tensor'}<{', '.join(words)}>")
        return f"call_signature<{', '.join(types)}>"


def random_expression(dice):
    """One whose value has tensors in it, and 4 ops at least."""
    while True:
        expression = Expression(dice)
        tensors = [entry for entry in expression.parameters if not entry[3]]
        if 4 <= len(expression.statements) <= 24 and tensors:
            return expression
