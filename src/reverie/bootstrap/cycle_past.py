"""What became of earlier changes, wired: the journal's promotions and the repository's commits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.model.commit import History
    from reverie.model.dream import Dream
    from reverie.model.roi import TrackRecord
    from reverie.settings import Loaded
    from reverie.store import Journal


def read_past(loaded: Loaded, journal: Journal | None) -> Callable[[Dream], TrackRecord]:
    """Asked about a dream: its dreamer's promotions here, and the commits to its files."""
    from reverie.index.track_record import track_record
    from reverie.model.roi import TrackRecord
    from reverie.store.promotions import promotions_kept

    @cache
    def history() -> History | None:
        from reverie.promotion.git import Git
        from reverie.promotion.history import read_history

        git = Git.find(loaded.repository)
        return None if git is None else read_history(git, loaded.settings.candidates.max_commits)

    def past_of(dream: Dream) -> TrackRecord:
        commits, paths = history(), dream.change.paths
        found = TrackRecord() if commits is None else track_record(commits, paths)
        if journal is None:
            return found
        return found + promotions_kept(journal, loaded.repository, dream.dreamer)

    return past_of
