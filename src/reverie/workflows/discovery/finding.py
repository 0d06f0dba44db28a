"""Every workflow that can be found in a repository.

A project can be entered by its console scripts, and by what `__main__` blocks do.
"""

import ast
import configparser
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from reverie.model.repository.code import CodeIndex, Module
from reverie.model.workflow import Step, Workflow, WorkflowOrigin, is_workflow_name
from reverie.workflows.discovery.catalogue import Catalogue, imported_names
from reverie.workflows.discovery.flows import (
    FlowReader,
    ReadSource,
    find_test_chains,
    module_constants,
    parsed,
)
from reverie.workflows.discovery.signatures import LIMIT, TypeReader, find_signature_chains

_TABLES = (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts"))


def find_console_scripts(repository: Path, catalogue: Catalogue) -> Iterator[Workflow]:
    """The commands that installing the project would give."""
    for file, name, target in _declared(repository):
        module, _, attribute = target.partition("[")[0].strip().partition(":")
        known = catalogue.resolve(f"{module}.{attribute}") if attribute else None
        if known is not None and is_workflow_name(name):
            step = Step(f"{module}:{attribute}")
            yield Workflow(name, (step,), WorkflowOrigin.CONSOLE_SCRIPT, source=file)


def find_main_blocks(
    index: CodeIndex, catalogue: Catalogue, read_source: ReadSource
) -> Iterator[Workflow]:
    """What runs when a module is run: the calls of the repository's own callables there."""
    for module in index.modules:
        is_main = module.name.rpartition(".")[2] == "__main__"
        if module.is_test or not (module.has_main_block or is_main):
            continue
        tree = parsed(read_source(module))
        if tree is not None:
            yield from _of_module(module, tree, catalogue, is_main)


def _of_module(
    module: Module, tree: ast.Module, catalogue: Catalogue, is_main: bool
) -> Iterator[Workflow]:
    names = imported_names(tree, module)
    body = [each for node in tree.body if _is_main_block(node) for each in node.body]  # type: ignore[attr-defined]
    if not body and is_main:
        body = tree.body
    reader = FlowReader(names, catalogue, module_constants(tree))
    reader.read(body)
    for count, chain in enumerate(reader.chains(), 1):
        name = module.name if count == 1 else f"{module.name}-{count}"
        yield Workflow(
            name,
            chain.steps,
            WorkflowOrigin.MAIN_BLOCK,
            params=chain.params or {},
            source=module.path,
        )


def _is_main_block(node: ast.stmt) -> bool:
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id="__name__"), comparators=[ast.Constant(value=to)])
        ):
            return bool(to == "__main__")
        case ast.If(
            test=ast.Compare(left=ast.Constant(value=to), comparators=[ast.Name(id="__name__")])
        ):
            return bool(to == "__main__")
    return False


def _declared(repository: Path) -> Iterator[tuple[str, str, str]]:
    for table in _TABLES:
        found: Any = _toml(repository / "pyproject.toml")
        for key in table:
            found = found.get(key, {}) if isinstance(found, Mapping) else {}
        for name, target in found.items() if isinstance(found, Mapping) else ():
            if isinstance(target, str):
                yield "pyproject.toml", str(name), target
    for line in _config(repository / "setup.cfg").splitlines():
        name, equals, target = line.partition("=")
        if equals:
            yield "setup.cfg", name.strip(), target.strip()
    for line in _setup_lines(repository / "setup.py"):
        name, equals, target = line.partition("=")
        if equals:
            yield "setup.py", name.strip(), target.strip()


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def _config(path: Path) -> str:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text("utf-8"))
    except (OSError, ValueError, configparser.Error):
        return ""
    return parser.get("options.entry_points", "console_scripts", fallback="")


def _setup_lines(path: Path) -> Iterator[str]:
    """`entry_points` of a `setup.py`, where they are written out."""
    try:
        tree = parsed(path.read_text("utf-8"))
    except (OSError, ValueError):
        return
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.keyword) and node.arg == "entry_points":
            try:
                given = ast.literal_eval(node.value)
            except (ValueError, TypeError, SyntaxError):
                continue
            scripts = given.get("console_scripts", ()) if isinstance(given, dict) else ()
            listed = scripts.splitlines() if isinstance(scripts, str) else scripts
            yield from (each for each in listed if isinstance(each, str))


@dataclass(frozen=True)
class Surroundings:
    """A repository as its workflows see it: the index, and sources read when they are asked for."""

    repository: Path
    index: CodeIndex

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every callable by name."""
        return Catalogue(self.index)

    @cached_property
    def trees(self) -> Mapping[str, ast.Module]:
        """Syntax trees by module."""
        found = {each.name: parsed(self.source(each)) for each in self.index.modules}
        return {name: tree for name, tree in found.items() if tree is not None}

    @cached_property
    def types(self) -> TypeReader:
        """What reads annotations."""
        return TypeReader(self.catalogue, self.trees)

    def source(self, module: Module) -> str | None:
        """The text of a module; None where it cannot be read."""
        try:
            return (self.repository / module.path).read_bytes().decode("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return None


def find_workflows(around: Surroundings) -> Iterator[Workflow]:
    """Console scripts, `__main__` blocks, and chains that tests make."""
    catalogue = around.catalogue
    yield from find_console_scripts(around.repository, catalogue)
    yield from find_main_blocks(around.index, catalogue, around.source)
    yield from find_test_chains(around.index, catalogue, around.source)


def find_dynamic_workflows(
    around: Surroundings, groups: Iterable[Iterable[str]] = (), limit: int = LIMIT
) -> Iterator[Workflow]:
    """Chains by compatible signatures."""
    return find_signature_chains(around.catalogue, around.types, groups, limit)


def with_own_names(found: Iterable[Workflow], taken: Iterable[str] = ()) -> Iterator[Workflow]:
    """The workflows, each under a name that no other one has."""
    names = set(taken)
    for each in found:
        name, count = each.name, 1
        while name in names:
            count += 1
            name = f"{each.name}-{count}"
        names.add(name)
        yield each if name == each.name else replace(each, name=name)
