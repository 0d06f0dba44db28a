"""What has no effect is left out of a line before anything is chosen."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.unit.dreamers.enrich.writing.scenarios import call, scenario, value

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.enrich.writing.selecting.candidates import (
    Candidate,
    Check,
    Names,
    Relation,
    candidates_of,
)
from reverie.dreamers.enrich.writing.selecting.choosing import Reader
from reverie.dreamers.enrich.writing.selecting.forms import apart, with_less
from reverie.dreamers.enrich.writing.selecting.manual import manual_of
from reverie.dreamers.enrich.writing.selecting.weighing import Scales
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Expression, Scenario

SOURCE = (
    "def f(text, sep=',', upper=False):\n    return text.upper() if upper else text.split(sep)\n"
)


class _Trying(Scales):
    """Tries the lines here, where nothing of them can do harm, instead of in a sandbox."""

    def _measured(
        self,
        candidates: list[Candidate],
        seconds: float | None,
        only: frozenset[int] | None = None,
        *,
        are_known: bool = False,
    ) -> KillMatrix:
        known: dict[str, object] = {}
        exec(SOURCE, known)  # noqa: S102  our own
        steady = set()
        for each in candidates:
            for number in each.numbers:
                try:
                    seen = eval(each.scenario.steps[-1].line.source, known)
                except TypeError:
                    continue
                if seen == ast.literal_eval(each.check(number).expected.source):
                    steady.add(number)
        arcs = (frozenset[tuple[int, int]](),) * len(candidates)
        return KillMatrix(frozenset(steady), {}, arcs, frozenset(), 0)


def _left(tmp_path: Path, *stories: Scenario) -> list[str]:
    target = Target(
        module="m", path=str(tmp_path / "m.py"), source=SOURCE, import_root=str(tmp_path),
        python=None, roots=(str(tmp_path),), repository=None,
    )  # fmt: skip
    reader = Reader(manual_of(ast.parse(SOURCE)))
    scales = _Trying(None, target, reader, None)  # type: ignore[arg-type]
    candidates = candidates_of(stories, Names(frozenset({"f"})), ())
    kept: Sequence[Candidate] = scales._with_effect(candidates)
    return [each.scenario.steps[-1].line.source for each in kept]


def test_an_option_that_changes_nothing_is_left_out_and_one_that_does_stays(
    tmp_path: Path,
) -> None:
    stories = (
        scenario((call("f('a,b', ',', upper=False)", "f"), value("['a', 'b']", "builtins.list"))),
        scenario((call("f('a', upper=True)", "f"), value("'A'"))),
    )
    assert set(_left(tmp_path, *stories)) == {"f('a,b')", "f('a', upper=True)"}


def test_what_comes_to_the_same_line_is_one_candidate(tmp_path: Path) -> None:
    seen = value("['a', 'b']", "builtins.list")
    stories = (
        scenario((call("f('a,b')", "f"), seen)),
        scenario((call("f('a,b', ',')", "f"), seen)),
    )
    assert _left(tmp_path, *stories) == ["f('a,b')"]


def test_each_check_goes_with_the_shortest_lines_that_it_needs() -> None:
    seen = replace(value("['a']", "builtins.list"), parts={"len({})": Expression("1")})
    story = scenario((call("f('a', sep=';')", "f"), seen))
    whole, length = (
        Check(0, Relation.EQUALS, reading, Expression(expected))
        for reading, expected in (("{}", "['a']"), ("len({})", "1"))
    )
    candidate = Candidate(story, (whole, length), 0)
    forms = with_less([candidate])
    (shorter,) = [form for _, form in forms if form.scenario.steps[0].line.source == "f('a')"]
    kept, less = apart([candidate], forms, frozenset({shorter.first + 1}))
    assert [each.checks for each in kept] == [(whole,)]
    assert [(each.scenario.steps[0].line.source, each.checks) for each in less] == [
        ("f('a')", (length,))
    ]
