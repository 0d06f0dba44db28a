"""How a program that tries out a module is sent into the sandbox."""

from dataclasses import replace
from typing import Any

from reverie.dreamers.enrich.target import Target
from reverie.errors import MachineryError, UsageError
from reverie.model.execution import MIB, Call, Execution, Policy, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox

_MOST = 500


def trying_request(
    sandbox: Sandbox, call: Call, policy: Policy, wall: float, result_mb: int
) -> Request:
    """A request with room for many processes and much to tell."""
    base = sandbox.section.limits()
    limits = replace(
        base,
        wall_seconds=wall,
        cpu_seconds=int(2 * wall) + 2,
        memory_bytes=max(base.memory_bytes, 1536 * MIB),
        processes=max(base.processes, 256),
        open_files=max(base.open_files, 1024),
        result_bytes=result_mb * MIB,
    )
    return Request(call, limits, policy)


def told_by(execution: Execution, target: Target) -> dict[str, Any]:
    """What a program that tries out a module says.

    `UsageError` where the module stands in its own way: the process that only imports it, and tries
    in forks, did not get past that.
    """
    output = execution.output if execution.succeeded else None
    if isinstance(output, dict) and "unimportable" not in output:
        return output
    said = execution.error.message if execution.error is not None else "it ended without a word"
    if isinstance(output, dict):
        raise UsageError(f"{target.module} cannot be imported: {output['unimportable']}"[:_MOST])
    if execution.outcome is TestOutcome.RESOURCE_EXHAUSTION:
        raise UsageError(f"{target.module} cannot be tried: {execution.outcome}: {said}"[:_MOST])
    raise MachineryError(f"{target.module} could not be tried: {execution.outcome}: {said}"[:_MOST])


def trying_policy(
    sandbox: Sandbox, target: Target, hash_seed: int, preload: tuple[str, ...]
) -> Policy:
    """A policy under which the target can be imported, with its own interpreter."""
    return replace(
        sandbox.section.policy(),
        readonly=target.roots,
        python=target.python,
        preload=preload,
        seed=0,
        hash_seed=hash_seed,
    )
