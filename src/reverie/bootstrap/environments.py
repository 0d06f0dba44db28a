"""The environment of a repository, wired: found or made, and looked at before work begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import GitFailed, ProgramFailed, UsageError

if TYPE_CHECKING:
    from reverie.environment.making import Made, Recipe, Workplace
    from reverie.environment.needs import Needs
    from reverie.model.environment import Preflight, Surroundings
    from reverie.settings import Loaded

_OWN = "the Python that runs Reverie"
_MOST_PYTHONS = 3


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


def settle(loaded: Loaded, wish: Wish, environ: Mapping[str, str]) -> Surroundings:
    """The interpreter for a repository: named, found, our own, made before, or made now."""
    from reverie.environment.own_package import complete_metadata, generated_files

    room = _Room(loaded, wish, environ)
    settled = room.settle()
    metadata = complete_metadata(
        room.root, room.needs_of(settled.python_version).metadata, room.tag
    )
    files = generated_files(room.root, metadata.version or "0")
    return replace(settled, generated=files)


def look_before(loaded: Loaded, around: Surroundings, revision: str | None = None) -> Preflight:
    """A preflight on a copy of the repository, as it stands or at a revision."""
    from reverie.bootstrap import open_sandbox
    from reverie.environment.preflight import check_repository

    settings = loaded.settings
    with (
        open_copy(loaded.repository, revision, around) as folder,
        open_sandbox(settings.sandbox) as sandbox,
    ):
        return check_repository(sandbox, folder, around, settings.environment)


@contextmanager
def open_copy(repository: Path, revision: str | None, around: Surroundings) -> Iterator[Path]:
    """A copy to run in, with the files that a build would have put there."""
    from reverie.promotion.generated import lay_files, lay_generated
    from reverie.promotion.git import Git
    from reverie.promotion.trial_tree import open_trial_tree

    git = Git.find(repository)
    with open_trial_tree(repository, revision) as folder:
        if git is not None:
            lay_generated(git, folder)
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
        if found is not None:
            return found
        own = self._described(None, own_version(), _OWN, is_whole=True)
        recipes, place = self._recipes(), self._workplace()
        known = next(filter(None, map(place.find, recipes)), None)
        if known is not None:
            return _made_surroundings(known, notes)
        is_fit = not own.missing and not self._wish.extra and self._runs_on(own.python_version)
        if is_fit and not self._wish.is_settled:
            return replace(own, notes=tuple(notes))
        if not recipes:
            requires = self.needs_of(own.python_version).requires_python
            notes.append(f"no interpreter at hand is {requires}")
        elif self._wish.consents(self._proposal(recipes[0], own)):
            return _made_surroundings(self._make(place, recipes), notes)
        return replace(own, notes=tuple(notes))

    def _named(self, given: str) -> Surroundings:
        from reverie.environment.pythons import version_of

        if not os.access(given, os.X_OK) or os.path.isdir(given):
            raise UsageError(f"--python: not an interpreter: {given!r}")
        python = os.path.abspath(given)
        return self._described(python, version_of(python), f"--python {given}")

    def _found(self, notes: list[str]) -> Surroundings | None:
        """An environment that people made for it and that has what it needs to run."""
        from reverie.environment.pythons import environments_for, own_version, version_of
        from reverie.sandbox.interpreters import own_interpreter

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
            few = ", ".join(around.missing[:5])
            notes.append(f"{each.origin} is passed over: it lacks {few}")
        return None

    def _described(
        self, python: str | None, version: str, label: str, *, is_whole: bool = False
    ) -> Surroundings:
        from reverie.environment.installed import missing_from
        from reverie.environment.needs import RUNNER
        from reverie.model.environment import Surroundings

        needs = self.needs_of(version)
        runner = tuple(each for each in needs.tests if each.name == RUNNER)
        wanted = needs.all if is_whole else (*needs.runtime, *runner)
        missing = tuple(str(each) for each in missing_from(python, wanted))
        return Surroundings(python, version, label, missing)

    def _runs_on(self, version: str) -> bool:
        from reverie.environment.pythons import fitting_pythons

        requires = self.needs_of(version).requires_python
        return any(each.version == version for each in fitting_pythons(requires, self._environ))

    def _make(self, place: Workplace, recipes: list[Recipe]) -> Made:
        from reverie.bootstrap import open_sandbox

        failures: list[str] = []
        with open_sandbox(self._loaded.settings.sandbox) as sandbox:
            for recipe in recipes:
                version, label = recipe.base.version, recipe.needs.label
                self._wish.say(f"making an environment from {label} with Python {version}")
                try:
                    return place.make(recipe, sandbox, self._wish.say)
                except ProgramFailed as error:
                    failures.append(f"Python {version}: {error}")
                    self._wish.say(failures[-1])
        raise UsageError(
            f"no environment can be made from {recipes[0].needs.label}: {failures[0]}; "
            "make one and name it with --python"
        )

    def _recipes(self) -> list[Recipe]:
        from reverie.environment.making import Recipe
        from reverie.environment.needs import read_requires_python
        from reverie.environment.own_package import complete_metadata
        from reverie.environment.pythons import fitting_pythons

        requires = read_requires_python(self.root)
        found = []
        for base in fitting_pythons(requires, self._environ)[:_MOST_PYTHONS]:
            needs = self.needs_of(base.version)
            metadata = complete_metadata(self.root, needs.metadata, self.tag)
            found.append(Recipe(base, needs, metadata, self._wish.extra))
        return found

    def _workplace(self) -> Workplace:
        from reverie.environment.making import Workplace
        from reverie.home.folder import state_folder

        return Workplace(Path(state_folder(self._environ)), self._environ)

    def _proposal(self, recipe: Recipe, own: Surroundings) -> Proposal:
        requirements = (*(str(each) for each in recipe.needs.all), *recipe.extra)
        lacks = ", ".join(own.missing[:5])
        reason = f"{_OWN} lacks {lacks}" if lacks else f"{_OWN} is {own.python_version}"
        return Proposal(recipe.needs.label, recipe.base.version, requirements, reason)


def _made_surroundings(made: Made, notes: list[str]) -> Surroundings:
    from reverie.model.environment import Surroundings

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
