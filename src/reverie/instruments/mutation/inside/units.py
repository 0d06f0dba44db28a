"""One function compiled anew, and put in the place of the old one wherever that is held.

Only the outermost function around a change is compiled, which takes a millisecond where a
module takes twenty. What Python runs then is what it would have made of the changed file.
"""

import __future__

import ast
import copy
import functools
import gc
import operator
from types import CodeType, FunctionType
from typing import Any

from .sites import Site, Unit

_FUTURES = {name: getattr(__future__, name).compiler_flag for name in __future__.all_feature_names}

FUTURE_FLAGS = functools.reduce(operator.or_, _FUTURES.values())
"""All of them together: what of a code's flags came from its module."""


_EQUAL_IS_SAME = (str, bytes, int, bool)
"""Not so for numbers with a sign of zero, and sets in another order."""


class CannotSwap(Exception):
    """The new code does not fit into functions that exist already."""


def future_flags(tree: ast.Module) -> int:
    """The flags of the future statements of a module."""
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= _FUTURES.get(alias.name, 0)
    return flags


def compile_unit(unit: Unit, path: str, flags: int, kept: "tuple[str, ...]" = ()) -> CodeType:
    """The code of a function as its module would have it; `kept` names stay its free ones."""
    node: Any = copy.copy(unit.node)
    node.decorator_list, node.returns = [], None
    node.args = _without_values(unit.node.args)
    if kept:
        names = [ast.Expr(ast.Name(name, ast.Load())) for name in kept]
        unreached = ast.If(ast.Constant(False), list[ast.stmt](names), [])
        node.body = [*node.body, ast.fix_missing_locations(ast.copy_location(unreached, node))]
    for name in reversed(unit.classes):
        around: Any = ast.ClassDef(name=name, bases=[], keywords=[], body=[node], decorator_list=[])
        if "type_params" in ast.ClassDef._fields:
            around.type_params = []
        node = ast.fix_missing_locations(ast.copy_location(around, unit.node))
    module = ast.Module([node], [])
    code: CodeType = compile(module, path, "exec", flags, dont_inherit=True)
    for _ in range(len(unit.classes) + 1):
        code = next(const for const in code.co_consts if isinstance(const, CodeType))
    return code


def _without_values(arguments: ast.arguments) -> ast.arguments:
    """The same parameters; annotations and defaults are no part of the code."""

    def bare(argument: "ast.arg | None") -> "ast.arg | None":
        return argument and ast.copy_location(ast.arg(argument.arg, None), argument)

    def several(given: "list[ast.arg]") -> "list[ast.arg]":
        return [ast.copy_location(ast.arg(each.arg, None), each) for each in given]

    nothing = ast.Constant(None, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    return ast.arguments(
        several(arguments.posonlyargs),
        several(arguments.args),
        bare(arguments.vararg),
        several(arguments.kwonlyargs),
        [default and nothing for default in arguments.kw_defaults],
        bare(arguments.kwarg),
        [nothing for _ in arguments.defaults],
    )


def is_same(old: CodeType, new: CodeType) -> bool:
    """Whether two codes do the same, instruction by instruction, wherever they were written."""
    if (old.co_code, old.co_names, old.co_varnames, old.co_freevars, old.co_cellvars) != (
        new.co_code, new.co_names, new.co_varnames, new.co_freevars, new.co_cellvars
    ):  # fmt: skip
        return False
    if (old.co_flags, old.co_argcount, old.co_exceptiontable) != (
        new.co_flags, new.co_argcount, new.co_exceptiontable
    ):  # fmt: skip
        return False
    if len(old.co_consts) != len(new.co_consts):
        return False
    return all(map(_is_same_constant, old.co_consts, new.co_consts))


def _is_same_constant(old: Any, new: Any) -> bool:
    if isinstance(old, CodeType) and isinstance(new, CodeType):
        return is_same(old, new)
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(map(_is_same_constant, old, new))
    if type(old) is not type(new):
        return False
    return bool(old == new) if type(old) in _EQUAL_IS_SAME else repr(old) == repr(new)


class Holders:
    """Which functions hold which code, as things stand when the tests are collected."""

    def __init__(self) -> None:
        self._functions: dict[int, list[FunctionType]] = {}
        gc.unfreeze()  # what is frozen is not among the objects that can be asked for
        for each in gc.get_objects():
            if type(each) is FunctionType:
                self._functions.setdefault(id(each.__code__), []).append(each)

    def swap(self, old: CodeType, new: CodeType) -> None:
        """Every function that holds `old` holds `new`; one that nobody holds cannot be swapped."""
        if not self._is_held(old):
            raise CannotSwap("nobody holds it")
        self._swap(old, new)

    def _swap(self, old: CodeType, new: CodeType) -> None:
        for function in self._functions.get(id(old), ()):
            try:
                function.__code__ = new
            except ValueError as error:
                raise CannotSwap(str(error)) from error
        before, after = _nested(old), _nested(new)
        if [code.co_name for code in before] != [code.co_name for code in after]:
            if any(self._is_held(code) for code in before):
                raise CannotSwap("the functions inside it are others")
            return
        for inner_old, inner_new in zip(before, after):  # noqa: B905  equally long
            self._swap(inner_old, inner_new)

    def _is_held(self, code: CodeType) -> bool:
        return id(code) in self._functions or any(map(self._is_held, _nested(code)))


def _nested(code: CodeType) -> "list[CodeType]":
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def codes_by_place(code: CodeType) -> "dict[tuple[str, int], CodeType]":
    """Every code inside a module's, by qualified name and first line."""
    found: dict[tuple[str, int], CodeType] = {}
    waiting = [code]
    while waiting:
        each = waiting.pop()
        found[each.co_qualname, each.co_firstlineno] = each
        waiting.extend(_nested(each))
    return found


def changed_unit(site: Site, path: str, flags: int, loaded: CodeType) -> CodeType:
    """The code of a site's function with the site changed, fit to replace `loaded`."""
    unit = site.unit
    if unit is None:
        raise CannotSwap("it is in no function")
    with site.applied():
        new = compile_unit(unit, path, flags)
        if new.co_freevars != loaded.co_freevars:
            new = compile_unit(unit, path, flags, loaded.co_freevars)
    return new
