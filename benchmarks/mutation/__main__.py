"""`python -m benchmarks.mutation`: ours, mutmut 3 and cosmic-ray on the same projects."""

import argparse
import json
from pathlib import Path

from benchmarks.mutation.contenders import (
    Outcome,
    run_cosmic_ray,
    run_mutmut,
    run_ours,
    run_ours_at_call,
)
from benchmarks.mutation.projects import COMPARED, NEEDED, Project, environment, fetch

RESULTS = Path(__file__).parents[1] / "results"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.mutation", description=__doc__)
    parser.add_argument("projects", nargs="*", help="names; otherwise all")
    parser.add_argument("--verify", type=float, default=0.0, help="share looked at again (ours)")
    parser.add_argument("--sample", type=int, help="so many mutants of each project (ours)")
    parser.add_argument("--ours-only", action="store_true")
    parser.add_argument("--cosmic-seconds", type=float, default=60.0)
    given = parser.parse_args()
    chosen = [each for each in COMPARED if not given.projects or each.name in given.projects]
    outcomes: list[Outcome] = []
    for project in chosen:
        outcomes += compare(project, given)
    RESULTS.mkdir(exist_ok=True)
    rows = [
        {name: getattr(each, name) for name in Outcome.__dataclass_fields__ if name != "verdicts"}
        for each in outcomes
    ]
    (RESULTS / "mutation.json").write_text(json.dumps(rows, indent=1))


def compare(project: Project, given: argparse.Namespace) -> list[Outcome]:
    fetch(project.name, project.version)
    lean = environment("pytest8", "pytest==8.4.2", *NEEDED)
    ours = run_ours(project, lean, given.verify, given.sample)
    show(ours)
    if given.ours_only and given.verify:
        return [ours]
    at_call = run_ours_at_call(project, lean)
    show(at_call)
    if given.ours_only:
        return [ours, at_call]
    packages = ("pytest==8.4.2", "mutmut==3.8.0", "cosmic-ray==8.7.0", *NEEDED)
    peers = environment("peers", *packages)
    mutmut = run_mutmut(project, peers)
    show(mutmut)
    agree(ours, mutmut)
    cosmic = run_cosmic_ray(project, peers, given.cosmic_seconds)
    show(cosmic)
    if mutmut.per_cpu_second:
        whole, part = (each.per_cpu_second / mutmut.per_cpu_second for each in (ours, at_call))
        print(f"  ours / mutmut per CPU second: {whole:.1f} over all, {part:.1f} in functions")
    return [ours, at_call, mutmut, cosmic]


def show(each: Outcome) -> None:
    looked = f", {each.checked - each.disagreements}/{each.checked} the same afresh"
    print(
        f"{each.project:12} {each.tool:11} {each.tested:5} mutants, {each.killed} detected, "
        f"{each.survived} survived, {each.wall_seconds:.0f} s, {each.cpu_seconds:.1f} CPU-s, "
        f"{each.per_cpu_second:.1f}/CPU-s{looked if each.checked else ''}"
        f"{f' ({each.problem})' if each.problem else ''}",
        flush=True,
    )


def agree(ours: Outcome, other: Outcome) -> None:
    shared = ours.verdicts.keys() & other.verdicts.keys()
    same = [key for key in shared if ours.verdicts[key] == other.verdicts[key]]
    print(f"  same mutants: {len(shared)}, same verdict: {len(same)}")
    for key in sorted(shared - set(same))[:8]:
        print(f"    {key[0]}: ours {ours.verdicts[key]}, {other.tool} {other.verdicts[key]}")


if __name__ == "__main__":
    main()
