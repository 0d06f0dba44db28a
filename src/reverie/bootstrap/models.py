"""Models and agents, wired: evidence, the question, the answer as a change, the judgement on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reverie.bootstrap import open_sandbox
from reverie.bootstrap.environments import open_copy
from reverie.bootstrap.guard import GuardQuestion, Judged, judge_prepared
from reverie.errors import Refused, UsageError
from reverie.model.author import OF_THE_SETTINGS

if TYPE_CHECKING:
    from reverie.dreamers.models import ModelClient
    from reverie.model.change import Change
    from reverie.model.dream import Stage
    from reverie.model.procedure import DreamProcedure
    from reverie.model.repository.environment import Surroundings
    from reverie.settings import Loaded
    from reverie.stages.authoring.asking import Ground
    from reverie.store import DreamStore


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody is asked for: a change of one stage to one file."""

    path: str
    """Relative to the repository."""
    stage: Stage
    wish: str = ""
    has_evidence: bool = True
    """Whether mutants and failures are looked up first."""
    author: str = OF_THE_SETTINGS


@dataclass(frozen=True, slots=True)
class Proposal:
    """What was proposed, what the gates said, and what asking cost."""

    author: str
    change: Change
    judged: Judged
    spent: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    """What went wrong on the way."""


def open_client(loaded: Loaded, environ: Mapping[str, str]) -> ModelClient:
    """Whoever the settings name and answers with text; `Refused` when they name nobody."""
    from reverie.bootstrap.authors import find_author, open_asker
    from reverie.model.author import OF_THE_SETTINGS
    from reverie.stages.authoring.asking import TextAsker

    asker = open_asker(find_author(loaded, OF_THE_SETTINGS), loaded, environ)
    if not isinstance(asker, TextAsker):
        raise UsageError("models.protocol is agent: an agent is asked for changes alone")
    return asker.client


def propose(
    loaded: Loaded,
    environ: Mapping[str, str],
    wanted: Wanted,
    prepare: Callable[[str | None], Surroundings],
) -> Proposal:
    """A change by an author, judged, refused and mended; the repository is not touched."""
    from reverie.bootstrap.authors import find_author, open_asker
    from reverie.settings import settings_of_revision
    from reverie.stages.authoring.asking import Answer
    from reverie.stages.authoring.loop import Assessed, Bounds, converse

    author = find_author(loaded, wanted.author)
    revision = _revision(loaded)
    around = prepare(revision)
    with _ground(loaded, wanted, revision, around) as ground:
        settings = settings_of_revision(loaded, ground.files)

        def judge(answer: Answer) -> Assessed[Judged]:
            question = GuardQuestion(ground.files, answer.change, wanted.stage)
            judged = judge_prepared(question, loaded, settings, lambda tests: around)
            details = {} if judged.evidence is None else judged.evidence.details
            return Assessed(answer, judged.judgement, details, 0.0, judged)

        asker = open_asker(author, loaded, environ)
        with asker.begin(ground) as conversation:
            course = converse(conversation, judge, Bounds(author.section.rounds))
    best = course.best
    if best is None:
        raise course.failure or Refused("the answer changes nothing")
    name = author.section.name or author.section.agent_command.partition(" ")[0]
    told = author.name if wanted.author != OF_THE_SETTINGS else name
    spent = {**asker.budget.document(), "rounds": len(course.assessed)}
    return Proposal(told, best.answer.change, best.whole, spent, tuple(course.problems))


@contextmanager
def _ground(
    loaded: Loaded, wanted: Wanted, revision: str | None, around: Surroundings
) -> Iterator[Ground]:
    """The task about one file of a copy of the repository, with its evidence."""
    from reverie.bootstrap.authors import evidence_of
    from reverie.bootstrap.workshops import read_grounds
    from reverie.promotion.trial_tree import open_trial_tree, read_files
    from reverie.stages.authoring.asking import Ground
    from reverie.stages.authoring.dreamer import place_for
    from reverie.stages.dreamer import Survey
    from reverie.store import Journal

    with ExitStack() as stack:
        plain = stack.enter_context(open_trial_tree(loaded.repository, revision))
        files = read_files(plain)
        _require_text(wanted.path, files)
        folder = stack.enter_context(open_copy(loaded.repository, revision, around))
        grounds = read_grounds(loaded, folder, revision, around)
        sandbox = stack.enter_context(open_sandbox(loaded.settings.sandbox))
        url = loaded.journal_url if wanted.has_evidence else None
        journal = None if url is None else Journal.find(url)
        if journal is not None:
            stack.enter_context(journal)
        evidence = evidence_of(loaded, journal)
        evidence.has_mutants = wanted.has_evidence
        names = {each.path: each.name for each in grounds.index.modules}
        survey = Survey(grounds, sandbox.with_python(grounds.interpreter.path))
        about = survey.about(names.get(wanted.path, wanted.path), wanted.path)
        task = evidence.task(about, wanted.stage, None, wanted.wish)
        yield Ground(task, grounds, files, place_for(task, files, loaded.settings.guard))


def _require_text(path: str, files: Mapping[str, bytes]) -> None:
    if path not in files:
        raise UsageError(f"{path!r} is no file of the repository's last commit")
    try:
        files[path].decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path!r} is not UTF-8") from error


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
    from reverie.dreamers.models.writing import ask_for_evaluation
    from reverie.errors import ModelFailed
    from reverie.learning.memory_logging import log_with_tags
    from reverie.model.dream import DreamStatus
    from reverie.model.events import FEEDBACK
    from reverie.model.procedure import read_evaluation
    from reverie.store.cycles.self_tests import InteractionMemory

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


def _revision(loaded: Loaded) -> str | None:
    from reverie.promotion.git import Git

    git = Git.find(loaded.repository)
    return None if git is None else git.find_commit("HEAD")
