"""The dream journal, wired: procedures of repositories, the journal by itself, generated code.

Each version of a generated function knows the one before.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.bootstrap import open_index
from reverie.errors import UsageError
from reverie.model.procedure import DreamProcedure, DreamType
from reverie.settings import find_repository, load_settings
from reverie.store import DreamStore
from reverie.store.journal import Journal

if TYPE_CHECKING:
    from reverie.dreamers.generate import Answer
    from reverie.dreamers.procedures.procedure import Procedure
    from reverie.model.repository.code import CodeIndex, Module
    from reverie.settings import Settings


class Database(Journal):
    """The journal of the repository around a folder, opened with what its settings say.

    A repository that was not prepared for a journal has one from then on.
    """

    def __init__(self, folder: str | None = None, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        loaded = load_settings(find_repository(folder, environ).path, environ, {})
        url = loaded.journal_url or loaded.repository_journal_url
        super().__init__(Journal.open(url).backend)


def find_procedures(
    repository: Path, settings: Settings, targets: Sequence[str] = ()
) -> list[Procedure]:
    """Functions of a repository that can stand on their own, tests apart; those named, if any.

    A target is `module`, `module:function` or `path/to/file.py:function`.
    """
    index = read_index(repository, settings)
    found = list(_procedures(repository, index))
    if not targets:
        return found
    chosen: dict[str, Procedure] = {}
    paths = {each.name: each.path for each in index.modules}
    for target in targets:
        named = [each for each in found if _is_meant(target, each, paths, repository)]
        if not named:
            raise UsageError(f"no function that can be varied: {target!r}")
        chosen |= {each.base: each for each in named}
    return list(chosen.values())


def read_index(repository: Path, settings: Settings) -> CodeIndex:
    """The index of a repository, read by this process alone."""
    with open_index(repository, settings.index, settings.safety, None) as index:
        index.refresh()
        return index.load()


def indexed_repositories(journal: Journal, but: Path) -> list[Path]:
    """Other repositories that the journal has an index of, as far as they are still there."""
    from sqlalchemy import select

    from reverie.store.schema import indexed_repositories as table

    with journal.reading() as connection:
        places = connection.execute(select(table.c.place).order_by(table.c.place)).scalars().all()
    found = [Path(place) for place in places]
    return [each for each in found if each.is_dir() and each.resolve() != but.resolve()]


def _procedures(repository: Path, index: CodeIndex) -> Iterator[Procedure]:
    from reverie.dreamers.procedures.procedure import procedures_in

    place = str(repository.resolve())
    for module in index.modules:
        if module.is_test or module.error is not None:
            continue
        source = _text(repository / module.path)
        if source is not None:
            yield from procedures_in(
                source,
                module.name,
                is_package=module.is_package,
                import_roots=_roots(repository, module),
                repository=place,
            )


def _roots(repository: Path, module: Module) -> tuple[str, ...]:
    """The folder that it imports its relatives from; none when it has no relatives."""
    if not any(each.is_internal for each in module.imports):
        return ()
    return (str((repository / module.root).resolve()),)


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None


def _is_meant(
    target: str, procedure: Procedure, paths: Mapping[str, str], repository: Path
) -> bool:
    place, _, name = target.partition(":")
    if name and name != procedure.name:
        return False
    if not place.endswith(".py"):
        return place == procedure.module
    path = (repository / paths[procedure.module]).resolve()
    return path in ((repository / place).resolve(), Path(place).resolve())


_TITLE = 200


def keep_generated(url: str, repository: Path, answer: Answer, sentence: str) -> dict[str, Any]:
    """Keep a solved answer; its number, version and parent. The same code keeps what it has."""
    with Journal.open(url) as journal:
        return asyncio.run(_keep(DreamStore(journal), repository, answer, sentence))


async def _keep(
    store: DreamStore, repository: Path, answer: Answer, sentence: str
) -> dict[str, Any]:
    place = str(repository.resolve())
    earlier = [
        each
        for each in await store.get_by_type(DreamType.GENERATED)
        if each.repository == place and each.entry == answer.name
    ]
    known = next((each for each in earlier if each.code == answer.source), None)
    if known is None:
        parent = earlier[-1] if earlier else None
        version = 1 if parent is None else int(parent.details.get("version", 0)) + 1
        dream = DreamProcedure(
            code=answer.source or "",
            entry=answer.name or "",
            dream_type=DreamType.GENERATED,
            dreamer=f"generate/{answer.origin}",
            title=" ".join(sentence.split())[:_TITLE],
            repository=place,
            details={
                "version": version,
                "parent": None if parent is None else parent.id,
                "tests": answer.tests,
            },
        )
        known = await store.get_dream(await store.store_dream(dream))
    return {
        "id": known.id,
        "version": known.details.get("version"),
        "parent": known.details.get("parent"),
    }
