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
