"""Authors, wired: who was added, who takes part in a run, how each is asked and what it costs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import Refused, UsageError
from reverie.model.author import EVERYBODY, NOBODY, OF_THE_SETTINGS, Author

if TYPE_CHECKING:
    from reverie.cycle.author_budgets import AuthorBudgets
    from reverie.dreamers.models.transport import Transport
    from reverie.model.cycle import Earned
    from reverie.model.dream import Stage
    from reverie.settings import Loaded
    from reverie.stages.authoring.asking import Asker, Ground
    from reverie.stages.authoring.dreamer import AuthorDreamer
    from reverie.stages.authoring.evidence import Evidence, Known
    from reverie.stages.trying import Trying
    from reverie.store import Journal

TAPES = "tapes"
KEYRING = "reverie"
_REFUSALS, _FINDINGS, _PATTERNS = 6, 6, 10


def known_authors(loaded: Loaded) -> dict[str, Author]:
    """All that were added by the user, and that of the settings where they name one."""
    from reverie.home.authors_file import read_authors
    from reverie.model.settings.cycle import ModelProtocol

    found = read_authors(loaded.environ)
    section = loaded.settings.models
    if section.protocol is not ModelProtocol.OFF:
        found[OF_THE_SETTINGS] = Author(OF_THE_SETTINGS, section, origin="settings")
    return found


def chosen_authors(loaded: Loaded, given: str) -> tuple[Author, ...]:
    """The authors that a list of names means; `UsageError` names one that nobody added."""
    if given == NOBODY:
        return ()
    known = known_authors(loaded)
    if given == EVERYBODY:
        return tuple(known.values())
    return tuple(_named(known, each.strip()) for each in dict.fromkeys(given.split(",")))


def require_authors(loaded: Loaded) -> None:
    """`UsageError` where nobody has a chosen name, or the tapes that answer cannot be read."""
    from reverie.dreamers.models.transport import ReplayTransport

    authors = chosen_authors(loaded, loaded.settings.cycle.authors)
    replay = loaded.settings.models.replay
    if replay and not authors:
        raise UsageError("models.replay answers for authors, and none takes part: --authors NAME")
    for each in authors if replay else ():
        ReplayTransport(Path(_played(each, replay).section.replay))


def find_author(loaded: Loaded, name: str) -> Author:
    """One author by name."""
    return _named(known_authors(loaded), name)


def _named(known: Mapping[str, Author], name: str) -> Author:
    if name in known:
        return known[name]
    if name == OF_THE_SETTINGS:
        raise Refused("models.protocol is off: nobody is asked, and nothing leaves this machine")
    told = ", ".join(sorted(known)) or "none so far: `reverie authors add`"
    raise UsageError(f"there is no author {name!r}; known: {told}")


def key_of(author: Author, environ: Mapping[str, str]) -> str | None:
    """The key of an author: from its variable, else from the keyring of this machine."""
    variable = key_variable(author)
    if not variable:
        return None
    return environ.get(variable) or _from_keyring(variable)


def key_variable(author: Author) -> str:
    """The variable that holds the key; empty where none is needed."""
    from reverie.dreamers.models.exchange import SPEECHES

    section = author.section
    speech = SPEECHES.get(section.protocol)
    return section.key_variable or ("" if speech is None else speech.key_variable)


def _from_keyring(variable: str) -> str | None:
    """What the keyring has under `reverie` and the variable's name; None without a keyring."""
    try:
        keyring = import_module("keyring")
    except ImportError:
        return None
    try:
        found = keyring.get_password(KEYRING, variable)
    except keyring.errors.KeyringError as error:
        raise UsageError(f"the keyring does not answer for {variable}: {error}") from error
    return found if isinstance(found, str) else None


def open_asker(
    author: Author, loaded: Loaded, environ: Mapping[str, str], tape: Path | None = None
) -> Asker:
    """However an author is asked; with a tape, every exchange is put on it."""
    from reverie.dreamers.models import ModelClient
    from reverie.dreamers.models.client import Budget
    from reverie.model.settings.cycle import ModelProtocol
    from reverie.stages.authoring.asking import AgentAsker, ProgramTransport, TextAsker

    section = author.section
    if tape is not None and not section.record and not section.replay:
        tape.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        section = replace(section, record=str(tape))
        author = replace(author, section=section)
    key = None if section.replay else key_of(author, environ)
    known = environ if key is None else {**environ, key_variable(author): key}
    if section.protocol is ModelProtocol.AGENT:
        return AgentAsker(author, _with_settings(known, loaded), Budget(section))
    carrier: Transport | None = None
    if section.protocol is ModelProtocol.PROGRAM:
        carrier = ProgramTransport(author, known)
    cache = loaded.data_dir / "models" if loaded.is_initialised else None
    return TextAsker(ModelClient(section, known, cache, carrier=carrier), _listener(loaded))


