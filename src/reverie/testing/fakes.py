"""Finished executions without a sandbox, and proven dreams to try promotion with: all made up."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Proven, Source
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.execution import Call, ErrorReport, Execution, Limits, Policy, Request, Usage
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.model.ruling import Answer, Evidence, Judgement, Need, Ruling

FIRST_START = datetime(2025, 1, 1, tzinfo=UTC)


def finished(
    number: int = 0,
    *,
    code: str = "def f(x):\n    return x\n",
    outcome: TestOutcome = TestOutcome.SUCCESS,
    message: str = "bad value",
    wall_seconds: float = 0.002,
    isolation: IsolationTier = IsolationTier.NAMESPACES,
    limits: Limits | None = None,
) -> tuple[Request, Execution]:
    """The request and execution of this number: own id, one second after the number before."""
    request = Request(Call(code, "f", {"x": number}), limits or Limits(), Policy())
    has_failed = outcome is not TestOutcome.SUCCESS
    return request, Execution(
        id=hashlib.sha256(str(number).encode()).hexdigest()[:32],
        outcome=outcome,
        error_category=ErrorCategory.RUNTIME if has_failed else None,
        output=None,
        error=ErrorReport(message, "ValueError", "dream:f") if has_failed else None,
        stdout="",
        stderr="",
        usage=Usage(wall_seconds, cpu_seconds=0.001, peak_rss_bytes=10_000_000),
        isolation=isolation,
        code_hash=request.code_hash,
        started_at=FIRST_START + timedelta(seconds=number),
        exit_code=0,
    )


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
