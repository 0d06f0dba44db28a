"""The callables of a repository by every name that leads to them.

Modules get one-step workflows, so that later runs include them.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.errors import UsageError
from reverie.model.repository.code import (
    Class,
    CodeIndex,
    Function,
    Module,
    Parameter,
    ParameterKind,
)
from reverie.model.workflow import Step, Workflow, WorkflowOrigin

_MOST_HOPS = 5
_BY_POSITION = (ParameterKind.POSITIONAL_ONLY, ParameterKind.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Known:
    """A callable of the repository: a function, a method or a class."""

    target: str
    module: Module
    function: Function | None
    """What is called; None for a class whose `__init__` is not written out."""
    owner: Class | None = None

    @property
    def is_class(self) -> bool:
        """Whether calling it makes an object."""
        return self.owner is not None and self.target.endswith(f":{self.owner.qualname}")

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a caller gives; of a method, its object first."""
        given = () if self.function is None else self.function.parameters
        return given[1:] if self.is_class else given

    @property
    def positional(self) -> tuple[Parameter, ...]:
        """Those that can be given by position."""
        return tuple(each for each in self.parameters if each.kind in _BY_POSITION)

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the parameters that have to be given."""
        star = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
        return tuple(
            each.name for each in self.parameters if each.default is None and each.kind not in star
        )


class Catalogue:
    """Finds callables by `module:qualname`, and by dotted names also through re-exports."""

    def __init__(self, index: CodeIndex) -> None:
        self.modules: Mapping[str, Module] = {each.name: each for each in index.modules}
        self.known: dict[str, Known] = {}
        for module in index.modules:
            for function in module.functions:
                self._add(module, function.qualname, function, None)
            for owner in module.classes:
                made = {method.name: method for method in owner.methods}
                self._add(module, owner.qualname, made.get("__init__"), owner)
                for method in owner.methods:
                    self._add(module, method.qualname, method, owner)

    def __getitem__(self, target: str) -> Known:
        return self.known[target]

    def get(self, target: str) -> Known | None:
        """The callable of a target; None where the repository has none."""
        return self.known.get(target)

    def resolve(self, dotted: str, hops: int = _MOST_HOPS) -> Known | None:
        """What a dotted name leads to: `package.module.Class.method`, or a re-export of it."""
        parts = dotted.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            module = self.modules.get(".".join(parts[:cut]))
            if module is not None:
                found = self.known.get(f"{module.name}:{'.'.join(parts[cut:])}")
                return found or (self._reexported(module, parts[cut:], hops) if hops else None)
        return None

    def missing(self, target: str, given: Mapping[str, object]) -> tuple[str, ...]:
        """Required parameters of a callable that are not given."""
        known = self.known.get(target)
        return () if known is None else tuple(n for n in known.required if n not in given)

    def _reexported(self, module: Module, rest: Sequence[str], hops: int) -> Known | None:
        for each in module.imports:
            if each.is_internal and each.name in (rest[0], "*"):
                found = self.resolve(".".join((each.module, *rest)), hops - 1)
                if found is not None:
                    return found
        return None

    def _add(
        self, module: Module, qualname: str, function: Function | None, owner: Class | None
    ) -> None:
        if "<locals>" not in qualname:
            target = f"{module.name}:{qualname}"
            self.known[target] = Known(target, module, function, owner)


def imported_names(tree: ast.Module, module: Module) -> dict[str, str]:
    """What the names of a file mean, as dotted names: its imports and its own definitions."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, module)
            for alias in node.names:
                names[alias.asname or alias.name] = f"{source}.{alias.name}"
    for function in module.functions:
        names[function.name] = f"{module.name}.{function.qualname}"
    for owner in module.classes:
        names[owner.name] = f"{module.name}.{owner.qualname}"
    return names


def _absolute(node: ast.ImportFrom, module: Module) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    kept = parts[: len(parts) - node.level + (1 if module.is_package else 0)]
    return ".".join([*kept, *([node.module] if node.module else [])])


_ENTRIES = ("main", "run", "execute")


def generate_workflows_for_modules(
    modules: Iterable[str], catalogue: Catalogue
) -> Iterator[Workflow]:
    """A workflow of one step for each module that has a callable to enter it by."""
    for name in modules:
        module = catalogue.modules.get(name)
        if module is None:
            raise UsageError(f"there is no module {name!r:.80} in the repository")
        entry = _entry(catalogue, name)
        if entry is not None:
            step = Step(entry.target)
            yield Workflow(name, (step,), WorkflowOrigin.MODULE, source=module.path)


def _entry(catalogue: Catalogue, module: str) -> Known | None:
    """A function called like an entry; else one that needs nothing; else the first public one."""
    found = [
        known
        for known in catalogue.known.values()
        if known.module.name == module and known.owner is None and known.function is not None
    ]
    public = [known for known in found if not str(known.target.rpartition(":")[2]).startswith("_")]
    named = [known for known in public if known.target.rpartition(":")[2] in _ENTRIES]
    free = [known for known in public if not known.required]
    return next(iter([*named, *free, *public]), None)
