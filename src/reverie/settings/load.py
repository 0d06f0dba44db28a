"""Settings loaded into the tree; and whether the data folder of a repository may be believed.

A repository's files are heard within bounds.
"""

import os
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import ConfigError, GitFailed
from reverie.home.folder import settings_file
from reverie.home.own_folder import SHARED, is_own_folder
from reverie.index.remembering.trail import FRESH_NS, changed_ns, look
from reverie.model.settings.setting import INSIDE, NOTHING, Setting
from reverie.settings.entries import SHOWN_CHARACTERS, Entry, Sources
from reverie.settings.sources import look_at_sources
from reverie.settings.tree import (
    Loaded,
    Settings,
    known_setting,
    redacted,
    section_type,
    variable_of,
)

if TYPE_CHECKING:
    from reverie.promotion.git import Git

_INDEXES = ("index", "sharedindex.*")


def why_foreign(repository: Path, folder: Path) -> str | None:
    """Why the files in a data folder are not the user's; None: they are, or there are none.

    A folder outside of the repository was named by the user, so it is the user's.
    """
    if not folder.is_relative_to(repository):
        return None
    if not is_own_folder(folder):
        what = "it is a link" if folder.is_symlink() else "it does not carry your mark"
        return f"{what}; remove it, or take it over with `reverie init --adopt`"
    tracked = _tracked(repository, folder)
    if tracked is not None:
        return f"git tracks {tracked}; take it out with `git rm -r --cached`"
    return None


def _tracked(repository: Path, folder: Path) -> str | None:
    """A file of the folder that git brings along, besides those that it may."""
    metadata = _git_metadata(repository)
    if metadata is None:
        return None
    indexes = sorted(path for pattern in _INDEXES for path in metadata.glob(pattern))
    return _tracked_now(repository, folder, tuple((path, look(str(path))) for path in indexes))


@lru_cache(maxsize=16)
def _tracked_now(
    repository: Path, folder: Path, indexes: tuple[tuple[Path, int], ...]
) -> str | None:
    """The same for indexes that look like this: a server is asked often.

    git is asked only if one mentions the folder's name: that is seen at once.
    """
    name = folder.name.encode().lstrip(b".")  # paths may be written without what they begin with
    start = folder.relative_to(repository).as_posix()
    try:
        if not any(name in path.read_bytes() for path, _ in indexes):
            return None
        from reverie.promotion.git import Git  # loads what starts processes: seldom needed

        git = Git.find(repository)
        listed = [] if git is None else _listed(git, start)
    except (OSError, GitFailed):
        git = None
    if git is None:
        return f"{start}, perhaps: git cannot be asked"
    shared = {f"{start}/{each}" for each in SHARED}
    return next((each for each in listed if each and each not in shared), None)


def _listed(git: "Git", start: str) -> list[str]:
    return git.run("ls-files", "-z", "--", start).decode("utf-8", "replace").split("\0")


def _git_metadata(repository: Path) -> Path | None:
    """The folder of git's index; in a further worktree `.git` is a file that names it."""
    for place in (repository, *repository.parents):
        found = place / ".git"
        if found.is_dir():
            return found
        if found.is_file():
            content = found.read_bytes()[:4096].decode("utf-8", "replace")
            return place / content.removeprefix("gitdir:").strip()
    return None


def load_settings(
    repository: Path,
    environ: Mapping[str, str],
    overrides: Mapping[str, str],
    files: Mapping[str, bytes] | None = None,
) -> Loaded:
    """The settings in force in a repository. `overrides` maps dotted keys to what flags said.

    With `files` a revision of the repository is asked instead of the folder: whoever judges a
    change asks the revision that it starts from.
    """
    looked = None if overrides or files is not None else _settled_sources(repository, environ)
    sources = Sources(repository, environ, overrides, files)
    heard = _Heard(sources)
    for entry in sources.entries():
        heard.hear(entry)
    loaded = Loaded(
        repository, _tree(heard.values), heard.written, (*heard.notes, *heard.ignored),
        looked, tuple(heard.ignored), environ=environ, overrides=overrides,
    )  # fmt: skip
    folder = loaded.data_folder
    reason = why_foreign(repository, folder) if os.path.lexists(folder) else None
    if reason is None:
        return loaded
    told = f"ignored: {folder} is not believed: {reason}"
    notes, warnings = (*loaded.notes, told), (*loaded.warnings, told)
    return replace(loaded, notes=notes, warnings=warnings, is_believed=False)


