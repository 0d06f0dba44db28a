"""Which functions are tried: a rule, not a choice.

Of every installed package with `py.typed` (those that `peers.sh` asks for, and what they need):
every public function and method, below a public name in a public module, that takes at least one
parameter and annotates all of them. Modules that import something that is not installed are left
out, and so are tests and pytest plug-ins, whose fixtures cannot be called. Of each package the
first by the hash of their names, package by package in turn, until there are 300.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.inputs import CallableKind, CallableShape
from reverie.inputs.scope import Resolver, Scope, definitions, folder_resolver, parse
from reverie.inputs.signature import shape_of
from reverie.syntax.nodes import Function

WANTED = 300
_LEFT_OUT = {"tests", "test", "testing", "__main__", "conftest", "pytest_plugin", "v1",
             "deprecated"}  # fmt: skip
_COMPILED = {"pydantic_core", "typing_extensions"}
_KINDS = (CallableKind.FUNCTION, CallableKind.METHOD, CallableKind.CLASS_METHOD,
          CallableKind.STATIC_METHOD)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """One function to try."""

    package: str
    module: str
    qualname: str
    shape: CallableShape


def choose(site_packages: Path, only: Sequence[str] = (), each: int = 10) -> list[Chosen]:
    """The functions, package by package in turn, until there are enough.

    When only some packages are asked for, so many of each.
    """
    typed = sorted(each.parent.name for each in site_packages.glob("*/py.typed"))
    queues = [sorted(_candidates(site_packages, name), key=_rank) for name in only or typed]
    chosen: list[Chosen] = []
    for turn in range(max(map(len, queues))):
        for queue in queues:
            if turn < len(queue) and len(chosen) < (len(only) * each or WANTED):
                chosen.append(queue[turn])
    return sorted(chosen, key=lambda one: (one.package, one.module, one.qualname))


def _rank(each: Chosen) -> str:
    return hashlib.sha256(f"{each.module}:{each.qualname}".encode()).hexdigest()


def _candidates(site_packages: Path, package: str) -> Iterator[Chosen]:
    root = site_packages / package
    if not (root / "py.typed").is_file():
        return
    resolver = folder_resolver(site_packages)
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(site_packages).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        parts = parts[:-1] if is_package else parts
        if any(part.startswith("_") or part in _LEFT_OUT for part in parts):
            continue
        yield from _of_module(path, ".".join(parts), is_package, package, resolver)


def _of_module(
    path: Path, module: str, is_package: bool, package: str, resolver: Resolver
) -> Iterator[Chosen]:
    scope = Scope(parse(path.read_text("utf-8")), module, is_package, resolver=resolver)
    if not all(_is_installed(root, resolver) for root in _imported(scope.tree)):
        return
    for qualname in _public_names(scope.tree.body, ""):
        node = scope.function(qualname)
        if node is None or not _is_annotated(node):
            continue
        shape = shape_of(node, qualname, scope)
        if shape.kind in _KINDS and shape.parameters:
            yield Chosen(package, module, qualname, shape)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The packages that importing the module needs."""
    for statement in tree.body:
        if isinstance(statement, ast.Import):
            yield from (each.name.partition(".")[0] for each in statement.names)
        elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
            yield statement.module.partition(".")[0]


def _is_installed(root: str, resolver: Resolver) -> bool:
    return root in sys.stdlib_module_names or resolver(root) is not None or root in _COMPILED


def _is_annotated(node: "Function | ast.ClassDef") -> bool:
    taken = [each for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    return all(each.annotation is not None or each.arg in ("self", "cls") for each in taken)


def _public_names(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    seen = dict.fromkeys(each.name for each in definitions(body) if not each.name.startswith("_"))
    for name in seen:
        node = [each for each in definitions(body) if each.name == name][-1]
        if isinstance(node, ast.ClassDef) and not prefix:
            yield from _public_names(node.body, f"{name}.")
        elif isinstance(node, Function):
            yield prefix + name
