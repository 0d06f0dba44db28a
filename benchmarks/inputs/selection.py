"""Which functions are tried: a rule, not a choice.

Every public function and method, below a public name in a public module of a package with
`py.typed`, that takes at least one parameter and annotates all of them. Of each package the
first by the hash of their names, so many that there are 300 in all.
"""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reverie.inputs import CallableKind, CallableShape
from reverie.inputs.resolve import folder_resolver
from reverie.inputs.scope import FunctionNode, Resolver, Scope, definitions, parse
from reverie.inputs.signature import shape_of

PACKAGES = (
    "anyio", "arrow", "babel", "cattrs", "click", "humanize", "jinja2", "markdown_it",
    "packaging", "pendulum", "platformdirs", "pydantic", "rich", "starlette", "tomlkit",
    "werkzeug", "yarl",
)  # fmt: skip
WANTED = 300
_LEFT_OUT = {"tests", "test", "testing", "__main__", "conftest", "pytest_plugin", "v1",
             "deprecated"}  # fmt: skip
_KINDS = (CallableKind.FUNCTION, CallableKind.METHOD, CallableKind.CLASS_METHOD,
          CallableKind.STATIC_METHOD)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """One function to try."""

    package: str
    module: str
    qualname: str
    shape: CallableShape


def choose(site_packages: Path, packages: Sequence[str] = PACKAGES) -> list[Chosen]:
    """The functions, package by package in turn, until there are enough."""
    queues = [sorted(_candidates(site_packages, name), key=_rank) for name in packages]
    chosen: list[Chosen] = []
    each_at_most = -(-WANTED // len(PACKAGES)) if tuple(packages) != PACKAGES else WANTED
    for turn in range(min(max(map(len, queues)), each_at_most)):
        for queue in queues:
            if turn < len(queue) and len(chosen) < WANTED:
                chosen.append(queue[turn])
    return sorted(chosen, key=lambda each: (each.package, each.module, each.qualname))


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
    for qualname in _public_names(scope.tree.body, ""):
        node = scope.function(qualname)
        if node is None or not _is_annotated(node):
            continue
        shape = shape_of(node, qualname, scope)
        if shape.kind in _KINDS and shape.parameters:
            yield Chosen(package, module, qualname, shape)


def _is_annotated(node: "FunctionNode | ast.ClassDef") -> bool:
    taken = [each for each in ast.walk(node.args) if isinstance(each, ast.arg)]
    return all(each.annotation is not None or each.arg in ("self", "cls") for each in taken)


def _public_names(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    seen = dict.fromkeys(each.name for each in definitions(body) if not each.name.startswith("_"))
    for name in seen:
        node = [each for each in definitions(body) if each.name == name][-1]
        if isinstance(node, ast.ClassDef) and not prefix:
            yield from _public_names(node.body, f"{name}.")
        elif isinstance(node, FunctionNode):
            yield prefix + name
