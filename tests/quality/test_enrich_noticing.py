"""The second search sets mutants apart that a first one, made thin on purpose, left unnoticed."""

from pathlib import Path

from reverie.dreamers.enrich.naturalising.front import Naturalised
from reverie.dreamers.enrich.naturalising.judging import NaturalTaste
from reverie.dreamers.enrich.naturalising.known import known_values
from reverie.dreamers.enrich.noticing.front import notice_survivors
from reverie.dreamers.enrich.search.answers import Names
from reverie.dreamers.enrich.search.search import Findings, Seeds, replay_steps
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.enrich.writing import Written, write_tests
from reverie.model.call import Expression, Scenario, Step, StepForm
from reverie.sandbox.engine import Sandbox

_SOURCE = """
class Basket:
    def __init__(self):
        self.prices = []

    def add(self, price, count=1):
        self.prices += [price] * count


def grade(score, strict=False):
    if score >= 90:
        return "A"
    return "B" if score >= 75 and not strict else "C"
"""
_OWN = frozenset({"Basket", "grade"})
_NAMES = Names(_OWN)
_THIN = (
    (Step(Expression("grade(95)", names=frozenset({"grade"})), StepForm.CALL, "grade"),),
    (Step(Expression("grade(80)", names=frozenset({"grade"})), StepForm.CALL, "grade"),),
    (Step(Expression("grade(3)", names=frozenset({"grade"})), StepForm.CALL, "grade"),),
    (
        Step(
            Expression("Basket()", names=frozenset({"Basket"})), StepForm.MAKE, "Basket", "basket"
        ),
        Step(Expression("basket.add(0)"), StepForm.CALL, "Basket.add"),
    ),
)


def test_what_was_reached_and_not_noticed_is_noticed_afterwards(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(_SOURCE)
    target = find_target(str(tmp_path / "shop.py"), None, None)
    with Sandbox() as sandbox:
        findings = _thin_findings(sandbox, target)
        alone = _written(sandbox, target, findings, is_searched_again=False)
        both = _written(sandbox, target, findings, is_searched_again=True)
    assert alone.killed is not None
    assert both.killed is not None
    assert both.mutants == alone.mutants
    assert both.killed > alone.killed
    assert "grade(90)" in both.source or "(90, " in both.source  # the edge, and nothing beside it
    assert "prices" in both.source  # what a method left behind


def _thin_findings(sandbox: Sandbox, target: Target) -> Findings:
    scenarios, _ = replay_steps(sandbox, target, dict.fromkeys(_THIN, "search"), _NAMES)
    assert len(scenarios) == len(_THIN)
    return Findings(scenarios, 0, (), 0, 0.0, seeds=Seeds((), (), (90, 75), _NAMES))


def _written(
    sandbox: Sandbox, target: Target, findings: Findings, *, is_searched_again: bool
) -> Written:
    known = known_values(target)
    natural = Naturalised(findings, known, NaturalTaste(known))

    def more(survivors: frozenset[int], seconds: float | None) -> tuple[Scenario, ...]:
        return notice_survivors(sandbox, target, natural, survivors, seconds, 1)

    return write_tests(
        sandbox,
        target,
        findings.scenarios,
        deadline=None,
        command="reverie enrich shop",
        more=more if is_searched_again else None,
    )
