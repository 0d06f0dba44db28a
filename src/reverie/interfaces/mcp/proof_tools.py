"""Tools that measure: what tests notice, tests for a module, and the judgement on a change."""

import time
from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.errors import UsageError
from reverie.interfaces.mcp.answers import (
    JudgementAnswer,
    MutationScore,
    RulingAnswer,
    Survivor,
    WrittenTests,
)
from reverie.interfaces.mcp.code_tools import LOOKS, Detail
from reverie.interfaces.mcp.copies import MOST_PATCH, change_of
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.model.change import Change
from reverie.model.codec import plain

GivenPatch = Annotated[
    str, Field(max_length=MOST_PATCH, description="A unified diff, as git makes it")
]
StageName = Annotated[str, Field(description="A tests, B refactoring, C speed, D finding")]


def add_proof_tools(server: MCPServer[Any], desk: Desk) -> None:
    """The tools that take their time."""
    for tool in (_mutation_tool, _tests_tool, _guard_tool):
        tool(server, desk)


def _mutation_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Measure what the tests notice", annotations=LOOKS)
    async def mutation_score(
        ctx: Ctx,
        path: Annotated[str | None, Field(description="File or folder; else all source")] = None,
        tests: Annotated[list[str] | None, Field(description="Folders or files of tests")] = None,
        sample: Annotated[int | None, Field(ge=1, description="Judge only so many")] = None,
        detail: Detail = False,
    ) -> MutationScore:
        """Change the code a little, see whether a test notices, and list what none noticed."""

        def job(progress: Progress) -> MutationScore:
            return _score(desk, path, tests or [], sample, progress)

        return await desk.work(ctx, job)


def _score(
    desk: Desk, path: str | None, tests: list[str], sample: int | None, progress: Progress
) -> MutationScore:
    from reverie.bootstrap import open_sandbox
    from reverie.bootstrap.environments import require_quietly
    from reverie.instruments.mutation.campaign import Campaign, Wishes
    from reverie.instruments.mutation.mutant_texts import diff_of
    from reverie.instruments.mutation.project import find_project
    from reverie.instruments.mutation.sandbox_side import FarSide
    from reverie.model.measurements.suite import MutantVerdict
    from reverie.model.sections import OperatorSet

    settings = desk.loaded.settings
    section = settings.mutation
    named = None if path is None else str(desk.inside(path))
    places = [str(desk.inside(each, "tests")) for each in tests]
    python = require_quietly(desk.loaded, desk.python, None).python
    project = find_project(desk.repository, named, places, python)
    wishes = Wishes(
        sample=sample,
        verified_share=section.verify,
        workers=settings.sandbox.slots,
        progress=progress.tell,
    )
    with open_sandbox(settings.sandbox) as sandbox:
        far = FarSide(
            sandbox,
            project,
            exhaustive=section.operators is OperatorSet.EXHAUSTIVE,
            baseline_seconds=section.baseline_seconds,
        )
        report = Campaign(far, wishes).run()
    alive = [each.mutant for each in report.judged if each.verdict is MutantVerdict.SURVIVED]
    return MutationScore(
        mutants=report.mutants,
        killed=report.count(MutantVerdict.KILLED),
        survived=report.count(MutantVerdict.SURVIVED),
        timeout=report.count(MutantVerdict.TIMEOUT),
        not_covered=report.count(MutantVerdict.NOT_COVERED),
        score=report.score,
        complete=report.is_complete,
        survivors=[
            Survivor(
                id=each.id,
                file=each.file,
                line=each.line,
                operator=each.operator,
                diff=diff_of(project.root, each),
            )
            for each in alive
        ],
        notes=list(report.notes),
    )


