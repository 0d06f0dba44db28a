"""One test of a file, cut out and stripped of what says who wrote it.

Comments, docstrings of the test, annotations of its signature and the way it is laid out go; the
assertions of `unittest` become plain ones; what `# type: ignore` silences is kept as a fact.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.keepable.packages import Drawn

_IGNORED = re.compile(r"#\s*type:\s*ignore(?:\[([\w\-, ]+)\])?")
_MOST_SOURCE_LINES = 60
_COMPARED = {
    "assertEqual": ast.Eq, "assertEquals": ast.Eq, "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is, "assertIsNot": ast.IsNot, "assertIn": ast.In, "assertNotIn": ast.NotIn,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE, "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE, "assertListEqual": ast.Eq, "assertDictEqual": ast.Eq,
    "assertTupleEqual": ast.Eq, "assertSetEqual": ast.Eq, "assertMultiLineEqual": ast.Eq,
}  # fmt: skip
_RAISING = {"assertRaises": "raises", "assertRaisesRegex": "raises", "assertWarns": "warns"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A test as the sheet shows it, and as it was."""

    package: str
    module: str
    name: str
    shown: str
    raw: str
    """Its own lines, before anything was taken away."""
    subjects: tuple[str, ...]
    """Callables of the module that it names."""
    source: str
    """Of those."""
    ignores: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("subjects", "ignores"):
            object.__setattr__(self, name, tuple(getattr(self, name)))


def pieces_of(text: str, drawn: Drawn, root: Path) -> list[Piece]:
    """Every test of a file that names something of the module."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    module = (root / drawn.path).read_text("utf-8", errors="replace")
    known = _callables(module)
    beside = {name: node for node in tree.body for name in _defined(node)}
    found = []
    for node, around in _tests(tree):
        raw = _lines(text, node)
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        used |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
        subjects = _subjects(known, used)
        if not subjects:
            continue
        needed = list(dict.fromkeys(beside[name] for name in sorted(used) if name in beside))
        shown = _shown([*needed, *around, node])
        ignores = tuple(each.group(1) or "everything" for each in _IGNORED.finditer(raw))
        sources = _clipped("\n\n".join(known[each] for each in subjects))
        found.append(
            Piece(
                drawn.package,
                drawn.module,
                node.name,
                shown,
                raw,
                tuple(subjects),
                sources,
                ignores,
            )
        )
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, list[ast.stmt]]]:
    """Each test with what stands around it in its class: what is set up, what is constant."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node, []
        elif isinstance(node, ast.ClassDef):
            around = [each for each in node.body if _is_setting_up(each)]
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name.startswith("test"):
                    uses_it = any(
                        isinstance(inner, ast.Name) and inner.id in ("self", "cls")
                        for inner in ast.walk(each)
                    )
                    yield each, [*around] if uses_it else []


def _is_setting_up(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        return node.name.lower().replace("_", "") in ("setup", "setupmethod", "setupclass")
    return isinstance(node, ast.Assign)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith(
        ("test", "Test")
    ):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def _callables(module: str) -> dict[str, str]:
    """Functions, classes and methods of a module, with their source."""
    found: dict[str, str] = {}
    for node in ast.parse(module).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = _lines(module, node)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = _head(module, node)
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    found[f"{node.name}.{each.name}"] = _lines(module, each)
    return found


def _head(module: str, node: ast.ClassDef) -> str:
    """A class down to the end of its constructor."""
    made = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    first = next((each for each in made if each.name == "__init__"), None)
    last = first.end_lineno if first is not None else node.lineno + 12
    lines = module.splitlines()[node.lineno - 1 : min(last or 0, node.end_lineno or 0)]
    return textwrap.dedent("\n".join(lines))


def _subjects(known: dict[str, str], used: set[str]) -> list[str]:
    """Methods count where their class is named, or nothing else of the module is."""
    plain = [each for each in known if "." not in each and each in used]
    methods = [
        each
        for each in known
        if "." in each and each.rpartition(".")[2] in used and not each.endswith("__")
    ]
    near = [each for each in methods if each.partition(".")[0] in plain]
    return [*plain, *near] or methods[:3]


def _lines(text: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Those of a node, moved to the left; a text in it may go on further left than its code."""
    first = min((node.lineno, *(each.lineno for each in node.decorator_list)))
    lines = text.splitlines()[first - 1 : node.end_lineno]
    margin = node.col_offset
    return "\n".join(each if each[:margin].strip() else each[margin:] for each in lines)


def _clipped(text: str) -> str:
    lines = text.splitlines()
    kept = lines[:_MOST_SOURCE_LINES]
    return "\n".join(kept if len(kept) == len(lines) else [*kept, "    …"])


def _shown(nodes: list[ast.stmt]) -> str:
    plain = [_Plain().visit(ast.parse(ast.unparse(node)).body[0]) for node in nodes]
    return "\n\n".join(ast.unparse(ast.fix_missing_locations(each)) for each in plain)


class _Plain(ast.NodeTransformer):
    """One way of writing, whoever wrote it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            each.annotation = None
        node.args.args = [each for each in node.args.args if each.arg not in ("self", "cls")]
        first = node.body[0]
        is_words = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if is_words and len(node.body) > 1:
            node.body = node.body[1:]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return node if node.value is None else ast.Assign([node.target], node.value)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        call = node.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return node
        plain = _plain_assertion(call.func.attr, call.args)
        return node if plain is None else ast.Assert(plain, None)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[first, *_]):
                node.args[0] = _listed(first)
            case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name)) if (
                name in _RAISING
            ):
                node.func = ast.Attribute(ast.Name("pytest"), _RAISING[name])
                if name.endswith("Regex"):
                    node.keywords = [ast.keyword("match", node.args.pop(1))]
        return node


def _plain_assertion(name: str, given: list[ast.expr]) -> ast.expr | None:
    if name in _COMPARED and len(given) >= 2:
        return ast.Compare(given[0], [_COMPARED[name]()], [given[1]])
    if name in ("assertTrue", "assert_") and given:
        return given[0]
    if name == "assertFalse" and given:
        return ast.UnaryOp(ast.Not(), given[0])
    if name in ("assertIsNone", "assertIsNotNone") and given:
        operator = ast.Is() if name == "assertIsNone" else ast.IsNot()
        return ast.Compare(given[0], [operator], [ast.Constant(None)])
    if name == "assertIsInstance" and len(given) >= 2:
        return ast.Call(ast.Name("isinstance"), given[:2], [])
    return None


def _listed(names: ast.expr) -> ast.expr:
    """`"a, b"`, `["a", "b"]` and `("a", "b")` are the same to pytest."""
    match names:
        case ast.Constant(value=str(text)):
            parts = [each.strip() for each in text.split(",") if each.strip()]
            return ast.Tuple([ast.Constant(each) for each in parts]) if len(parts) > 1 else names
        case ast.List(elts=several):
            return ast.Tuple(several) if len(several) > 1 else several[0]
    return names