def _with_settings(environ: Mapping[str, str], loaded: Loaded) -> Mapping[str, str]:
    """What flags said, as variables: an agent's `reverie check-work` asks the same judge."""
    from reverie.settings import variable_of

    told = {variable_of(key): value for key, value in loaded.overrides.items()}
    return {**environ, **told}


def _listener(loaded: Loaded) -> Any:
    """Keeps questions and answers in the journal, where there is one."""
    from reverie.learning.memory_logging import log_with_tags
    from reverie.model.events import IMPROVEMENT_PATH
    from reverie.store import Journal
    from reverie.store.cycles.self_tests import InteractionMemory

    def heard(asked: str, answered: str) -> None:
        url = loaded.journal_url
        journal = None if url is None else Journal.find(url)
        if journal is not None:
            with journal:
                log_with_tags(InteractionMemory(journal), asked, answered, [IMPROVEMENT_PATH])

    return heard


@dataclass(slots=True)
class Crew:
    """The authors of one run with their budgets: stages come and go, these stay."""

    loaded: Loaded
    authors: tuple[Author, ...] = ()
    askers: dict[str, Asker] = field(default_factory=dict)

    def at(self, stage: Stage) -> tuple[Author, ...]:
        """Those who take part at a stage."""
        return tuple(each for each in self.authors if stage in each.stages)

    def names(self, stage: Stage) -> tuple[str, ...]:
        """Their dreamers' names at a stage."""
        from reverie.model.dream import AT_STAGE

        return tuple(f"{each.name}{AT_STAGE}{stage}" for each in self.at(stage))

    def dreamers(
        self, stage: Stage, journal: Journal | None, trying: Trying
    ) -> tuple[AuthorDreamer, ...]:
        """The authors of a stage as dreamers of one copy of the repository."""
        from reverie.stages.authoring.dreamer import AuthorDreamer

        guard = self.loaded.settings.guard
        evidence = evidence_of(self.loaded, journal) if self.at(stage) else None
        return tuple(
            AuthorDreamer(each, stage, self.askers[each.name], evidence, trying.settle, guard=guard)
            for each in self.at(stage)
            if evidence is not None
        )

    def budgets(self, stage: Stage | None, journal: Journal | None, seed: int) -> AuthorBudgets:
        """What each has of a stage, by what it has earned in this repository."""
        from reverie.cycle.author_budgets import AuthorBudget, AuthorBudgets
        from reverie.cycle.stage_shares import NIGHT, share_between, together
        from reverie.model.cycle import Earned
        from reverie.store.cycles.worth import earned_by_dreamer

        if not self.authors:
            return AuthorBudgets()
        found: Mapping[str, Earned] = {}
        if journal is not None:
            found = earned_by_dreamer(journal, self.loaded.repository)
        budgets = {}
        for each in (stage,) if stage is not None else NIGHT:
            names = dict(zip(self.names(each), self.at(each), strict=True))
            past = {name: found.get(name, Earned()) for name in names}
            house = together(found[name] for name in _HOUSE.get(each, ()) if name in found)
            for name, part in share_between(each, house, past, seed).items():
                budgets[name] = AuthorBudget(part, names[name].least_seconds)
        return AuthorBudgets(budgets)


_HOUSE: Mapping[str, tuple[str, ...]] = {
    "A": ("tests", "integration"),
    "B": ("refactor",),
    "C": ("optimise",),
}
"""Dreamers of the house by stage."""


def open_crew(loaded: Loaded, environ: Mapping[str, str], *, is_dry: bool = False) -> Crew:
    """The authors that the settings let take part in a run; nobody unless somebody says so."""
    from reverie.model.settings.cycle import LOCAL

    authors = chosen_authors(loaded, loaded.settings.cycle.authors)
    if authors and loaded.settings.cycle.executor != LOCAL:
        raise UsageError("authors work on this machine: --executor local, or --authors none")
    replay = loaded.settings.models.replay
    stamp = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    askers = {}
    for each in authors:
        tape = None if is_dry else loaded.data_dir / TAPES / f"{stamp}-{each.name}.jsonl"
        played = _played(each, replay)
        askers[each.name] = open_asker(played, loaded, environ, tape)
    return Crew(loaded, authors, askers)


