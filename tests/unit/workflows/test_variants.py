"""What is imagined of a workflow, and the function that its steps are compared as."""

import ast
from pathlib import Path
from typing import Any

import pytest

from reverie.index import ProcessMemory, RememberedIndex
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection
from reverie.model.workflow import Step, Workflow
from reverie.model.workflow_evolution import EditKind
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.composition import ENTRY, Segment, composed
from reverie.workflows.evolution.variants import WorkflowEvolutionBot, varied

MODULE = """
def parse(text: str, *, sep: str = ",") -> list[int]:
    return [int(part) for part in text.split(sep)]

def double(value: int) -> int:
    return value * 2

def double_all(values: list[int]) -> list[int]:
    return [double(each) for each in values]

def positive(values: list[int]) -> list[int]:
    return [each for each in values if each > 0]

def fast_total(values: list[int]) -> int:
    return sum(values)

def total(values: list[int]) -> int:
    result = 0
    for value in values:
        result += value
    return result

def evens(values: list[int]):
    yield from (each for each in values if each % 2 == 0)

async def later(value: int) -> int:
    return value + 1
"""
FLOW = Workflow(
    "flow",
    (Step("shop:parse"), Step("shop:double", each=True), Step("shop:positive"), Step("shop:total")),
    expected_outputs={"shop:total": 12, "out.txt": "x"},
)


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    (tmp_path / "shop.py").write_text(MODULE)
    index = RememberedIndex(
        tmp_path, IndexSection(), lambda path: TrustTier.SANDBOX, ProcessMemory()
    )
    index.refresh()
    return Surroundings(tmp_path, index.load())


def called(around: Surroundings, steps: tuple[Step, ...], *args: Any, **named: Any) -> Any:
    first = around.catalogue[str(steps[0].target)]
    home = first.module
    scope: dict[str, Any] = {"__name__": "shop"}
    exec(composed(Segment(steps, first.parameters), around, home), scope)  # noqa: S102  our own text
    return scope[ENTRY](*args, **named)


def test_every_kind_of_variant_is_imagined(around: Surroundings) -> None:
    variants = WorkflowEvolutionBot(around).generate_variants(FLOW, limit=50)
    titles = {each.title: each.kind for each in variants}
    assert titles["call shop:double_all once instead of shop:double for each item"] == "batch"
    assert titles["compute equal items of shop:double once"] == "cache"
    assert titles["without shop:positive"] == "drop"
    assert titles["shop:fast_total in the place of shop:total"] == "swap"
    assert titles["shop:positive before shop:double"] == "reorder"


def test_the_limit_holds_and_kinds_take_turns(around: Surroundings) -> None:
    variants = WorkflowEvolutionBot(around).generate_variants(FLOW)
    assert len(variants) == 5
    assert len({each.kind for each in variants}) == 5


def test_what_annotations_forbid_is_not_imagined(around: Surroundings) -> None:
    variants = WorkflowEvolutionBot(around).generate_variants(FLOW, limit=50)
    kinds = [(each.kind, each.workflow.targets) for each in variants]
    assert all(
        targets[-1] != "shop:positive" for kind, targets in kinds if kind is EditKind.REORDER
    )
    assert all(targets[0] == "shop:parse" for _, targets in kinds)


def test_what_is_expected_follows_the_step_that_took_the_place(around: Surroundings) -> None:
    found = WorkflowEvolutionBot(around).generate_variants(FLOW, limit=50)
    swap = next(each for each in found if each.kind is EditKind.SWAP)
    assert swap.workflow.expected_outputs == {"shop:fast_total": 12, "out.txt": "x"}


def test_edits_of_different_steps_combine_in_any_order(around: Surroundings) -> None:
    found = WorkflowEvolutionBot(around).generate_variants(FLOW, limit=50)
    edits = {each.kind: each.edits[0] for each in reversed(found)}
    one = varied(FLOW, (edits[EditKind.DROP], edits[EditKind.SWAP]))
    other = varied(FLOW, (edits[EditKind.SWAP], edits[EditKind.DROP]))
    assert one.workflow.targets == other.workflow.targets
    assert one.kind is EditKind.COMBINED


def test_the_steps_as_one_function_do_what_the_steps_do(around: Surroundings) -> None:
    assert called(around, FLOW.steps, "1,-2,3") == 8
    assert called(around, FLOW.steps, "1;3", sep=";") == 8
    cached = (FLOW.steps[0], Step("shop:double", each=True, cached=True), *FLOW.steps[2:])
    assert called(around, cached, "1,1,3") == 10
    lazy = (Step("shop:parse"), Step("shop:evens"), Step("shop:total"))
    assert called(around, lazy, "1,2,4") == 6
    awaited = (Step("shop:parse"), Step("shop:later", each=True))
    assert called(around, awaited, "1,2") == [2, 3]


def test_a_segment_takes_what_flows_in(around: Surroundings) -> None:
    source = composed(Segment((), None, "list[int]"), around, None)
    scope: dict[str, Any] = {}
    exec(source, scope)  # noqa: S102  our own text
    assert scope[ENTRY]([1]) == [1]
    assert ast.parse(source)
