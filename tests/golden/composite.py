# guardjit: tests/golden/composite.py: translates the functions of the golden files, Python-like text, to C++
# SPDX-License-Identifier: BSL-1.0
import ast
import math

from calls import axes, call

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Gt: ">", ast.Lt: "<"}
OPERATOR_OPS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Gt: "gt", ast.Lt: "lt",
                ast.MatMult: "matmul", ast.USub: "neg"}
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
        arguments = [expression(value) for value in [*node.args, *(word.value for word in node.keywords)]]
        if node.func.id in KEEPING and len(arguments) == 2:
            arguments = [arguments[0], axes([arguments[1]]), "gj::keepdims"]
        return call(node.func.id, *arguments)
    raise Untranslated(ast.unparse(node))


def translated(function):
    """Parameters, and one body for each result."""
    statements = []
    for node in function.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            statements.append(f"[[maybe_unused]] auto const {node.targets[0].id} = {expression(node.value)};")
        elif isinstance(node, ast.Return):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            bodies = [" ".join([*statements, f"return {expression(value)};"]) for value in values]
            return [argument.arg for argument in function.args.args], bodies
        else:
            raise Untranslated(ast.unparse(node))
    raise Untranslated("a function without a result")
