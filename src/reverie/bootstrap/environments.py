"""The environment of a repository, wired: found or made, and looked at before work begins."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie import __version__
from reverie.errors import GitFailed, MachineryError, OutOfTime, ProgramFailed, UsageError

if TYPE_CHECKING:
    from reverie.environment.making import Made, Recipe, Workplace
    from reverie.environment.needs import Needs
    from reverie.environment.preflight import Fit
    from reverie.model.change import Change
    from reverie.model.repository.environment import Finding, Preflight, Surroundings
    from reverie.settings import Loaded

_OWN = "the Python that runs Reverie"
_MOST_PYTHONS = 3
_MOST_ROUNDS = 3
"""Of installing what tests lack: an import that is mended may lead to the next."""
_PURPOSE = "preflight"
_NOT_FRESH = "new tests were not run once more in a fresh environment"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An environment that would be made."""

    label: str
    """What it would be made from."""
    version: str
    requirements: tuple[str, ...]
    reason: str
    """Why none that is there does."""


Consent = Callable[[Proposal], bool]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person says about the environment."""

    python: str | None = None
    extra: tuple[str, ...] = ()
    """Requirements to install besides."""
    consents: Consent = lambda proposal: False
    is_settled: bool = False
    """Whether consent was given before anybody asked: then ours does only where it must."""
    say: Say = lambda line: None
    runs_tests: bool = True
    """Whether what only tests need has to be there as well."""
    ends_at: float | None = None
    """By `time.monotonic`: making an environment is broken off then; None: never."""


def settle(loaded: Loaded, wish: Wish, environ: Mapping[str, str]) -> Surroundings:
    """The interpreter for a repository: named, found, our own, made before, or made now."""
    from reverie.environment.installed import complete_metadata, generated_files

    room = _Room(loaded, wish, environ)
    settled = room.settle()
    metadata = complete_metadata(
        room.root, room.needs_of(settled.python_version).metadata, room.tag
    )
    files = generated_files(room.root, metadata.version or "0")
    return replace(settled, generated={path: text.encode() for path, text in files.items()})


def with_fresh(
    loaded: Loaded, around: Surroundings, wish: Wish, environ: Mapping[str, str]
) -> Surroundings:
    """With an environment that has what is declared and nothing else, to run what is promoted in.

    One that was made before; made now where consent was given beforehand. Otherwise it is said.
    """
    if around.fresh is not None or around.is_made:
        return replace(around, fresh=around.fresh or around.python)
    try:
        made = _Room(loaded, wish, environ).fresh()
    except (UsageError, MachineryError, OutOfTime) as error:
        return replace(around, notes=(*around.notes, f"{_NOT_FRESH}: {error}"))
    if made is None:
        why = f"{_NOT_FRESH}: `reverie prepare --yes` makes one from what is declared"
        return replace(around, notes=(*dict.fromkeys((*around.notes, why)),))
    return replace(around, fresh=made.python)


def looked_at(
    loaded: Loaded,
    around: Surroundings,
    wish: Wish,
    environ: Mapping[str, str],
    look: Callable[[Surroundings], Preflight],
) -> tuple[Surroundings, Preflight]:
    """A preflight, and the environment that it was made in.

    Tests of many source distributions need what nothing declares for them. Where we made the
    environment with consent given beforehand, the project's extras and what failures name are
    installed as well, and the suite is looked at again.
    """
    room = _Room(loaded, wish, environ)
    found, known = look(around), room.extras
    for turn in range(_MOST_ROUNDS):
        if not (around.is_made and wish.is_settled and found.is_suite_at_fault):
            break
        options = room.options(around.python_version) if turn == 0 else ()
        added = tuple(each for each in dict.fromkeys((*options, *found.wants)) if each not in known)
        if not added:
            break
        wish.say(f"installed as well, since tests need it: {', '.join(added)}")
        known = (*known, *added)
        try:
            # Of a suite that took too long not all is waited for again.
            around = replace(settle(loaded, replace(wish, extra=known), environ), part=found.part)
        except (UsageError, MachineryError, OutOfTime) as error:
            wish.say(f"not installed: {error}")
            break
        found = look(around)
    return around, found


def settle_quietly(loaded: Loaded, python: str | None, *, runs_tests: bool = True) -> Surroundings:
    """What is there, without asking anybody; `UsageError` where it lacks something."""
    from reverie.environment.preflight import missing_findings

    around = settle(loaded, Wish(python, runs_tests=runs_tests), os.environ)
    _require_none(missing_findings(around))
    return around


def require_quietly(
    loaded: Loaded, python: str | None, revision: str | None, tests: tuple[str, ...] = ()
) -> Surroundings:
    """What is there, after a preflight of all or some tests; `UsageError` where that says stop."""
    around = settle_quietly(loaded, python)
    _require_none(look_before(loaded, around, revision, tests=tests).findings)
    return around


def _require_none(findings: Iterable[Finding]) -> None:
    for each in findings:
        raise UsageError(f"{each.text}; mend it: {each.command}")


def look_before(
    loaded: Loaded,
    around: Surroundings,
    revision: str | None = None,
    *,
    is_known: bool = True,
    ends_at: float | None = None,
    tests: tuple[str, ...] = (),
    fit: Fit | None = None,
) -> Preflight:
    """A preflight on a copy of the repository, as it stands or at a revision; of some `tests`.

    Past `ends_at`, by `time.monotonic`, it is cut off and says that the suite takes too long; with
    a `fit`, only a part of such a suite is run. A look at all of it that found nothing to complain
    about is remembered for the same files and environment.
    """
    from reverie.bootstrap import open_sandbox
    from reverie.environment.preflight import check_repository, read_preflight
    from reverie.home.folder import state_folder
    from reverie.home.sealed_file import read_sealed, write_sealed
    from reverie.model.codec import plain

    settings = loaded.settings
    kept = Path(state_folder(os.environ)) / "preflights"
    with open_copy(loaded.repository, revision, around) as folder:
        place = kept / f"{_digest(folder, around, tests)}.gz"
        known = read_preflight(read_sealed(place, _PURPOSE), around) if is_known else None
        is_long = around.part is not None
        if known is not None and fit is not None:
            is_long = is_long or known.seconds > fit.seconds
        if known is not None and not is_long:
            return known
        fit = None if fit is None else replace(fit, is_known_long=is_long)
        with open_sandbox(settings.sandbox) as sandbox:
            hurried = sandbox.until(ends_at)
            found = check_repository(hurried, folder, around, settings.environment, tests, fit)
        if found.is_ready and found.part is None:
            kept.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_sealed(place, _PURPOSE, json.dumps(plain(found)))
        return found


def _digest(folder: Path, around: Surroundings, tests: tuple[str, ...]) -> str:
    """By what a preflight is known: the files, the interpreter and what is installed for it."""
    from reverie.environment.installed import installed_versions
    from reverie.promotion.trial_tree import read_files

    seen = hashlib.sha256()
    versions = installed_versions(around.python)
    installed = sorted((name, str(each)) for name, each in versions.items())
    for part in (__version__, str(around.python), str(installed), str(tests)):
        seen.update(part.encode() + b"\0")
    for path, content in sorted(read_files(folder).items()):
        seen.update(path.encode("utf-8", "surrogateescape") + b"\0")
        seen.update(hashlib.sha256(content).digest())
    return seen.hexdigest()


def generated_beside(repository: Path, around: Surroundings, change: Change) -> Mapping[str, bytes]:
    """What both sides of a change need beside their code: files that git ignores or a build makes.

    A change that says anew what git ignores gets none: it would choose what it is run with.
    """
    from reverie.promotion.git import Git
    from reverie.promotion.trial_tree import read_generated

    paths = [path for edit in change.edits for path in (edit.path, edit.renamed_from) if path]
    git = Git.find(repository)
    if git is None or any(path.rpartition("/")[2] == ".gitignore" for path in paths):
        return around.generated
    return {**around.generated, **read_generated(git)}


@contextmanager
def open_copy(repository: Path, revision: str | None, around: Surroundings) -> Iterator[Path]:
    """A copy to run in, with the files that a build would have put there."""
    from reverie.promotion.git import Git
    from reverie.promotion.trial_tree import (
        lay_files,
        lay_generated,
        lay_submodules,
        open_trial_tree,
    )

    git = Git.find(repository)
    with open_trial_tree(repository, revision) as folder:
        if git is not None:
            lay_generated(git, folder)
            lay_submodules(git, folder)
        lay_files(folder, around.generated)
        yield folder


class _Room:
    """One repository on this machine, and what its files say."""

    def __init__(self, loaded: Loaded, wish: Wish, environ: Mapping[str, str]) -> None:
        self.root = loaded.repository.resolve()
        self._loaded, self._wish, self._environ = loaded, wish, environ
        self._needs: dict[str, Needs] = {}
        self.tag = _newest_tag(self.root)

    def needs_of(self, version: str) -> Needs:
        """What is declared for a version of Python."""
        from reverie.environment.needs import read_needs

        if version not in self._needs:
            self._needs[version] = read_needs(self.root, version)
        return self._needs[version]

    def settle(self) -> Surroundings:
        """The first interpreter that has what is declared."""
        from reverie.environment.pythons import own_version

        if self._wish.python is not None:
            return self._named(self._wish.python)
        notes: list[str] = []
        found = self._found(notes)
        if found is not None and not found.missing:
            return found
        lacking = found
        own = self._described(None, own_version(), _OWN, is_whole=True)
        place = self._workplace()
        extra = self.extras
        recipes = self._recipes(extra)
        known = next(filter(None, map(place.find, recipes)), None)
        if known is not None:
            return _made_surroundings(known, notes)
        is_fit = not own.missing and not extra and self._runs_on(own.python_version)
        if is_fit and not self._wish.is_settled and lacking is None:
            return replace(own, notes=tuple(notes))
        if not recipes:
            requires = self.needs_of(own.python_version).requires_python
            notes.append(f"no interpreter at hand is {requires}")
        elif self._wish.consents(self._proposal(recipes[0], own)):
            made = self._make(place, recipes)
            place.keep_extras(self.root, extra)
            return _made_surroundings(made, notes)
        return lacking or replace(own, notes=tuple(notes))

    @property
    def extras(self) -> tuple[str, ...]:
        """What is installed besides what is declared: as the last time, and as wished now."""
        from reverie.environment.needs import with_newer

        return with_newer(self._workplace().extras_of(self.root), self._wish.extra)

    def options(self, version: str) -> tuple[str, ...]:
        """What the extras of the project ask for."""
        from reverie.environment.needs import read_options

        return tuple(str(each) for each in read_options(self.root, version))

    def fresh(self) -> Made | None:
        """An environment made from what is declared: known, or made now with consent."""
        place = self._workplace()
        recipes = self._recipes(self.extras)
        known = next(filter(None, map(place.find, recipes)), None)
        if known is not None or not recipes or not self._wish.is_settled:
            return known
        return self._make(place, recipes)

    def _named(self, given: str) -> Surroundings:
        from reverie.environment.pythons import version_of

        if not os.access(given, os.X_OK) or os.path.isdir(given):
            raise UsageError(f"--python: not an interpreter: {given!r}")
        python = os.path.abspath(given)
        return self._described(python, version_of(python), f"--python {given}")

    def _found(self, notes: list[str]) -> Surroundings | None:
        """An environment that people made for it: one that has what it needs, else the first."""
        from reverie.environment.needs import RUNNER
        from reverie.environment.pythons import environments_for, own_version, version_of
        from reverie.sandbox.interpreters import own_interpreter

        first: Surroundings | None = None
        name = self.needs_of(own_version()).metadata.name
        for each in environments_for(self.root, name, self._environ):
            if each.python == own_interpreter().executable:
                continue  # it is asked below, under its own name
            if each.problem is not None:
                notes.append(f"{each.origin}: {each.python} {each.problem}")
                continue
            around = self._described(each.python, version_of(each.python), each.origin)
            if not around.missing:
                return replace(around, notes=(*notes, *around.notes))
            if all(name.startswith(RUNNER) for name in around.missing):
                notes.append(f"{each.origin} has no pytest")
                continue
            few = ", ".join(around.missing[:5])
            notes.append(f"{each.origin} lacks {few}")
            first = first or around
        return first

    def _described(
        self, python: str | None, version: str, label: str, *, is_whole: bool = False
    ) -> Surroundings:
        from reverie.environment.installed import missing_from
        from reverie.environment.needs import RUNNER
        from reverie.model.repository.environment import Surroundings

        needs = self.needs_of(version)
        runner = tuple(each for each in needs.tests if each.name == RUNNER)
        wanted = needs.all if is_whole else (*needs.runtime, *runner)
        wanted = wanted if self._wish.runs_tests else needs.runtime
        # Who names a Python has chosen its versions, and any pytest runs a suite.
        loose = {each.name for each in wanted} if label.startswith("--python") else {RUNNER}
        missing = tuple(str(each) for each in missing_from(python, wanted, loose))
        return Surroundings(python, version, label, missing)

    def _runs_on(self, version: str) -> bool:
        from reverie.environment.pythons import fitting_pythons

        requires = self.needs_of(version).requires_python
        return any(each.version == version for each in fitting_pythons(requires, self._environ))

    def _make(self, place: Workplace, recipes: list[Recipe]) -> Made:
        from reverie.bootstrap import open_sandbox
        from reverie.environment.needs import with_wanted

        failures: list[str] = []
        with open_sandbox(self._loaded.settings.sandbox) as whole:
            sandbox = whole.until(self._wish.ends_at)
            for recipe in recipes:
                version, label = recipe.base.version, recipe.needs.label
                self._wish.say(f"making an environment from {label} with Python {version}")
                needs = with_wanted(self.root, recipe.needs, version)
                try:
                    return place.make(replace(recipe, needs=needs), sandbox, self._wish.say)
                except ProgramFailed as error:
                    failures.append(f"Python {version}: {error}")
                    self._wish.say(failures[-1])
        raise UsageError(
            f"no environment can be made from {recipes[0].needs.label}: {failures[0]}; "
            "make one and name it with --python"
        )

    def _recipes(self, extra: tuple[str, ...]) -> list[Recipe]:
        from reverie.environment.installed import complete_metadata
        from reverie.environment.making import Recipe
        from reverie.environment.needs import read_requires_python
        from reverie.environment.pythons import fitting_pythons

        requires = read_requires_python(self.root)
        found = []
        for base in fitting_pythons(requires, self._environ)[:_MOST_PYTHONS]:
            needs = self.needs_of(base.version)
            metadata = complete_metadata(self.root, needs.metadata, self.tag)
            found.append(Recipe(base, needs, metadata, extra))
        return found

    def _workplace(self) -> Workplace:
        from reverie.environment.making import Workplace
        from reverie.home.folder import state_folder

        folder = Path(state_folder(self._environ))
        return Workplace(folder, self._environ, self._wish.ends_at)

    def _proposal(self, recipe: Recipe, own: Surroundings) -> Proposal:
        requirements = (*(str(each) for each in recipe.needs.all), *recipe.extra)
        lacks = ", ".join(own.missing[:5])
        reason = f"{_OWN} lacks {lacks}" if lacks else f"{_OWN} is {own.python_version}"
        return Proposal(recipe.needs.label, recipe.base.version, requirements, reason)


def _made_surroundings(made: Made, notes: list[str]) -> Surroundings:
    from reverie.model.repository.environment import Surroundings

    return Surroundings(
        made.python,
        made.version,
        f"environment made from {made.label}",
        is_made=True,
        notes=(*notes, *made.notes),
    )


def _newest_tag(root: Path) -> str | None:
    from reverie.promotion.git import Git

    git = Git.find(root)
    try:
        if git is None or git.find_commit("HEAD") is None:
            return None
        return git.run("describe", "--tags", "--abbrev=0").decode("utf-8", "replace").strip()
    except GitFailed:
        return None  # there is no tag
