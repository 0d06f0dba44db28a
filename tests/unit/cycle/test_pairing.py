"""What dreams do together: the best set is promoted, and no two in conflict."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.cycle.governing import impact_graph
from reverie.cycle.pairing import MOST_MEASURED, UNSHOWN, Pairing, compatible, do_meet
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import CycleDream, Trial
from reverie.model.dream import Dream, DreamKind, DreamStatus
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Need, NeedKind, Ruling
from reverie.model.workflow_evolution import SynergyKind
from reverie.model.worth import RoiRow

BASE = "".join(f"line {number}\n" for number in range(40))


def trial(worth: float | None, answer: Answer = Answer.PASS) -> Trial:
    score = {} if worth is None else {"roi": worth}
    evidence = Evidence({}, 0, IsolationTier.NONE, ())
    return Trial(evidence, Judgement((Ruling("g", answer, "c", "r"),)), score, 1.0, 1)


def dream(line: int, path: str = "shop.py", kind: DreamKind = DreamKind.REFACTOR) -> Dream:
    text = BASE.replace(f"line {line}\n", f"changed {line}\n")
    edit = FileEdit(path, BASE, text, mode_before="100644", mode_after="100644")
    return Dream(kind, "refactor", path.removesuffix(".py"), f"Change {line}", Change((edit,)))


def proven(each: Dream, worth: float | None) -> CycleDream:
    return CycleDream(each, 0, "hash", DreamStatus.TESTED, trial=trial(worth))


class Lab:
    """Worth of any set of dreams, by the lines that they change; what fails is named."""

    def __init__(
        self, worth: Callable[[frozenset[int]], float], failing: tuple[frozenset[int], ...] = ()
    ) -> None:
        self.worth, self.failing, self.asked = worth, failing, list[frozenset[int]]()

    def __call__(self, dreams: tuple[Dream, ...], seed: int) -> Trial:
        lines = frozenset(int(each.title.split()[1]) for each in dreams)
        self.asked.append(lines)
        fails = any(each <= lines for each in self.failing)
        # A longer trial of the same change is no worse a change.
        return trial(self.worth(lines), Answer.FAIL if fails else Answer.PASS)


def test_what_passes_together_is_promoted_together_after_one_trial() -> None:
    lab = Lab(lambda lines: 5.0 * len(lines))
    some = [proven(dream(line), 5.0) for line in (2, 12, 22)]
    choice = Pairing(lab).choose(some)
    assert set(choice.kept) == {each.dream.id for each in some}
    assert (choice.apart, choice.interactions, len(lab.asked)) == ((), (), 1)


def test_where_none_has_a_worth_as_many_as_pass_together_are_kept() -> None:
    lab = Lab(lambda lines: -2.0 * len(lines), failing=(frozenset({2, 12}),))
    some = [proven(dream(line), -2.0 - line / 100) for line in (2, 12, 22, 32)]
    choice = Pairing(lab).choose(some)
    names = [each.dream.id for each in some]
    assert set(choice.kept) == {names[0], names[2], names[3]}
    assert choice.apart == ((names[1], f"kept apart: {UNSHOWN}"),)
    assert len(lab.asked) == 4


def test_where_none_has_a_worth_no_more_are_tried_once_it_is_late() -> None:
    lab = Lab(lambda lines: -2.0 * len(lines), failing=(frozenset({2, 12}),))
    some = [proven(dream(line), -2.0 - line / 100) for line in (2, 12, 22)]
    late = iter((False, False, True, True))
    assert Pairing(lab).choose(some, lambda: next(late)).kept == (some[0].dream.id,)


def test_one_dream_needs_no_company() -> None:
    lab = Lab(lambda lines: 0.0)
    one = proven(dream(2), 5.0)
    assert Pairing(lab).choose([one]).kept == (one.dream.id,)
    assert Pairing(lab).choose([]).kept == ()
    assert lab.asked == []


def test_two_that_fail_together_are_kept_apart_and_the_better_one_stays() -> None:
    lab = Lab(lambda lines: 5.0 * len(lines), failing=(frozenset({2, 12}),))
    some = [proven(dream(2), 4.0), proven(dream(12), 7.0), proven(dream(22), 5.0)]
    choice = Pairing(lab).choose(some)
    names = [each.dream.id for each in some]
    assert set(choice.kept) == {names[1], names[2]}
    assert choice.apart == ((names[0], f"kept apart: it conflicts with {names[1]}"),)
    kinds = {frozenset((each.first, each.second)): each.kind for each in choice.interactions}
    assert kinds[frozenset(names[:2])] is SynergyKind.CONFLICTING
    assert kinds[frozenset(names[1:])] is SynergyKind.ADDITIVE


def test_two_that_gain_less_together_conflict_by_measured_effect() -> None:
    """Each of them removes what the other one would: both together gain no more than one."""

    def worth(lines: frozenset[int]) -> float:
        return 10.0 * len(lines) - (9.0 if {2, 12} <= lines else 0.0)

    lab = Lab(worth)
    some = [proven(dream(line), 10.0) for line in (2, 12)]
    choice = Pairing(lab).choose(some)
    (found,) = choice.interactions
    assert found.kind is SynergyKind.CONFLICTING
    assert found.effect is not None
    assert found.effect.value == pytest.approx(-9.0)
    assert found.n == 3
    assert len(choice.kept) == len(choice.apart) == 1


def test_what_is_worth_nothing_but_passed_is_kept_where_it_does_no_harm() -> None:
    lab = Lab(lambda lines: -1.0 * len(lines))
    some = [proven(dream(line), -1.0) for line in (2, 12)]
    assert len(Pairing(lab).choose(some).kept) == 2
    worths = {"a": 5.0, "b": 0.0, "c": -2.0}
    assert compatible(worths, ()) == ("a", "b", "c")


def test_where_nobody_measured_a_worth_passing_together_is_enough() -> None:
    calls: list[int] = []

    def prove(dreams: tuple[Dream, ...], seed: int) -> Trial:
        calls.append(len(dreams))
        return trial(None)

    some = [proven(dream(2), None), proven(dream(12), None)]
    assert len(Pairing(prove).choose(some).kept) == 2
    assert calls == [2]


def test_two_changes_of_one_place_cannot_both_be_had() -> None:
    one, other = dream(2), dream(3)
    assert do_meet(one, other)
    assert not do_meet(one, dream(12))
    assert not do_meet(one, dream(2, "till.py"))
    lab = Lab(lambda lines: 5.0 * len(lines))
    some = [proven(one, 4.0), proven(other, 6.0), proven(dream(22), 1.0)]
    choice = Pairing(lab).choose(some)
    assert set(choice.kept) == {some[1].dream.id, some[2].dream.id}


def test_a_file_that_one_makes_and_another_changes_is_a_clash() -> None:
    made = FileEdit("a.py", None, "x = 1\n", mode_after="100644")
    other = FileEdit("a.py", None, "x = 2\n", mode_after="100644")
    one, two = (Dream(DreamKind.TEST, "t", "a", "A", Change((each,))) for each in (made, other))
    assert do_meet(one, two)
    assert not do_meet(one, one)


def test_once_it_is_late_only_the_best_one_is_taken() -> None:
    lab = Lab(lambda lines: 5.0 * len(lines), failing=(frozenset({2, 12}),))
    some = [proven(dream(2), 4.0), proven(dream(12), 7.0), proven(dream(22), 5.0)]
    choice = Pairing(lab).choose(some, lambda: True)
    assert choice.kept == (some[1].dream.id,)
    assert len(choice.apart) == 2
    assert len(lab.asked) == 1


def test_what_was_not_measured_in_pairs_is_tried_once_more_together() -> None:
    """The conflict is among those that are worth least, whose pairs nobody measures."""
    lines = [2 + 5 * number for number in range(MOST_MEASURED + 2)]
    lab = Lab(lambda found: 5.0 * len(found), failing=(frozenset(lines[-2:]),))
    some = [proven(dream(line), 50.0 - line) for line in lines]
    choice = Pairing(lab).choose(some)
    assert choice.kept == (some[0].dream.id,)
    assert lab.asked[-1] == frozenset(lines)


def test_trials_of_one_dream_alone_are_not_repeated_for_every_pair() -> None:
    lab = Lab(lambda lines: 10.0 * len(lines) - (15.0 if len(lines) == 4 else 0.0))
    Pairing(lab).choose([proven(dream(line), 10.0) for line in (2, 12, 22, 32)])
    alone = [lines for lines in lab.asked if len(lines) == 1]
    assert len(alone) == 4 * 2, "two more repetitions each"


def test_a_change_of_code_is_tried_on_top_of_its_neighbours() -> None:
    edges = frozenset({("till", "shop")})
    shop, till, far = (proven(dream(2, f"{n}.py"), 5.0) for n in ("shop", "till", "far"))
    lab = Lab(lambda lines: 5.0, failing=(frozenset({2}),))
    pairing = Pairing(lab, edges=edges)
    assert pairing.goes_with(shop, [])
    assert pairing.goes_with(shop, [far])
    assert lab.asked == []
    assert not pairing.goes_with(shop, [far, till])
    assert not pairing.goes_with(till, [shop])
    test = proven(dream(2, "shop.py", DreamKind.TEST), 5.0)
    assert pairing.goes_with(test, [till])
    assert len(lab.asked) == 2


class _Index:
    edges = frozenset({("till", "shop"), ("shop", "price")})


def worths(module: str, *minutes: float | None) -> list[RoiRow]:
    return [
        RoiRow(f"{module}{at}", worth, groups={"module": module}, cycle_id=f"c{at}")
        for at, worth in enumerate(minutes)
    ]


def test_the_impact_of_a_change_is_what_cycles_have_shown() -> None:
    rows = [*worths("shop", 1, 2, 4, 5, 8, 9), *worths("till", 10, 8, 4, 2, -4, -6)]
    wave = impact_graph(_Index(), rows).simulate_impact_wave("shop", 3.0)  # type: ignore[arg-type]
    assert wave["till"].roi == pytest.approx(-6.0)
    wave = impact_graph(_Index(), rows).simulate_impact_wave("price", 3.0)  # type: ignore[arg-type]
    assert (wave["shop"].roi, wave["till"].roi) == (None, None), "nobody tried price"


def test_only_cycles_that_tried_both_ends_are_compared() -> None:
    rows = [*worths("shop", 1, 2, 4, 5, 8, 9), *worths("till", None, 8, 4, 2, -4, -6)]
    wave = impact_graph(_Index(), rows).simulate_impact_wave("shop", 3.0)  # type: ignore[arg-type]
    assert wave["till"].roi is None, "four shared changes are too few"


def test_interactions_come_back_from_the_journal(tmp_path: Path) -> None:
    from reverie.store import Journal, journal_url
    from reverie.store.cycles.worth import load_interactions, record_interactions

    lab = Lab(lambda lines: 10.0 * len(lines) - (9.0 if {2, 12} <= lines else 0.0))
    found = Pairing(lab).choose([proven(dream(line), 10.0) for line in (2, 12)]).interactions
    clash = Pairing(lab).choose([proven(dream(line), 10.0) for line in (2, 3)]).interactions
    with Journal.open(journal_url(tmp_path)) as journal:
        record_interactions(journal, "c1", (*found, *clash))
        record_interactions(journal, "c2", ())
        assert load_interactions(journal, "c1") == (*found, *clash)
        assert load_interactions(journal, "c2") == ()


def test_small_changes_of_one_kind_that_pass_together_are_one_change() -> None:
    some = [proven(dream(line), worth) for line, worth in ((2, 4.0), (12, 5.0), (22, 4.5))]
    choice = Pairing(Lab(lambda lines: 13.5), lines=40).choose(some)
    assert choice.joined is not None
    whole, trial_of_it = choice.joined
    assert whole.title == "Change 12, and 2 more changes of shop"
    (edit,) = whole.change.edits
    assert [number for number in range(40) if f"changed {number}\n" in (edit.after or "")] == [
        2,
        12,
        22,
    ]
    assert trial_of_it.score["roi"] == 13.5


@pytest.mark.parametrize("lines", [0, 5])
def test_what_a_reviewer_cannot_see_at_once_stays_apart(lines: int) -> None:
    some = [proven(dream(line), 5.0) for line in (2, 12, 22)]
    assert Pairing(Lab(lambda found: 15.0), lines=lines).choose(some).joined is None


def test_what_somebody_is_asked_about_stays_by_itself() -> None:
    asked = proven(dream(2), 5.0)
    need = Need(NeedKind.APPROVALS)
    judgement = replace(asked.trial.judgement, needs=(need,)) if asked.trial else None
    assert judgement is not None
    asked = replace(asked, trial=replace(asked.trial, judgement=judgement))
    both = [asked, proven(dream(12), 5.0)]
    assert Pairing(Lab(lambda lines: 10.0), lines=40).choose(both).joined is None
