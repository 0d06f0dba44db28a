"""A population: what children are made of, who keeps a place, what is kept in a file."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.dreamers.evolve.operators import GUESS, graft, mutations, with_function
from reverie.dreamers.evolve.population import ISLANDS, Population
from reverie.dreamers.evolve.population_file import keep_population, read_population, restore
from reverie.dreamers.evolve.traits import approach_of, identity_of, is_like, shape_of
from reverie.dreamers.rewriting.catalogue import own_entries
from reverie.errors import UsageError
from reverie.model.evolution import Evolution, Fate, Individual
from reverie.model.measurements.attempts import Optimisation
from reverie.testing.rewrites import complaints_about

SLOW = '''def settings(names: dict[str, int]) -> list[str]:
    return list(names.keys())


def known(asked: list[str], names: dict[str, int]) -> list[str]:
    """Those that are known."""
    found = []
    for each in asked:
        if each in settings(names):
            found.append(each)
    return found
'''
UNSURE = """def both(asked, known):
    found = []
    for each in asked:
        if each in known:
            found.append(each)
    return found
"""


@pytest.fixture
def population() -> Population:
    return Population.begin(SLOW, "known", 7)


def raced(child: Individual, gain: float) -> Individual:
    return replace(child, gains={8: gain, 16: gain}, fate=Fate.ALIVE)


def breed(population: Population, generations: int, gain: float = 1.0) -> None:
    for _ in range(generations):
        for child in population.brood(4):
            population.place(raced(child, gain * (1 + len(child.steps))))


@pytest.mark.parametrize("entry", own_entries("reverie.dreamers.evolve", "guesses"),
                         ids=lambda each: each.name)  # fmt: skip
def test_guesses_keep_to_the_contract_of_rewrites(entry) -> None:  # type: ignore[no-untyped-def]
    plain = "def add(a: int, b: int) -> int:\n    total = a + b\n    return total\n"
    found = complaints_about(replace(entry, silent=(plain,)))
    # A guess may be taken back by the next one: shapes that were there are not bred again.
    assert [each for each in found if "its own result" not in each] == []


def test_a_guess_is_named_as_one_and_only_made_if_asked_for() -> None:
    safe = {each.operator for each in mutations(UNSURE, "both", with_guesses=False)}
    bold = {each.operator for each in mutations(UNSURE, "both", with_guesses=True)}
    assert not any(each.startswith(GUESS) for each in safe)
    assert f"{GUESS}list_to_set" in bold
    assert safe < bold


def test_what_is_known_to_be_wrong_is_not_guessed() -> None:
    rows = UNSURE.replace("(asked, known)", "(asked: list[list[int]], known: list[list[int]])")
    found = [each.operator for each in mutations(rows, "both", with_guesses=True)]
    assert f"{GUESS}list_to_set" not in found


def test_children_are_new_in_shape_and_know_their_parents(population: Population) -> None:
    breed(population, 4)
    members = list(population.members.values())
    assert len(members) > 3
    assert len({shape_of(each.source) for each in members}) == len(members)
    for each in members[1:]:
        assert set(each.parents) <= set(population.members)
        assert each.steps
    assert any(len(each.steps) > 1 for each in members)


def test_a_shape_that_was_there_is_not_taken_again(population: Population) -> None:
    again = f"# a remark\n{SLOW}"
    assert population.adopt(again, (population.original.id,), "author", 0) is None
    assert population.adopt("def f(:", (population.original.id,), "author", 0) is None


def test_the_same_seed_breeds_the_same_population() -> None:
    found = []
    for _ in range(2):
        population = Population.begin(SLOW, "known", 3)
        breed(population, 3)
        found.append(list(population.members))
    assert found[0] == found[1]


def test_breeding_ends_when_nothing_new_is_left(population: Population) -> None:
    for _ in range(200):
        children = population.brood(4)
        if not children:
            return
        for child in children:
            population.place(raced(child, 1.0))
    raise AssertionError("it never ends")


def test_a_step_that_gains_nothing_has_children(population: Population) -> None:
    """Inlining gains nothing, but lets another rewrite see the membership."""
    for _ in range(30):
        for child in population.brood(2):
            gain = 50.0 if "keys_membership" in child.steps else 1.0
            population.place(raced(child, gain))
    best = population.ranked()[0]
    assert best.gain == 50.0
    assert best.steps[-1] == "keys_membership" or "keys_membership" in best.steps


def test_the_archive_keeps_the_best_of_each_niche(population: Population) -> None:
    one, two, *_ = population.brood(4)
    one, two = (replace(each, island=0, approach="set", statements=9) for each in (one, two))
    assert population.place(raced(one, 4.5))
    assert population.place(raced(two, 6.5)), "faster, in the same niche"
    niche = population.members[two.id].niche(population.original.statements)
    assert population.archive[0, niche] == two.id
    other = replace(one, approach="dict")
    assert population.place(raced(other, 4.4)), "slower, by other means"


def test_the_same_times_by_a_longer_text_take_no_place(population: Population) -> None:
    one, two, *_ = population.brood(4)
    one, two = (replace(each, island=0, approach="set") for each in (one, two))
    assert population.place(raced(replace(one, statements=20), 5.0))
    assert not population.place(raced(replace(two, statements=21), 5.05))
    assert population.place(raced(replace(two, statements=19), 4.95))


def test_of_nearly_equal_ones_the_plain_one_is_first(population: Population) -> None:
    breed(population, 3)
    first, *others = [each for each in population.members.values() if each.steps]
    for each in others:
        population.members[each.id] = raced(each, 10.0)
    population.members[first.id] = raced(first, 9.5)
    assert len(population.ranked()[0].steps) == min(len(each.steps) for each in [first, *others])


def test_who_came_of_a_refuted_one_is_refuted(population: Population) -> None:
    breed(population, 4)
    parent = next(each for each in population.members.values()
                  if any(each.id in other.parents for other in population.members.values())
                  and each.steps)  # fmt: skip
    population.refuted(parent)
    for each in population.members.values():
        if parent.id in each.parents:
            assert each.fate is Fate.REFUTED
    assert population.original.is_fit


def test_a_graft_makes_the_steps_of_another() -> None:
    made = graft(SLOW, "known", ("inlined_helper", "keys_membership", "no_such_step"))
    assert made is not None
    assert "settings(names)" not in made.source.partition("def known")[2]
    assert graft(SLOW, "known", ("no_such_step",)) is None


def test_an_answer_takes_the_place_of_the_function_and_brings_its_imports() -> None:
    answer = "from collections import Counter\n\n\ndef help_it(x):\n    return x\n\n\n" + (
        "def known(asked, names):\n    return [each for each in asked if each in names]\n"
    )
    made = with_function(SLOW, answer, "known")
    assert made is not None
    space: dict[str, object] = {}
    exec(compile(made, "made", "exec"), space)  # noqa: S102  text of this test
    assert space["known"](["a", "b"], {"a": 1}) == ["a"]  # type: ignore[operator]
    assert {"Counter", "help_it", "settings"} <= set(space)
    assert with_function(SLOW, "def other(): pass\n", "known") is None
    assert with_function(SLOW, "def known(:", "known") is None


def test_means_are_read_from_the_text() -> None:
    text = "def f(xs):\n    seen = set()\n    return sorted(x for x in xs if x not in seen)\n"
    assert approach_of(text, "f") == "set+sorting+loops1"
    assert is_like({8: 2.0, 16: 4.0}, {8: 2.1, 16: 4.1})
    assert not is_like({8: 2.0, 16: 4.0}, {8: 2.0, 16: 6.0})
    assert not is_like({8: 2.0}, {16: 2.0})


def test_a_population_is_taken_up_again(population: Population, tmp_path: Path) -> None:
    breed(population, 4)
    refuted = next(each for each in population.elites() if len(each.steps) == 1)
    population.refuted(refuted)
    file = tmp_path / "deep" / "state.json"
    keep_population(file, population)
    again = Population.begin(SLOW, "known", 1)
    waiting = restore(again, read_population(file, again.original, "known"))
    assert {each.id for each in waiting} >= {each.id for each in population.elites()}
    assert again.members[refuted.id].fate is Fate.REFUTED
    assert all(each.fate is Fate.BORN for each in waiting), "times of another day are no times"
    steps = {each.id: each.steps for each in population.members.values()}
    assert all(steps[each.id] == each.steps for each in waiting if each.operator != "graft")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 2}', '{"version": 1, "members": 3}'])
def test_what_is_no_state_is_refused(population: Population, tmp_path: Path, text: str) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)
    with pytest.raises(UsageError, match="state"):
        read_population(file, population.original, "known")


def test_a_state_of_another_text_is_refused_and_none_is_none(
    population: Population, tmp_path: Path
) -> None:
    file = tmp_path / "state.json"
    assert read_population(file, population.original, "known") == []
    keep_population(file, population)
    other = Population.begin(f"{SLOW}\nX = 1\n", "known", 0)
    with pytest.raises(UsageError, match="another text"):
        read_population(file, other.original, "known")


def test_forged_members_are_left_out(population: Population, tmp_path: Path) -> None:
    breed(population, 2)
    file = tmp_path / "state.json"
    keep_population(file, population)
    document = json.loads(file.read_text())
    honest = len(document["members"])
    evil = {"id": "0" * 16, "source": "import os", "parents": [population.original.id],
            "operator": "x", "island": 0, "refuted": False}  # fmt: skip
    orphan = {**evil, "id": identity_of("x = 1"), "source": "x = 1", "parents": ["nobody"]}
    document["members"] += [evil, orphan, 3, {}]
    file.write_text(json.dumps(document))
    kept = read_population(file, population.original, "known")
    assert len(kept) == honest - 1, "the original is not kept twice"


def test_the_niche_says_speed_size_and_means(population: Population) -> None:
    child = raced(population.brood(1)[0], 9.0)
    niche = replace(child, statements=1).niche(population.original.statements)
    assert (niche.speed, niche.size) == (int(math.log2(9)), -1)
    assert str(niche).startswith("8x, shorter, ")


def test_ancestry_leads_back_to_the_original(population: Population) -> None:
    breed(population, 5)
    deep = max(population.members.values(), key=lambda each: len(each.steps))
    nothing = Optimisation("f", (), 0, 0.0)
    found = Evolution(nothing, tuple(population.members.values()), 5, 1, is_exhausted=False)
    line = found.ancestry(deep.id)
    assert line[0] == population.original
    assert line[-1] == deep
    assert ISLANDS == 3
