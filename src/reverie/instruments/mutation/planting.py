"""Planted mutants: one that has to be killed and one that changes nothing, on both ways."""

from collections.abc import Iterator

from reverie.errors import InstrumentUnproven, MachineryError
from reverie.instruments.mutation.far import FarSide, Order
from reverie.instruments.mutation.inside.sites import CHANGES_NOTHING, RAISES
from reverie.instruments.mutation.program import PLANTED
from reverie.model.mutation import CoverageMap, Mutant, without_tests

_ATTEMPTS = 12
_CANDIDATES = 5


def prove_in_place(far: FarSide, coverage: CoverageMap) -> tuple[CoverageMap, list[str]]:
    """The coverage map without tests that fail on unchanged code in a fork, and their names.

    Raises `MachineryError` unless a planted failure is seen and unchanged code passes, on the
    way of a call and on the way of an import. Without forks, or where code cannot be imported a
    second time in one, fresh processes are asked.
    """
    if not far.has_forks:
        return _prove_afresh(far, coverage), []
    unstable: list[str] = []
    for _ in range(_ATTEMPTS):
        plants = [each for each in _plants(coverage) if far.imports_in_forks or not each.at_import]
        if not plants:
            raise MachineryError(
                "no test runs a line of the code to mutate; are these its tests (--tests)?"
            )
        answer = far.serve(plants, coverage, kills={}, alone=(), seconds=far.baseline_seconds)
        seen = {result.key: result for result in answer.results}
        blamed = [
            seen[plant.mutant.id]
            for plant in plants
            if plant.mutant.number == CHANGES_NOTHING
            and plant.mutant.id in seen
            and seen[plant.mutant.id].verdict != "survived"
        ]
        if not blamed:
            _require_kills(plants, {key: result.verdict for key, result in seen.items()})
            return coverage, unstable
        if blamed[0].test < 0:
            if blamed[0].verdict == "unfit":
                raise MachineryError(
                    "tests that were run are not there when they are collected again"
                )
            if not far.imports_in_forks:
                raise MachineryError("unchanged code cannot be run a second time in a fork")
            # Code that knows itself by its objects, say a registry: fresh processes import it.
            far.imports_in_forks = False
            coverage = _prove_afresh(far, coverage)
            continue
        name = coverage.usable[blamed[0].test].id
        unstable.append(name)
        coverage = without_tests(coverage, frozenset({name}), "fails when run again in a fork")
    raise MachineryError(f"tests keep failing on unchanged code: {', '.join(unstable)[:400]}")


def _require_kills(plants: list[Order], seen: dict[str, str]) -> None:
    """Of the planted failures on each way, one at least has to be noticed."""
    for at_import in (True, False):
        keys = [
            plant.mutant.id
            for plant in plants
            if plant.mutant.number == RAISES and plant.at_import is at_import
        ]
        if keys and not any(seen.get(key) in ("killed", "timeout") for key in keys):
            way = "import" if at_import else "call"
            found = sorted({str(seen.get(key)) for key in keys})
            raise InstrumentUnproven(
                "mutation", f"a planted mutant was not killed ({way}): {', '.join(found)}"
            )


def _plants(coverage: CoverageMap) -> Iterator[Order]:
    everything = tuple(range(len(coverage.usable)))
    imported = next((file for file, functions in coverage.imports.items() if functions), None)
    if imported is not None:
        yield _plant(imported, None, CHANGES_NOTHING, everything, at_import=True)
        yield _plant(imported, None, RAISES, everything, at_import=True)
    called = list(_called(coverage))[:_CANDIDATES]
    for file, unit, tests in called:
        yield _plant(file, unit, RAISES, tests, at_import=False)
    if called:
        yield _plant(called[0][0], called[0][1], CHANGES_NOTHING, everything, at_import=False)


def _called(coverage: CoverageMap) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Functions that tests call and imports do not, with those tests."""
    reached: dict[tuple[str, str], list[int]] = {}
    for place, test in enumerate(coverage.usable):
        for file, functions in test.lines.items():
            for name in functions:
                if "<" not in name and name not in coverage.imports.get(file, {}):
                    reached.setdefault((file, name), []).append(place)
    ordered = sorted(reached.items(), key=lambda each: -len(each[1]))
    for (file, name), tests in ordered:
        yield file, name, tuple(tests)


def _plant(
    file: str, unit: str | None, number: int, tests: tuple[int, ...], *, at_import: bool
) -> Order:
    kind = "nothing" if number == CHANGES_NOTHING else "raises"
    name = f"{file}::{unit or '<module>'}::planted_{kind}::{int(at_import)}"
    mutant = Mutant(name, file, 0, f"planted_{kind}", unit or "", unit, 0, 0, 0, 0, "", number)
    return Order(mutant, at_import, tests)


def _prove_afresh(far: FarSide, coverage: CoverageMap) -> CoverageMap:
    unchanged = far.afresh(None, None, coverage)
    if unchanged is None or unchanged.is_killed:
        killer = None if unchanged is None else unchanged.killer
        raise MachineryError(
            f"unchanged code fails in a fresh process: {killer or 'no test named'}"
        )
    for file in coverage.imports:
        source = f"raise RuntimeError({PLANTED!r})\n"
        seen = far.afresh(file, source, coverage)
        if seen is not None and seen.is_killed:
            return coverage
    raise InstrumentUnproven("mutation", "a planted mutant was not killed in a fresh process")
