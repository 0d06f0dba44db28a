"""Judgements of earlier trials: remembered where they refused, run again for `reverie verify`.

A judgement is known by everything it depends on: the files it starts from, the change, the stage,
the settings, the interpreter with what is installed there, and this version. Asking again gives
the same answer, not luck; whoever changes one of them is judged anew.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.bootstrap import open_sandbox
from reverie.bootstrap.environments import generated_beside
from reverie.gates.gate import Matter
from reverie.gates.judge import judge
from reverie.home.folder import state_folder
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.model.codec import Malformed, plain, read
from reverie.model.cycle import Proven
from reverie.model.repository.environment import Surroundings
from reverie.model.ruling import Judgement, Need, Ruling, Verdict
from reverie.model.settings.judgement import GuardSection
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import with_links
from reverie.promotion.trial_tree import lay_files, read_files, read_links
from reverie.settings import Loaded
from reverie.trials.by_stage import try_change
from reverie.trials.plan import TrialPlan, surroundings_of, write_trees
from reverie.trials.reaching import asked_before

if TYPE_CHECKING:
    from reverie.bootstrap.guard import GuardQuestion
    from reverie.promotion.bundle.verification import Rerun, Rerunner
    from reverie.settings import Settings

_PURPOSE = "judgement"
_MOST_KEPT = 5000


@dataclass(frozen=True, slots=True)
class _Kept:
    """One file."""

    judged_at: str
    rulings: tuple[Ruling, ...]
    needs: tuple[Need, ...]


class RememberedJudgements:
    """Judgements other than `promote`, in the user's own folder, under the user's seal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, key: str) -> tuple[Judgement, str] | None:
        """What was said of a question, and when; None where it was not asked, or promoted."""
        told = read_sealed(self.folder / f"{key}.gz", _PURPOSE)
        try:
            kept = read(_Kept, told)
        except Malformed:
            return None
        return Judgement(kept.rulings, kept.needs), kept.judged_at

    def keep(self, key: str, judgement: Judgement) -> None:
        """Remember a judgement that did not let its change through."""
        if judgement.verdict is Verdict.PROMOTE:
            return
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        told = plain(_Kept(moment, judgement.rulings, judgement.needs))
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_sealed(self.folder / f"{key}.gz", _PURPOSE, json.dumps(told))
        self._forget_oldest()

    def _forget_oldest(self) -> None:
        kept = sorted(self.folder.glob("*.gz"), key=lambda each: each.stat().st_mtime)
        for each in kept[:-_MOST_KEPT]:
            each.unlink(missing_ok=True)


def own_judgements(environ: Mapping[str, str] | None = None) -> RememberedJudgements:
    """Those of the user."""
    place = state_folder(os.environ if environ is None else environ)
    return RememberedJudgements(Path(place) / "judgements")


def key_of(question: "GuardQuestion", settings: "Settings") -> str:
    """By what a judgement is known."""
    seen = hashlib.sha256()
    sections = (settings.guard, settings.equivalence, settings.sandbox, settings.workflows)
    parts = [version("reverie"), str(question.stage), question.python or "", question.change.digest]
    parts += [repr(astuple(each)) for each in sections]
    parts += installed_beside(question.python)
    for part in parts:
        _add(seen, part.encode("utf-8", "surrogatepass"))
    for path, content in (*sorted(question.base.items()), *sorted(question.generated.items())):
        _add(seen, path.encode("utf-8", "surrogateescape"))
        _add(seen, content)
    return seen.hexdigest()


def installed_beside(python: str | None) -> list[str]:
    """Names and versions of the distributions of an environment, by its interpreter.

    An environment has them in `lib/python*/site-packages` beside the folder of its interpreter;
    a link to an interpreter is not followed, for what it links to has others.
    """
    if python is None:
        return sorted(f"{each.name}-{each.version}" for each in distributions())
    root = Path(os.path.abspath(python)).parent.parent
    found = [
        each
        for pattern in ("lib/python*/site-packages", "lib64/python*/site-packages")
        for folder in root.glob(pattern)
        for each in folder.glob("*.dist-info")
    ]
    return sorted(f"{each.name} {_digest(each / 'RECORD')}" for each in found)


def _digest(record: Path) -> str:
    try:
        return hashlib.sha256(record.read_bytes()).hexdigest()
    except OSError:
        return ""


def _add(seen: Any, part: bytes) -> None:
    seen.update(b"%d:" % len(part) + part)


UNHURRIED_SECONDS = 1800.0
"""A slower machine gets at least so much: time is no part of a claim."""


def rerun_trials(loaded: Loaded, around: Surroundings) -> "Rerunner":
    """Same stage, seed and limits as in the proof, in the sandbox of this machine."""
    return partial(_rerun, loaded, around)


def _rerun(loaded: Loaded, around: Surroundings, proven: Proven, folder: Path) -> "Rerun":
    from reverie.promotion.bundle.verification import Rerun

    settings = loaded.settings
    section = under(settings.guard, proven.evidence.limits)
    change = proven.dream.change
    files = with_links(read_files(folder), read_links(folder), change.paths)
    with scratch_folder(avoid=folder) as scratch, open_sandbox(settings.sandbox) as sandbox:
        plan = TrialPlan(
            section,
            seed=proven.evidence.seed,
            python=around.python,
            cache=scratch / "cache",
            equivalence=settings.equivalence,
            is_own=proven.dream.has_own_tests,
            reaching=asked_before(proven.evidence, proven.stage, change),
        )
        trees = write_trees(files, change, scratch / "trees")
        generated = generated_beside(loaded.repository, around, change)
        for each in (trees.base, trees.head):
            lay_files(each, generated)
        evidence = try_change(proven.stage, trees, sandbox, plan)
    beside = surroundings_of(files, section)
    is_own = not proven.dream.is_by_author
    matter = Matter(proven.stage, change, evidence, section, beside, is_own=is_own)
    return Rerun(evidence, judge(matter))


def under(section: GuardSection, limits: Mapping[str, float]) -> GuardSection:
    """The section with the numbers that a trial ran under, where it told them."""
    told: dict[str, Any] = {
        each.name: type(value)(limits[each.name])
        for each in fields(section)
        if each.name in limits and isinstance(value := getattr(section, each.name), int | float)
    }
    patient = max(told.get("budget_seconds", 0.0), UNHURRIED_SECONDS)
    return replace(section, **{**told, "budget_seconds": patient})
