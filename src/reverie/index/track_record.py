"""How often what was done to some files had to be mended or taken back. Pure."""

from collections.abc import Collection

from reverie.index.hotness import is_fix, is_revert
from reverie.model.commit import History
from reverie.model.roi import TrackRecord


def track_record(history: History, paths: Collection[str]) -> TrackRecord:
    """The commits that touched any of the files: reverts and fixes, and all others."""
    touching = [
        commit for commit in history.commits if any(each.path in paths for each in commit.touches)
    ]
    mended = sum(is_fix(commit) or is_revert(commit) for commit in touching)
    return TrackRecord(bad=mended, kept=len(touching) - mended)
