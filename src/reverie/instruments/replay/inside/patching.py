"""A version of a module that is loaded: its functions, put in their places in a fork."""

import ast
import gc
from collections.abc import Iterable, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

from reverie.instruments.mutation.inside.loading import compile_unit, future_flags
from reverie.instruments.mutation.inside.sites import Unit

Space = dict[str, Any]
_WRAPPERS = {"staticmethod": staticmethod, "classmethod": classmethod, "property": property}


class Unfit(Exception):
    """A version that cannot be put in the place of what is loaded."""


def codes_of(code: CodeType) -> "dict[str, CodeType]":
    """Every function inside a code, by its qualified name."""
    found: dict[str, CodeType] = {}
    waiting = [code]
    while waiting:
        each = waiting.pop(0)
        found.setdefault(each.co_qualname, each)
        waiting += [const for const in each.co_consts if isinstance(const, CodeType)]
    return found


class Live:
    """The functions of one loaded module, by qualified name."""

    def __init__(self, space: Space, path: str) -> None:
        self.space = space
        self._functions: dict[str, list[FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not among the objects that can be asked for
        for each in gc.get_objects():
            if type(each) is not FunctionType or each.__globals__ is not space:
                continue
            if each.__code__.co_filename == path:
                self._functions.setdefault(each.__code__.co_qualname, []).append(each)

    def swap(self, name: str, code: CodeType) -> None:
        """Every function of this name runs another code."""
        for function in self._functions.get(name, ()):
            try:
                function.__code__ = code
            except ValueError as error:
                raise Unfit(f"{name}: {error}") from error

    def set_front(self, name: str, front: "Mapping[str, Any]") -> None:
        """Every function of this name has other defaults."""
        defaults, keywords = self._defaults(name, front)
        for function in self._functions.get(name, ()):
            function.__defaults__, function.__kwdefaults__ = defaults, keywords

    def add(self, name: str, code: CodeType, front: "Mapping[str, Any]") -> None:
        """A function that was not there."""
        owner, _, short = name.rpartition(".")
        defaults, keywords = self._defaults(name, front)
        if any(each != "__class__" for each in code.co_freevars):
            raise Unfit(f"{name} is made inside another function")
        closure = tuple(CellType(self.owner(name)) for _ in code.co_freevars)
        made: Any = FunctionType(code, self.space, short, defaults, closure)
        made.__kwdefaults__, made.__qualname__ = keywords, name
        for word in reversed(front["decorators"]):
            if word not in _WRAPPERS:
                raise Unfit(f"{name} is decorated with {word}")
            made = _WRAPPERS[word](made)
        if owner:
            setattr(self.owner(name), short, made)
        else:
            self.space[short] = made

    def remove(self, name: str) -> None:
        """A function that is not there any more."""
        owner, _, short = name.rpartition(".")
        if not owner:
            self.space.pop(short, None)
        elif short in vars(self.owner(name)):
            delattr(self.owner(name), short)

    def owner(self, name: str) -> Any:
        """The class that a method is of."""
        found: Any = self.space
        for part in name.split(".")[:-1]:
            try:
                found = found[part] if found is self.space else vars(found)[part]
            except (KeyError, TypeError) as error:
                raise Unfit(f"the class of {name} is not there") from error
        return found

    def _defaults(self, name: str, front: "Mapping[str, Any]") -> "tuple[Any, Any]":
        around = dict(vars(self.owner(name))) if "." in name else {}
        try:
            defaults = tuple(eval(each, self.space, around) for each in front["defaults"])
            keywords = {
                each: eval(text, self.space, around) for each, text in front["keywords"].items()
            }
        except Exception as error:
            raise Unfit(f"the defaults of {name}: {error}") from error
        return defaults or None, keywords or None


class Version:
    """One text of a module: what of it has to be put in place, and its codes."""

    def __init__(self, order: "Mapping[str, Any]", path: str, codes: "dict[str, CodeType]") -> None:
        self.order = order
        self.codes = codes
        self.text: bytes = order["source"].encode()
        self.path = path
        tree = ast.parse(order["source"])
        self._flags = future_flags(tree)
        self._units = {name: (node, classes) for name, node, classes in _units(tree)}

    def put_in_place(
        self, live: Live, codes: "Mapping[str, CodeType]", units: "Iterable[str]" = ()
    ) -> None:
        """Make the loaded module this version, of these codes; `units` are changed besides."""
        for text in self.order["statements"]:
            exec(compile(text, self.path, "exec", self._flags), live.space)  # noqa: S102
        for name in {*self.order["swapped"], *units} - set(self.order["added"]):
            live.swap(name, codes[name])
        for name, front in self.order["fronts"].items():
            live.set_front(name, front)
        for name, front in self.order["added"].items():
            live.add(name, codes[name], front)
        for name in self.order["removed"]:
            live.remove(name)

    def edited(self, unit: str, edit: "tuple[int, int, str]") -> "dict[str, CodeType]":
        """The codes of one function, and of those inside, with other bytes in one place."""
        node, classes = self._units[unit]
        start, end, written = edit
        starts = _line_starts(self.text)
        first, last = starts[node.lineno - 1], starts[node.end_lineno]
        if not first <= start <= end <= last:
            raise Unfit("a change outside of its function")
        part = self.text[first:start] + written.encode() + self.text[end:last]
        indented = part[:1] in (b" ", b"\t")
        tree = ast.parse((b"if 1:\n" if indented else b"") + part)
        made: Any = tree.body[0]
        made = made.body[0] if indented else made
        ast.increment_lineno(made, node.lineno - 1 - indented)
        code = compile_unit(Unit(unit, made.lineno, made, classes), self.path, self._flags)
        kept = self.codes[unit].co_freevars
        if code.co_freevars != kept:
            code = compile_unit(
                Unit(unit, made.lineno, made, classes), self.path, self._flags, kept
            )
        return _renamed(codes_of(code), unit)


def _renamed(codes: "dict[str, CodeType]", unit: str) -> "dict[str, CodeType]":
    """By the names that they have in their module."""
    (outer, *_) = codes
    return {unit + name[len(outer) :]: code for name, code in codes.items()}


def _line_starts(text: bytes) -> "list[int]":
    starts = [0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _units(tree: ast.AST, classes: "tuple[str, ...]" = ()) -> "list[tuple[str, Any, Any]]":
    """The outermost functions, wherever they stand, with the classes around them."""
    found: list[tuple[str, Any, Any]] = []
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append((".".join((*classes, child.name)), child, classes))
        elif isinstance(child, ast.ClassDef):
            found += _units(child, (*classes, child.name))
        elif not isinstance(child, ast.expr):
            found += _units(child, classes)
    return found
