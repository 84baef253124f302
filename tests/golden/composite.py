# guardjit: tests/golden/composite.py: translates the functions of the golden files, Python-like text, to C++
# SPDX-License-Identifier: BSL-1.0
import ast
import itertools
import math

from calls import axes, call

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Gt: ">", ast.Lt: "<"}
OPERATOR_OPS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Gt: "gt", ast.Lt: "lt",
                ast.MatMult: "matmul", ast.USub: "neg"}
OWN = "own_"  # begins the name of a function that a text defines
KEEPING = ["sum", "mean", "amax", "logsumexp"]  # with an axis they keep it


class Untranslated(Exception):
    """All ops exist, but the translation has no rule for this text."""


def parsed(text):
    head, body = text.split("\n", 1)
    return ast.parse(f"def {head}\n{body}").body[0]


def ops_of(function):
    """Names of the ops in a function, in order."""
    own = {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef)} | {"range"}
    ops = []
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and not all(isinstance(value, ast.Constant) for value in node.args):
            ops += [node.func.id] if node.func.id not in own else []
        elif isinstance(node, (ast.BinOp, ast.UnaryOp)):
            is_number = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
            ops += [OPERATOR_OPS[type(node.op)]] if not is_number else []
        elif isinstance(node, ast.Compare):
            ops.append(OPERATOR_OPS[type(node.ops[0])])
        elif isinstance(node, ast.Subscript):
            for index in index_list(node):
                if isinstance(index, ast.Slice):
                    ops.append("slice")
                elif isinstance(index, ast.Constant) and index.value is not Ellipsis:
                    ops.append("unsqueeze" if index.value is None else "select")
    return ops


def index_list(node):
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def subscript(node):
    """Slices one axis after the other; axes after `...` are counted from the end."""
    x, indices, axis = expression(node.value), index_list(node), 0
    for place, index in enumerate(indices):
        if isinstance(index, ast.Constant) and index.value is Ellipsis:
            if any(not isinstance(later, ast.Slice) for later in indices[place + 1:-1]):
                raise Untranslated(ast.unparse(node))
            axis = place + 1 - len(indices)
        elif isinstance(index, ast.Constant) and index.value is None:
            x, axis = call("unsqueeze", x, axis), axis + 1
        elif isinstance(index, ast.Slice):
            lower, upper = index.lower and expression(index.lower), index.upper and expression(index.upper)
            if lower or upper:
                x = call("slice", x, axis, lower or 0, *([upper] if upper else []))
            axis += 1
        else:
            x = call("select", x, axis, expression(index))
    return x


def expression(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return repr(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"-{expression(node.operand)}"
    if isinstance(node, ast.BinOp):
        left, right = expression(node.left), expression(node.right)
        if isinstance(node.op, ast.MatMult):
            return call("matmul", left, right)
        return f"({left} {OPERATORS[type(node.op)]} {right})"
    if isinstance(node, ast.Subscript):
        return subscript(node)
    if isinstance(node, ast.Call) and all(isinstance(value, ast.Constant) for value in node.args):
        return repr(getattr(math, node.func.id)(*(value.value for value in node.args)))
    if isinstance(node, ast.Call):
        values = [*node.args, *(word.value for word in node.keywords)]
        values = [part for value in values for part in (value.elts if isinstance(value, ast.List) else [value])]
        arguments = [expression(value) for value in values]
        if node.func.id in KEEPING and len(arguments) == 2:
            arguments = [arguments[0], axes([arguments[1]]), "gj::keepdims"]
        if node.func.id.startswith(OWN):
            return f"{node.func.id}({', '.join(arguments)})"
        return call(node.func.id, *arguments)
    raise Untranslated(ast.unparse(node))


def renamed(node, names):
    """A copy of a part in which variables have the names of their last values."""
    class Renaming(ast.NodeTransformer):
        def visit_Name(self, name):
            return ast.Name(names.get(name.id, name.id), name.ctx)
    return Renaming().visit(ast.parse(ast.unparse(node)).body[0]).value


def statements_of(nodes, names, numbers, in_loop=False):
    """C++ statements, loops unrolled; a name that gets a second value is another one in C++."""
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            target, value = node.targets[0].id, expression(renamed(node.value, names))
            names[target] = f"{target}_{next(numbers)}" if target in names else target
            # The next round uses what this one makes several times.
            yield f"[[maybe_unused]] auto const {names[target]} = {call('eval', value) if in_loop else value};"
        elif isinstance(node, ast.FunctionDef) and isinstance(node.body[0], ast.Return):
            names[node.name] = OWN + node.name
            body = f"return {expression(node.body[0].value)};"
            yield f"auto const {names[node.name]} = []({head_of(arguments_of(node))}) {{ {body} }};"
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and node.iter.func.id == "range":
            for _ in range(node.iter.args[0].value):
                yield from statements_of(node.body, names, numbers, True)
        else:
            raise Untranslated(ast.unparse(node))


def arguments_of(function):
    return [argument.arg for argument in function.args.args]


def head_of(parameters):
    return ", ".join(f"[[maybe_unused]] auto const& {name}" for name in parameters)


def translated(function):
    """Parameters, and one body for each result."""
    parameters, result = arguments_of(function), function.body[-1]
    names = {name: name for name in parameters}
    if not isinstance(result, ast.Return):
        raise Untranslated("a function without a result")
    statements = list(statements_of(function.body[:-1], names, itertools.count(1)))
    values = result.value.elts if isinstance(result.value, ast.Tuple) else [result.value]
    return parameters, [" ".join([*statements, f"return {expression(renamed(value, names))};"]) for value in values]
