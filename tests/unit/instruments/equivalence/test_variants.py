"""Other ways to make a call that has worked."""

import random

import pytest

from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.targets import version_of
from reverie.instruments.equivalence.variants import Variants
from reverie.model.call import Call, Expression


@pytest.mark.parametrize(
    ("annotation", "is_shared"),
    [("list[int]", True), ("list[dict]", False), ("list", True), ("Iterable[int]", True)],
)
def test_two_arguments_are_one_object_only_where_it_fits_both(
    annotation: str, is_shared: bool
) -> None:
    source = f"def f(a: list[int], b: {annotation}) -> int:\n    return 0\n"
    version = version_of(source, "f")
    made = Variants(gather_facts(version, version), random.Random(0)).of(
        Call((Expression("[1, 2]"), Expression("[]")))
    )
    assert any(step.aliased == (0, 1) for each in made for step in each.steps) is is_shared


_ASKING = "def f(a: dict[str, list[int]]) -> list[int]:\n    return a['x'] if 'x' in a else []\n"
_WAITING = """def f(a: dict[str, list[int]]) -> list[int]:
    try:
        return a['x']
    except KeyError:
        return []
"""


@pytest.mark.parametrize(
    ("old", "new", "is_tried"),
    [(_ASKING, _WAITING, True), (_WAITING, _ASKING, False), (_WAITING, _WAITING, False)],
)
def test_who_newly_waits_for_a_missing_key_meets_mappings_without_one(
    old: str, new: str, is_tried: bool
) -> None:
    facts = gather_facts(version_of(old, "f"), version_of(new, "f"))
    made = Variants(facts, random.Random(0)).of(Call((Expression("{'y': [1]}"),)))
    sources = {arg.source for each in made for step in each.steps for arg in step.call.args}
    assert ("collections.defaultdict(list, {'y': [1]})" in sources) is is_tried


_COPIES = [
    "made = a.copy()\n    made.update(b)\n    return made",
    "return {**a, **b}",
    "return dict(a, **b)",
    "return a | b",
]


@pytest.mark.parametrize("old", _COPIES)
@pytest.mark.parametrize("new", _COPIES)
def test_who_copies_in_another_way_meets_mappings_that_copy_themselves(old: str, new: str) -> None:
    source = "def f(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:\n    "
    is_tried = "copy" in old and "copy" not in new
    facts = gather_facts(version_of(source + old, "f"), version_of(source + new, "f"))
    call = Call((Expression("{'y': 1}"), Expression("{'z': 2}")))
    made = Variants(facts, random.Random(0)).of(call)
    sources = {arg.source for each in made for step in each.steps for arg in step.call.args}
    assert ("collections.defaultdict(int, {'y': 1})" in sources) is is_tried
    assert ("Lenient({'y': 1})" in sources) is is_tried


@pytest.mark.parametrize(
    ("given", "new", "is_tried"),
    [
        ("a, b", "return a in b", True),
        ("a, b", "return any(e == a for e in b)", False),
        ("a: int, b: list[int]", "return a in b", False),
    ],
)
def test_who_asks_in_where_equality_was_asked_meets_one_nan(
    given: str, new: str, is_tried: bool
) -> None:
    source = f"def f({given}):\n    "
    old = version_of(source + "return any(a == e for e in b)", "f")
    facts = gather_facts(old, version_of(source + new, "f"))
    made = Variants(facts, random.Random(0)).of(Call((Expression("1"), Expression("[2, 3]"))))
    calls = {tuple(a.source for a in step.call.args) for each in made for step in each.steps}
    assert (("math.nan", "[math.nan, 3]") in calls) is is_tried
