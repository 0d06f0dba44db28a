"""`python -m benchmarks.scenarios`: are vulnerable and hardened told apart, and in what time?

The last lines stress one workflow under all scenarios at both levels, as `reverie workflow
stress` does.
"""

import argparse
import sys

from benchmarks.scenarios.cases import CASES, FOLDER, UPSTREAM, VERSIONS, Case
from reverie.model.measurements.stress import ScenarioResult, Survival
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox
from reverie.workflows.scenarios.presets import canonical_preset, canonical_presets
from reverie.workflows.scenarios.stress import StressPlan, stress_workflow

_SLOTS = 6


def main() -> int:
    """Measure and print; 1 when a pair is not told apart or the time is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scenarios", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    chosen = [case for case in CASES if options.only in case.name]
    with Sandbox(SandboxSection(slots=_SLOTS)) as sandbox:
        apart = sum(_is_told_apart(sandbox, case, options.seed) for case in chosen)
        print(f"told apart at high: {apart} of {len(chosen)}")
        slowest = max(_all(sandbox, version, options.seed) for version in VERSIONS)
    return 0 if apart == len(chosen) and slowest <= 60 else 1


def _is_told_apart(sandbox: Sandbox, case: Case, seed: int) -> bool:
    found = [_stress(sandbox, case, version, seed) for version in VERSIONS]
    for version, result in zip(VERSIONS, found, strict=True):
        told = f"{result.passed}/{result.calls} passed, {result.proof} fired"
        print(f"{case.name:32} {version:10} {result.survival:13} {told:30} {result.failure or ''}")
    expected = [Survival.FAILED, Survival.SURVIVED]
    return [each.survival for each in found] == expected and all(each.proof for each in found)


def _stress(sandbox: Sandbox, case: Case, version: str, seed: int) -> ScenarioResult:
    plan = StressPlan((canonical_preset(case.scenario, "high"),), seed=seed, upstream=UPSTREAM)
    return stress_workflow(sandbox, case.workflow(version), str(FOLDER), plan).results[0]


def _all(sandbox: Sandbox, version: str, seed: int) -> float:
    plan = StressPlan(canonical_presets(), seed=seed, upstream=UPSTREAM)
    report = stress_workflow(sandbox, CASES[0].workflow(version), str(FOLDER), plan)
    counts = {each: [r.survival for r in report.results].count(each) for each in Survival}
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"all scenarios, both levels, {version}: {report.seconds:.1f} s; {told}")
    return report.seconds


if __name__ == "__main__":
    sys.exit(main())
