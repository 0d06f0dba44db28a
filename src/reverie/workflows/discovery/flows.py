"""Flows: which calls of a piece of code hand their results on to which, read and not run.

Among them: chains of calls that tests were written to make.
"""

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.model.repository.code import CodeIndex, Module
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.syntax.nodes import Function, dotted
from reverie.syntax.parsing import NOT_PYTHON, parse_module
from reverie.workflows.discovery.catalogue import Catalogue, Known, imported_names


class _Unknown:
    """A value that only running would tell."""


UNKNOWN = _Unknown()


@dataclass(frozen=True, slots=True)
class _Result:
    """What the call of this number returned."""

    number: int


@dataclass(slots=True)
class _Called:
    """A call of one of the repository's own callables."""

    known: Known
    fed_by: int | None
    params: Mapping[str, Any] | None
    """Arguments besides what flows in; None when they are no literals."""
    feeds: list[int] = field(default_factory=list)
    expected: Any = UNKNOWN


@dataclass(frozen=True, slots=True)
class Chain:
    """Calls in a row, each getting what the one before returned."""

    steps: tuple[Step, ...]
    params: Mapping[str, Any] | None
    """Of the first; None when its arguments are no literals."""
    expected: Mapping[str, Any]


class FlowReader:
    """Walks statements in their order and notes what flows where."""

    def __init__(
        self, names: Mapping[str, str], catalogue: Catalogue, values: Mapping[str, Any]
    ) -> None:
        self._names = names
        self._catalogue = catalogue
        self._scope: dict[str, Any] = dict(values)
        self.calls: list[_Called] = []

    def read(self, statements: Iterable[ast.stmt]) -> None:
        """Take statements in."""
        for statement in statements:
            self._statement(statement)

    def chains(self) -> Iterator[Chain]:
        """Every chain, each as long as it goes."""
        for number, call in enumerate(self.calls):
            if not call.feeds:
                chain = self._chain(number)
                if chain is not None:
                    yield chain

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._scope[name] = self._value(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._scope[name] = self._value(value)
            case ast.Assert(test=test):
                self._claim(test)
            case ast.With(body=body, items=items) | ast.AsyncWith(body=body, items=items):
                for item in items:
                    self._value(item.context_expr)
                self.read(body)
            case ast.Try(body=body):
                self.read(body)
            case ast.Expr(value=value) | ast.Return(value=ast.expr() as value):
                self._value(value)
            case _:
                self._forget(node)

    def _forget(self, node: ast.AST) -> None:
        """What loops and branches may have changed is not known any more."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self._scope[inner.id] = UNKNOWN

    def _claim(self, test: ast.expr) -> None:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                one, other = self._value(left), self._value(right)
                if isinstance(other, _Result):
                    one, other = other, one
                if isinstance(one, _Result) and is_plain(other):
                    self.calls[one.number].expected = other
            case _:
                self._value(test)

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Call():
                return self._call(node)
            case ast.Await(value=value):
                return self._value(value)
            case ast.Name(id=name):
                return self._scope.get(name, UNKNOWN)
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.expr):
                    self._value(inner)
            return UNKNOWN

    def _call(self, node: ast.Call) -> Any:
        known, receiver = self._callee(node.func)
        given = [self._value(each) for each in node.args]
        named = {each.arg: self._value(each.value) for each in node.keywords}
        if known is None:
            return UNKNOWN
        if receiver is not None:
            given.insert(0, receiver)
        fed_by = given[0].number if given and isinstance(given[0], _Result) else None
        if fed_by is not None:
            self.calls[fed_by].feeds.append(len(self.calls))
        params = _params(known, given, named, first=1 if fed_by is not None else 0)
        self.calls.append(_Called(known, fed_by, params))
        return _Result(len(self.calls) - 1)

    def _callee(self, node: ast.expr) -> tuple[Known | None, Any]:
        """What is called, and the object that it is a method of."""
        if isinstance(node, ast.Attribute):
            holder = (
                self._value(node.value) if isinstance(node.value, ast.Name | ast.Call) else None
            )
            if isinstance(holder, _Result):
                made = self.calls[holder.number].known
                method = f"{made.target}.{node.attr}" if made.is_class else ""
                return self._catalogue.get(method), holder
        name = dotted(node)
        top, _, rest = name.partition(".")
        if top not in self._names or top in self._scope:
            return None, None
        full = self._names[top] + (f".{rest}" if rest else "")
        return self._catalogue.resolve(full), None

    def _chain(self, number: int) -> Chain | None:
        calls = [self.calls[number]]
        while calls[0].fed_by is not None:
            calls.insert(0, self.calls[calls[0].fed_by])
        if any(call.params is None for call in calls[1:]):
            return None
        first = calls[0]
        steps = [Step(first.known.target)]
        steps += [Step(call.known.target, call.params or {}) for call in calls[1:]]
        last = calls[-1]
        expected = {} if last.expected is UNKNOWN else {last.known.target: last.expected}
        return Chain(tuple(steps), first.params, expected)


def is_plain(value: Any) -> bool:
    """Whether JSON gives the value back as it is."""
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == value) and not _has_tuple(
            value
        )
    except (TypeError, ValueError, RecursionError):
        return False


def _has_tuple(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_tuple(each) for each in value.values())
    if isinstance(value, list):
        return any(_has_tuple(each) for each in value)
    return isinstance(value, tuple)


def _params(
    known: Known, given: Sequence[Any], named: Mapping[str | None, Any], first: int
) -> Mapping[str, Any] | None:
    """Arguments by name, from the `first` position on; None when one cannot be told."""
    names = [each.name for each in known.positional]
    if len(given) > len(names):
        if len(given) > first:
            return None
        names += [""] * (len(given) - len(names))
    found = dict(zip(names[first:], given[first:], strict=False))
    if None in named:
        return None
    found.update({str(name): value for name, value in named.items()})
    return found if all(is_plain(value) for value in found.values()) else None


_LEAST_STEPS = 2
_MOST_CASES = 20
ReadSource = Callable[[Module], str | None]


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
        return None if source is None else parse_module(source)
    except NOT_PYTHON:
        return None
