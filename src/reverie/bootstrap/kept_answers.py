"""Answers of `reverie guard`, kept under an id so that `reverie show` can print them again.

They lie in the user's own folder, under the user's seal, and never in the repository: judging a
change leaves no trace in what is judged.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reverie.home.folder import state_folder
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.model.change import Change

SHORTEST = 4
"""Of a beginning that is taken for the id of an answer."""
_PURPOSE = "answer"
_ID_CHARACTERS = 16
_MOST_KEPT = 1000


class KeptAnswers:
    """The answers that one user got, of all repositories."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, repository: Path, change: Change, document: Mapping[str, Any]) -> str | None:
        """Keep an answer and give its id; None where the user's folder takes nothing."""
        name = _id_of(repository, change, document)
        whole = {
            **document,
            "id": name,
            "repository": str(repository.resolve()),
            "judged_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": list(change.paths),
            "diff": change.diff(),
        }
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_sealed(self.folder / f"{name}.gz", _PURPOSE, json.dumps(whole))
            self._forget_oldest()
        except OSError:
            return None
        return name

    def find(self, repository: Path, given: str) -> dict[str, Any] | None:
        """The only answer about a repository whose id begins so."""
        if len(given) < SHORTEST or not given.isalnum():
            return None
        places = sorted(self.folder.glob(f"{given}*.gz"))
        told = [read_sealed(place, _PURPOSE) for place in places]
        here = str(repository.resolve())
        found = [each for each in told if isinstance(each, dict) and each["repository"] == here]
        return found[0] if len(found) == 1 else None

    def _forget_oldest(self) -> None:
        kept = sorted(self.folder.glob("*.gz"), key=lambda each: each.stat().st_mtime)
        for each in kept[:-_MOST_KEPT]:
            each.unlink(missing_ok=True)


def own_answers(environ: Mapping[str, str]) -> KeptAnswers:
    """Those of the user."""
    return KeptAnswers(Path(state_folder(environ)) / "answers")


def _id_of(repository: Path, change: Change, document: Mapping[str, Any]) -> str:
    """The same answer to the same change of the same repository has the same id."""
    rulings = [[each["gate"], each["reason_code"]] for each in document["rulings"]]
    parts = [str(repository.resolve()), change.digest, document["stage"], rulings]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_ID_CHARACTERS]
