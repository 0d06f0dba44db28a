"""Every workflow that can be found in a repository."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from reverie.model.code import CodeIndex, Module
from reverie.model.workflow import Workflow
from reverie.workflows.discovery.annotations import TypeReader
from reverie.workflows.discovery.catalogue import Catalogue
from reverie.workflows.discovery.entry_points import find_console_scripts, find_main_blocks
from reverie.workflows.discovery.signature_chains import LIMIT, find_signature_chains
from reverie.workflows.discovery.tested_chains import find_test_chains, parsed


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