def _played(author: Author, replay: str) -> Author:
    """The author with the tape that answers for it: a file, or its own in a folder of tapes."""
    if not replay:
        return author
    place = Path(replay)
    if place.is_dir():
        own = sorted(place.glob(f"*{author.name}.jsonl"))
        if not own:
            raise UsageError(f"models.replay: {replay!r} has no tape of {author.name!r}")
        place = own[-1]
    return replace(author, section=replace(author.section, replay=str(place)))


def evidence_of(loaded: Loaded, journal: Journal | None) -> Evidence:
    """What tasks rest on, for one copy of the repository."""
    from reverie.stages.authoring.evidence import Evidence

    settings = loaded.settings
    return Evidence(
        settings.guard,
        settings.candidates,
        lambda module: _known(loaded, journal, module),
        settings.mutation.baseline_seconds,
        settings.sandbox.slots,
    )


def _known(loaded: Loaded, journal: Journal | None, module: str) -> Known:
    from reverie.stages.authoring.evidence import Known
    from reverie.store import failure_patterns
    from reverie.store.decided import findings_about, refusals_of

    if journal is None:
        return Known()
    here = (journal, loaded.repository, module)
    found = failure_patterns(journal, _PATTERNS)
    return Known(
        refusals_of(*here, _REFUSALS),
        tuple(
            f"{each['title']} {each['details']}"[:600] for each in findings_about(*here, _FINDINGS)
        ),
        tuple(
            {
                "category": str(each.error_category),
                "message": each.error_message,
                "frequency": each.frequency,
            }
            for each in found
        ),
    )


def earned_here(loaded: Loaded) -> Mapping[str, Earned]:
    """What dreamers have earned in this repository; nothing where there is no journal."""
    from reverie.store import Journal
    from reverie.store.cycles.worth import earned_by_dreamer

    url = loaded.journal_url
    journal = None if url is None else Journal.find(url)
    if journal is None:
        return {}
    with journal:
        return earned_by_dreamer(journal, loaded.repository)


@contextmanager
def small_repository() -> Iterator[Path]:
    """A repository of one module, to try an author on."""
    from reverie.promotion.scratch import scratch_folder

    with scratch_folder() as parent:
        folder = parent / "fares"
        (folder / "tests").mkdir(parents=True)
        (folder / "fares.py").write_text(_FARES, "utf-8")
        (folder / "pyproject.toml").write_text(_PYTEST, "utf-8")
        (folder / "tests" / "test_fares.py").write_text(_TEST, "utf-8")
        yield folder


_PYTEST = '[tool.pytest.ini_options]\npythonpath = ["."]\n'
_TEST = "from fares import fare\n\n\ndef test_a_child_travels_free():\n    assert fare(5) == 0\n"
_FARES = '''"""Fares by age."""


def fare(age: int) -> int:
    """Children below 6 travel free, from 65 on it is half the price."""
    if age < 0:
        raise ValueError("age")
    if age < 6:
        return 0
    if age >= 65:
        return 5
    return 10
'''


def try_author(author: Author, loaded: Loaded, environ: Mapping[str, str]) -> dict[str, Any]:
    """Ask an author for tests of a small module; says whether an answer was a change."""
    from reverie.errors import ModelFailed

    asker = open_asker(author, loaded, environ)
    problem, paths = None, list[str]()
    with _small_ground(environ) as ground:
        try:
            with asker.begin(ground) as conversation:
                found = conversation.answer("", 0, author.section.most_seconds)
            paths, problem = list(found.change.paths), found.note
        except (ModelFailed, Refused) as error:
            problem = str(error)
    return {
        "author": author.name,
        "answers": bool(paths),
        "files": paths,
        "problem": problem,
        "spent": asker.budget.document(),
    }


@contextmanager
def _small_ground(environ: Mapping[str, str]) -> Iterator[Ground]:
    from reverie.bootstrap.environments import settle_quietly
    from reverie.bootstrap.workshops import read_grounds
    from reverie.dreamers.models.tasks import Task, bar_of
    from reverie.model.dream import Stage
    from reverie.promotion.trial_tree import read_files
    from reverie.settings import load_settings
    from reverie.stages.authoring.asking import Ground
    from reverie.stages.authoring.dreamer import place_for

    with small_repository() as folder:
        here = load_settings(folder, {"HOME": environ.get("HOME", "")}, {})
        grounds = read_grounds(here, folder, None, settle_quietly(here, sys.executable))
        guard = here.settings.guard
        task = Task(Stage.A, "fares.py", "fares", _FARES, bar=bar_of(Stage.A, guard))
        files = read_files(folder)
        yield Ground(task, grounds, files, place_for(task, files, guard))
