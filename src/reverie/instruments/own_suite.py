"""How a script runs a repository's own suite in the sandbox."""

from pathlib import Path

from reverie.model.analysis_sections import CandidatesSection
from reverie.model.code import CodeIndex
from reverie.model.execution import MIB, Limits, Policy, Request, Script
from reverie.model.outcome import IsolationTier

# Another coverage must not take the tracer away. A repository whose options then make no sense,
# or need a plug-in that is not there, is asked again without them.
_ARGUMENTS = ("-q", "-p", "no:cacheprovider", "-p", "no:cov", "--continue-on-collection-errors")
USAGE_ERROR = 4
"""What pytest ends with when it cannot make sense of its options."""


def suite_request(
    script: str,
    tier: IsolationTier,
    index: CodeIndex,
    section: CandidatesSection,
    python: str | None,
    **more: object,
) -> Request:
    """A request for a script; on a private copy of the repository where the tier has one."""
    folder = index.repository
    has_copies = tier is IsolationTier.NAMESPACES
    environment = () if python is None else (str(Path(python).parent.parent),)
    policy = Policy(
        enable_filesystem=has_copies,
        private_copies=(folder,) if has_copies else (),
        readonly=environment if has_copies else (folder, *environment),
        working_directory=folder,
        python=python,
        seed=0,
    )
    limits = Limits(
        wall_seconds=section.measure_seconds,
        memory_bytes=section.measure_memory_mb * MIB,
        disk_bytes=1024 * MIB,
        result_bytes=64 * MIB,
        processes=256,
        open_files=1024,
    )
    roots = dict.fromkeys(module.root for module in index.modules)
    params = {
        "root": folder,
        "paths": [str(Path(folder) / root) for root in roots],
        "arguments": list(_ARGUMENTS),
        "usage_error": USAGE_ERROR,
        **more,
    }
    return Request(Script(script, params=params), limits, policy)
