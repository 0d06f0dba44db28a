"""A checkout that was moved or copied keeps its past."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.settings import Loaded
    from reverie.store import Journal


def keep_past(loaded: Loaded, journal: Journal) -> None:
    """Make the past of this repository, told of another place, that of the place it has now.

    A journal of its own moves and is copied with the repository. In one that several share, the
    past stays with a checkout that is still where it was.
    """
    from reverie.store.moving import former_place, has_past, move_past

    repository = loaded.repository
    if has_past(journal, repository):
        return
    from reverie.promotion.identity import identity_of

    identity = identity_of(repository)
    before = None if identity is None else former_place(journal, identity)
    is_own = loaded.settings.journal.url is None
    if before is not None and (is_own or not Path(before).exists()):
        move_past(journal, before, repository)
