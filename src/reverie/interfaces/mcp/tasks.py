"""A task from its beginning to its end: what is wanted, checks as often as asked, and the hand-in.

A check and a submission ask the judge that everybody's changes go to; a check is cheap where the
guardrails refuse already. Nothing is merged and nothing written into the repository.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from reverie.errors import UsageError
from reverie.gates.remedies import remedy_for
from reverie.interfaces.mcp.answers import (
    CheckAnswer,
    JudgementAnswer,
    Reason,
    Submitted,
    TaskStarted,
)
from reverie.interfaces.mcp.code_tools import LOOKS, Detail, open_code_index
from reverie.interfaces.mcp.copies import Checkout, Patch, change_of
from reverie.interfaces.mcp.desk import Ctx, Desk, Progress
from reverie.interfaces.mcp.dream_tools import ADDS
from reverie.interfaces.mcp.proof_tools import judge_read
from reverie.interfaces.mcp.submissions import STATUS, keep_submission
from reverie.interfaces.mcp.work_tools import reaching_tests

if TYPE_CHECKING:
    from reverie.model.change import Change
    from reverie.model.settings.judgement import GuardSection

_MOST_TASKS = 200
_STAGES = ("A", "B", "C")


@dataclass(slots=True)
class Task:
    """One piece of work, and what was said of it so far."""

    id: str
    stage: str
    path: str | None
    wish: str
    base: str
    rounds: list[CheckAnswer] = field(default_factory=list)
    judged: dict[str, JudgementAnswer] = field(default_factory=dict)
    """Judgements of this server by the digest of the change."""
    submission: str | None = None

    def document(self) -> dict[str, Any]:
        """All of it, as its resource shows it."""
        return {
            "task": self.id,
            "stage": self.stage,
            "path": self.path,
            "wish": self.wish,
            "base": self.base,
            "submission": self.submission,
            "rounds": [each.model_dump(mode="json") for each in self.rounds],
            "judgements": {key: each.model_dump(mode="json") for key, each in self.judged.items()},
        }


def add_task_tools(server: MCPServer[Any], desk: Desk) -> None:
    """start_task, check and submit."""
    for tool in (_start_tool, _check_tool, _submit_tool):
        tool(server, desk)


TaskName = Annotated[str, Field(description="The id that start_task gave")]


def _start_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Start a task", annotations=LOOKS)
    async def start_task(
        ctx: Ctx,
        stage: Annotated[str, Field(description="A: tests, B: refactoring, C: speed")],
        path: Annotated[str | None, Field(description="Source file the task is about")] = None,
        wish: Annotated[str, Field(max_length=2000, description="What is wanted besides")] = "",
    ) -> TaskStarted:
        """Begin here: what a change of this kind is held to, and how to check your work.

        Then edit, call `check` until it passes, and call `submit`.
        """

        def job(progress: Progress) -> TaskStarted:
            return _start(desk, stage, path, wish, progress)

        return await desk.work(ctx, job)


def _start(desk: Desk, stage: str, path: str | None, wish: str, progress: Progress) -> TaskStarted:
    if stage not in _STAGES:
        raise UsageError(f"stage: {stage!r} is none of A (tests), B (refactoring), C (speed)")
    if path is not None and desk.inside(path).suffix != ".py":
        raise UsageError(f"path: {path!r} is no Python file; find_function finds paths")
    base = _head(desk)
    told = "\0".join((stage, path or "", wish, base, str(len(desk.tasks)))).encode()
    task = Task(f"t{hashlib.sha256(told).hexdigest()[:8]}", stage, path, wish, base)
    if len(desk.tasks) >= _MOST_TASKS:
        desk.tasks.pop(next(iter(desk.tasks)))
    desk.tasks[task.id] = task
    tests: list[str] = []
    if path is not None:
        with open_code_index(desk) as index:
            index.refresh(lambda done, total: progress.tell("reading", done, total))
            code = index.load()
        tests = reaching_tests(code, {each.name for each in code.modules if each.path == path})
    return TaskStarted(
        task=task.id,
        stage=stage,
        path=path,
        base=base,
        goal=f"{GOALS[stage]}{f' Wanted: {wish}' if wish else ''}",
        bar=bar_of(stage, desk.loaded.settings.guard),
        environment=_environment(desk),
        how_to=_how_to(stage, path),
        tests=tests[:20],
        evidence=_evidence(stage, path, task.id),
        next=f"make the change, then call check with task={task.id!r}",
    )


def _head(desk: Desk) -> str:
    from reverie.bootstrap.checkouts import head_commit

    commit = head_commit(desk.repository)
    if commit is None:
        raise UsageError("the repository has no commit yet: `git init` and commit once, then retry")
    return commit


def _environment(desk: Desk) -> dict[str, str | None]:
    """The interpreter that tests run with; where it lacks something, what mends that."""
    from reverie.environment.preflight import missing_findings

    around = desk.around()
    lacking = [f"{each.text}; mend it: {each.command}" for each in missing_findings(around)]
    return {
        "python": around.python,
        "version": around.python_version,
        "how": around.label,
        "problem": lacking[0] if lacking else None,
    }


def _how_to(stage: str, path: str | None) -> list[str]:
    about = {} if path is None else {"path": path}
    steps = [
        "edit the files of the repository or of a worktree of it (give its folder as `checkout`), "
        "or keep your change as a diff and hand it to `check` as `patch`",
        f"run_tests{json.dumps(about)} runs the tests that reach it, in seconds",
    ]
    if stage == "C":
        steps.append("benchmark times old and new in pairs; check_equivalence looks for an input "
                     "on which they differ")  # fmt: skip
    if stage == "B":
        steps.append("check_equivalence looks for an input on which old and new differ")
    steps.append("check(task, static=true) asks the guardrails alone; check(task) the whole judge")
    return steps


def _evidence(stage: str, path: str | None, task: str) -> list[str]:
    about = "" if path is None else f" {path}"
    found = [f"reverie://task/{task}: everything said about this task"]
    if stage == "A":
        found += [f"coverage{about}: lines and branches that no test runs",
                  f"mutation_score{about}: changes to the code that no test notices"]  # fmt: skip
    if stage == "C":
        found.append("profile: where the suite spends its time")
    if path is not None:
        found.append("callers: who would notice a change of behaviour")
    return found


def task_of(desk: Desk, name: str) -> Task:
    """A task of this server; `UsageError` that says what to do where there is none."""
    found: Task | None = desk.tasks.get(name)
    if found is None:
        known = ", ".join(list(desk.tasks)[-5:]) or "none"
        raise UsageError(f"task: {name!r} is not known (known: {known}); call start_task first")
    return found


def _check_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Check the work", annotations=LOOKS)
    async def check(
        ctx: Ctx,
        task: TaskName,
        patch: Patch = None,
        checkout: Checkout = None,
        static: Annotated[bool, Field(description="Guardrails only: nothing is run")] = False,
        detail: Detail = False,
    ) -> CheckAnswer:
        """Judge the work so far: guardrails first, then trials; what fails comes with what to do.

        Without `patch` the files as they stand are judged against the commit the task began at.
        """

        def job(progress: Progress) -> CheckAnswer:
            found = task_of(desk, task)
            return _check(desk, found, (patch, checkout), static=static, progress=progress)

        return await desk.work(ctx, job)


def _check(
    desk: Desk,
    task: Task,
    work: tuple[str | None, str | None],
    *,
    static: bool,
    progress: Progress,
) -> CheckAnswer:
    began = time.monotonic()
    progress.tell("reading the change", 0, 0)
    files, change = change_of(desk, task.base, *work)
    progress.tell("guardrails" if static else "guardrails, then trials", 0, 0)
    judged = judge_read(desk, files, change, task.stage, task.base, static)
    if not static:
        task.judged[change.digest] = judged
    answer = _answered(task, change, judged, static=static, seconds=time.monotonic() - began)
    task.rounds.append(answer)
    return answer


def _answered(
    task: Task, change: Change, judged: JudgementAnswer, *, static: bool, seconds: float
) -> CheckAnswer:
    open_ones = [each for each in judged.rulings if each.verdict != "pass"]
    if static:
        open_ones = [each for each in open_ones if each.reason_code != "not_run"]
    passed = judged.verdict == "promote" or (static and not open_ones)
    return CheckAnswer(
        task=task.id,
        passed=passed,
        verdict=judged.verdict,
        round=len(task.rounds) + 1,
        reasons=[
            Reason(**each.model_dump(), todo=remedy_for(each.reason_code, each.verdict))
            for each in open_ones
        ],
        gates_passed=sum(each.verdict == "pass" for each in judged.rulings),
        needs=judged.needs,
        files=judged.files,
        changed_lines=change.lines_changed,
        measures=judged.measures,
        remembered=judged.remembered,
        seconds=round(seconds, 3),
        evidence=f"reverie://task/{task.id}",
        next=_next(task, passed=passed, static=static),
    )


def _next(task: Task, *, passed: bool, static: bool) -> str:
    if passed and static:
        return f"the guardrails pass; call check(task={task.id!r}) for the trials"
    if passed:
        return f"call submit(task={task.id!r}, title=…)"
    return "do what the first reason says, then call check again"


def _submit_tool(server: MCPServer[Any], desk: Desk) -> None:
    @server.tool(title="Hand the work in", annotations=ADDS)
    async def submit(
        ctx: Ctx,
        task: TaskName,
        title: Annotated[str, Field(min_length=1, max_length=200, description="As a commit's")],
        patch: Patch = None,
        checkout: Checkout = None,
        author: Annotated[
            str, Field(min_length=1, max_length=60, description="Who made it")
        ] = "agent",
        detail: Detail = False,
    ) -> Submitted:
        """Hand in what `check` passed. It is judged as a whole, kept with its evidence, not merged.

        What check has judged in this session is not judged again.
        """

        def job(progress: Progress) -> Submitted:
            found = task_of(desk, task)
            return _submit(desk, found, title, (patch, checkout), author, progress)

        return await desk.work(ctx, job)


def _submit(
    desk: Desk,
    task: Task,
    title: str,
    work: tuple[str | None, str | None],
    author: str,
    progress: Progress,
) -> Submitted:
    files, change = change_of(desk, task.base, *work)
    judged = task.judged.get(change.digest)
    if judged is None:
        progress.tell("guardrails, then trials", 0, 0)
        judged = judge_read(desk, files, change, task.stage, task.base, False)
        task.judged[change.digest] = judged
    about = {"title": title, "author": author, "patch": change.diff(), "task": task.id}
    digest = change.digest[:16]
    is_kept = keep_submission(desk, digest, about, judged)
    task.submission = digest
    is_proven = judged.verdict == "promote"
    return Submitted(
        id=digest,
        kind="change",
        status=STATUS[judged.verdict],
        judgement=judged,
        resource=f"reverie://submission/{digest}" if is_kept else None,
        next="done: a person takes it from the submission, or by `git apply`"
        if is_proven
        else f"it is not proven; call check(task={task.id!r}) for what to do",
    )


GOALS = {
    "A": "Write tests that notice what the suite does not notice yet; touch no production file.",
    "B": "Make the code clearer: the same behaviour, the same public names.",
    "C": "Make the code faster: the same behaviour for every input, the same public names.",
}
_ALWAYS = "no assertion deleted or weakened, no skip added, no broad except, no new effect"


def bar_of(stage: str, guard: GuardSection) -> list[str]:
    """What a change of a stage is held to, in figures."""
    if stage == "A":
        return [
            f"at most {guard.test_files} files, all below the folders of tests",
            f"every new test passes {guard.runs} of {guard.runs} runs in random order, and alone",
            "it runs lines, or notices planted faults, that nothing did before",
            _ALWAYS,
        ]
    bar = [
        f"at most {guard.files} files"
        + (f" and {guard.lines} changed lines" if stage == "B" else ""),
        "all tests pass that passed before; none is lost or weaker",
        "the same results, errors, output and effects on generated and recorded inputs",
        "public names and signatures stay; complexity does not rise"
        + (f" by more than {guard.added_decisions} decisions" if stage == "C" else ""),
        f"tests run at least {_needed(stage, guard):.0%} of the lines of the module",
        _ALWAYS,
    ]
    if stage == "C":
        gains = f"{guard.gain_p50:.0%}, {guard.gain_p95:.0%} and {guard.gain_p99:.0%}"
        bar.append(f"faster by {gains} at p50, p95 and p99, at the lower bound of the interval")
        bar.append(f"memory at most {guard.memory:.0%} more; two people approve it afterwards")
    return bar


def _needed(stage: str, guard: GuardSection) -> float:
    return guard.coverage_refactor if stage == "B" else guard.coverage_optimise