def _tests_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Write tests for a module", annotations=LOOKS)
    async def write_tests(
        ctx: Ctx,
        path: Annotated[str, Field(description="The module's file in the repository")],
        budget_seconds: Annotated[float, Field(gt=0, le=3600, description="Time for it")] = 60.0,
        seed: Annotated[int, Field(ge=0, description="Of what is drawn")] = 0,
        measure: Annotated[bool, Field(description="Judge the mutants before and after")] = False,
        detail: Detail = False,
    ) -> WrittenTests:
        """Write tests by trying a module out in the sandbox. The source is returned, not saved."""

        def job(progress: Progress) -> WrittenTests:
            return _write(desk, path, budget_seconds, seed, measure, progress)

        return await desk.work(ctx, job)


def _write(
    desk: Desk, path: str, seconds: float, seed: int, measure: bool, progress: Progress
) -> WrittenTests:
    from reverie.bootstrap import open_sandbox
    from reverie.dreamers.enrich.front import Wish, enrich_target
    from reverie.dreamers.enrich.target import find_target

    if not path.endswith(".py"):
        raise UsageError(f"path: {path!r} is no Python file")
    python = desk.settled(runs_tests=True)
    target = find_target(str(desk.inside(path)), desk.repository, python)
    settings = desk.loaded.settings
    wish = Wish(seconds=seconds, seed=seed, is_measured=measure, workers=settings.sandbox.slots)
    with open_sandbox(settings.sandbox) as sandbox:
        made = enrich_target(sandbox, target, wish, progress.tell)
    return WrittenTests(
        module=made.target.module,
        tests=made.written.tests,
        file=made.written.path,
        source=made.written.source or None,
        line_coverage={"before": made.lines.before, "after": made.lines.after},
        branch_coverage={"before": made.branches.before, "after": made.branches.after},
        mutation={"before": made.mutation.before, "after": made.mutation.after},
        findings=[
            {"function": each.function, "line": each.line, "input": each.input, "why": each.why}
            for each in made.written.findings
        ],
        seconds=round(made.seconds, 3),
        notes=list(made.notes),
    )


def _guard_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Judge a change", annotations=LOOKS)
    async def guard_diff(
        ctx: Ctx,
        patch: GivenPatch,
        stage: StageName,
        base: Annotated[str, Field(description="The revision it starts from")] = "HEAD",
        static: Annotated[bool, Field(description="Guardrails only: run nothing")] = False,
        detail: Detail = False,
    ) -> JudgementAnswer:
        """May this change be promoted? Guardrails, then trials in the sandbox, with evidence."""

        def job(_: Progress) -> JudgementAnswer:
            return judge_patch(desk, patch, stage, base, static)

        return await desk.work(ctx, job)


def judge_patch(desk: Desk, patch: str, stage: str, base: str, static: bool) -> JudgementAnswer:
    """The whole judgement on a diff."""
    from reverie.model.dream import Stage

    if stage not in list(Stage):
        raise UsageError(f"stage: {stage!r} is none of A, B, C, D, I, G")
    files, change = change_of(desk, base, patch, None)
    return judge_read(desk, files, change, stage, base, static)


def judge_read(
    desk: Desk,
    files: Mapping[str, bytes],
    change: Change,
    stage: str,
    base: str,
    static: bool,
) -> JudgementAnswer:
    """The whole judgement on a change that was read."""
    from reverie.bootstrap.environments import require_quietly
    from reverie.bootstrap.guard import GuardQuestion, judge_prepared
    from reverie.model.dream import Stage
    from reverie.settings import settings_of_revision

    began = time.monotonic()
    judged = judge_prepared(
        GuardQuestion(files, change, Stage(stage), static),
        desk.loaded,
        settings_of_revision(desk.loaded, files),
        lambda tests: require_quietly(desk.loaded, desk.python, base, tests),
    )
    evidence = judged.evidence
    return JudgementAnswer(
        verdict=str(judged.judgement.verdict),
        stage=stage,
        rulings=[RulingAnswer(**plain(each)) for each in judged.judgement.rulings],
        needs=[str(each) for each in judged.judgement.needs],
        measures={} if evidence is None else dict(sorted(evidence.measures.items())),
        files=list(change.paths),
        remembered=judged.remembered,
        seconds=round(time.monotonic() - began, 3),
    )
