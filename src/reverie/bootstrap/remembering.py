"""What trials did not let through is remembered: asking again gives the same answer, not luck.

A judgement is known by everything it depends on: the files it starts from, the change, the stage,
the settings, the interpreter with what is installed there, and this version. Whoever changes one of
them is judged anew.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from importlib.metadata import distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.home.folder import state_folder
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.model.approval import Need
from reverie.model.codec import Malformed, plain, read
from reverie.model.ruling import Judgement, Ruling, Verdict

if TYPE_CHECKING:
    from reverie.bootstrap import GuardQuestion
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
    sections = (settings.guard, settings.equivalence, settings.sandbox)
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
