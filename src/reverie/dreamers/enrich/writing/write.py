"""From scenarios to a test file: sift, try, choose, write, and run it until nothing wavers."""

import ast
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.bodies import body_of
from reverie.dreamers.enrich.writing.candidates import (
    Candidate,
    candidates_of,
    needs_of,
    trial_program,
)
from reverie.dreamers.enrich.writing.checks import Names
from reverie.dreamers.enrich.writing.choosing import Offer, as_bits, choose, oddness_of
from reverie.dreamers.enrich.writing.grouping import Entry, Test, tests_of
from reverie.dreamers.enrich.writing.messages import texts_of
from reverie.dreamers.enrich.writing.module_names import callee_order, own_names
from reverie.dreamers.enrich.writing.page import Heading, pytest_page
from reverie.dreamers.enrich.writing.shapes import Parameters, parameters_of, shape_of
from reverie.dreamers.enrich.writing.subject import Subject, Written
from reverie.instruments.mutation.matrix import Ground, KillMatrix, measure_kills
from reverie.model.call import combine
from reverie.model.scenario import Scenario
from reverie.sandbox.engine import Sandbox

_MOST_MUTANTS = 1500
_MATRIX_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the source of a module says, read once."""

    names: Names
    texts: tuple[str, ...]
    parameters: Parameters
    order: dict[str, int]


def know(subject: Subject) -> Knowledge:
    """Read a module's source."""
    tree = ast.parse(subject.source)
    package = subject.module.partition(".")[0]
    own = own_names(tree)
    return Knowledge(
        Names(own, frozenset({package})), texts_of(tree), parameters_of(tree), callee_order(tree)
    )


def write_tests(
    sandbox: Sandbox,
    subject: Subject,
    scenarios: Sequence[Scenario],
    *,
    deadline: float | None,
    command: str,
) -> Written:
    """The tests that are worth keeping of what a search has seen."""
    known = know(subject)
    candidates = candidates_of(scenarios, known.names, known.texts)
    ground = _ground(subject)
    matrix = measure_kills(
        sandbox,
        ground,
        trial_program(candidates, subject.module),
        [list(each.numbers) for each in candidates],
        seconds=None if deadline is None else _MATRIX_SHARE * (deadline - time.monotonic()),
        most=_MOST_MUTANTS,
    )
    chosen = choose(_offers(candidates, matrix, known))
    tests = _tests(candidates, chosen, known)
    source = _page(candidates, chosen, tests, subject, command, known)
    return _written(source, tests, matrix, candidates, chosen)


def _ground(subject: Subject) -> Ground:
    return Ground(
        subject.import_root,
        os.path.relpath(subject.path, subject.import_root),
        subject.module,
        (subject.import_root,),
        subject.python,
        tuple(root for root in subject.roots if root != subject.import_root),
    )


def _offers(
    candidates: Sequence[Candidate], matrix: KillMatrix | None, known: Knowledge
) -> list[Offer]:
    arcs = [each.scenario.arcs for each in candidates] if matrix is None else matrix.arcs
    steps = {step: place for place, step in enumerate(sorted(frozenset().union(*arcs)))}
    killable = sorted(matrix.killable) if matrix is not None else []
    mutants = {mutant: place for place, mutant in enumerate(killable)}
    offers = []
    for place, candidate in enumerate(candidates):
        for number in candidate.numbers:
            if matrix is not None and number not in matrix.steady:
                continue
            kills = frozenset() if matrix is None else matrix.kills.get(number, frozenset())
            body = body_of(candidate, [number])
            offers.append(
                Offer(
                    place,
                    number,
                    as_bits(mutants, kills),
                    as_bits(steps, arcs[place]),
                    f"{candidate.callee}\n{shape_of(body, known.parameters).key}",
                    sum(len(ast.unparse(each).splitlines()) for each in body),
                    oddness_of(candidate, number),
                )
            )
    return offers


def _tests(
    candidates: Sequence[Candidate], chosen: dict[int, tuple[int, ...]], known: Knowledge
) -> list[Test]:
    entries = [
        Entry(place, candidates[place].callee, tuple(body_of(candidates[place], numbers)))
        for place, numbers in chosen.items()
    ]
    return tests_of(entries, known.parameters, known.order)


def _page(
    candidates: Sequence[Candidate],
    chosen: dict[int, tuple[int, ...]],
    tests: Sequence[Test],
    subject: Subject,
    command: str,
    known: Knowledge,
) -> str:
    if not tests:
        return ""
    needs = combine("", [needs_of(candidates[place], each) for place, each in chosen.items()])
    heading = Heading(subject.module, command)
    return pytest_page(tests, heading, known.names.own, needs.modules, needs.definitions)


def _written(
    source: str,
    tests: Sequence[Test],
    matrix: KillMatrix | None,
    candidates: Sequence[Candidate],
    chosen: dict[int, tuple[int, ...]],
) -> Written:
    arcs = [each.scenario.arcs for each in candidates] if matrix is None else matrix.arcs
    numbers = [number for each in chosen.values() for number in each]
    killed: frozenset[int] = frozenset()
    if matrix is not None:
        killed = frozenset().union(*(matrix.kills.get(number, frozenset()) for number in numbers))
    return Written(
        path="",
        source=source,
        tests=sum(test.count for test in tests),
        lines=sum(bool(line.strip()) for line in source.splitlines()),
        mutants=None if matrix is None else len(matrix.mutants),
        killed=None if matrix is None else len(killed),
        arcs=frozenset().union(*(arcs[place] for place in chosen)),
        executions=0 if matrix is None else matrix.executions,
    )
