"""A file as units (functions, methods, classes, values), and what each reaches with all it calls.

Calls are followed in the file and in the repository. `isinstance(item, Version)` calls nothing
that `Version` defines, unless its metaclass answers.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.gates.effects.table import Effect, EffectKind, effect_of, is_builtin, is_covered
from reverie.gates.effects.walk import ASKED, AT_IMPORT, Look, Names, Unit, Walk, absolute
from reverie.gates.python import parse
from reverie.syntax.nodes import Function, dotted, stored_names
from reverie.syntax.unparsing import unparse

_CALM_DECORATORS = frozenset({"dataclasses.dataclass", "functools.total_ordering"})
"""What hands the class itself back, or one made of the same parts."""
_REGISTRIES = ("abc.", "collections.abc.", "typing.", "numbers.")
"""Modules of classes that ask every class below them for an answer."""
_ANSWERS = frozenset({"__subclasshook__", "__instancecheck__", "__subclasscheck__"})


def plain_classes(tree: ast.Module, names: Names) -> frozenset[str]:
    """Classes of a module, bound once, of which all that is behind is plain as well."""
    bound = Counter(
        each.name if isinstance(each, Function | ast.ClassDef) else each.id
        for each in ast.walk(tree)
        if isinstance(each, Function | ast.ClassDef)
        or (isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load))
    )
    found: set[str] = set()
    for node in tree.body:  # a class can only derive from what stands above it
        if (
            isinstance(node, ast.ClassDef)
            and bound[node.name] == 1
            and node.name not in names.imports
            and not node.keywords
            and all(_is_plain_base(each, names, found) for each in node.bases)
            and all(_is_calm(each, names) for each in node.decorator_list)
            and not any(isinstance(e, Function) and e.name in _ANSWERS for e in node.body)
        ):
            found.add(node.name)
    return frozenset(found)


def _is_plain_base(node: ast.expr, names: Names, plain: set[str]) -> bool:
    head, _, rest = dotted(node).partition(".")
    if not head:
        return False
    if head in names.imports:
        origin = f"{names.imports[head]}.{rest}" if rest else names.imports[head]
        if names.is_own(origin) or origin.startswith(_REGISTRIES):
            return False
        return effect_of(origin) is None
    if names.is_bound(head):
        return head in plain and not rest
    return is_builtin(head) and not rest


def _is_calm(node: ast.expr, names: Names) -> bool:
    if isinstance(node, ast.Call):
        given = (*node.args, *(each.value for each in node.keywords))
        if not all(isinstance(each, ast.Constant) for each in given):
            return False
        node = node.func
    head, _, rest = dotted(node).partition(".")
    origin = names.imports.get(head, "")
    return (f"{origin}.{rest}" if rest else origin) in _CALM_DECORATORS


IMPORT = "<import>"
"""The unit of all that runs when the module is imported."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All units of a file, and what its imports bind."""

    units: dict[str, Unit]
    imports: dict[str, str]
    methods: dict[str, list[str]]
    """Units inside classes, by their last name."""
    plain: frozenset[str] = frozenset()
    """Classes that may be asked for by `isinstance` without any code of theirs being run."""


def read_units(tree: ast.Module, home: str, packages: frozenset[str]) -> Reading:
    """Every unit of a module; `home` is its dotted name, `packages` what the repository has."""
    reader = _Reader(tree, home, packages)
    reader.read_body(tree.body, "")
    methods: dict[str, list[str]] = {}
    for name in reader.units:
        if "." in name:
            methods.setdefault(name.rpartition(".")[2], []).append(name)
    return Reading(reader.units, reader.names.imports, methods, plain_classes(tree, reader.names))


