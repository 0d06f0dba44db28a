"""Which calls of a piece of code hand their results on to which, read and not run."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.model.workflow import Step
from reverie.workflows.discovery.catalogue import Catalogue, Known


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
        dotted = _dotted(node)
        top, _, rest = dotted.partition(".")
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


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            above = _dotted(value)
            return f"{above}.{attr}" if above else ""
    return ""
