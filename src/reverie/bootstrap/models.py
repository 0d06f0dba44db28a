"""Models and agents, wired: evidence, the question, the answer as a change, the judgement on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.bootstrap import GuardQuestion, Judged, open_sandbox
from reverie.bootstrap.environments import judge_prepared, open_copy
from reverie.errors import Refused, UsageError

if TYPE_CHECKING:
    from reverie.dreamers.models import ModelClient
    from reverie.dreamers.models.prompts import Grounds
    from reverie.model.change import Change
    from reverie.model.dream import Stage
    from reverie.model.environment import Surroundings
    from reverie.model.procedure import DreamProcedure
    from reverie.settings import Loaded
    from reverie.store import DreamStore

_SAMPLE = 60
_PATTERNS = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody is asked for: a change of one stage to one file."""

    path: str
    """Relative to the repository."""
    stage: Stage
    wish: str = ""
    has_evidence: bool = True
    """Whether mutants and failures are looked up first."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was proposed, what the gates said, and what asking cost."""

    author: str
    change: Change
    judged: Judged
    spent: Mapping[str, Any]


def open_client(loaded: Loaded, environ: Mapping[str, str]) -> ModelClient:
    """The endpoint that the settings name; `Refused` when they name none."""
    from reverie.dreamers.models import ModelClient
    from reverie.model.model_sections import ModelProtocol

    section = loaded.settings.models
    if section.protocol is ModelProtocol.OFF:
        raise Refused("models.protocol is off: nobody is asked, and nothing leaves this machine")
    cache = loaded.data_dir / "models" if loaded.is_initialised else None
    return ModelClient(section, environ, cache)


def propose(
    loaded: Loaded,
    environ: Mapping[str, str],
    wanted: Wanted,
    prepare: Callable[[str | None], Surroundings],
) -> Proposal:
    """A change by the model or agent of the settings, judged; the repository is not touched."""
    from reverie.model.model_sections import ModelProtocol
    from reverie.promotion.trial_tree import open_trial_tree, read_files
    from reverie.settings import settings_of_revision

    section = loaded.settings.models
    if section.protocol is ModelProtocol.OFF:
        raise Refused("models.protocol is off: nobody is asked, and nothing leaves this machine")
    revision = _revision(loaded)
    around = prepare(revision)
    with open_trial_tree(loaded.repository, revision) as folder:
        files = read_files(folder)
        grounds = _grounds(loaded, around, files, wanted)
        if section.protocol is ModelProtocol.AGENT:
            spent, change = _by_agent(loaded, environ, folder, grounds, wanted.stage)
        else:
            spent, change = _by_model(loaded, environ, files, grounds, wanted.stage)
    if not change.edits:
        raise Refused("the answer changes nothing")
    question = GuardQuestion(files, change, wanted.stage)
    settings = settings_of_revision(loaded, files)
    judged = judge_prepared(question, loaded, settings, lambda: around)
    author = section.name or section.agent_command.partition(" ")[0]
    return Proposal(author, change, judged, spent)


@dataclass(frozen=True, slots=True)
class Opinions:
    """What a model thinks of dreams, and the replies that were none."""

    evaluated: tuple[DreamProcedure, ...]
    refused: Mapping[int, str]
    """Why a reply was not taken, by the number of its dream."""
    spent: Mapping[str, Any]


async def evaluate_dreams(
    store: DreamStore, client: ModelClient, ids: Sequence[int] | None
) -> Opinions:
    """Ask a model about dreams that wait, or about some; a reply that is none changes nothing."""
    from reverie.dreamers.models.prompts import ask_for_evaluation
    from reverie.errors import ModelFailed
    from reverie.learning.memory_logging import log_with_tags
    from reverie.model.dream import DreamStatus
    from reverie.model.evaluation import read_evaluation
    from reverie.model.interaction import FEEDBACK
    from reverie.store.interactions import InteractionMemory

    memory = InteractionMemory(store.journal)
    if ids is None:
        waiting = await store.get_by_status(DreamStatus.PENDING_EVALUATION)
    else:
        waiting = [await store.get_dream(each) for each in ids]
    done: list[DreamProcedure] = []
    refused: dict[int, str] = {}
    for dream in waiting:
        try:
            prompt = ask_for_evaluation(dream)
            reply = client.ask(prompt)
            log_with_tags(memory, client.clean(prompt).text, reply.text, [FEEDBACK])
            opinion = read_evaluation(reply.text, dream.id)
        except (ModelFailed, UsageError, Refused) as error:
            refused[dream.id or 0] = str(error)
            continue
        done.append(await store.evaluate(opinion, client.section.name))
    return Opinions(tuple(done), refused, client.budget.document())


