"""A file as units (functions, methods, classes, values), each with what it reaches for."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from reverie.gates.effects.names import Texts, fields_of
from reverie.gates.effects.table import (
    Effect,
    EffectKind,
    effect_of,
    effect_of_attribute,
    effect_of_builtin,
    effect_of_import,
    is_known_module,
)
from reverie.gates.python import Function, dotted, imported_names

IMPORT = "<import>"
"""The unit of all that runs when the module is imported."""
AT_IMPORT = ":import"
"""The end of a name that is imported here, and not used yet."""
_TAKES_NAMES = {"getattr": 1, "hasattr": 1, "setattr": 1, "delattr": 1}
"""Builtins that take the name of an attribute, and at which place."""
_MAKES_GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
MADE = "an attribute by a name that is made at run time"
_PLACES = ("/proc", "/sys/", "/etc/", "/dev/", "/var/", "/home/", "/run/")
_OWN = frozenset({"self", "cls"})
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


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


@dataclass(frozen=True, slots=True)
class Reading:
    """All units of a file, and what its imports bind."""

    units: dict[str, Unit]
    imports: dict[str, str]
    methods: dict[str, list[str]]
    """Units inside classes, by their last name."""


def read_units(tree: ast.Module, home: str, packages: frozenset[str]) -> Reading:
    """Every unit of a module; `home` is its dotted name, `packages` what the repository has."""
    reader = _Reader(tree, home, packages)
    reader.read_body(tree.body, "")
    methods: dict[str, list[str]] = {}
    for name in reader.units:
        if "." in name:
            methods.setdefault(name.rpartition(".")[2], []).append(name)
    return Reading(reader.units, reader.imports, methods)


def absolute(origin: str, home: str) -> str:
    """A name with the dots of a relative import resolved: `..clock.now` in `shop.tills.one`."""
    level = len(origin) - len(origin.lstrip("."))
    if not level:
        return origin
    start = home.split(".")[:-level]
    return ".".join([*start, *origin[level:].split(".")]).strip(".")


class _Reader:
    def __init__(self, tree: ast.Module, home: str, packages: frozenset[str]) -> None:
        self.imports = {
            name: absolute(origin, home) for name, origin in imported_names(tree).items()
        }
        self.units: dict[str, Unit] = {IMPORT: Unit()}
        self._home = home
        self._packages = packages | {home.partition(".")[0]}
        self._bound = _bound_names(tree.body)
        self._texts = Texts(tree)

    def read_body(self, body: list[ast.stmt], prefix: str) -> None:
        """Every statement of a module or of a class, each into the unit that it belongs to."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._read_function(node, prefix)
                case ast.ClassDef():
                    self._read_class(node, prefix)
                case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.TryStar():
                    self._read_nested(node, prefix)
                case _:
                    self._read_at_import(node, prefix, _stored(node))

    def _read_nested(self, node: ast.stmt, prefix: str) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
            return  # it does not run when it is imported
        inner = [each for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
        own = [e for e in inner if isinstance(e, Function | ast.ClassDef)]
        hidden = {id(below) for each in own for below in ast.walk(each) if below is not each}
        self.read_body([each for each in own if id(each) not in hidden], prefix)
        self._read_at_import(node, prefix, _stored(node))

    def _read_at_import(self, node: ast.AST, prefix: str, names: set[str]) -> None:
        """Into what importing does, and into the unit of each name that it binds."""
        for name in (IMPORT, *([prefix.rstrip(".")] if prefix else names)):
            _Walk(self, self._unit(name), is_import=name == IMPORT).visit(node)

    def _read_function(self, node: Function, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        _Walk(self, unit).visit_function(node)
        special = _special_effect(node.name, prefix)
        if special is not None:
            unit.looks.append(Look(special, node.lineno))
        walk = _Walk(self, self._unit(IMPORT), is_import=True)
        for each in (
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ):
            walk.visit(each)
        walk.take_decorators(node.decorator_list)

    def _read_class(self, node: ast.ClassDef, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        for walk in (_Walk(self, unit), _Walk(self, self._unit(IMPORT), is_import=True)):
            for each in (*node.bases, *node.keywords, *node.decorator_list):
                walk.visit(each)
            walk.take_decorators([*node.decorator_list, *node.bases])
        self.read_body(node.body, f"{prefix}{node.name}.")

    def _unit(self, name: str) -> Unit:
        return self.units.setdefault(name, Unit())

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


class _Walk(ast.NodeVisitor):
    """One walk through a piece of code, for one unit."""

    def __init__(self, reader: _Reader, unit: Unit, is_import: bool = False) -> None:
        self._reader = reader
        self._unit = unit
        self._is_import = is_import
        self._calls = 0
        self._scopes: list[frozenset[str]] = []
        self._line = 0
        self._called: set[int] = set()

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
        if self._scopes or not self._is_import:
            self.visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        if self._scopes or not self._is_import:
            self.visit_function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if self._scopes or not self._is_import:
            self.generic_visit(node)

    def _comprehension(self, node: ast.AST) -> None:
        bound = {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        self._scopes.append(frozenset(bound))
        self.generic_visit(node)
        self._scopes.pop()

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
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
            tree = ast.parse(str(node.value).strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        before, self._line = self._line, -node.lineno
        self.visit(tree.body)
        self._line = before

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Text in the brackets of a type is a type that something may evaluate."""
        origin = self._reader.imports.get(dotted(node.value).partition(".")[0], "")
        if origin.startswith("typing") and not dotted(node.value).endswith("Literal"):
            for each in ast.walk(node.slice):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    self._text_as_code(each)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if self._reader.is_own(alias.name):
                self._unit.origins.add(alias.name + AT_IMPORT)
            else:
                self._look(effect_of_import(alias.name), is_import=True)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = self._reader.absolute("." * node.level + (node.module or ""))
        if node.level or self._reader.is_own(module):
            self._unit.origins.update(f"{module}.{e.name}{AT_IMPORT}" for e in node.names)
            return
        for alias in node.names:
            origin = f"{module}.{alias.name}"
            if module == "__future__":
                continue
            known = is_known_module(origin)
            self._look(effect_of_import(origin) if known else effect_of(origin), is_import=True)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._name(node)

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if any(name in scope for scope in self._scopes):
            return
        if name in self._reader.imports:
            self._origin(self._reader.imports[name])
        elif self._reader.is_bound(name):
            if not self._is_import or self._calls:
                self._unit.names.add(name)
        else:
            self._look(effect_of_builtin(name))
            if name in _TAKES_NAMES and id(node) not in self._called:
                self._look(Effect(EffectKind.UNKNOWN, MADE))

    def _origin(self, origin: str) -> None:
        if self._reader.is_own(origin):
            self._unit.origins.add(origin)
            return
        found = effect_of(origin)
        if found is None or found.kind is EffectKind.UNKNOWN:
            found = _by_attributes(origin) or found
        self._look(found)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        root = _root(node)
        text = dotted(node)
        head, _, rest = text.partition(".")
        is_local = any(head in scope for scope in self._scopes)
        if text and not is_local and head in self._reader.imports:
            self._origin(f"{self._reader.imports[head]}.{rest}")
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
        self._taken_names(node)
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
        for each in given:
            self._taken_name(self._reader.texts(each), owner)

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
        origin = self._reader.imports.get(head, "" if self._reader.is_bound(head) else head)
        return f"{origin}.{rest}" if rest and origin else origin

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        if node.value.startswith(_PLACES) and len(node.value) < 200:
            self._look(Effect(EffectKind.MACHINE, node.value[:40]))
        if "{" in node.value:
            for name in fields_of(node.value):
                self._look(effect_of_attribute(name))

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:
            self._look(effect_of_attribute(name))
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        if any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
            self._look(Effect(EffectKind.INTERPRETER, "an assert that binds a name"))
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """A `RecursionError` is one: how deep the stack is would show."""
        for each in () if node.type is None else ast.walk(node.type):
            if isinstance(each, ast.Name) and each.id == "RuntimeError":
                self._look(Effect(EffectKind.UNKNOWN, "except RuntimeError"))
        self.generic_visit(node)


def _by_attributes(origin: str) -> Effect | None:
    """What the last names of a chain tell, where its module does not."""
    for name in origin.split(".")[1:]:
        found = effect_of_attribute(name)
        if found is not None:
            return Effect(found.kind, origin)
    return None


def _is_of_object(name: str) -> bool:
    """Names that on `self` are the object's own: its values, and what it called so itself."""
    return name in ("__dict__", "__module__") or not name.startswith("__")


def _special_effect(name: str, prefix: str) -> Effect | None:
    if name == "__del__":
        return Effect(EffectKind.INTERPRETER, "__del__, when the garbage collector likes")
    if not prefix and name in ("__getattr__", "__dir__"):
        return Effect(EffectKind.IMPORTS, f"{name} of the module")
    return None


def _root(node: ast.AST) -> ast.AST:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _stored(node: ast.AST) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


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
