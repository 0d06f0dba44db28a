"""Proven dreams to try promotion and proof bundles with: what they claim is made up."""

from collections.abc import Mapping

from reverie.model.approval import Need
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.outcome import IsolationTier
from reverie.model.promotion import Proven, Source
from reverie.model.ruling import Answer, Judgement, Ruling

MEASURES: Mapping[str, float] = {"tests.passed_runs": 5.0, "mutants.newly_killed": 3.0}


def new_file(path: str, content: str) -> Change:
    """A change that adds one file."""
    return Change((FileEdit(path, None, content, mode_after="100644"),))


def proven_dream(
    change: Change,
    source: Source,
    *,
    title: str = "Test what the cart adds up",
    kind: DreamKind = DreamKind.TEST,
    stage: Stage = Stage.A,
    measures: Mapping[str, float] = MEASURES,
    answer: Answer = Answer.PASS,
    needs: tuple[str, ...] = (),
) -> Proven:
    """A dream with a change of one's own, said to be proven on a source."""
    evidence = Evidence(
        measures=measures,
        seed=7,
        isolation=IsolationTier.NAMESPACES,
        command=("reverie", "guard", "--stage", str(stage)),
        limits={"wall_seconds": 30.0},
        hashes={"change": change.digest},
        versions={"python": "3.11.7"},
        details={"mutants.newly_killed": ("cart.py::total::add_sub::1",)},
    )
    ruling = Ruling("tests_pass", answer, "tests_pass", "every run passed", 5.0, 5.0)
    return Proven(
        dream=Dream(kind, "tests", "shop.cart", title, change, seed=7),
        stage=stage,
        source=source,
        evidence=evidence,
        judgement=Judgement((ruling,), tuple(map(Need.from_text, needs))),
        roi=12.5,
        raroi=11.0,
    )
