"""Stand-ins that take the place of the very function that a test asserts about."""

import ast
from collections.abc import Iterator

from reverie.gates.gate import Matter
from reverie.gates.python import Function, functions, origin_of
from reverie.gates.suite.reading import TestFile, is_production

_PATCHES = ("patch", "patch.object", "patch.multiple", "setattr", "patch.dict", "spy")


def mocked_subjects(file: TestFile, own: frozenset[str], matter: Matter) -> Iterator[ast.AST]:
    """Patches of production functions that the patching test itself calls by their name."""
    shared = set()
    for _, function in functions(file.parsed.tree):
        if not function.name.startswith("test"):
            shared |= {name for name, _ in patched_names(function, file, own, matter)}
    for function in file.tests().values():
        called = _called_names(function)
        for name, node in patched_names(function, file, own, matter):
            if name in called:
                yield node
        if any(name in called for name in shared):
            yield function


def patched_names(
    function: Function, file: TestFile, own: frozenset[str], matter: Matter
) -> Iterator[tuple[str, ast.AST]]:
    """The last part of each name of production code that is replaced, and where."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(_PATCHES):
            continue
        if any(each.arg == "wraps" for each in node.keywords) or not node.args:
            continue
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            if is_production(first.value, matter):
                yield first.value.rpartition(".")[2], node
        elif len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            root = origin_of(first, file.names)
            head = ast.unparse(first).partition(".")[0].partition("(")[0]
            if head in own or is_production(root, matter) or head not in file.names:
                yield str(node.args[1].value), node


def _called_names(function: Function) -> frozenset[str]:
    """Last parts of the names that a test calls itself, not through a mock's own methods."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            target = node.func
            found.add(
                target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            )
    return frozenset(found)
