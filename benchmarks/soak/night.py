"""A cycle that is going to be killed: everything real but the dreams and the verdicts on them.

Journal, lock, git, branches and proof bundles are the product's own; what is dreamt comes from a
script and takes a few milliseconds, so that a kill meets every step of the way.
"""

import argparse
import os
import threading
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from reverie.cycle.running import CycleRun
from reverie.errors import UsageError
from reverie.model.cycle import CycleBudget, CycleDream, CycleHeader, CycleWishes, Promotion, Proven
from reverie.model.dream import Stage
from reverie.model.settings.cycle import CycleSection
from reverie.model.settings.promotion import PromotionSection
from reverie.promotion.bundle.keys import config_folder, own_key
from reverie.promotion.bundle.writing import Sealing, read_environment
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.promotion.scratch import held_alone
from reverie.promotion.trial_tree import read_source
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import load_cycle, unfinished_cycle
from reverie.testing.workshop import ScriptedWorkshop

WISHES = CycleWishes(CycleBudget(executions=600), seed=7)
MODULES = 9


@dataclass(slots=True)
class OfferingWorkshop(ScriptedWorkshop):
    """Promotes for real."""

    repository: Path = Path()

    def choose_branch(self, day: date) -> str | None:
        return Promoter(self.repository, PromotionSection()).choose_branch(day)

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        assert each.trial is not None
        proven = Proven(
            dream=each.dream,
            stage=Stage.A,
            source=read_source(self.repository, header.revision),
            evidence=each.trial.evidence,
            judgement=each.trial.judgement,
            roi=each.trial.score["roi"],
            raroi=each.trial.score["raroi"],
        )
        now = datetime.now(UTC)
        sealing = Sealing(own_key(config_folder(os.environ)), now, read_environment(), "soak")
        offer = Offer(at=now, branch=header.branch)
        promoter = Promoter(self.repository, PromotionSection())
        bundles = self.repository / ".reverie" / "bundles"
        return offer_dream(promoter, proven, offer, sealing, bundles)


def main() -> None:
    options = _parse_options()
    repository = Path(options.repository)
    opened = partial(open_run, repository, Path(options.log), options.pause)
    place = f"cycle {repository.resolve()}"
    with (
        held_alone(place, "a cycle", 0.0),
        Journal.open(journal_url(repository)) as journal,
    ):
        if not options.recover:
            opened(journal).begin(WISHES)
            return
        found = unfinished_cycle(journal, repository)
        if found is None:
            raise UsageError("no cycle is unfinished")
        opened(journal).recover(load_cycle(journal, found))


def open_run(repository: Path, log: Path, pause: float, journal: Journal) -> CycleRun:
    workshop = OfferingWorkshop(
        folder=log,
        modules=MODULES,
        pause_seconds=pause,
        revision=read_source(repository).revision,
        repository=repository,
    )
    stop = threading.Event()
    return CycleRun(journal, repository, workshop, CycleSection(), workers=2, stop=stop)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("--log", required=True)
    parser.add_argument("--pause", type=float, default=0.02)
    parser.add_argument("--recover", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
