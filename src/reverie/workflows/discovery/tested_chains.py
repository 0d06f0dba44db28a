"""Chains of calls that tests were written to make."""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from reverie.model.code import CodeIndex, Module
from reverie.model.workflow import Workflow, WorkflowOrigin
from reverie.workflows.discovery.catalogue import Catalogue, imported_names
from reverie.workflows.discovery.flows import Chain, FlowReader

_LEAST_STEPS = 2
_MOST_CASES = 20
ReadSource = Callable[[Module], str | None]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def find_test_chains(
    index: CodeIndex, catalogue: Catalogue, read_source: ReadSource
) -> Iterator[Workflow]:
    """Chains of two and more steps; those of the same steps are one, tried on the data of all."""
    found: dict[tuple[object, ...], Workflow] = {}
    for module in index.modules:
        if module.is_test:
            for name, chain in _chains_in(module, catalogue, read_source(module)):
                key = tuple(str(step.document()) for step in chain.steps)
                found[key] = _joined(found.get(key), module, name, chain)
    yield from found.values()


def _chains_in(
    module: Module, catalogue: Catalogue, source: str | None
) -> Iterator[tuple[str, Chain]]:
    tree = parsed(source)
    if tree is None:
        return
    names = imported_names(tree, module)
    constants = module_constants(tree)
    for test in _tests(tree.body):
        for values in _cases(test):
            reader = FlowReader(names, catalogue, {**_arguments(test), **constants, **values})
            reader.read(test.body)
            for chain in reader.chains():
                if len(chain.steps) >= _LEAST_STEPS and not _is_of_tests(chain, catalogue):
                    yield test.name, chain


def _is_of_tests(chain: Chain, catalogue: Catalogue) -> bool:
    return any(catalogue[str(step.target)].module.is_test for step in chain.steps)


def _joined(known: Workflow | None, module: Module, name: str, chain: Chain) -> Workflow:
    if known is None:
        stem = module.name.rpartition(".")[2]
        return Workflow(
            f"{stem}.{name}",
            chain.steps,
            WorkflowOrigin.TEST_CHAIN,
            params=chain.params or {},
            expected_outputs=chain.expected if chain.params else {},
            source=module.path,
        )
    if not chain.params or chain.params in (known.params, *known.inputs):
        return known
    if not known.params:
        return replace(known, params=chain.params, expected_outputs=chain.expected)
    return replace(known, inputs=(*known.inputs, chain.params))


def _tests(body: list[ast.stmt]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _tests(node.body)


def _arguments(test: Function) -> dict[str, Any]:
    """Parameters hide what is imported under their name."""
    from reverie.workflows.discovery.flows import UNKNOWN

    return {each.arg: UNKNOWN for each in (*test.args.args, *test.args.kwonlyargs)}


def _cases(test: Function) -> list[Mapping[str, Any]]:
    """What a test is parametrized with, where those are literals; one empty case without."""
    for decorator in test.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, values, *_]):
                cases = _read_cases(names, values)
                if cases:
                    return cases[:_MOST_CASES]
    return [{}]


def _read_cases(names: ast.expr, values: ast.expr) -> list[Mapping[str, Any]]:
    try:
        given = ast.literal_eval(names)
        table = list(ast.literal_eval(values))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return []
    listed = [each.strip() for each in given.split(",")] if isinstance(given, str) else list(given)
    rows = [(row,) if len(listed) == 1 and isinstance(given, str) else row for row in table]
    fitting = [row for row in rows if isinstance(row, tuple | list) and len(row) == len(listed)]
    return [dict(zip(listed, row, strict=True)) for row in fitting]


def module_constants(tree: ast.Module) -> dict[str, Any]:
    """Names that a module gives a literal, once."""
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                try:
                    found[target.id] = ast.literal_eval(node.value)
                except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                    found.pop(target.id, None)
                if target.id in seen:
                    found.pop(target.id, None)
                seen.add(target.id)
    return found


def parsed(source: str | None) -> ast.Module | None:
    """The syntax tree; None where there is none."""
    try:
        return None if source is None else ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
