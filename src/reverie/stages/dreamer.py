"""The protocol between a cycle and whoever dreams up changes.

A dreamer is told what is known of a repository and what it may spend; it yields dreams. Trying
them, judging them and promoting them is nobody's business here: every dreamer is held to the
same proof. Packages add dreamers of their own with an entry point of the group `reverie.dreamers`;
`reverie.testing.dreamers` holds them to this protocol.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from reverie.model.change import Change, FileEdit
from reverie.model.cycle import CycleBudget, Sighting
from reverie.model.dream import Dream, DreamKind
from reverie.sandbox.engine import Sandbox
from reverie.stages.grounds import Grounds, SuiteMeasured, keeping_secrets, left_alone
from reverie.stages.sources import content_hashes, source_hashes

PLAIN_FILE = "100644"
"""As git writes it: a file that is not executable."""
_NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Target:
    """A module that a dreamer could be let loose on."""

    dreamer: str
    module: str
    path: str
    source_hash: str
    """The same as long as nothing changes that a dream about it depends on."""
    value: float | None = None
    content_hash: str = ""
    """Of the module's own source; empty where nobody told it."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a repository when dreaming begins. Threads share it."""

    grounds: Grounds
    """A copy of the repository that may be read, its index, and its Python."""
    sandbox: Sandbox
    """Whatever is run is run here."""
    suite: SuiteMeasured = field(default_factory=lambda: SuiteMeasured(None))
    """What its own tests cover."""
    module: str = ""
    """What is to be dreamt about, by dotted name; empty while targets are looked for."""
    path: str = ""
    """Of that module, from the top of the repository."""
    cache: Path | None = None
    """Where coverage and verdicts on mutants are kept during a run."""
    is_hurried: bool = False
    """Whether there is no time to look at what only might be worth it."""
    remarks: list[str] = field(default_factory=list)
    """What there is to say about the repository as a whole: whoever looks for targets adds."""

    def about(self, module: str, path: str) -> "Survey":
        """The same, with one module in mind."""
        return replace(self, module=module, path=path)

    @property
    def source(self) -> str:
        """The text of the module in mind."""
        return self.read(self.path)

    def read(self, path: str) -> str:
        """The text of a file of the repository."""
        return (self.grounds.folder / path).read_bytes().decode("utf-8")

    def rewritable(self, dreamer: str, values: Mapping[str, float | None]) -> tuple[Target, ...]:
        """The same for who rewrites them: what keeps secrets is for people to change."""
        kept = keeping_secrets(self.grounds.index)
        return tuple(each for each in self.targets(dreamer, values) if each.path not in kept)

    def targets(self, dreamer: str, values: Mapping[str, float | None]) -> tuple[Target, ...]:
        """Modules by path with what a dream about each is worth, in that order.

        Vendored and generated files, scripts beside the code and what is out of date are none.
        """
        index, left = self.grounds.index, left_alone(self.grounds) | self.grounds.dated
        names = {module.path: module.name for module in index.modules if module.path not in left}
        hashes = source_hashes(index, str(self.grounds.interpreter.path))
        own = content_hashes(index)
        return tuple(
            Target(dreamer, names[path], path, hashes[names[path]], value, own[names[path]])
            for path, value in values.items()
            if path in names
        )


@dataclass(slots=True)
class Notes:
    """What a dreamer has to say besides its dreams."""

    sightings: list[Sighting] = field(default_factory=list)
    """Behaviour that looks like a fault: for people."""
    figures: dict[str, float] = field(default_factory=dict)
    executions: int = 0
    remark: str | None = None
    """Why there is no dream, in one line."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a dreamer may spend; it asks now and then whether to stop."""

    budget: CycleBudget
    is_stopped: Callable[[], bool] = lambda: False
    seed: int = 0
    notes: Notes = field(default_factory=Notes)


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What a dreamer came up with about one module."""

    dreams: tuple[Dream, ...]
    sightings: tuple[Sighting, ...] = ()
    executions: int = 0
    figures: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    note: str | None = None


class Stopped(Exception):
    """Somebody asked to stop, and a step gave up half-way: it is done again, or not at all."""


@dataclass(frozen=True, slots=True)
class Example:
    """A small repository, and whether something has to be dreamt about one of its modules."""

    files: Mapping[str, str]
    """By path."""
    path: str
    is_dreamt_about: bool = True


class Dreamer(Protocol):
    """Somebody who dreams up changes of one kind. Threads share it."""

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        ...

    @property
    def kind(self) -> DreamKind:
        """What its dreams would do; the stage they have to go through follows from it."""
        ...

    def examples(self) -> Iterable[Example]:
        """Small repositories that show what it does, and what it leaves alone; run as tests."""
        ...

    def targets(self, survey: Survey) -> Iterable[Target]:
        """The modules that it would dream about, best first."""
        ...

    def dream(self, survey: Survey, allowance: Allowance) -> Iterator[Dream]:
        """Changes of the module that the survey has in mind."""
        ...


def rewritten(
    dreamer: Dreamer, survey: Survey, allowance: Allowance, title: str, source: str
) -> Dream:
    """The dream that the module in mind reads otherwise."""
    edit = FileEdit(
        survey.path, survey.source, source, mode_before=PLAIN_FILE, mode_after=PLAIN_FILE
    )
    return _dream(dreamer, survey, allowance, title, edit)


def written(
    dreamer: Dreamer, survey: Survey, allowance: Allowance, title: str, path: str, source: str
) -> Dream:
    """The dream of a new file."""
    edit = FileEdit(path, None, source, mode_after=PLAIN_FILE)
    return _dream(dreamer, survey, allowance, title, edit)


def _dream(
    dreamer: Dreamer, survey: Survey, allowance: Allowance, title: str, edit: FileEdit
) -> Dream:
    change = Change((edit,))
    return Dream(dreamer.kind, dreamer.name, survey.module, title, change, allowance.seed)


def dream_about(dreamer: Dreamer, survey: Survey, allowance: Allowance) -> Dreamt:
    """All dreams about one module, with what was noted on the way."""
    dreams = tuple(dreamer.dream(survey, allowance))
    notes = allowance.notes
    return Dreamt(
        dreams, tuple(notes.sightings), notes.executions, dict(notes.figures), notes.remark
    )
