"""Values that somebody has written down for a parameter: in docs, tests, calls and data files."""

import ast
import builtins
import csv
import io
import itertools
import json
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reverie.dreamers.enrich.naturalising.parameters import Signature, Signatures
from reverie.dreamers.enrich.search.settings import Setting
from reverie.syntax.nodes import Function, stored_names
from reverie.syntax.unparsing import unparse

_BACKTICKED = re.compile(r"(?<![:`])``?([^`~\n][^`\n]{1,79})``?")
_ROLE = re.compile(r":\w+:`[^`]*`|(?<!`)`[^`\n]+`__?(?!\w)|\.\. _[^\n]*")
"""References of reStructuredText: names of things, and links."""
_QUOTED = re.compile(r"(?<![\w\\])([\"'])((?:(?!\1)[^\\\n]){1,60})\1(?!\w)")
_CODE = re.compile(
    r"\([a-z_]\w*(?:, ?[a-z_]\w*)+\)|[A-Za-z_][\w.]*(\(.*\))?|[A-Za-z_]\w*\s*=.*|>>>.*|[*_]+\w+"
    r"|\w*_\*"
)
_MOST_ROWS = 12
_MOST_VALUES = 40
_LONGEST = 160
_SHORT = 14
_LARGEST_BYTES = 200_000
_DATA = (".csv", ".tsv", ".json", ".toml", ".ini", ".cfg")

Rename = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Mention:
    """A value that stands somewhere for a parameter of a callee."""

    callee: str
    parameter: str
    source: str
    place: int = 0
    """The line of the call that it is of."""


def called_with(tree: ast.Module, signatures: Signatures, rename: Rename) -> Iterator[Mention]:
    """Arguments of calls in a script, names replaced by what they stand for.

    What somebody gives only where the interpreter or the system is a certain one is not shown.
    """
    shared = _assigned(tree.body)
    for name, value in Setting.of(tree).given.items():
        shared.setdefault(name, [value])
    yield from _of_body(tree, shared, signatures, rename, modules_in(tree))


def modules_in(tree: ast.Module) -> frozenset[str]:
    """Names that stand for modules in a script, as far as they are imported."""
    return frozenset(
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ) - stored_names(tree)


_CONDITIONED = re.compile(
    r"\b(?:sys\.(?:version_info|version|platform|implementation|maxsize)|os\.name|platform\.\w+"
    r"|PY\d+|IS_\w+|skipif|xfail|importorskip)\b"
)


def _is_conditioned(node: ast.AST) -> bool:
    """Whether it is a function about one interpreter or system among others."""
    return isinstance(node, Function) and _CONDITIONED.search(unparse(node)) is not None


def whole_calls(tree: ast.Module, signatures: Signatures, rename: Rename) -> Iterator[str]:
    """Calls that need no name from outside, as a line of a test would have them."""
    modules = modules_in(tree)
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if _is_conditioned(node):
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and signatures.of(node, modules) is not None:
            source = rename(unparse(node)) if _is_whole(node, signatures, modules) else None
            if source is not None:
                yield source


def _is_whole(call: ast.Call, signatures: Signatures, modules: frozenset[str]) -> bool:
    """Whether all names in it are Python's, of the module or of lambdas in it."""
    if _waits(call):
        return False
    lambdas = [each for each in ast.walk(call) if isinstance(each, ast.Lambda)]
    bound = {arg.arg for each in lambdas for arg in each.args.args}
    names = {each.id for each in ast.walk(call) if isinstance(each, ast.Name)} - bound
    known = signatures.by_name.keys() | signatures.modules | modules
    return all(hasattr(builtins, each) or each in known for each in names)


def _waits(node: ast.AST) -> bool:
    """Whether it stands only in a function that is gone on with: `send((yield))`."""
    waiting = (ast.Yield, ast.YieldFrom, ast.Await)
    return any(isinstance(each, waiting) for each in ast.walk(node))


def _of_body(
    tree: ast.AST,
    shared: Mapping[str, list[ast.expr]],
    signatures: Signatures,
    rename: Rename,
    modules: frozenset[str],
) -> Iterator[Mention]:
    for node in ast.iter_child_nodes(tree):
        inner = shared
        if _is_conditioned(node):
            continue
        if isinstance(node, Function):
            inner = {**shared, **_assigned(list(ast.walk(node))), **_tabled(node)}
        if isinstance(node, ast.Call):
            signature = signatures.of(node, modules)
            for slot, value in signature.bound(node) if signature is not None else ():
                for each in _meant(value, inner):
                    if _waits(each):
                        continue
                    source = rename(unparse(each))
                    if source is not None and len(source) <= _LONGEST and signature is not None:
                        yield Mention(signature.callee, slot.name, source, node.lineno)
        yield from _of_body(node, inner, signatures, rename, modules)


