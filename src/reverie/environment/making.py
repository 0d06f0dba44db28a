"""Makes environments for repositories, and keeps each by the hash of what it was made from.

They lie outside of every repository, in the user's state folder. Wheels are laid out by the
machine's own pip or uv; what has none is built in the sandbox (`building`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from reverie.environment.building import build_wheel, choose_link, fetch_archive, unpack
from reverie.environment.declarations import Metadata
from reverie.environment.installed import write_own_package, write_scripts
from reverie.environment.installers import Installed, Installer, find_installer, find_pip
from reverie.environment.needs import RUNNER, Needs, unique
from reverie.environment.pythons import BasePython
from reverie.errors import MachineryError, ProgramFailed
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.sandbox.engine import Sandbox

FORMAT = 1
"""Of what is made: another one makes every environment anew."""
_RECORD = "made.json"
_PURPOSE = "environment"
_MOST_BUILDS = 12
_CULPRITS = (
    re.compile(r"Cannot install (.+?) because these package versions"),
    re.compile(r"No matching distribution found for (\S+)"),
    re.compile(r"Because (\S+) was not found in the package registry"),
    re.compile(r"^(\S+) has no wheel, and could not be built"),
)
"""How pip and uv name what cannot be installed."""
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """An environment that Reverie made."""

    python: str
    version: str
    label: str
    """What it was made from."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that an environment is made from."""

    base: BasePython
    needs: Needs
    metadata: Metadata
    extra: tuple[str, ...] = ()
    """Requirements that the user adds."""

    @property
    def key(self) -> str:
        """The name of the folder that it is kept in."""
        status = os.stat(self.base.binary)
        told = {
            "format": FORMAT,
            "python": [self.base.binary, status.st_size, int(status.st_mtime)],
            "requirements": sorted(str(each) for each in (*self.needs.runtime, *self.needs.tests)),
            "extra": sorted(self.extra),
            "pins": dict(self.needs.lock.pins) if self.needs.lock is not None else {},
            "name": self.metadata.name,
            "version": None if self.metadata.is_dynamic else self.metadata.version,
            "fields": list(self.metadata.fields),
            "entry_points": {k: dict(v) for k, v in self.metadata.entry_points.items()},
        }
        text = json.dumps(told, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to choose what is installed, and what there is to say about it."""

    requirements: tuple[Requirement, ...]
    constraints: tuple[str, ...]
    note: str | None = None

    def pin_of(self, name: str) -> Requirement | None:
        """The version that a constraint asks for, by canonical name."""
        pins = (each for each in self.constraints if _pinned(each) == name)
        return next(map(Requirement, pins), None)


class Workplace:
    """Where environments are made and kept."""

    def __init__(
        self, folder: Path, environ: Mapping[str, str], ends_at: float | None = None
    ) -> None:
        self._folder = folder / "environments"
        self._environ = environ
        self._ends_at = ends_at

    def extras_of(self, repository: Path) -> tuple[str, ...]:
        """What the user had installed besides for a repository, the last time."""
        kept = read_sealed(self._extras_file(repository), _PURPOSE)
        return tuple(str(each) for each in kept) if isinstance(kept, list) else ()

    def keep_extras(self, repository: Path, extra: tuple[str, ...]) -> None:
        """Remember them, so that other commands find the same environment."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_sealed(self._extras_file(repository), _PURPOSE, json.dumps(list(extra)))

    def _extras_file(self, repository: Path) -> Path:
        place = hashlib.sha256(os.fsencode(os.path.realpath(repository))).hexdigest()[:24]
        return self._folder / f"{place}.extras"

    def find(self, recipe: Recipe) -> Made | None:
        """One that was made from the very same before."""
        folder = self._folder / recipe.key
        record = read_sealed(folder / _RECORD, _PURPOSE)
        python = folder / "bin" / "python"
        if not isinstance(record, dict) or not os.path.isfile(python):
            return None
        notes = tuple(str(each) for each in record.get("notes", ()))
        return Made(str(python), recipe.base.version, str(record.get("label")), notes)

    def make(self, recipe: Recipe, sandbox: Sandbox, say: Say) -> Made:
        """Make it; `ProgramFailed` where no way to choose versions comes out."""
        installer = find_installer(recipe.base, self._environ)
        if installer is None:
            raise MachineryError("neither uv nor pip is there to make an environment with")
        installer = replace(installer, ends_at=self._ends_at)
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._scratch() as scratch:
            kitchen = _Kitchen(recipe.base, installer, self._environ, sandbox, scratch, say)
            folder, notes = kitchen.cook(recipe)
            label = recipe.needs.label
            site = next((folder / "lib").glob("python3*/site-packages"))
            requires = tuple(str(each) for each in recipe.needs.runtime)
            write_own_package(site, recipe.metadata, requires)
            target = self._folder / recipe.key
            shutil.rmtree(target, ignore_errors=True)
            os.rename(folder, target)
            _move_scripts(target, folder)
            write_scripts(target / "bin", recipe.metadata)
            write_sealed(
                target / _RECORD, _PURPOSE, json.dumps({"label": label, "notes": list(notes)})
            )
        return Made(str(target / "bin" / "python"), recipe.base.version, label, notes)

    @contextmanager
    def _scratch(self) -> Iterator[Path]:
        folder = self._folder / f".making-{secrets.token_hex(6)}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _Kitchen:
    """One environment in the making, with the wheels that were built for it."""

    def __init__(
        self,
        base: BasePython,
        installer: Installer,
        environ: Mapping[str, str],
        sandbox: Sandbox,
        scratch: Path,
        say: Say,
    ) -> None:
        self._base, self._installer, self._environ = base, installer, environ
        self._sandbox, self._scratch, self._say = sandbox, scratch, say
        self._wheels = scratch / "wheels"
        self._wheels.mkdir()
        self._built: set[str] = set()

    def cook(self, recipe: Recipe) -> tuple[Path, tuple[str, ...]]:
        """The first way to choose versions that comes out; why others did not."""
        failures: list[str] = []
        waiting = list(_attempts(recipe))
        runtime = {canonicalize_name(each.name) for each in recipe.needs.runtime}
        while waiting:
            attempt = waiting.pop(0)
            folder = self._scratch / "environment"
            ended = self._install(folder, attempt)
            if ended.failure is None:
                notes = (
                    [] if attempt.note is None else [f"{attempt.note}: {in_short(failures[-1])}"]
                )
                return folder, tuple(notes)
            failures.append(ended.failure)
            waiting[:0] = _without_culprits(attempt, ended, runtime)
            shutil.rmtree(folder, ignore_errors=True)
        raise ProgramFailed(self._installer.name, failures[0])

    def _install(self, folder: Path, attempt: _Attempt) -> Installed:
        texts = [str(each) for each in attempt.requirements]
        for _ in range(_MOST_BUILDS):
            shutil.rmtree(folder, ignore_errors=True)
            python = lay_environment(folder, self._base)
            ended = self._installer.install(
                python, texts, attempt.constraints, self._wheels, self._scratch
            )
            name = ended.needs_source
            if ended.failure is None or name is None or name in self._built:
                return ended
            self._built.add(name)
            try:
                self._build(name, attempt)
            except ProgramFailed as error:
                pins = (name,) if attempt.pin_of(name) is not None else ()
                failure = f"{name} has no wheel, and could not be built: {error}"
                return Installed(failure, pins=pins)
        return Installed("too many distributions have no wheel")

    def _build(self, name: str, attempt: _Attempt) -> None:
        self._say(f"building {name} in the sandbox: it has no wheel")
        pip = find_pip(self._base, self._environ)
        if pip is None:
            raise ProgramFailed("pip", "not there to look for sources with")
        asked = (each for each in attempt.requirements if canonicalize_name(each.name) == name)
        wanted = attempt.pin_of(name) or next(asked, Requirement(name))
        link = choose_link(pip.source_links(name, self._scratch), wanted)
        if link is None:
            raise ProgramFailed("the index", f"no source archive of {name}")
        archive = fetch_archive(link, self._scratch, self._environ)
        source = unpack(archive, self._scratch / f"{name}-source")
        build_wheel(self._sandbox, source, name, self._make_tools, self._wheels)

    def _make_tools(self, requirements: Sequence[str], name: str) -> str:
        """An environment to build in; wheels alone, for a build of a build ends nowhere."""
        try:
            texts = [str(Requirement(each)) for each in requirements]
        except InvalidRequirement as error:
            raise ProgramFailed("building", str(error)) from error
        python = lay_environment(self._scratch / name, self._base)
        ended = self._installer.install(python, texts, (), self._wheels, self._scratch)
        if ended.failure is not None:
            raise ProgramFailed(self._installer.name, ended.failure)
        return python


def lay_environment(folder: Path, base: BasePython) -> str:
    """An empty virtual environment, as `venv` lays it; no program is started for it."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib" / f"python{base.version}" / "site-packages").mkdir(parents=True)
    os.symlink("lib", folder / "lib64")
    for name in ("python", "python3", f"python{base.version}"):
        os.symlink(base.binary, folder / "bin" / name)
    lines = (
        f"home = {os.path.dirname(base.binary)}",
        "include-system-site-packages = false",
        f"version = {base.version}",
        f"executable = {base.binary}",
    )
    (folder / "pyvenv.cfg").write_text("\n".join(lines) + "\n", "utf-8")
    return str(folder / "bin" / "python")


def _attempts(recipe: Recipe) -> Iterator[_Attempt]:
    """What to install, as declared first, then with less and less that may not fit together."""
    needs = recipe.needs
    added = tuple(Requirement(each) for each in recipe.extra)
    whole = unique((*needs.all, *added))
    if needs.lock is not None and needs.lock.pins:
        pins = tuple(f"{name}=={version}" for name, version in needs.lock.pins.items())
        yield _Attempt(whole, pins)
        yield _Attempt(whole, (), f"without the versions of {needs.lock.source}")
    else:
        yield _Attempt(whole, ())
    loose = unique((*needs.runtime, *map(_unpinned, (*needs.tests, *needs.wanted)), *added))
    if loose != whole:
        yield _Attempt(loose, (), "with other versions of what tests need than declared")
    few = unique(
        (*needs.runtime, *(each for each in loose if each.name.startswith("pytest")),
         *map(_unpinned, needs.wanted), *added)
    )  # fmt: skip
    if few != loose:
        yield _Attempt(few, (), "without what no test imports")


def in_short(failure: str) -> str:
    """What an installer says, without its alarms and the address of its help."""
    told = [each.strip() for each in failure.split("ERROR:")]
    return " ".join(each for each in told if each and "ResolutionImpossible" not in each)


def _without_culprits(
    attempt: _Attempt, ended: Installed, runtime: Container[str]
) -> Iterator[_Attempt]:
    """The same without what the installer says cannot be had, if only tests ask for it.

    Of a lock that is one version, which the index need not have any more; the rest of it stays.
    """
    if ended.pins:
        kept = tuple(each for each in attempt.constraints if _pinned(each) not in ended.pins)
        names = ", ".join(ended.pins)
        yield _Attempt(attempt.requirements, kept, f"without the locked version of {names}")
        return
    failure = ended.failure or ""
    told = " ".join(found[1] for each in _CULPRITS for found in each.finditer(failure))
    named = {canonicalize_name(each) for each in re.findall(r"[A-Za-z][\w.-]*", told)}
    culprits = [
        each
        for each in attempt.requirements
        if canonicalize_name(each.name) in named and canonicalize_name(each.name) not in runtime
    ]
    if culprits and not any(each.name == RUNNER for each in culprits):
        rest = tuple(each for each in attempt.requirements if each not in culprits)
        names = ", ".join(str(each) for each in culprits)
        yield _Attempt(rest, attempt.constraints, f"without {names}")


def _pinned(constraint: str) -> str:
    return canonicalize_name(constraint.partition("==")[0])


def _unpinned(requirement: Requirement) -> Requirement:
    is_pinned = any(each.operator in ("==", "===") for each in requirement.specifier)
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    return Requirement(f"{requirement.name}{extras}") if is_pinned else requirement


def _move_scripts(folder: Path, before: Path) -> None:
    """First lines of scripts name the place where they were laid."""
    for each in (folder / "bin").iterdir():
        if each.is_symlink() or not each.is_file():
            continue
        content = each.read_bytes()
        if content.startswith(b"#!") and os.fsencode(before) in content[:4096]:
            each.write_bytes(content.replace(os.fsencode(before), os.fsencode(folder), 1))
