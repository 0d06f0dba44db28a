"""Judgement of a change, wired: read from git or a patch, prepared for, and ruled on.

One judge for every author: `reverie guard`, tasks over MCP and answers of models come here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.bootstrap import open_sandbox
from reverie.bootstrap.environments import generated_beside
from reverie.errors import Refused, UsageError

if TYPE_CHECKING:
    from reverie.model.change import Change
    from reverie.model.dream import Stage
    from reverie.model.repository.environment import Surroundings
    from reverie.model.ruling import Evidence, Judgement, Ruling
    from reverie.promotion.git import Git
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded, Settings
    from reverie.trials.plan import Trees
    from reverie.trials.reaching import Reaching

NOT_RUN = "not_run"
"""The reason of a judgement that trials would have to go on with."""


@dataclass(frozen=True, slots=True)
class GuardQuestion:
    """A change to judge: the files it starts from, what it does to them, and how far it goes."""

    base: Mapping[str, bytes]
    change: Change
    stage: Stage
    is_static: bool = False
    python: str | None = None
    is_again: bool = False
    """Whether to judge anew what was judged before."""
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Files that git ignores and both versions need to run, by path."""
    reaching: Reaching | None = None
    """The part of a large suite that is asked; None: all of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgement with the evidence it rests on; none where guardrails refused at once."""

    judgement: Judgement
    evidence: Evidence | None
    remembered: str | None = None
    """When it was made, if that was not now."""


def read_change(
    repository: Path, base: str, head: str | None, patch: str | None
) -> tuple[Mapping[str, bytes], Change]:
    """The files that a change starts from, and the change; `UsageError` where there is none.

    A link inside of the repository stands there with the content of its file, unless that is what
    the change edits: both sides have the same copy, or none.
    """
    from reverie.promotion.git import Git
    from reverie.promotion.trees import contents, linked_files, read_tree, tree_of

    git = Git.find(repository)
    if git is None:
        raise UsageError(f"{str(repository)!r} is no git repository: nothing to compare with")
    start = tree_of(git, git.resolve(base))
    entries = read_tree(git, start)
    found = dict(contents(git, entries))
    change = _read_edits(git, start, base, head, patch)
    touched = {path for edit in change.edits for path in (edit.path, edit.renamed_from) if path}
    return linked_files(entries, found, touched), change


def _read_edits(git: Git, start: str, base: str, head: str | None, patch: str | None) -> Change:
    from reverie.promotion.applying import apply_patch, aside
    from reverie.promotion.patch import change_between_trees, change_to_working_tree
    from reverie.promotion.trees import tree_of

    if patch is None and head is None:
        return change_to_working_tree(git, base)
    if patch is None:
        return change_between_trees(git, start, tree_of(git, git.resolve(head or "HEAD")))
    with aside(git) as own:
        try:
            after = apply_patch(own, start, _read_bytes(patch))
        except Refused as error:
            raise UsageError(f"{patch!r}: {error}") from error
        return change_between_trees(own, start, after)


def _read_bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path!r}: {error.strerror}") from error