def _meant(value: ast.expr, bound: Mapping[str, list[ast.expr]]) -> Sequence[ast.expr]:
    if isinstance(value, ast.Name):
        return bound.get(value.id, [value])[:_MOST_ROWS]
    return [value]


def _assigned(body: Sequence[ast.AST]) -> dict[str, list[ast.expr]]:
    """Names that stand for one value, or for each of a list in turn."""
    found: dict[str, list[ast.expr]] = {}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple() as row):
                _spread(names, [row], found)
            case ast.For(target=ast.Name(id=name), iter=ast.List() | ast.Tuple() as items):
                found.setdefault(name, []).extend(items.elts)
            case ast.For(target=ast.Tuple(elts=names), iter=ast.List() | ast.Tuple() as items):
                _spread(names, items.elts, found)
    return found


def _tabled(node: Function) -> dict[str, list[ast.expr]]:
    """What the rows of `parametrize` give to a test."""
    found: dict[str, list[ast.expr]] = {}
    for each in node.decorator_list:
        match each:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows), *_],
            ):
                several = _parameter_names(names)
                if len(several) == 1:
                    found.setdefault(several[0].id, []).extend(rows)
                else:
                    _spread(several, rows, found)
    return found


def _parameter_names(node: ast.expr) -> list[ast.Name]:
    if isinstance(node, ast.Constant):
        return [ast.Name(each.strip()) for each in str(node.value).split(",")]
    elements = getattr(node, "elts", ())
    return [ast.Name(str(each.value)) for each in elements if isinstance(each, ast.Constant)]


def _spread(
    names: Sequence[ast.expr], rows: Sequence[ast.expr], found: dict[str, list[ast.expr]]
) -> None:
    for row in rows:
        values = row.elts if isinstance(row, ast.Tuple | ast.List) else []
        if len(values) == len(names):
            for name, value in zip(names, values, strict=True):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)


# -- prose ------------------------------------------------------------------------------------


def texts_in_prose(text: str) -> Iterator[str]:
    """Values in backticks and quotes: what is code, or names something, is none."""
    prose = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">>>"))
    prose = _ROLE.sub(" ", prose)
    for found in _BACKTICKED.findall(prose):
        literal = _QUOTED.fullmatch(found)
        if literal is not None:
            yield literal[2]
        elif not _CODE.fullmatch(found) and not found.startswith((":", "-", "<")):
            yield found
    for found in _QUOTED.finditer(_BACKTICKED.sub(" ", prose)):
        if len(found[2]) > 1:  # a mark alone is spoken of, and no text
            yield found[2]


def texts_in_comments(source: str, first: int, last: int) -> Iterator[str]:
    """Values that comments between two lines name."""
    for line, text in _comments(source):
        if first <= line <= last:
            yield from texts_in_prose(text)


@lru_cache(maxsize=1)
def _comments(source: str) -> tuple[tuple[int, str], ...]:
    """Each comment of a module with its line; a module is asked about function by function."""
    found: list[tuple[int, str]] = []
    try:
        found.extend(
            (token.start[0], token.string)
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        )
    except (tokenize.TokenError, SyntaxError):
        return tuple(found)  # what was read up to there counts
    return tuple(found)


# -- the code itself --------------------------------------------------------------------------


def compared_with(signature: Signature) -> Iterator[Mention]:
    """Constants that a function holds one of its parameters against."""
    names = {slot.name for slot in signature.slots}
    for node in ast.walk(signature.node):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if isinstance(node.left, ast.Constant) and isinstance(node.ops[0], ast.In | ast.NotIn):
            continue  # what is looked for in a text is no text of that kind
        for side in sides:
            name = _root(side)
            if name not in names:
                continue
            for other in sides:
                elements = getattr(other, "elts", [other])
                for each in elements:
                    if isinstance(each, ast.Constant) and type(each.value) in (str, int, float):
                        yield Mention(signature.callee, name, repr(each.value))


