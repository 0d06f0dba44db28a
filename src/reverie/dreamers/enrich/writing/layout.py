"""Layout of Python on lines of at most a hundred characters, and ruff's own in the sandbox.

ruff has the last word where it is there; these lines are good enough without it.
"""

import ast
import io
import re
import textwrap
import tokenize
from importlib.util import find_spec

from reverie.model.execution import Limits, Policy, Request, Script
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module
from reverie.syntax.unparsing import unparse

WIDTH = 100
_INDENT = "    "
_LONG = 12
_LONG_NUMBER = re.compile(r"\d{13,}")
_POWER = re.compile(r"(?<=[\w)]) \*\* (?=\w)")
_POWER_IN_TEXT = re.compile(r"['\"].* \*\* .*['\"]")


def flat(node: ast.AST) -> str:
    """A node on one line, texts in double quotes."""
    return _requoted(unparse(node))


def _requoted(source: str) -> str:
    if " ** " in source and not _POWER_IN_TEXT.search(source):
        source = _POWER.sub("**", source)
    if "'" not in source and "e+" not in source and not _LONG_NUMBER.search(source):
        return source
    pieces: list[str] = []
    at = 0
    starts = _line_starts(source)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for place, token in enumerate(tokens):
        written = _rewritten(token)
        if written is None:
            continue
        if place > 1 and tokens[place - 2].string == "match" and written[0] == '"':
            written = _as_pattern(written)
        begin = starts[token.start[0] - 1] + token.start[1]
        end = starts[token.end[0] - 1] + token.end[1]
        pieces += [source[at:begin], written]
        at = end
    return "".join((*pieces, source[at:]))


def _rewritten(token: tokenize.TokenInfo) -> str | None:
    """A text in double quotes, a number without a plus; None for what stays as it is."""
    if token.type == tokenize.STRING and token.string[0] in "'b":
        return quoted(ast.literal_eval(token.string))
    if token.type == tokenize.NUMBER and "e+" in token.string:
        return token.string.replace("e+", "e")
    if token.type == tokenize.NUMBER and token.string.isdigit() and len(token.string) > _LONG:
        return _short_number(token.string)
    return None


def _short_number(digits: str) -> str | None:
    """`10**100`, rather than a hundred zeros."""
    head = digits.rstrip("0")
    zeros = len(digits) - len(head)
    if zeros <= _LONG // 2 or len(head) > _LONG // 2:
        return None
    return f"10**{zeros}" if head == "1" else f"{head} * 10**{zeros}"


def _as_pattern(written: str) -> str:
    """A regular expression is a raw text, also where nothing in it is escaped."""
    is_pattern = "\\" not in written and set(written) & set("^$.*+?[](){}|")
    return f"r{written}" if is_pattern else written


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def quoted(value: str | bytes) -> str:
    """A text in double quotes, unless it holds more of those than of the other."""
    if isinstance(value, bytes):
        return f"b{quoted(value.decode('latin-1'))}" if value.isascii() else repr(value)
    if "\\" in value and value.isprintable() and '"' not in value and value[-1] != "\\":
        return f'r"{value}"'
    written = repr(value)
    if written[0] == "'" and '"' not in value:
        return f'"{written[1:-1]}"'
    if written[0] == "'" and value.count('"') <= value.count("'"):
        inner = written[1:-1].replace("\\'", "'").replace('"', '\\"')
        return f'"{inner}"'
    return written


def statement_lines(node: ast.stmt, indent: str) -> list[str]:
    """A statement on as many lines as it needs."""
    if isinstance(node, (ast.With, ast.For)):
        body = [line for each in node.body for line in statement_lines(each, indent + _INDENT)]
        return [*_head_lines(node, indent), *body]
    if isinstance(node, ast.Assert):
        return _assert_lines(node, indent)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return expression_lines(node.value, indent, f"{flat(node.targets[0])} = ", "")
    if isinstance(node, ast.Expr):
        return expression_lines(node.value, indent, "", "")
    return [indent + line for line in _requoted(unparse(node)).splitlines()]


def _head_lines(node: "ast.With | ast.For", indent: str) -> list[str]:
    if isinstance(node, ast.For):
        return expression_lines(node.iter, indent, f"for {flat(node.target)} in ", ":")
    item = node.items[0]
    alias = "" if item.optional_vars is None else f" as {flat(item.optional_vars)}"
    return expression_lines(item.context_expr, indent, "with ", f"{alias}:")


