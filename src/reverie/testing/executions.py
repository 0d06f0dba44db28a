"""Finished executions for tests, without a sandbox."""

import hashlib
from datetime import UTC, datetime, timedelta

from reverie.model.execution import Call, ErrorReport, Execution, Limits, Policy, Request, Usage
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome

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