def judge_prepared(
    question: GuardQuestion,
    loaded: Loaded,
    settings: Settings,
    prepare: Callable[[tuple[str, ...]], Surroundings],
    around_trials: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Judged:
    """The judgement on a change, in an environment that is prepared only if anything is run.

    Of a large suite both run only what is near to the change; `prepare` is told which files.
    """
    judged = judge_change(replace(question, is_static=True), settings)
    said = tuple(e for e in judged.judgement.rulings if e.reason_code != NOT_RUN)
    is_open = len(said) < len(judged.judgement.rulings)
    if question.is_static or not is_open:
        return judged  # guardrails alone have settled it
    some = _reaching(question)
    around = prepare(() if some is None else some.files)
    generated = generated_beside(loaded.repository, around, question.change)
    question = replace(question, python=around.python, generated=generated, reaching=some)
    with around_trials():
        return judge_change(question, settings, said)


def _reaching(question: GuardQuestion) -> Reaching | None:
    """The tests that are asked; all of them where figures of the whole suite are kept."""
    from reverie.model.dream import Stage
    from reverie.trials.plan import baseline_of
    from reverie.trials.reaching import find_reaching

    if question.stage not in (Stage.B, Stage.C) or baseline_of(question.base) is not None:
        return None
    return find_reaching(question.base, question.change)


def judge_change(
    question: GuardQuestion, settings: Settings, said: tuple[Ruling, ...] | None = None
) -> Judged:
    """The whole judgement on a change: guardrails first, then trials in the sandbox.

    What trials did not let through before is not tried until they do. `said` is what the
    guardrails said, where they were asked before.
    """
    from reverie.bootstrap.remembered_judgements import key_of, own_judgements
    from reverie.gates.aside import left_aside
    from reverie.gates.gate import Matter
    from reverie.gates.judge import PROOFS, judge, judge_statically, needs_of
    from reverie.model.ruling import Answer, Judgement, Ruling
    from reverie.trials.plan import baseline_of, surroundings_of

    around = surroundings_of(question.base, settings.guard)
    baseline = baseline_of(question.base)
    matter = Matter(question.stage, question.change, None, settings.guard, around, baseline)
    rulings = judge_statically(matter) if said is None else said
    is_settled = any(each.verdict is Answer.FAIL for each in rulings)
    if is_settled or not question.change.edits or question.stage not in PROOFS:
        return Judged(judge(matter, rulings), None)
    if question.is_static:
        why = "only the guardrails were asked: nothing was run"
        held = Ruling("trials", Answer.HOLD, NOT_RUN, why)
        return Judged(Judgement((*rulings, held), needs_of(matter)), None)
    kept, key = own_judgements(), key_of(question, settings)
    known = None if question.is_again else kept.find(key)
    if known is not None:
        return Judged(known[0], None, known[1])
    evidence = _try_change(question, settings, left_aside(matter).change)
    judgement = judge(replace(matter, evidence=evidence))
    kept.keep(key, judgement)
    return Judged(judgement, evidence)


def _try_change(question: GuardQuestion, settings: Settings, judged: Change) -> Evidence:
    """What trials show of the part of a change that is judged; both trees are whole."""
    import tempfile

    from reverie.home.seal import seed_of
    from reverie.promotion.trial_tree import lay_files
    from reverie.trials.by_stage import try_change
    from reverie.trials.plan import TrialPlan, write_trees

    with (
        tempfile.TemporaryDirectory() as scratch,
        open_sandbox(settings.sandbox) as sandbox,
    ):
        trees = write_trees(question.base, question.change, Path(scratch))
        for folder in (trees.base, trees.head):
            lay_files(folder, question.generated)
        trees = replace(trees, change=judged)
        plan = TrialPlan(
            settings.guard,
            seed=settings.equivalence.seed or seed_of(question.change.digest),
            python=question.python,
            cache=Path(scratch) / "cache",
            equivalence=settings.equivalence,
            reaching=question.reaching,
        )
        evidence = try_change(question.stage, trees, sandbox, plan)
        return _held_to_workflows(evidence, trees, sandbox, question, settings)


def _held_to_workflows(
    evidence: Evidence, trees: Trees, sandbox: Sandbox, question: GuardQuestion, settings: Settings
) -> Evidence:
    """With what declared workflows say of a change of code: whoever wrote it is held to them."""
    from reverie.index import read_repository
    from reverie.model.dream import Stage
    from reverie.stages.flows import Flows

    declared = settings.workflows.declared
    if not declared or question.stage is Stage.A:
        return evidence
    index = read_repository(trees.base, settings.index, settings.safety.tier_of)
    flows = Flows(declared, index, sandbox, question.python)
    return flows.tried(evidence, question.change, trees.base, trees.head)
