"""What every gate says about many changes, word for word: people and programs rely on it."""

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest
from tests.quality.guard.case import Case
from tests.quality.guard.first_cases import CASES as FIRST
from tests.quality.guard.second_cases import CASES as SECOND

from reverie.gates.gate import Gate, Matter
from reverie.gates.judge import GUARDRAILS, PROOFS, judge, judge_callable, judge_statically
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence, Judgement, Ruling, Verdict
from reverie.trials.plan import surroundings_of

from . import test_production, test_suite
from .matters import edit, matter, new_test
from .test_proofs import KEEPING, SAME, SCORE, SPEED, STABLE, SUITE, WATCH, WORTH

FILE = Path(__file__).with_name("rulings.json")
GATES = {type(gate) for gates in (*GUARDRAILS.values(), *PROOFS.values()) for gate in gates}
CODE = edit("src/shop/stock.py", "def f(x):\n    return 2 * x\n", "def f(x):\n    return x + x\n")
TESTS = edit("tests/test_a.py", None, "from shop import f\n\ndef test_a():\n    assert f() == 1\n")
RATCHET = {"coverage.lines.after": 0.9, "suite.passing.after": 10.0}
GOOD: Mapping[Stage, Mapping[str, float]] = {
    Stage.A: {**STABLE, **WORTH, **SCORE, **RATCHET, **KEEPING},
    Stage.B: {**SUITE, **SAME, **SCORE, **WATCH, **RATCHET},
    Stage.C: {**SUITE, **SAME, **SCORE, **WATCH, **SPEED, **RATCHET, "speed.p50": 1.5,
              "memory.ratio": 1.0},
}  # fmt: skip


def told(rulings: tuple[Ruling, ...]) -> list[str]:
    """A line for each."""
    return [
        f"{r.gate} {r.verdict} {r.reason_code}: {r.reason} [{r.measured!r} {r.required!r}]"
        for r in rulings
    ]


def change_of(case: Case) -> Matter:
    before, after = case.files(), case.changed()
    paths = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
    edits = tuple(edit(path, before.get(path), after.get(path)) for path in paths)
    section = matter().section
    files = {path: text.encode() for path, text in before.items()}
    around = surroundings_of(files, section)
    return Matter(Stage(case.stage), Change(edits), None, section, around)


def bodies() -> Iterator[tuple[str, Matter]]:
    """The small tests and the small changes of the other tables."""
    for module, made in ((test_suite, new_test), (test_production, test_production.changed)):
        for name, test in sorted(vars(module).items()):
            for mark in getattr(test, "pytestmark", ()):
                names = [n.strip() for n in mark.args[0].split(",")] if isinstance(
                    mark.args[0], str) else list(mark.args[0])  # fmt: skip
                wanted = ["body"] if made is new_test else ["old", "new"]
                if names[: len(wanted)] != wanted:
                    continue
                for number, row in enumerate(mark.args[1]):
                    values = row.values if hasattr(row, "values") else row
                    values = [values] if isinstance(values, str) else list(values)
                    yield f"{name} {number}", made(*values[: len(wanted)])


# Made when they are judged: reading a repository for each takes long, and every worker collects.
STATIC: dict[str, Callable[[], Matter]] = {
    **{f"{case.id} {case.family}": partial(change_of, case) for case in (*FIRST, *SECOND)},
    **{name: partial(lambda each: each, each) for name, each in bodies()},
}


def proof(stage: Stage, change: FileEdit, **changed: float | None) -> Matter:
    named = {name.replace("__", "."): value for name, value in changed.items()}
    both = {**GOOD[stage], **named}
    measures = {name: value for name, value in both.items() if value is not None}
    details = dict.fromkeys(measures, ("first", "second", "third", "fourth"))
    evidence = Evidence(measures, 0, IsolationTier.NONE, (), details=details)
    kept = {"coverage.lines": 0.9, "suite.passing": 10.0}
    return Matter(stage, Change((change,)), evidence, baseline=kept)


def proofs() -> Iterator[tuple[str, Matter]]:
    """Every measure, absent and on both sides of where it stood."""
    for stage, change in ((Stage.A, TESTS), (Stage.B, CODE), (Stage.C, CODE)):
        yield f"{stage} good", proof(stage, change)
        for name, value in GOOD[stage].items():
            key = name.replace(".", "__")
            for other in dict.fromkeys((None, 0.0, 1.0, value - 0.01, value + 1)):
                yield f"{stage} {name} {other}", proof(stage, change, **{key: other})
        both = {"coverage__gained": 0.0, "mutants__newly_killed": 0.0}
        yield f"{stage} adds nothing", proof(stage, change, **both)
        few = {"speed__faster": 0.0, "speed__same": 2.0}
        yield f"{stage} same speed", proof(stage, change, **few)
        none = {"equivalence__callables": 0.0, "equivalence__equivalent": 0.0}
        yield f"{stage} nothing compared", proof(stage, change, **none)


PROVEN = dict(proofs())


def _is_alone(name: str) -> bool:
    """What a callable by itself is judged by: equivalence, effects, speed and memory."""
    return name.startswith(
        (
            "B equivalence",
            "B effects",
            "C equivalence",
            "C effects",
            "C speed",
            "C memory",
            "C good",
        )
    )


def seen() -> dict[str, list[str]]:
    static = {name: _short(name, judge_statically(make())) for name, make in STATIC.items()}
    proven = {name: _told(name, judge(each)) for name, each in PROVEN.items()}
    alone = {f"alone {n}": _told(n, judge_callable(e)) for n, e in PROVEN.items() if _is_alone(n)}
    return {**static, **proven, **alone}


def _short(name: str, rulings: tuple[Ruling, ...]) -> list[str]:
    """Everything for some changes; for the others what does not pass."""
    lines = told(rulings)
    return lines if name.startswith(("a0", "b0", "c0")) else [
        line for line in lines if " pass ok" not in line
    ]  # fmt: skip


def _told(name: str, judgement: Judgement) -> list[str]:
    lines = told(judgement.rulings)
    shown = lines if name.endswith(" good") else [e for e in lines if " pass ok" not in e]
    return [*shown, str(judgement.verdict), *map(str, judgement.needs)]


@pytest.fixture(scope="module")
def expected(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    if request.config.getoption("--update-golden"):
        FILE.write_text(json.dumps(seen(), indent=0, sort_keys=True, ensure_ascii=False) + "\n")
    found: dict[str, list[str]] = json.loads(FILE.read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", STATIC)
def test_guardrails_say_of_a_change(name: str, expected: dict[str, list[str]]) -> None:
    assert _short(name, judge_statically(STATIC[name]())) == expected[name]


def test_good_evidence_is_promoted() -> None:
    for stage in (Stage.A, Stage.B, Stage.C):
        assert judge(PROVEN[f"{stage} good"]).verdict is Verdict.PROMOTE


@pytest.mark.parametrize("name", PROVEN)
def test_proofs_say_of_evidence(name: str, expected: dict[str, list[str]]) -> None:
    assert _told(name, judge(PROVEN[name])) == expected[name]
    if _is_alone(name):
        assert _told(name, judge_callable(PROVEN[name])) == expected[f"alone {name}"]


@pytest.mark.parametrize("kind", sorted(GATES, key=str), ids=lambda each: each.__name__)
def test_a_gate_is_a_value_that_nobody_changes(kind: type[Gate]) -> None:
    gate = kind()
    assert gate == kind()
    assert not hasattr(gate, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        gate.name = "another"  # type: ignore[misc]
