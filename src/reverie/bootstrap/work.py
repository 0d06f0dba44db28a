"""Work in progress, judged: what an author's copy holds, before its author says that it is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.bootstrap.guard import Judged
    from reverie.model.change import Change
    from reverie.model.dream import Stage


@dataclass(frozen=True, slots=True)
class Checked:
    """The judge's word on work in progress."""

    judged: Judged
    stage: Stage
    change: Change
    advice: tuple[str, ...]
    """What to mend, in sentences."""


def check_work(
    folder: Path,
    environ: Mapping[str, str],
    overrides: Mapping[str, str],
    *,
    is_static: bool = False,
) -> Checked:
    """Judge the copy that a folder lies in; `UsageError` outside of one."""
    from reverie.bootstrap.guard import GuardQuestion, judge_change, read_change
    from reverie.promotion.git import Git
    from reverie.promotion.trial_tree import read_generated
    from reverie.settings import load_settings
    from reverie.stages.authoring.work_copy import read_work

    place, work = read_work(folder)
    files, change = read_change(place, work.base, None, None)
    settings = load_settings(place, environ, overrides, files).settings
    beside = read_generated(Git(place, place))
    question = GuardQuestion(
        files, change, work.stage, is_static, work.python, is_again=True, generated=beside
    )
    judged = judge_change(question, settings)
    return Checked(judged, work.stage, change, tuple(_advice(judged)))


def _advice(judged: Judged) -> Iterator[str]:
    from reverie.dreamers.models.feedback import named_details, objections

    yield from objections(judged.judgement.rulings)
    if judged.evidence is not None:
        yield from named_details(judged.evidence.details)
