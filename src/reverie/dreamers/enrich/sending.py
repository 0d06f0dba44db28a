"""How a program that tries out a module is sent into the sandbox."""

from dataclasses import replace

from reverie.dreamers.enrich.target import Target
from reverie.model.execution import MIB, Call, Policy, Request
from reverie.sandbox.engine import Sandbox


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
