"""How an author is asked: an endpoint, a program that prints its answer, an agent in a copy."""

import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from reverie.dreamers.models.agents import agent_command, agent_environment
from reverie.dreamers.models.beginnings import beginning_of
from reverie.dreamers.models.client import Budget, ModelClient
from reverie.dreamers.models.edits import Place, read_change, read_title
from reverie.dreamers.models.exchange import Answered, Posted
from reverie.dreamers.models.tasks import Task
from reverie.dreamers.models.transport import Transport, redact, secrets_of, taped
from reverie.errors import ModelFailed, ProgramFailed, UsageError
from reverie.model.author import Author
from reverie.model.change import Change, FileEdit
from reverie.promotion.git import GitLimits, run_program
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.strays import MARK, end_marked
from reverie.stages.authoring.work_copy import WorkCopy, open_work_copy
from reverie.stages.grounds import Grounds

Heard = Callable[[str, str], None]
"""Told of every question and answer, both without secrets."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One task, with the files that it is about."""

    task: Task
    grounds: Grounds
    files: Mapping[str, bytes]
    place: Place
    """Where a whole file goes that names no path."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as a change."""

    change: Change
    title: str | None = None
    note: str | None = None
    """What there is to say besides: a time-out, a failure that left work behind."""


class Conversation(Protocol):
    """One task and one author, answer after answer."""

    def answer(self, reasons: str, number: int, seconds: float) -> Answer:
        """The next answer; `ModelFailed` when it is none, `Refused` when a budget is spent."""
        ...


class Asker(Protocol):
    """An author who can be asked. Threads share it."""

    @property
    def budget(self) -> Budget:
        """What it may cost in this run, and has."""
        ...

    def begin(self, ground: Ground) -> AbstractContextManager[Conversation]:
        """A conversation about one task, as a context."""
        ...


@dataclass(frozen=True, slots=True)
class TextAsker:
    """A model behind an endpoint, or a program: whoever answers with text."""

    client: ModelClient
    heard: Heard = lambda asked, answered: None

    @property
    def budget(self) -> Budget:
        """That of the client."""
        return self.client.budget

    @contextmanager
    def begin(self, ground: Ground) -> Iterator[Conversation]:
        """Questions that each hold the whole task."""
        yield _TextConversation(self, ground)


@dataclass(frozen=True, slots=True)
class _TextConversation:
    asker: TextAsker
    ground: Ground

    def answer(self, reasons: str, number: int, seconds: float) -> Answer:
        client, task = self.asker.client, self.ground.task
        prompt = task.prompt(reasons, client.section.task_characters)
        begun = beginning_of(task, number) if client.section.begins else ""
        prompt = replace(prompt, key=task.key(number), begun=begun)
        reply = client.ask(prompt, seconds)
        self.asker.heard(client.clean(prompt).text, reply.text)
        change = read_change(reply.text, self.ground.files, self.ground.place)
        return Answer(change, read_title(reply.text))


@dataclass(frozen=True, slots=True)
class ProgramTransport:
    """Starts a program for every question; it finds the task on its input and prints its answer."""

    author: Author
    environ: Mapping[str, str] = field(repr=False)

    def post(self, posted: Posted, seconds: float) -> Answered:
        """All that it prints; `ModelFailed` when it fails or takes too long."""
        section = self.author.section
        with scratch_folder() as folder:
            task = folder / "task.md"
            task.write_bytes(posted.body)
            command = agent_command(section.agent_command, task, folder, is_agent=False)
            token = secrets.token_hex(8)
            environment = agent_environment(self.environ, section.key_variable) | {MARK: token}
            limits = GitLimits(seconds, section.reply_bytes)
            try:
                printed = run_program(command, folder, environment, limits, posted.body)
            except ProgramFailed as error:
                raise ModelFailed(str(error)) from error
            finally:
                end_marked(token)
        return Answered(200, printed)


@dataclass(frozen=True, slots=True)
class AgentAsker:
    """A program that works in a copy of the repository, and is started again when refused."""

    author: Author
    environ: Mapping[str, str] = field(repr=False)
    budget: Budget

    @contextmanager
    def begin(self, ground: Ground) -> Iterator[Conversation]:
        """A copy for all answers to one task: what was done so far stays there."""
        hidden = secrets_of(self.environ)
        with ExitStack() as stack:
            at_work = _AtWork(self.author, self.environ, ground, stack)
            carrier = taped(self.author.section, lambda: at_work, hidden)
            yield _AgentConversation(self, ground, carrier, hidden)