class _Reader:
    def __init__(self, tree: ast.Module, home: str, packages: frozenset[str]) -> None:
        self.names = Names(tree, home, packages)
        self.units: dict[str, Unit] = {IMPORT: Unit()}

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
        is_main = isinstance(node, ast.If) and unparse(node.test) == "__name__ == '__main__'"
        if is_main and not getattr(node, "orelse", None):
            return  # it does not run when it is imported
        inner = [each for each in ast.walk(node) if isinstance(each, ast.stmt) and each is not node]
        own = [e for e in inner if isinstance(e, Function | ast.ClassDef)]
        hidden = {id(below) for each in own for below in ast.walk(each) if below is not each}
        self.read_body([each for each in own if id(each) not in hidden], prefix)
        self._read_at_import(node, prefix, _stored(node))

    def _read_at_import(self, node: ast.AST, prefix: str, names: set[str]) -> None:
        """Into what importing does, and into the unit of each name that it binds."""
        for name in (IMPORT, *([prefix.rstrip(".")] if prefix else names)):
            Walk(self.names, self._unit(name), is_import=name == IMPORT).visit(node)

    def _read_function(self, node: Function, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        Walk(self.names, unit).visit_function(node)
        special = _special_effect(node.name, prefix)
        if special is not None:
            unit.looks.append(Look(special, node.lineno))
        walk = Walk(self.names, self._unit(IMPORT), is_import=True)
        for each in (
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ):
            walk.visit(each)
        walk.take_decorators(node.decorator_list)

    def _read_class(self, node: ast.ClassDef, prefix: str) -> None:
        unit = self._unit(prefix + node.name)
        for walk in (Walk(self.names, unit), Walk(self.names, self._unit(IMPORT), is_import=True)):
            walk.visit_bases(node)
            for each in (*node.bases, *node.keywords, *node.decorator_list):
                walk.visit(each)
            walk.take_decorators([*node.decorator_list, *node.bases])
        self.read_body(node.body, f"{prefix}{node.name}.")

    def _unit(self, name: str) -> Unit:
        return self.units.setdefault(name, Unit())


def _special_effect(name: str, prefix: str) -> Effect | None:
    if name == "__del__":
        return Effect(EffectKind.INTERPRETER, "__del__, when the garbage collector likes")
    if not prefix and name in ("__getattr__", "__dir__"):
        return Effect(EffectKind.IMPORTS, f"{name} of the module")
    return None


def _stored(node: ast.AST) -> set[str]:
    return stored_names(node)


_MOST_UNITS = 2_000
"""Units that one question may lead through."""
_BUILT_IN = frozenset(
    name
    for kind in (bytearray, bytes, dict, frozenset, int, list, object, set, str, tuple)
    for name in dir(kind)
)
"""Attributes that builtin objects have: nothing says that a method of the file is meant."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A look, and the file that it stands in."""

    look: Look
    module: str


class Modules:
    """The files of a repository by dotted name, each read when it is asked for."""

    def __init__(self, sources: Mapping[str, str], packages: frozenset[str]) -> None:
        self._sources = sources
        self._packages = packages
        self._read: dict[str, Reading | None] = {}

    def reading(self, module: str) -> Reading | None:
        """The units of a module; None where there is none, or Python cannot read it."""
        if module not in self._read:
            front = f"{module}.__init__"
            if module not in self._sources and front in self._sources:
                return self.reading(front)
            parsed = parse(module, self._sources.get(module))
            self._read[module] = (
                None if parsed is None else read_units(parsed.tree, module, self._packages)
            )
        return self._read[module]

    def reached(
        self, module: str, unit: str, passed_over: frozenset[str] | None = frozenset()
    ) -> dict[Effect, Reached]:
        """Every effect that a unit has, with the first place that shows it.

        Names of other modules are followed, but for those that are passed over: None is all.
        """
        found: dict[Effect, Reached] = {}
        for at in self._way(module, unit, passed_over):
            here = self._unit(at)
            for look in here.looks:
                found.setdefault(look.effect, Reached(look, at[0]))
            for origin in sorted(_followed(here, passed_over)):
                if not self._resolved(origin):
                    look = Look(Effect(EffectKind.UNKNOWN, origin), 1)
                    found.setdefault(look.effect, Reached(look, at[0]))
        return found

    def origins(self, module: str, unit: str) -> frozenset[str]:
        """Names of other modules that a unit uses, with all that it calls in its file."""
        way = self._way(module, unit, None)
        return frozenset(origin for at in way for origin in self._unit(at).origins)

    def _way(
        self, module: str, unit: str, passed_over: frozenset[str] | None
    ) -> list[tuple[str, str]]:
        """Every unit that one leads to, by module and name; itself first."""
        seen: dict[tuple[str, str], None] = {}
        waiting = [(module, unit)]
        while waiting and len(seen) < _MOST_UNITS:
            at = waiting.pop()
            reading = self.reading(at[0])
            if at in seen or reading is None or at[1] not in reading.units:
                continue
            seen[at] = None
            waiting += _inside(at[0], reading, at[1])
            for origin in sorted(_followed(reading.units[at[1]], passed_over)):
                waiting += self._resolved(origin)
        return list(seen)

    def _unit(self, at: tuple[str, str]) -> Unit:
        reading = self.reading(at[0])
        return Unit() if reading is None else reading.units[at[1]]

    def _resolved(self, origin: str, depth: int = 5) -> list[tuple[str, str]]:
        """The units that a name of the repository may stand for."""
        parts = origin.removesuffix(AT_IMPORT).removesuffix(ASKED).split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            reading = self.reading(module)
            if reading is None:
                continue
            rest = parts[end:]
            if not rest or origin.endswith(AT_IMPORT):
                return [(module, IMPORT)]
            own = [(module, name) for name in _units_of(reading, rest[0])]
            if own:
                is_idle = origin.endswith(ASKED) and rest[0] in reading.plain and not rest[1:]
                return [(module, IMPORT)] if is_idle else own
            elsewhere = reading.imports.get(rest[0])
            if elsewhere is None or depth == 0:
                return []
            mark = ASKED if origin.endswith(ASKED) else ""
            behind = ".".join([absolute(elsewhere, module), *rest[1:]]) + mark
            return self._resolved(behind, depth - 1) or [(module, IMPORT)]
        return []


def _inside(module: str, reading: Reading, name: str) -> Iterator[tuple[str, str]]:
    unit = reading.units[name]
    for each in sorted(unit.names):
        yield from ((module, found) for found in _units_of(reading, each))
    for each in sorted(unit.attributes - _BUILT_IN):
        yield from ((module, found) for found in reading.methods.get(each, ()))


def _units_of(reading: Reading, name: str) -> list[str]:
    if name.endswith(ASKED):
        name = name.removesuffix(ASKED)
        if name in reading.plain:
            return []
    return [each for each in reading.units if each == name or each.startswith(f"{name}.")]


def _followed(unit: Unit, passed_over: frozenset[str] | None) -> set[str]:
    return set() if passed_over is None else unit.origins - passed_over


class Comparison:
    """One file of a change: what its units reach that they did not reach.

    What a unit used of files that stay as they are is the same before and after, and not read.
    """

    def __init__(self, before: Modules, after: Modules, changed: Mapping[str, str]) -> None:
        self._before, self._after = before, after
        self._changed = changed
        """Dotted names of the changed files, as they are by what they were."""

    def new(self, module: str) -> Iterator[tuple[str, Effect, Reached]]:
        """Units of a changed file, each with an effect that it did not have and where it shows.

        A new unit may have what the file had: whoever uses it is asked for what it had itself.
        """
        reading, old = self._after.reading(module), self._before.reading(self._changed[module])
        before = {} if old is None else old.units
        imported = frozenset(
            look.effect for unit in before.values() for look in unit.looks if look.is_import
        )
        for name, unit in {} if reading is None else reading.units.items():
            if name != IMPORT and name in before and unit.is_like(before[name]):
                continue
            names = (name,) if name in before else tuple(before)
            for effect, reached in self._new_of(module, name, names):
                if not (reached.look.is_import and effect in imported):
                    yield name, effect, reached

    def _new_of(
        self, module: str, unit: str, names: tuple[str, ...]
    ) -> Iterator[tuple[Effect, Reached]]:
        old = self._changed[module]
        same = frozenset(o for name in names for o in self._before.origins(old, name))
        found = self._after.reached(module, unit, same - self._led_to_changed(same))
        near = _all_of(self._before, old, names, None)
        doubts = [effect for effect in found if not is_covered(effect, near)]
        if doubts:
            known = _all_of(self._before, old, names, frozenset())
            yield from ((each, found[each]) for each in doubts if not is_covered(each, known))

    def _led_to_changed(self, origins: frozenset[str]) -> frozenset[str]:
        starts = tuple(name.removesuffix(".__init__") for name in self._changed)
        return frozenset(each for each in origins if each.startswith(starts))


def _all_of(
    modules: Modules, module: str, units: tuple[str, ...], passed_over: frozenset[str] | None
) -> frozenset[Effect]:
    return frozenset(
        effect for unit in units for effect in modules.reached(module, unit, passed_over)
    )
