"""How hot each file is: how often and how lately it changes, beside the files around it. Pure."""

from collections.abc import Collection, Mapping

from reverie.index.hotness import SECONDS_PER_DAY, is_bot
from reverie.model.repository.candidate import History
from reverie.model.settings.analysis import CandidatesSection

COLDEST, HOTTEST = 0.5, 2.0


def heats(
    history: History, paths: Collection[str], section: CandidatesSection
) -> Mapping[str, float]:
    """A factor for each path: 1 as much as the mean, at most twice and at least half of it."""
    weights = dict.fromkeys(paths, 0.0)
    for commit in history.commits:
        if is_bot(commit, section.bots):
            continue
        age_days = max(0, history.head_time - commit.authored_at) / SECONDS_PER_DAY
        weight = 0.5 ** (age_days / section.half_life_days)
        for touch in commit.touches:
            if touch.path in weights:
                weights[touch.path] += weight
    if not weights:
        return {}
    mean = sum(weights.values()) / len(weights)
    return {
        path: min(HOTTEST, max(COLDEST, (1 + weight) / (1 + mean)))
        for path, weight in weights.items()
    }