def _assert_lines(node: ast.Assert, indent: str) -> list[str]:
    test = node.test
    line = f"{indent}assert {flat(test)}"
    if len(line) <= WIDTH or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return expression_lines(test, indent, "assert ", "")
    operator = flat(ast.Compare(ast.Name("a"), test.ops, [ast.Name("b")]))[1:-1].strip()
    left, right = test.left, test.comparators[0]
    before = f"assert {flat(left)} {operator} "
    if len(indent + before) <= WIDTH - 10 and _is_bracketed(right):
        return expression_lines(right, indent, before, "")
    inner = indent + _INDENT
    return [
        f"{indent}assert (",
        *expression_lines(left, inner, "", ""),
        *expression_lines(right, inner, f"{operator} ", ""),
        f"{indent})",
    ]


def _is_bracketed(node: ast.expr) -> bool:
    return isinstance(node, (ast.Call, ast.List, ast.Dict, ast.Set, ast.Tuple))


def expression_lines(node: ast.expr, indent: str, before: str, after: str) -> list[str]:
    """An expression between two pieces of text; the outermost brackets are opened first."""
    line = f"{indent}{before}{flat(node)}{after}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _text_lines(node.value, indent, before, after)
    brackets = _brackets(node)
    if brackets is None:
        return [line]
    opening, items, closing = brackets
    inner = indent + _INDENT
    lines = [f"{indent}{before}{opening}"]
    together = inner + ", ".join(name + flat(item) for name, item in items)
    if len(together) <= WIDTH and isinstance(node, ast.Call):
        return [*lines, together, f"{indent}{closing}{after}"]
    for name, item in items:
        lines += expression_lines(item, inner, name, ",")
    return [*lines, f"{indent}{closing}{after}"]


def _brackets(node: ast.expr) -> tuple[str, list[tuple[str, ast.expr]], str] | None:
    if isinstance(node, ast.Call):
        items = [("", each) for each in node.args]
        items += [(f"{each.arg}=" if each.arg else "**", each.value) for each in node.keywords]
        return f"{flat(node.func)}(", items, ")"
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return "{", [(f"{flat(key)}: " if key else "**", value) for key, value in pairs], "}"
    for kind, opening, closing in (
        (ast.List, "[", "]"),
        (ast.Set, "{", "}"),
        (ast.Tuple, "(", ")"),
    ):
        if isinstance(node, kind):
            return opening, [("", each) for each in node.elts], closing
    return None


def _text_lines(text: str, indent: str, before: str, after: str) -> list[str]:
    """A long text in pieces, broken after line ends or between words."""
    inner = indent + _INDENT
    pieces: list[str] = []
    for part in text.splitlines(keepends=True) or [text]:
        pieces += _pieces(part, WIDTH - len(inner) - 12)
    return [f"{indent}{before}(", *(inner + quoted(piece) for piece in pieces), f"{indent}){after}"]


def _pieces(text: str, width: int) -> list[str]:
    if len(repr(text)) <= width:
        return [text]
    wrapped = textwrap.wrap(
        text, width // 2, expand_tabs=False, replace_whitespace=False, drop_whitespace=False
    )
    if "".join(wrapped) == text and all(len(repr(each)) <= width for each in wrapped):
        return _filled(wrapped, width)
    return _filled([text[at : at + 8] for at in range(0, len(text), 8)], width)


def _filled(parts: list[str], width: int) -> list[str]:
    """Neighbours together as long as they fit."""
    found: list[str] = []
    for part in parts:
        if found and len(repr(found[-1] + part)) <= width:
            found[-1] += part
        else:
            found.append(part)
    return found


_SCRIPT = """
import subprocess, sys
options = ["--isolated", f"--line-length={width}", "-"]
command = [sys.executable, "-I", "-m", "ruff", "format", *options]
ran = subprocess.run(command, input=source.encode(), capture_output=True)
_result = ran.stdout.decode() if ran.returncode == 0 else None
"""


def formatted(sandbox: Sandbox, source: str, width: int) -> str:
    """The source as ruff would have it, if ruff is there and says the same in other lines."""
    if find_spec("ruff") is None or not source:
        return source
    script = Script(_SCRIPT, params={"source": source, "width": width})
    execution = sandbox.run(Request(script, Limits(wall_seconds=30.0), Policy()))
    if not execution.succeeded or not isinstance(execution.output, str):
        return source
    return execution.output if _says_the_same(source, execution.output) else source


def _says_the_same(before: str, after: str) -> bool:
    try:
        return ast.dump(parse_module(before)) == ast.dump(parse_module(after))
    except (SyntaxError, ValueError):
        return False
