"""What trials did not let through is remembered: asking again gives the same answer, not luck.

A judgement is known by everything it depends on: the files it starts from, the change, the stage,
the settings, the interpreter and this version. Whoever changes one of them is judged anew.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import astuple
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.home.folder import state_folder
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.model.ruling import Answer, Judgement, Ruling, Verdict

if TYPE_CHECKING:
    from reverie.bootstrap import GuardQuestion
    from reverie.settings import Settings

_PURPOSE = "judgement"
_MOST_KEPT = 5000


class RememberedJudgements:
    """Judgements other than `promote`, in the user's own folder, under the user's seal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, key: str) -> tuple[Judgement, str] | None:
        """What was said of a question, and when; None where it was not asked, or promoted."""
        told = read_sealed(self.folder / f"{key}.gz", _PURPOSE)
        if not isinstance(told, dict):
            return None
        rulings = tuple(_ruling(each) for each in told["rulings"])
        return Judgement(rulings, tuple(told["needs"])), told["judged_at"]

    def keep(self, key: str, judgement: Judgement) -> None:
        """Remember a judgement that did not let its change through."""
        if judgement.verdict is Verdict.PROMOTE:
            return
        told = {
            "judged_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "rulings": [each.document() for each in judgement.rulings],
            "needs": list(judgement.needs),
        }
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
    sections = (settings.guard, settings.equivalence, settings.sandbox)
    parts = [version("reverie"), str(question.stage), question.python or "", question.change.digest]
    parts += [repr(astuple(each)) for each in sections]
    for part in parts:
        _add(seen, part.encode("utf-8", "surrogatepass"))
    for path, content in (*sorted(question.base.items()), *sorted(question.generated.items())):
        _add(seen, path.encode("utf-8", "surrogateescape"))
        _add(seen, content)
    return seen.hexdigest()


def _add(seen: Any, part: bytes) -> None:
    seen.update(b"%d:" % len(part) + part)


def _ruling(told: Mapping[str, Any]) -> Ruling:
    return Ruling(**{**told, "verdict": Answer(told["verdict"])})