@dataclass(frozen=True, slots=True)
class _AgentConversation:
    asker: AgentAsker
    ground: Ground
    carrier: Transport
    hidden: tuple[str, ...]

    def answer(self, reasons: str, number: int, seconds: float) -> Answer:
        task, budget = self.ground.task, self.asker.budget
        order = redact(task.order(reasons, self.asker.author.section.task_characters), self.hidden)
        allowed = min(budget.admit(0, is_whole=True), max(seconds, 1.0))
        posted = Posted("", order.encode("utf-8", "replace"), task.key(number))
        began = time.monotonic()
        try:
            answered = self.carrier.post(posted, allowed)
        finally:
            budget.took(time.monotonic() - began)
        return _answer_of(answered.body, self.ground.files)


@dataclass(slots=True)
class _AtWork:
    """An agent in its copy; as a carrier, so that a tape can stand in for it."""

    author: Author
    environ: Mapping[str, str]
    ground: Ground
    stack: ExitStack
    copy: WorkCopy | None = None

    def post(self, posted: Posted, seconds: float) -> Answered:
        ground = self.ground
        if self.copy is None:
            task = ground.task
            opened = open_work_copy(ground.grounds, ground.files, task.stage, task.path)
            self.copy = self.stack.enter_context(opened)
        self.copy.task.write_bytes(posted.body)
        before = _looks(ground.grounds.repository)
        printed, note = self._run(self.copy, seconds)
        if _looks(ground.grounds.repository) != before:
            name = self.author.name
            raise ModelFailed(f"the repository itself was changed while {name} worked: not taken")
        change = self.copy.change()
        if note is not None and not change.edits:
            raise ModelFailed(note)
        note = None if note is None else f"{note}; the work that was there is judged"
        told = {"title": read_title(printed), "note": note, "edits": _edits(change)}
        return Answered(200, json.dumps(told).encode("ascii"))

    def _run(self, copy: WorkCopy, seconds: float) -> tuple[str, str | None]:
        """What it printed, and what went wrong: the work that is there counts all the same."""
        section, python = self.author.section, copy.work.python
        command = agent_command(section.agent_command, copy.task, copy.folder)
        own = [str(Path(each).parent) for each in (python, sys.executable) if each is not None]
        token = secrets.token_hex(8)
        environment = agent_environment(self.environ, section.key_variable, own) | {MARK: token}
        limits = GitLimits(seconds, section.reply_bytes)
        note = None
        try:
            printed = run_program(command, copy.folder, environment, limits)
        except ProgramFailed as error:
            printed, note = b"", str(error)
        finally:
            strays = end_marked(token)
        if strays:
            left = f"{strays} processes that it left behind were ended"
            note = left if note is None else f"{note}; {left}"
        return printed.decode("utf-8", "replace"), note


def _edits(change: Change) -> list[dict[str, str | None]]:
    return [
        {
            "path": each.path,
            "after": each.after,
            "renamed_from": each.renamed_from,
            "mode_after": each.mode_after,
        }
        for each in change.edits
    ]


def _answer_of(body: bytes, files: Mapping[str, bytes]) -> Answer:
    """An agent's answer as it was put on the tape, on the files as they are."""
    try:
        told = json.loads(body)
        edits = tuple(_edit(each, files) for each in told["edits"])
        return Answer(Change(edits), told["title"], told["note"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFailed(f"the tape has no answer of an agent: {error}") from error


def _edit(told: Mapping[str, Any], files: Mapping[str, bytes]) -> FileEdit:
    path, old = told["path"], told["renamed_from"]
    content = files.get(old or path)
    before = None if content is None else content.decode("utf-8", "surrogateescape")
    mode = None if before is None else told["mode_after"] or "100644"
    return FileEdit(path, before, told["after"], old, mode, told["mode_after"])


def _looks(repository: Path) -> int:
    """What the files of a repository look like, and its branches: names, sizes, times."""
    seen = []
    for place, names, files in os.walk(repository):
        names[:] = [each for each in names if each not in _LEFT_ALONE]
        for name in files:
            about = os.lstat(os.path.join(place, name))
            seen.append((place, name, about.st_size, about.st_mtime_ns))
    for name in ("HEAD", "packed-refs", "config"):
        own = repository / ".git" / name
        if own.is_file():
            seen.append((str(own), name, own.stat().st_size, own.stat().st_mtime_ns))
    return hash(tuple(sorted(seen)))


_LEFT_ALONE = frozenset(
    {".git", ".reverie", "__pycache__", ".venv", "venv", "node_modules", ".pytest_cache"}
)


def require_program(author: Author, environ: Mapping[str, str]) -> None:
    """`UsageError` where the program of an author is not there."""
    import shutil

    words = agent_command(author.section.agent_command, Path("task"), Path("."), is_agent=False)
    if shutil.which(words[0], path=environ.get("PATH")) is None:
        raise UsageError(f"author {author.name!r}: the program {words[0]!r} is not there")
