"""What became of every candidate in the end, and the files that tell of it."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.codec import plain
from reverie.model.cycle import CycleDream, CycleRecord, Step, StepState
from reverie.model.dream import DreamKind
from reverie.model.integration import Inclusion, SelfTest
from reverie.model.judgement_sections import RoiSection
from reverie.model.ruling import Answer, Verdict
from reverie.model.standing import MAP_FILE, ORPHANS_FILE, ModuleMap
from reverie.scoring.roi import roi_from
from reverie.stages.integration.dreamer import DREAMER

_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class Ended:
    """A step of a cycle with the self-test that it is about."""

    step: Step
    test: SelfTest


@dataclass(frozen=True, slots=True)
class Worth:
    """What an integration has to be worth, and by which rates."""

    min_roi: float
    rates: RoiSection


def conclude(
    ended: Iterable[Ended], record: CycleRecord, known: Set[str], worth: Worth
) -> tuple[Inclusion, ...]:
    """Each self-test with what a cycle made of it; `known` are paths that are part of it already.

    A module whose dream was refused is not included; one that passed and leaves nothing to
    change is.
    """
    dreams = _by_module(record)
    return tuple(
        _as_before(each, each.test.path in known)
        if each.step.state is StepState.SKIPPED
        else _concluded(each.test, dreams.get(each.test.module), worth)
        for each in ended
    )


def _as_before(each: Ended, is_known: bool) -> Inclusion:
    """Of a module that this cycle did not look at again."""
    return Inclusion(each.test, is_known, None if is_known else each.step.note)


def _by_module(record: CycleRecord) -> Mapping[str, CycleDream]:
    found = [each for each in record.dreams if each.dream.kind is DreamKind.INTEGRATION]
    return {each.dream.module: each for each in found if each.dream.dreamer == DREAMER}


def _concluded(test: SelfTest, dreamt: CycleDream | None, worth: Worth) -> Inclusion:
    if not test.is_welcome:
        return Inclusion(test, False, _unwelcome(test))
    if dreamt is None:
        roi, least = _roi(test, worth.rates), worth.min_roi
        return Inclusion(test, roi >= least, _short(roi, least), roi=roi)
    verdict = _verdict(dreamt)
    promotion = dreamt.promotion
    is_in = promotion is not None or verdict is Verdict.PROMOTE
    trial = dreamt.trial
    return Inclusion(
        test,
        is_in,
        None if is_in else _refused(dreamt),
        dream_id=dreamt.dream.id,
        verdict=None if verdict is None else str(verdict),
        branch=None if promotion is None else promotion.branch,
        roi=None if trial is None else trial.score.get("roi"),
    )


def _verdict(dreamt: CycleDream) -> Verdict | None:
    return None if dreamt.trial is None else dreamt.trial.judgement.verdict


def _roi(test: SelfTest, rates: RoiSection) -> float:
    """Minutes, of a module that is integrated by being scheduled alone."""
    measures = {"orphans.integrated": 1.0, "compute.minutes": test.seconds / 60}
    return roi_from(measures, rates, lines_changed=0).minutes or 0.0


def _short(roi: float, min_roi: float) -> str | None:
    return None if roi >= min_roi else f"worth {roi:.1f} minutes, not {min_roi:g}"


def _unwelcome(test: SelfTest) -> str:
    if not test.passed:
        return test.reason or "its self-test fails"
    return "another module does the same" if test.redundant else "it is marked as out of date"


def _refused(dreamt: CycleDream) -> str:
    if dreamt.trial is None:
        return f"its dream is {dreamt.status}"
    rulings = dreamt.trial.judgement.rulings
    return "; ".join(each.reason for each in rulings if each.verdict is not Answer.PASS)


def listed_orphans(folder: Path) -> tuple[str, ...]:
    """Paths that somebody keeps in the list of orphans."""
    found = _read(folder / ORPHANS_FILE)
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str))


def write_files(
    folder: Path, included: Sequence[str], orphans: Sequence[str], drawn: ModuleMap
) -> None:
    """The module map with all that was integrated, and the list of orphans as it is now."""
    found = _read(folder / MAP_FILE)
    known = found if isinstance(found, dict) and "groups" in found else plain(drawn)
    _write(folder / MAP_FILE, {**known, "integrated": sorted(included)})
    _write(folder / ORPHANS_FILE, sorted(orphans))


def _read(path: Path) -> Any:
    with suppress(OSError, ValueError, RecursionError):
        if path.stat().st_size <= _LARGEST:
            return json.loads(path.read_text("utf-8"))
    return None


def _write(path: Path, document: object) -> None:
    """A file whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", "utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error
