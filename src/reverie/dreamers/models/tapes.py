"""Exchanges kept in files: a tape to record on and play back, and a cache of answers.

Both know a request by its hash; neither ever holds a key, for a key is no part of a request.
"""

import base64
import hashlib
import json
from collections import defaultdict, deque
from pathlib import Path

from reverie.dreamers.models.exchange import Answered, Posted
from reverie.dreamers.models.transport import Transport
from reverie.errors import ModelFailed, UsageError
from reverie.home.sealed_file import read_sealed, write_sealed

_MOST_CACHED_BYTES = 64 << 20
_PURPOSE = "answer of a model"


def fingerprint(posted: Posted, endpoint: str = "") -> str:
    """What a request is known by."""
    seen = hashlib.sha256()
    for part in (endpoint.encode(), posted.path.encode(), posted.body):
        seen.update(b"%d:" % len(part) + part)
    return seen.hexdigest()


class RecordingTransport:
    """Passes everything on, and appends it to a file."""

    def __init__(self, inner: Transport, path: Path) -> None:
        self._inner = inner
        self._path = path

    def post(self, posted: Posted, seconds: float) -> Answered:
        """The inner answer, recorded before it is given."""
        answered = self._inner.post(posted, seconds)
        line = {
            "request": posted.key,
            "asked": posted.body.decode("utf-8", "replace"),
            "path": posted.path,
            **_document(answered),
        }
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
        except OSError as error:
            raise UsageError(f"models.record: cannot write {str(self._path)!r}: {error}") from error
        return answered


class ReplayTransport:
    """Answers from a tape: the same requests get the same answers, in their order."""

    def __init__(self, path: Path) -> None:
        self._answers: dict[str, deque[Answered]] = defaultdict(deque)
        try:
            lines = path.read_text("utf-8").splitlines()
            for line in lines:
                entry = json.loads(line)
                self._answers[entry["request"]].append(_answered(entry))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"models.replay: cannot read {str(path)!r}: {error}") from error

    def post(self, posted: Posted, seconds: float) -> Answered:
        """The next recorded answer; the last one stays."""
        answers = self._answers.get(posted.key)
        if not answers:
            raise ModelFailed("the tape has no answer to this request")
        return answers.popleft() if len(answers) > 1 else answers[0]


class AnswerCache:
    """Answers in a folder, one file each; what the user did not keep is as if it were not there."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, key: str) -> Answered | None:
        """The answer that was kept."""
        if self._folder is None:
            return None
        try:
            return _answered(read_sealed(self._folder / f"{key}.json.gz", _PURPOSE))
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, answered: Answered) -> None:
        """Keep a good answer; a folder that cannot be written keeps none."""
        if self._folder is None or len(answered.body) > _MOST_CACHED_BYTES:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            text = json.dumps(_document(answered))
            write_sealed(self._folder / f"{key}.json.gz", _PURPOSE, text)
        except OSError:
            return


def _document(answered: Answered) -> dict[str, object]:
    body = base64.b64encode(answered.body).decode("ascii")
    return {"status": answered.status, "body": body, "retry_seconds": answered.retry_seconds}


def _answered(entry: dict[str, object]) -> Answered:
    status, body, retry = entry["status"], entry["body"], entry["retry_seconds"]
    if not isinstance(status, int) or not isinstance(body, str):
        raise TypeError("no recorded answer")
    return Answered(status, base64.b64decode(body, validate=True), _seconds(retry))


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
