"""Import-time mutants that can be made when everything is imported: those of plain values.

What an import makes of `TABLE = {…}` is one object under one name. If none of the module's
functions was called and nobody looked at that name until the tests were collected, then binding
it anew, with every other name that was made from it, is the same as having imported the changed
module, and costs no import. Whether somebody looked is observed in the scout; whether the
statement is plain, and which names hang together, is read from the text alone (`Bindings`).
"""

import ast
import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

from .changes import Changes
from .loading import Change, TargetFinder, executing_tree
from .sites import Site


def _words(text: str) -> "frozenset[str]":
    return frozenset(text.split())


_PLAIN = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BinOp, ast.UnaryOp,
    ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice, ast.JoinedStr,
    ast.FormattedValue, ast.Attribute, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.comprehension, ast.Starred, ast.keyword, ast.Call, ast.Lambda, ast.arguments, ast.arg,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_PURE_BUILTINS = _words(
    "abs bool bytes chr complex dict divmod enumerate filter float frozenset hash hex int len "
    "list map max min oct ord pow range repr reversed round set slice sorted str sum tuple "
    "zip"
)
_PURE_IMPORTS = _words(
    "re.compile re.escape collections.OrderedDict collections.namedtuple collections.Counter "
    "decimal.Decimal fractions.Fraction datetime.timedelta datetime.date datetime.datetime "
    "datetime.time operator.itemgetter operator.attrgetter"
)
_STEADY_MODULES = _words(
    "collections datetime decimal fractions functools html html.entities itertools keyword math "
    "operator re string types typing unicodedata"
)
"""Modules whose attributes are the same whenever one looks."""
_LAZY = _words("enumerate filter map reversed zip")
_PURE_METHODS = _words(
    "capitalize copy count decode difference encode endswith format fromkeys get index "
    "intersection items join keys lower lstrip replace rsplit rstrip search split splitlines "
    "startswith strip title union upper values"
)
_PURE_BASES = _words("dict float frozenset int list object set str tuple")
_LOOKS_AROUND = _words("globals locals vars eval exec")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Bindings:
    """The statements of one module, by what they bind and what they mention."""

    def __init__(self, tree: ast.Module) -> None:
        self._body = tree.body
        self._bound: dict[str, list[int]] = {}
        self._mentions = [frozenset(_at_import(node)) for node in tree.body]
        self._binds = [frozenset(_bound_by(node)) for node in tree.body]
        for place, names in enumerate(self._binds):
            for name in names:
                self._bound.setdefault(name, []).append(place)
        self._looks_around = any(names & _LOOKS_AROUND for names in self._mentions)
        self._plain = [self._is_plain(node) for node in tree.body]
        self._known: dict[int, list[int] | None] = {}

    def made_from(self, top: int) -> "list[int] | None":
        """The statement and all that were made from it, in order; None where that is not sure."""
        if top not in self._known:
            self._known[top] = None if self._looks_around else self._closure(top)
        return self._known[top]

    def _closure(self, top: int) -> "list[int] | None":
        places, waiting = {top}, [top]
        while waiting:
            place = waiting.pop()
            if not self._plain[place] or not self._is_steady(place):
                return None
            for name in self._binds[place]:
                new = {at for at, names in enumerate(self._mentions) if name in names} - places
                places |= new
                waiting += new
        return sorted(places)

    def names(self, places: "Iterable[int]") -> "frozenset[str]":
        """What nobody else may have looked at: the names they bind and those they read."""
        found: set[str] = set()
        for place in places:
            found |= {name for name in self._mentions[place] if self._is_value(name)}
            found.update(self._binds[place])
        return frozenset(found)

    def bound(self, places: "Iterable[int]") -> "frozenset[str]":
        """The names that they bind."""
        return frozenset[str]().union(*(self._binds[place] for place in places))

    def _is_value(self, name: str) -> bool:
        return any(isinstance(self._body[at], _ASSIGNMENTS) for at in self._bound.get(name, ()))

    def _is_steady(self, place: int) -> bool:
        """Whether all that it binds and reads is bound once, before it, and never changed."""
        for name in self._binds[place]:
            if self._bound[name] != [place]:
                return False
        for name in self._mentions[place]:
            where = self._bound.get(name)
            if where is None:
                if not hasattr(builtins, name) and name not in _own_names(self._body[place]):
                    return False
            elif len(where) > 1 or where[0] > place or not self._is_untouched(name, where[0]):
                return False
        return True

    def _is_untouched(self, name: str, where: int) -> bool:
        """Whether it is what it was: no statement that does more than bind a value mentions it."""
        node = self._body[where]
        if isinstance(node, ast.Import):
            return all(alias.name in _STEADY_MODULES for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            return node.level == 0 and node.module in _STEADY_MODULES
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            return True
        mentioning = [at for at, names in enumerate(self._mentions) if name in names]
        return all(self._plain[at] for at in (where, *mentioning))

    def _is_plain(self, node: ast.stmt) -> bool:
        if not isinstance(node, _ASSIGNMENTS) or node.value is None:
            return False
        if not all(isinstance(target, ast.Name) for target in _targets(node)):
            return False
        if _keeps_iterator(node.value, is_consumed=False):
            return False
        return all(
            isinstance(each, _PLAIN) and (not isinstance(each, ast.Call) or self._is_pure(each))
            for each in ast.walk(node.value)
        )

    def _is_pure(self, call: ast.Call) -> bool:
        function = call.func
        if isinstance(function, ast.Name):
            return self._is_pure_name(function.id)
        if not isinstance(function, ast.Attribute):
            return False
        if isinstance(function.value, ast.Name):
            origin = self._origin(function.value.id)
            if isinstance(origin, ast.Import):
                return f"{function.value.id}.{function.attr}" in _PURE_IMPORTS
        return function.attr in _PURE_METHODS

    def _is_pure_name(self, name: str) -> bool:
        origin = self._origin(name)
        if origin is None:
            return name in _PURE_BUILTINS and name not in self._bound
        if isinstance(origin, ast.ImportFrom):
            return f"{origin.module}.{name}" in _PURE_IMPORTS
        return isinstance(origin, ast.ClassDef) and _is_simple(origin)

    def _origin(self, name: str) -> "ast.stmt | None":
        where = self._bound.get(name, [])
        return self._body[where[0]] if len(where) == 1 else None


_ASSIGNMENTS = (ast.Assign, ast.AnnAssign)


def table_of(node: ast.stmt) -> "tuple[str, list[tuple[Any, Any]]] | None":
    """Name and content of `NAME = {…}`, if there is nothing but constants in it."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Dict):
        return None
    found = []
    for key, value in zip(node.value.keys, node.value.values):  # noqa: B905  equally long
        if not isinstance(key, ast.Constant) or not isinstance(value, ast.Constant):
            return None
        found.append((key.value, value.value))
    (target,) = node.targets if len(node.targets) == 1 else (None,)
    return (target.id, found) if isinstance(target, ast.Name) else None


def _is_simple(node: ast.ClassDef) -> bool:
    """A class whose making calls nothing but Python's own types."""
    bases = all(isinstance(base, ast.Name) and base.id in _PURE_BASES for base in node.bases)
    return bases and not node.keywords and not node.decorator_list


def _targets(node: "ast.Assign | ast.AnnAssign") -> "list[ast.expr]":
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _bound_by(node: ast.stmt) -> "set[str]":
    """Names that a statement of a module binds or takes away, at whatever depth."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return {node.name}
    found: set[str] = set()
    inner = {
        id(name)
        for each in ast.walk(node)
        if isinstance(each, ast.comprehension)
        for name in ast.walk(each.target)
    }
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found |= {each.id} if id(each) not in inner else set()
        elif isinstance(each, (*_FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs)):
            found |= {each.name} if each.name else set()
        elif isinstance(each, ast.alias):
            found.add(each.asname or each.name.partition(".")[0])
    return found


def _keeps_iterator(node: ast.AST, *, is_consumed: bool) -> bool:
    """Whether a value holds something that can be gone through once only."""
    is_call = isinstance(node, ast.Call)
    is_lazy = isinstance(node, ast.GeneratorExp) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _LAZY
    )
    if is_lazy and not is_consumed:
        return True
    return any(
        _keeps_iterator(
            child, is_consumed=is_call or isinstance(node, (ast.comprehension, ast.Starred))
        )
        for child in ast.iter_child_nodes(node)
    )


def _own_names(node: ast.AST) -> "set[str]":
    """Names that live inside a comprehension or a lambda only."""
    found: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.comprehension):
            found |= {name.id for name in ast.walk(each.target) if isinstance(name, ast.Name)}
        elif isinstance(each, ast.arg):
            found.add(each.arg)
    return found


def _at_import(node: ast.AST) -> "Iterator[str]":
    """Names that are read or changed when a statement is executed: no bodies of functions."""
    parts: list[ast.AST]
    if isinstance(node, _FUNCTIONS):
        parts = [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
    else:
        parts = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            yield node.id
    for part in parts:
        yield from _at_import(part)


_ALL_NAMES = "__dict__"
_READS_NO_VALUES = ("dataclasses",)
"""Modules that ask for all names of a module, to execute code among them."""


class Unimportable(Exception):
    """The changed statement raises."""


class Watch:
    """In a scout: which names of the target's modules are looked at from outside."""

    def __init__(self, finder: TargetFinder) -> None:
        self._finder = finder
        self._watched: list[tuple[str, ModuleType, type, set[str]]] = []
        finder.watch = self._begin

    def _begin(self, path: str, module: ModuleType) -> None:
        looked: set[str] = set()
        kind = _watched(looked)
        module.__class__ = kind
        self._watched.append((path, module, kind, looked))

    def seen(self) -> "dict[str, list[str]]":
        """Names by file; a file that was executed more than once has none."""
        found: dict[str, list[str]] = {}
        for path, module, kind, looked in self._watched:
            if len(self._finder.spaces[path]) == 1:
                hidden = () if type(module) is kind else (_ALL_NAMES,)
                found[path] = sorted({*looked, *hidden})
        return found


def _watched(looked: "set[str]") -> type:
    class Watched(ModuleType):
        """A module that notes what it is asked for."""

        def __getattribute__(self, name: str) -> Any:
            asking = sys._getframe(1).f_globals.get("__name__")
            if name != _ALL_NAMES or asking not in _READS_NO_VALUES:
                looked.add(name)
            return super().__getattribute__(name)

    return Watched


class LateValues:
    """Which mutants can be made late, and how."""

    def __init__(
        self, changes: Changes, finder: TargetFinder, ran: "Mapping[str, Iterable[str]]"
    ) -> None:
        self._changes = changes
        self._finder = finder
        self._ran = ran
        self._bindings: dict[str, Bindings | None] = {}
        self.seen: dict[str, list[str]] = {}

    def places(self, mutant: "dict[str, Any]") -> "list[int] | None":
        """The statements to execute anew; None for a mutant that needs a true import."""
        path = mutant["path"]
        if path not in self.seen or mutant["number"] < 0:
            return None
        if path not in self._bindings:
            tree = self._changes.survey(path).tree
            self._bindings[path] = Bindings(tree) if self._is_quiet(path, tree) else None
        bindings, site = self._bindings[path], self._changes.site(mutant)
        if bindings is None or site is None or site.unit is not None:
            return None
        places = bindings.made_from(site.top)
        if places is None or not bindings.names(places).isdisjoint(self.seen[path]):
            return None
        return places

    def _is_quiet(self, path: str, tree: ast.Module) -> bool:
        """Whether nothing of the module ran but its own statements, and nobody took all names."""
        classes = set(_class_names(tree.body, ""))
        bodies = all(
            name == "<module>" or name in classes or name.rpartition(".")[2].startswith("<")
            for name in self._ran.get(path, ())
        )
        return bodies and path in self._ran and _ALL_NAMES not in self.seen[path]

    def prepare(self, mutant: "dict[str, Any]", places: "list[int]") -> "Callable[[], None]":
        """What a fork has to do. Raises `Invalid` and `Same`; the fork, `Unimportable`."""
        site, path = self._changes.site(mutant), mutant["path"]
        if site is None:
            return lambda: None
        tree = self._changes.survey(path).tree
        anew = self._filled(site, path, places) or self._executed(mutant, site, places)

        def change() -> None:
            self._finder.changes[path] = executing_tree(tree, path, site)
            self._execute(anew, path)

        return change

    def table(self, mutant: "dict[str, Any]") -> "tuple[Change, frozenset[str]] | None":
        """How to fill a changed table of constants, and the names bound so; None for others."""
        places, site, path = self.places(mutant), self._changes.site(mutant), mutant["path"]
        bindings = self._bindings.get(path)
        if places is None or site is None or bindings is None:
            return None
        anew = self._filled(site, path, places)
        return None if anew is None else (anew, bindings.bound(places))

    def _executed(self, mutant: "dict[str, Any]", site: Site, places: "list[int]") -> Change:
        code = self._changes.statement(mutant, site)
        return self._changes.statements(mutant["path"]).executing(site.top, code, places)

    def _filled(self, site: Site, path: str, places: "list[int]") -> "Change | None":
        """The same for a table of constants, which need not be compiled; it can be long."""
        node = self._changes.survey(path).tree.body[site.top]
        before = table_of(node)
        with site.applied():
            after = table_of(node)
        if before is None or after is None or repr(before) == repr(after):
            return None
        name, content = after
        statements = self._changes.statements(path)
        rest = statements.executing(site.top, None, places)

        def fill(space: "dict[str, Any]") -> None:
            space[name] = dict(content)
            rest(space)

        return fill

    def unchanged(self, path: str, places: "list[int]") -> "Callable[[], None]":
        """The same statements anew, as they are: nobody may notice that."""
        statements = self._changes.statements(path)
        anew = statements.executing(places[0], statements.original(places[0]), places)
        return lambda: self._execute(anew, path)

    def _execute(self, anew: "Callable[[dict[str, Any]], None]", path: str) -> None:
        try:
            anew(self._finder.spaces[path][0])
        except BaseException as error:  # the import would have raised it
            raise Unimportable(type(error).__name__) from error


def _class_names(body: "list[ast.stmt]", prefix: str) -> "Iterable[str]":
    for node in body:
        for each in ast.walk(node) if not isinstance(node, ast.ClassDef) else (node,):
            if isinstance(each, ast.ClassDef):
                yield prefix + each.name
                yield from _class_names(each.body, f"{prefix}{each.name}.")
