"""What the names of a file stand for, as far as it says: constants, and what loops go over."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

_PASSED_THROUGH = {"sorted", "list", "tuple", "set", "frozenset", "reversed", "iter"}
_MOST_VALUES = 200


@dataclass(frozen=True, slots=True)
class Known:
    """The strings that a name can be, and those that it can hold."""

    texts: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Of a mapping, whose members are its values."""


@dataclass(slots=True)
class Bindings:
    """The names that are known at one place of a file."""

    known: dict[str, Known] = field(default_factory=dict)

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """Remember an assignment; a name that is given something else is known no more."""
        if not isinstance(target, ast.Name):
            return
        found = self._literal(value)
        if found is None:
            self.known.pop(target.id, None)
        else:
            self.known[target.id] = found

    def texts_of(self, node: ast.expr) -> tuple[str, ...]:
        """The strings that an expression can be; nothing when that is not known."""
        match node:
            case ast.Constant(value=str(text)):
                return (text,)
            case ast.Name(id=name):
                return self._of(name).texts
            case ast.Subscript(value=ast.Name(id=name)):
                return self._of(name).members
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get")):
                return self._of(name).members
        return ()

    @contextmanager
    def looping(self, target: ast.expr, over: ast.expr) -> Iterator[None]:
        """Inside, the variables of a loop stand for what it goes over."""
        before = dict(self.known)
        self._forget(target)
        self.known.update(self._loop_variables(target, over))
        try:
            yield
        finally:
            self.known = before

    @contextmanager
    def scope(self, arguments: ast.arguments) -> Iterator[None]:
        """Inside, the parameters of a function hide what else has their names."""
        before = dict(self.known)
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.known.pop(each.arg, None)
        try:
            yield
        finally:
            self.known = before

    def _of(self, name: str) -> Known:
        return self.known.get(name, Known())

    def _forget(self, target: ast.expr) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self.known.pop(node.id, None)

    def _literal(self, value: ast.expr) -> Known | None:
        match value:
            case ast.Constant(value=str(text)):
                return Known(texts=(text,))
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                members = _strings(parts)
                return None if members is None else Known(members=members)
            case ast.Dict(keys=keys, values=values):
                keyed = _strings([each for each in keys if each is not None])
                members = _strings(values)
                known = Known(members=members or (), keys=keyed or ())
                return known if known != Known() else None
            case ast.Call(func=ast.Name(id=name), args=[only]) if name in _PASSED_THROUGH:
                return self._literal(only)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                one, other = self._literal(left), self._literal(right)
                if one is not None and other is not None and one.members and other.members:
                    return Known(members=one.members + other.members)
            case ast.Name(id=name):
                return self.known.get(name)
        return None

    def _loop_variables(self, target: ast.expr, over: ast.expr) -> dict[str, Known]:
        match target, over:
            case ast.Name(id=name), ast.Call(
                func=ast.Attribute(value=held, attr="values" | "keys" as taken)
            ):
                found = self._literal(held) or Known()
                return {name: Known(texts=found.members if taken == "values" else found.keys)}
            case ast.Name(id=name), _:
                found = self._literal(over) or Known()
                return {name: Known(texts=found.keys or found.members)}
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]), ast.Call(
                func=ast.Attribute(value=held, attr="items")
            ):
                found = self._literal(held) or Known()
                return {first: Known(texts=found.keys), second: Known(texts=found.members)}
            case ast.Tuple(elts=[_, ast.Name(id=second)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[held, *_]
            ):
                return {second: Known(texts=(self._literal(held) or Known()).members)}
        return {}


def _strings(nodes: list[ast.expr]) -> tuple[str, ...] | None:
    """The values of nodes that are all strings."""
    found = [each.value for each in nodes if isinstance(each, ast.Constant)]
    strings = tuple(each for each in found if isinstance(each, str))
    return strings if len(strings) == len(nodes) <= _MOST_VALUES else None
