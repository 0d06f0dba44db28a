"""A walk through code: every name, attribute and text by which it reaches for something."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from reverie.gates.effects.names import Texts, fields_of, follows_locale, specs_of
from reverie.gates.effects.table import (
    Effect,
    EffectKind,
    effect_of,
    effect_of_attribute,
    effect_of_builtin,
    effect_of_import,
    is_builtin,
    is_known_module,
)
from reverie.gates.python import imported_names
from reverie.syntax.nodes import Function, dotted, stored_names
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression

AT_IMPORT = ":import"
"""The end of a name that is imported here, and not used yet."""
ASKED = ":asked"
"""The end of a name of a class that an object is only asked for: nothing of it is called."""
_ASKS = frozenset({"isinstance", "issubclass"})
_TAKES_NAMES = {"getattr": 1, "hasattr": 1, "setattr": 1, "delattr": 1}
"""Builtins that take the name of an attribute, and at which place."""
_WITHOUT_DEFAULT = 2
"""Arguments of a `getattr` that insists."""
_WITH_CLASS = 2
"""Arguments of a question for a class."""
_MAKES_GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
_DEPENDING = frozenset({"RuntimeError", "AssertionError"})
"""Errors that show how deep the stack is, or whether `assert` is on, to those who catch them."""
MADE = "an attribute by a name that is made at run time"
_PLACES = ("/proc", "/sys/", "/etc/", "/dev/", "/var/", "/home/", "/run/")
_OWN = frozenset({"self", "cls"})
_Scope = Function | ast.Lambda


@dataclass(frozen=True, slots=True)
class Look:
    """One place that reaches for something."""

    effect: Effect
    line: int
    is_import: bool = False
    """Whether it is a statement that imports: what was imported before is nothing new."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A function, a method, the body of a class, a value of the module, or all that imports run."""

    looks: list[Look] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Names of the module that it uses."""
    attributes: set[str] = field(default_factory=set)
    """Names of attributes that it uses: each may be a method of the file."""
    origins: set[str] = field(default_factory=set)
    """Names out of other modules of the repository."""

    def is_like(self, other: "Unit") -> bool:
        """Whether both reach for the same, at whatever lines."""
        mine = {look.effect for look in self.looks}
        return (mine, self.names, self.attributes, self.origins) == (
            {look.effect for look in other.looks},
            other.names,
            other.attributes,
            other.origins,
        )


def absolute(origin: str, home: str) -> str:
    """A name with the dots of a relative import resolved: `..clock.now` in `shop.tills.one`."""
    level = len(origin) - len(origin.lstrip("."))
    if not level:
        return origin
    start = home.split(".")[:-level]
    return ".".join([*start, *origin[level:].split(".")]).strip(".")


class Names:
    """What names stand for in one module."""

    def __init__(self, tree: ast.Module, home: str, packages: frozenset[str]) -> None:
        self.imports = {
            name: absolute(origin, home) for name, origin in imported_names(tree).items()
        }
        self._home = home
        self._packages = packages | {home.partition(".")[0]}
        self._bound = _bound_names(tree.body)
        self._texts = Texts(tree)

    def is_own(self, origin: str) -> bool:
        """Whether a name is one of the repository's own."""
        return origin.partition(".")[0] in self._packages

    def is_bound(self, name: str) -> bool:
        """Whether the module itself gives a name a meaning."""
        return name in self._bound

    def texts(self, node: ast.AST | None) -> frozenset[str] | None:
        """What an expression stands for, if it is text that can be read."""
        return self._texts.of(node)

    def absolute(self, origin: str) -> str:
        """A name with the dots of a relative import resolved."""
        return absolute(origin, self._home)