def settings_of_revision(loaded: Loaded, files: Mapping[str, bytes]) -> Settings:
    """The settings for judging a change to these files: what the change says does not count."""
    again = load_settings(loaded.repository, loaded.environ, loaded.overrides, files)
    return again.settings


class _Heard:
    """What was written so far, strongest last."""

    def __init__(self, sources: Sources) -> None:
        self._repository = sources.repository
        self._user_file = settings_file(sources.environ) or "the user's config.toml"
        self._left: dict[str, Any] = {}
        """What the user left to the repository, by dotted key, where it is not a default."""
        self.values: dict[str, Any] = {}
        self.written: dict[str, str] = {}
        self.notes: list[str] = []
        self.ignored: list[str] = []

    def hear(self, entry: Entry) -> None:
        """Take one value in, or say why it is passed over."""
        about = _about(entry)
        is_shared = entry.alias is not None and entry.alias.shared
        if entry.in_repository and about.repository is NOTHING:
            self._ignore(entry, about, quietly=is_shared)
            return
        try:
            value = _read(entry, about)
        except ConfigError as error:
            if not is_shared:
                raise
            self.notes.append(f"passed over, taken to be another program's: {error}")
            return
        if entry.in_repository and not self._permits(entry.key, about, value):
            self._ignore(entry, about, quietly=is_shared)
            return
        if not entry.in_repository:
            self._left[entry.key] = value
        self.values[entry.key] = value
        self.written[entry.key] = entry.origin

    def _permits(self, key: str, about: Setting, value: Any) -> bool:
        if not about.repository.allows(self._now(key), value):
            return False
        if about.repository is not INSIDE:
            return True
        root = self._repository.resolve()  # a link of the repository may lead out of it
        leads_to: Path = (root / value).resolve()
        return leads_to.is_relative_to(root)

    def _now(self, key: str) -> Any:
        return self._left[key] if key in self._left else _default(key)

    def _ignore(self, entry: Entry, about: Setting, *, quietly: bool) -> None:
        is_mute = about.repository is NOTHING
        what = f"{entry.key} ({entry.origin})" if is_mute else _described(entry)
        may = "cannot set this" if is_mute else f"can only set {about.repository.doc}"
        (self.notes if quietly else self.ignored).append(
            f"ignored: {what}: a file of the repository {may}; "
            f"use {variable_of(entry.key)} or {self._user_file}"
        )


def _settled_sources(repository: Path, environ: Mapping[str, str]) -> tuple[int, ...] | None:
    """What the files look like before they are read; None: too fresh to tell, or others speak."""
    sources = look_at_sources(str(repository), environ)
    is_settled = max(map(changed_ns, sources or ()), default=0) < time.time_ns() - FRESH_NS
    return sources if is_settled else None


def _about(entry: Entry) -> Setting:
    try:
        return known_setting(entry.key)
    except KeyError:
        raise ConfigError(f"{entry.origin}: there is no setting {entry.key}") from None


def _read(entry: Entry, about: Setting) -> Any:
    reader = about.reader
    try:
        return reader.from_text(str(entry.raw)) if entry.is_text else reader.check(entry.raw)
    except ValueError as error:
        raise ConfigError(f"{_described(entry)}: {error}") from error


def _default(key: str) -> Any:
    section, _, name = key.partition(".")
    return next(each.default for each in fields(section_type(section)) if each.name == name)


def _described(entry: Entry) -> str:
    value = redacted(repr(entry.raw))
    if len(value) > SHOWN_CHARACTERS:
        value = value[:SHOWN_CHARACTERS] + "…"
    return f"{entry.key} = {value} ({entry.origin})"


def _tree(values: Mapping[str, Any]) -> Settings:
    given: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        given.setdefault(section, {})[name] = value
    return Settings(given)
