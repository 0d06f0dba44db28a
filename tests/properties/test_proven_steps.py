"""Whatever is proven to be the same is the same, on objects that write everything down."""

import ast
import random
import warnings

import pytest
from tests.properties.proof_fuzzing import Writer, behave_alike, rewritten

from reverie.instruments.equivalence.proven import prove_modules
from reverie.instruments.mutation.mutant_texts import mutants_of

SEEDS = range(12)


def pair(seed: int) -> tuple[str, str] | None:
    """A function and a rewrite of it that both compile and are not one text."""
    chance = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            source = ast.unparse(ast.parse(Writer(chance).module()))
            changed = rewritten(source, chance)
            for each in (source, changed):
                compile(each, "<f>", "exec")
        except SyntaxError:
            return None
    return None if source == changed else (source, changed)


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_what_is_proven_does_the_same_and_much_of_what_does_the_same_is_proven(start: int) -> None:
    proven = alike = 0
    for seed in range(start, start + 100):
        made = pair(seed)
        if made is None:
            continue
        is_alike = all(behave_alike(*made, each) for each in SEEDS)
        is_proven = "f" in prove_modules(*made).functions
        assert is_alike or not is_proven, "\n----\n".join(made)
        proven, alike = proven + is_proven, alike + is_alike
    assert proven > alike / 3


@pytest.mark.parametrize("start", range(0, 20, 10))
def test_no_mutant_that_behaves_otherwise_is_proven_the_same(start: int) -> None:
    for seed in range(start, start + 10):
        made = pair(seed)
        if made is None:
            continue
        source = made[0]
        for mutant in random.Random(seed).sample(
            found := list(mutants_of(source)), min(12, len(found))
        ):
            if "f" in prove_modules(source, mutant).functions:
                assert all(behave_alike(source, mutant, each) for each in SEEDS)