class Walk(ast.NodeVisitor):
    """One walk through a piece of code, for one unit."""

    def __init__(self, names: Names, unit: Unit, is_import: bool = False) -> None:
        self._names = names
        self._unit = unit
        self._is_import = is_import
        self._calls = 0
        self._scopes: list[frozenset[str]] = []
        self._line = 0
        self._called: set[int] = set()
        self._named_only: set[int] = set()
        """Names of errors that are raised or derived from, and not caught."""
        self._asked: set[int] = set()
        """Names of classes that objects are asked for, and that are not used otherwise."""

    def take_decorators(self, nodes: list[ast.expr]) -> None:
        """Names that are called without being written as calls."""
        self._unit.names.update(
            each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)
        )

    def visit(self, node: ast.AST) -> None:
        """Each node at its line; what stands in text that is read as code, at the text's."""
        own = getattr(node, "lineno", 0)
        before, self._line = self._line, self._line if self._line < 0 else own or self._line
        super().visit(node)
        self._line = before

    def _look(self, effect: Effect | None, is_import: bool = False) -> None:
        if effect is not None:
            self._unit.looks.append(Look(effect, abs(self._line), is_import))

    def visit_function(self, node: _Scope) -> None:
        """A function with its own names."""
        for each in getattr(node, "decorator_list", ()):
            self.visit(each)
        for each in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(each)
        for given in ast.walk(node.args):
            if isinstance(given, ast.arg) and given.annotation is not None:
                self._annotation(given.annotation)
        if not isinstance(node, ast.Lambda) and node.returns is not None:
            self._annotation(node.returns)
        self._scopes.append(_local_names(node))
        for child in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(child)
        self._scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """A function inside of what is walked through."""
        if self._scopes or not self._is_import:
            self.visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """The same."""
        if self._scopes or not self._is_import:
            self.visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """A function without a name."""
        self.visit_function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """A class inside of what is walked through."""
        if self._scopes or not self._is_import:
            self.visit_bases(node)
            self.generic_visit(node)

    def visit_bases(self, node: ast.ClassDef) -> None:
        """What a class is made of; to derive from an error is not to catch it."""
        for each in node.bases:
            self._name_only(each)

    def _comprehension(self, node: ast.AST) -> None:
        bound = stored_names(node)
        self._scopes.append(frozenset(bound))
        self.generic_visit(node)
        self._scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The annotation may be text."""
        self._annotation(node.annotation)
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def _annotation(self, node: ast.expr) -> None:
        """An annotation, and what stands in it as text: something may evaluate it."""
        self.visit(node)
        literal = {
            id(below)
            for each in ast.walk(node)
            if isinstance(each, ast.Subscript) and dotted(each.value).endswith("Literal")
            for below in ast.walk(each.slice)
        }
        for each in ast.walk(node):
            if (
                isinstance(each, ast.Constant)
                and isinstance(each.value, str)
                and id(each) not in literal
            ):
                self._text_as_code(each)

    def _text_as_code(self, node: ast.Constant) -> None:
        try:
            tree = fresh_expression(str(node.value).strip())
        except NOT_PYTHON:
            return
        before, self._line = self._line, -node.lineno
        self.visit(tree)
        self._line = before

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Text in the brackets of a type is a type that something may evaluate."""
        origin = self._names.imports.get(dotted(node.value).partition(".")[0], "")
        if origin.startswith("typing") and not dotted(node.value).endswith("Literal"):
            for each in ast.walk(node.slice):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    self._text_as_code(each)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """A module at hand that was not."""
        for alias in node.names:
            if self._names.is_own(alias.name):
                self._unit.origins.add(alias.name + AT_IMPORT)
            else:
                self._look(effect_of_import(alias.name), is_import=True)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Names of a module, each by itself."""
        module = self._names.absolute("." * node.level + (node.module or ""))
        if node.level or self._names.is_own(module):
            self._unit.origins.update(f"{module}.{e.name}{AT_IMPORT}" for e in node.names)
            return
        for alias in node.names:
            origin = f"{module}.{alias.name}"
            if module == "__future__":
                continue
            known = is_known_module(origin)
            self._look(effect_of_import(origin) if known else effect_of(origin), is_import=True)

    def visit_Name(self, node: ast.Name) -> None:
        """A name that is read."""
        if isinstance(node.ctx, ast.Load):
            self._name(node)

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if any(name in scope for scope in self._scopes):
            return
        if name in self._names.imports:
            self._origin(self._names.imports[name], self._end_of(node))
        elif self._names.is_bound(name):
            if not self._is_import or self._calls:
                self._unit.names.add(name + self._end_of(node))
        else:
            self._look(effect_of_builtin(name))
            if "*" in self._names.imports and not is_builtin(name):
                self._look(Effect(EffectKind.UNKNOWN, f"{name} of a star import"))
            if name in _DEPENDING and id(node) not in self._named_only:
                self._look(Effect(EffectKind.UNKNOWN, f"catching {name}"))
            if name in _TAKES_NAMES and id(node) not in self._called:
                self._look(Effect(EffectKind.UNKNOWN, MADE))

    def _end_of(self, node: ast.AST) -> str:
        return ASKED if id(node) in self._asked else ""

    def _origin(self, origin: str, end: str = "") -> None:
        if self._names.is_own(origin):
            self._unit.origins.add(origin + end)
            return
        found = effect_of(origin)
        if found is None or found.kind is EffectKind.UNKNOWN:
            found = _by_attributes(origin) or found
        self._look(found)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A chain from an import is one name; else every attribute counts by its own."""
        root = _root(node)
        text = dotted(node)
        head, _, rest = text.partition(".")
        is_local = any(head in scope for scope in self._scopes)
        if text and not is_local and head in self._names.imports:
            self._origin(f"{self._names.imports[head]}.{rest}", self._end_of(node))
            return
        if not self._is_import or self._calls:
            self._unit.attributes.add(node.attr)
        is_own = isinstance(node.value, ast.Name) and node.value.id in _OWN
        effect = effect_of_attribute(node.attr)
        if effect is not None and not (is_own and _is_of_object(node.attr)):
            self._look(effect)
        if not (isinstance(root, ast.Name) and root is node.value and is_own):
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """What takes the name of an attribute is read as if it were written out."""
        self._taken_names(node)
        origin = self._called_origin(node.func)
        if origin in _ASKS and len(node.args) == _WITH_CLASS:
            self._asked |= {id(each) for each in _classes(node.args[1])}
        if origin == "format" and len(node.args) > 1:
            for spec in self._names.texts(node.args[1]) or ():
                self._formatted(spec)
        self._calls += 1
        self.generic_visit(node)
        self._calls -= 1

    def _taken_names(self, node: ast.Call) -> None:
        origin = self._called_origin(node.func)
        place = _TAKES_NAMES.get(origin)
        if origin in _MAKES_GETTERS:
            given = node.args if origin.endswith("attrgetter") else node.args[:1]
        elif place is not None and len(node.args) > place:
            given = [node.args[place]]
        elif isinstance(node.func, ast.Attribute) and node.func.attr.endswith("getattribute__"):
            given = node.args[-1:]
        else:
            return
        self._called.add(id(node.func))
        owner = self._called_origin(node.args[0]) if place is not None else ""
        if is_known_module(owner) and (origin == "hasattr" or len(node.args) > _WITHOUT_DEFAULT):
            said = f"{origin} of {owner}, which other versions of Python answer otherwise"
            self._look(Effect(EffectKind.INTERPRETER, said))
        for each in given:
            self._taken_name(self._names.texts(each), owner)

    def _taken_name(self, texts: frozenset[str] | None, owner: str) -> None:
        if texts is None:
            self._look(Effect(EffectKind.UNKNOWN, MADE))
            return
        for part in sorted(part for text in texts for part in text.split(".")):
            self._unit.attributes.add(part)
            self._look(effect_of_attribute(part))
            if "." in owner or is_known_module(owner):
                self._origin(f"{owner}.{part}")

    def _called_origin(self, node: ast.AST) -> str:
        text = dotted(node)
        head, _, rest = text.partition(".")
        if not text or any(head in scope for scope in self._scopes):
            return ""
        origin = self._names.imports.get(head, "" if self._names.is_bound(head) else head)
        return f"{origin}.{rest}" if rest and origin else origin

    def visit_Constant(self, node: ast.Constant) -> None:
        """Places of the machine, and templates that look attributes up."""
        if not isinstance(node.value, str):
            return
        if node.value.startswith(_PLACES) and len(node.value) < 200:
            self._look(Effect(EffectKind.MACHINE, node.value[:40]))
        if "{" in node.value:
            for name in fields_of(node.value):
                self._look(effect_of_attribute(name))
            for spec in specs_of(node.value):
                self._formatted(spec)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        """A value in an f-string, and how it is written."""
        for spec in self._names.texts(node.format_spec) or ():
            self._formatted(spec)
        self.generic_visit(node)

    def _formatted(self, spec: str) -> None:
        if follows_locale(spec):
            self._look(Effect(EffectKind.LOCALE, f"the format {spec!r}"))

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """Attributes that a pattern asks for."""
        for name in node.kwd_attrs:
            self._look(effect_of_attribute(name))
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """With assertions switched off it binds nothing."""
        if any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
            self._look(Effect(EffectKind.INTERPRETER, "an assert that binds a name"))
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """To raise an error is not to catch it."""
        self._name_only(node.exc)
        self.generic_visit(node)

    def _name_only(self, node: ast.AST | None) -> None:
        self._named_only |= {id(each) for each in (() if node is None else ast.walk(node))}