def _by_model(
    loaded: Loaded,
    environ: Mapping[str, str],
    files: Mapping[str, bytes],
    grounds: Grounds,
    stage: Stage,
) -> tuple[Mapping[str, Any], Change]:
    from reverie.dreamers.models.prompts import ask_for_change
    from reverie.dreamers.models.replies import read_code
    from reverie.learning.memory_logging import log_with_tags
    from reverie.model.change import Change, FileEdit
    from reverie.model.dream import Stage as Stages
    from reverie.model.interaction import ERROR_FIX, IMPROVEMENT_PATH
    from reverie.store import Journal
    from reverie.store.interactions import InteractionMemory

    client = open_client(loaded, environ)
    prompt = ask_for_change(grounds, stage)
    reply = client.ask(prompt)
    journal = Journal.find(loaded.journal_url) if loaded.journal_url is not None else None
    if journal is not None:
        with journal:
            tag = ERROR_FIX if grounds.patterns else IMPROVEMENT_PATH
            log_with_tags(InteractionMemory(journal), client.clean(prompt).text, reply.text, [tag])
    code = read_code(reply.text)
    if stage is Stages.A:
        path, before = _free_name(files, grounds.module), None
    else:
        path, before = grounds.path, grounds.source
    edits = () if code == before else (FileEdit(path, before, code),)
    return client.budget.document(), Change(edits)


def _by_agent(
    loaded: Loaded, environ: Mapping[str, str], folder: Path, grounds: Grounds, stage: Stage
) -> tuple[Mapping[str, Any], Change]:
    import time

    from reverie.dreamers.models import agents
    from reverie.dreamers.models.prompts import describe_task
    from reverie.dreamers.models.redaction import redact, secrets_of
    from reverie.promotion.git import GitLimits, run_program
    from reverie.promotion.trial_tree import read_files

    section = loaded.settings.models
    before = read_files(folder)
    task = folder.parent / "task.md"
    told = redact(agents.AGENT_RULES + describe_task(grounds, stage), secrets_of(environ))
    task.write_text(told, "utf-8")
    command = agents.agent_command(section.agent_command, task, folder)
    environment = agents.agent_environment(environ, section.key_variable)
    limits = GitLimits(section.most_seconds, section.reply_bytes)
    began = time.monotonic()
    run_program(command, folder, environment, limits)
    seconds = round(time.monotonic() - began, 3)
    spent = {"calls": 1, "tokens": None, "tokens_estimated": False, "money": None}
    return {**spent, "seconds": seconds}, agents.difference(before, read_files(folder))


def _grounds(
    loaded: Loaded, around: Surroundings, files: Mapping[str, bytes], wanted: Wanted
) -> Grounds:
    from reverie.dreamers.models.prompts import Grounds

    if wanted.path not in files:
        raise UsageError(f"{wanted.path!r} is no file of the repository's last commit")
    try:
        source = files[wanted.path].decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{wanted.path!r} is not UTF-8") from error
    return Grounds(
        wanted.path,
        _module_name(wanted.path),
        source,
        _survivors(loaded, around, wanted) if wanted.has_evidence else (),
        _patterns(loaded) if wanted.has_evidence else (),
        wanted.wish,
    )


def _survivors(loaded: Loaded, around: Surroundings, wanted: Wanted) -> tuple[str, ...]:
    """Mutants that the tests let live, as diffs; measured in the sandbox."""
    from reverie.instruments.mutation.campaign import Campaign, Wishes
    from reverie.instruments.mutation.far import FarSide
    from reverie.instruments.mutation.mutated import diff_of
    from reverie.instruments.mutation.project import find_project
    from reverie.model.mutation import MutantVerdict

    section, revision = loaded.settings.mutation, _revision(loaded)
    with (
        open_copy(loaded.repository, revision, around) as folder,
        open_sandbox(loaded.settings.sandbox) as sandbox,
    ):
        try:
            project = find_project(folder, str(folder / wanted.path), (), around.python)
        except UsageError:
            return ()  # without tests nothing survives anything
        far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=section.baseline_seconds)
        wishes = Wishes(sample=_SAMPLE, workers=loaded.settings.sandbox.slots)
        report = Campaign(far, wishes).run()
        alive = (MutantVerdict.SURVIVED, MutantVerdict.NOT_COVERED)
        return tuple(
            diff_of(project.root, each.mutant) for each in report.judged if each.verdict in alive
        )


def _revision(loaded: Loaded) -> str | None:
    from reverie.promotion.git import Git

    git = Git.find(loaded.repository)
    return None if git is None else git.find_commit("HEAD")


def _patterns(loaded: Loaded) -> tuple[dict[str, Any], ...]:
    """What keeps failing, by the journal."""
    from reverie.store import Journal, failure_patterns

    url = loaded.journal_url
    journal = None if url is None else Journal.find(url)
    if journal is None:
        return ()
    with journal:
        found = failure_patterns(journal, _PATTERNS)
    return tuple(
        {
            "category": str(each.error_category),
            "message": each.error_message,
            "frequency": each.frequency,
        }
        for each in found
    )


def _module_name(path: str) -> str:
    parts = list(Path(path).with_suffix("").parts)
    parts = parts[1:] if parts[0] == "src" and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _free_name(files: Mapping[str, bytes], module: str) -> str:
    stem = "tests/test_" + module.replace(".", "_")
    number, path = 1, f"{stem}_proposed.py"
    while path in files:
        number += 1
        path = f"{stem}_proposed_{number}.py"
    return path
