"""What a unit reaches, with all that it calls in its file and in its repository."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reverie.gates.effects.reading import IMPORT, Reading, read_units
from reverie.gates.effects.table import Effect, EffectKind, is_covered
from reverie.gates.effects.walk import AT_IMPORT, Look, Unit, absolute
from reverie.gates.python import parse

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
        parts = origin.removesuffix(AT_IMPORT).split(".")
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
                return own
            elsewhere = reading.imports.get(rest[0])
            if elsewhere is None or depth == 0:
                return []
            behind = ".".join([absolute(elsewhere, module), *rest[1:]])
            return self._resolved(behind, depth - 1) or [(module, IMPORT)]
        return []


def _inside(module: str, reading: Reading, name: str) -> Iterator[tuple[str, str]]:
    unit = reading.units[name]
    for each in sorted(unit.names):
        yield from ((module, found) for found in _units_of(reading, each))
    for each in sorted(unit.attributes - _BUILT_IN):
        yield from ((module, found) for found in reading.methods.get(each, ()))


def _units_of(reading: Reading, name: str) -> list[str]:
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