def _by_attributes(origin: str) -> Effect | None:
    """What the last names of a chain tell, where its module does not."""
    for name in origin.split(".")[1:]:
        found = effect_of_attribute(name)
        if found is not None:
            return Effect(found.kind, origin)
    return None


def _classes(node: ast.expr) -> list[ast.expr]:
    """The classes of a question, each by its name: one, or a tuple of them."""
    given = node.elts if isinstance(node, ast.Tuple) else [node]
    return [each for each in given if dotted(each)]


def _is_of_object(name: str) -> bool:
    """Names that on `self` are the object's own: its values, and what it called so itself."""
    return name == "__dict__" or not name.startswith("__")


def _root(node: ast.AST) -> ast.AST:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _bound_names(body: list[ast.stmt]) -> frozenset[str]:
    """Names that statements of a module bind, other than by imports."""
    found: set[str] = set()
    for node in body:
        for each in _own_nodes(node):
            if isinstance(each, Function | ast.ClassDef):
                found.add(each.name)
            elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                found.add(each.id)
    for top in body:
        for each in ast.walk(top):
            if isinstance(each, ast.Global):
                found |= set(each.names)
    return frozenset(found)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it that are not inside a function or a class of their own."""
    yield node
    if isinstance(node, Function | ast.ClassDef | ast.Lambda):
        return
    for child in ast.iter_child_nodes(node):
        yield from _own_nodes(child)


def _local_names(function: _Scope) -> frozenset[str]:
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    body = function.body if isinstance(function.body, list) else [function.body]
    stored: set[str] = set()
    elsewhere: set[str] = set()
    for top in body:
        for each in _own_nodes(top):
            match each:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    stored.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    stored.add(name)
                case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                    stored.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    stored.add(name)
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    elsewhere |= set(names)
    return frozenset((given | stored) - elsewhere)
