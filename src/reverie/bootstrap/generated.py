"""Generated code in the dream journal: each version of a function knows the one before."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.model.procedure import DreamProcedure, DreamType
from reverie.store import DreamStore, Journal

if TYPE_CHECKING:
    from reverie.dreamers.generate import Answer

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