def bounds_of(tree: ast.Module) -> Iterator[float]:
    """Numbers that the code names or holds something against; of a sum or a mask nobody thinks."""
    for node in ast.walk(tree):
        parts: list[ast.expr] = []
        match node:
            case ast.Compare(left=left, comparators=others):
                parts = [left, *others]
            case ast.arguments(defaults=defaults, kw_defaults=more):
                parts = [*defaults, *(each for each in more if each is not None)]
            case ast.Call(func=ast.Name(id="range" | "min" | "max"), args=given):
                parts = given
        yield from _numbers_in(parts)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            yield from _numbers_in([node.value])


def _numbers_in(nodes: Sequence[ast.expr]) -> Iterator[float]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and type(each.value) in (int, float):
                yield each.value  # type: ignore[misc]


def _root(node: ast.expr) -> str:
    """The name that an expression reads as a whole: of `text.lower()` it is `text`."""
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute(value=inner) | ast.Call(func=inner):
                node = inner
            case _:
                return ""
    return node.id


def patterns_compiled(tree: ast.Module) -> dict[str, str]:
    """Regular expressions of a module, by the name that they are bound to."""
    return {
        node.targets[0].id: pattern
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        for pattern in _pattern_of(node.value)
    }


def patterns_met(compiled: Mapping[str, str], signature: Signature) -> tuple[str, ...]:
    """Regular expressions that a function holds texts against, as they are written."""
    found: dict[str, None] = {}
    for node in ast.walk(signature.node):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id=name) | ast.Attribute(attr=name),
                    attr="match" | "fullmatch" | "search",
                )
            ):
                several = [compiled[name]] if name in compiled else _pattern_of(node)
                found.update(dict.fromkeys(several))
    return tuple(found)


def _pattern_of(node: ast.expr) -> list[str]:
    """The expression of `re.compile("…")` and its like; none for anything else."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str(text)), *_]
        ):
            return [text]
    return []


def tokens_of(tree: ast.Module) -> tuple[str, ...]:
    """Short texts that a module lists or compares with: its own vocabulary."""
    found: dict[str, None] = {}
    exported = {
        id(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and unparse(node.targets[0]) == "__all__"
    }
    for node in ast.walk(tree):
        if id(node) in exported:
            continue
        parts: Sequence[ast.expr | None] = ()
        match node:
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                parts = elts
            case ast.Dict(keys=keys):
                parts = keys
            case ast.Compare(left=left, comparators=others):
                parts = [left, *others]
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
                parts = [ast.Constant(each) for each in text.split()]
        for part in parts:
            word = part.value if isinstance(part, ast.Constant) else None
            if isinstance(word, str) and 0 < len(word) <= _SHORT and word.isprintable():
                found.setdefault(word)
    return tuple(found)


def listed_by_name(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Members of constants, by the singular of the constant's name: `DAYS` gives each a `day`."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        parts = getattr(value, "elts", None) or getattr(value, "keys", None) or []
        singular = name.lower().strip("_").removesuffix("s").rpartition("_")[2]
        for part in parts:
            if isinstance(part, ast.Constant) and type(part.value) in (str, int):
                yield singular, repr(part.value)


# -- data files -------------------------------------------------------------------------------


def in_data_files(root: Path, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Values of columns and keys that are called as a parameter is."""
    several = (
        path
        for pattern in ("*", "tests/**/*", "test/**/*", "data/**/*", "examples/**/*", "docs/*")
        for path in sorted(root.glob(pattern))
        if path.suffix in _DATA and path.is_file() and path.stat().st_size < _LARGEST_BYTES
    )
    for path in itertools.islice(several, _MOST_VALUES):
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        yield from itertools.islice(_in_data(path.suffix, text, names), 4 * _MOST_VALUES)


def _in_data(suffix: str, text: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    if suffix in (".csv", ".tsv"):
        rows = csv.DictReader(io.StringIO(text), delimiter="\t" if suffix == ".tsv" else ",")
        for row in itertools.islice(rows, _MOST_ROWS):
            yield from ((name, value) for name, value in row.items() if name in names and value)
    elif suffix == ".json":
        try:
            yield from _in_mapping(json.loads(text), names, 0)
        except (ValueError, RecursionError):
            return


def _in_mapping(value: Any, names: frozenset[str], depth: int) -> Iterator[tuple[str, str]]:
    if depth > 6:
        return
    if isinstance(value, dict):
        for name, each in value.items():
            if name in names and isinstance(each, str) and each:
                yield name, each
            yield from _in_mapping(each, names, depth + 1)
    elif isinstance(value, list):
        for each in value[:_MOST_ROWS]:
            yield from _in_mapping(each, names, depth + 1)
