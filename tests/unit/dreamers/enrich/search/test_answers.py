from typing import Any

import pytest

from reverie.dreamers.enrich.search.answers import Names, read_scenario, read_steps, worth_replaying
from reverie.model.call import Step

NAMES = Names(frozenset({"f"}), modules=frozenset({"datetime"}))


def step(source: str, **more: Any) -> dict[str, Any]:
    return {"source": source, "form": "call", "callee": "f", "name": None, **more}


def steps_of(*several: dict[str, Any]) -> tuple[Step, ...]:
    steps = read_steps({"steps": list(several)}, NAMES)
    assert steps is not None
    return steps


def view(*seen: dict[str, Any], arcs: Any = ((1, 2),)) -> dict[str, Any]:
    return {"seen": list(seen), "arcs": [list(each) for each in arcs]}


def value(literal: str, **more: Any) -> dict[str, Any]:
    return {"type": "builtins.int", "literal": literal, "printed": "", **more}


@pytest.mark.parametrize(
    "claim",
    [
        None, {}, {"steps": "f(1)"}, {"steps": []}, {"steps": [step("open('x')", form="other")]},
        {"steps": [step("evil()")]}, {"steps": [step("f(1)", name="not a name")]},
        {"steps": [step("f(1); f(2)")]},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_no_scenario(claim: Any) -> None:
    assert read_steps(claim, NAMES) is None


def test_replays_that_agree_make_a_scenario() -> None:
    made = read_scenario(steps_of(step("f(1)")), [view(value("2")), view(value("2"))], NAMES, "x")
    assert made is not None
    assert made.seen[0].literal is not None
    assert made.seen[0].literal.source == "2"
    assert made.arcs == {(1, 2)}


def test_what_differs_between_replays_is_left_out() -> None:
    made = read_scenario(steps_of(step("f(1)")), [view(value("2")), view(value("3"))], NAMES, "x")
    assert made is not None
    assert made.seen[0].literal is None


@pytest.mark.parametrize(
    "claims",
    [
        [view(value("2")), None],
        [view(value("2")), view(value("2", type="builtins.str"))],
        [view(value("2")), view({"type": "builtins.ValueError", "raised": "x"})],
        [view(value("2"), arcs=()), view(value("2"))],
        [view({"type": 3}), view({"type": 3})],
        [view(), view()],
    ],
)
def test_replays_that_part_make_none(claims: list[Any]) -> None:
    assert read_scenario(steps_of(step("f(1)")), claims, NAMES, "x") is None


def test_a_literal_that_names_strangers_is_not_taken() -> None:
    for text in ("__import__('os').system('x')", "stranger(1)", "eval('1')"):
        made = read_scenario(steps_of(step("f(1)")), [view(value(text))] * 2, NAMES, "x")
        assert made is not None
        assert made.seen[0].literal is None


def test_a_scenario_ends_with_its_exception() -> None:
    raised = {"type": "builtins.ValueError", "raised": "no", "where": "a.py:f:3"}
    steps = steps_of(step("f(1)"), step("f(2)"), step("f(3)"))
    made = read_scenario(steps, [view(value("1"), raised)] * 2, NAMES, "x")
    assert made is not None
    assert len(made.steps) == 2
    assert made.seen[-1].is_exception


def test_what_takes_every_way_comes_first_and_paths_in_turn() -> None:
    def claim(rank: int, *ways: int, callee: str = "f") -> dict[str, Any]:
        return {"ways": list(ways), "rank": [False, rank], "steps": [{"callee": callee}]}

    claims = [claim(5, 1, 2), claim(1, 1), claim(2, 1, 3), claim(3, 1, 3), {"ways": "x"}, None]
    chosen = worth_replaying(claims, 10)
    assert [each["rank"][1] for each in chosen] == [1, 2, 5]


def test_a_stand_in_of_a_class_that_lines_cannot_name_is_not_taken_over() -> None:
    names = Names(frozenset({"Sink"}), modules=frozenset({"collections.abc"}))
    body = "    def put(self, *given):\n        return None\n"
    assert names.can_define(f"class SinkStandIn(Sink):\n{body}")
    assert names.can_define(f"class SizedStandIn(collections.abc.Sized):\n{body}")
    assert names.can_define("async def eventually(value):\n    return value\n")
    assert not names.can_define(f"class SinkStandIn(shop.sinks.Sink):\n{body}")
