"""Requests to an endpoint: one connection, bounded; recorded on tapes and kept in a cache.

Nothing is followed elsewhere: a redirection is an answer like any other, so a key never goes to
a place that nobody named. A key goes over plain HTTP to this machine only.

A tape and the cache know a request by its hash; neither ever holds a key, for a key is no part of
a request. Redaction takes out shapes of secrets, named values and the environment's own; it errs on
the side of taking out too much, for a prompt can do without.
"""

import base64
import hashlib
import http.client
import json
import re
import socket
import ssl
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from reverie.dreamers.models.exchange import Answered, Posted
from reverie.errors import ConfigError, ModelFailed, UsageError, reason_of
from reverie.home.sealed_file import read_sealed, write_sealed
from reverie.model.settings.cycle import ModelsSection

_SHAPES = (
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
    ),
    re.compile(r"\bsk-[A-Za-z0-9_-]{16,}"),
    re.compile(r"\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}"),
    re.compile(r"\bglpat-[A-Za-z0-9_-]{16,}"),
    re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    re.compile(r"\bAIza[A-Za-z0-9_-]{30,}"),
    re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    re.compile(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    re.compile(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    re.compile(r"\bhf_[A-Za-z0-9]{20,}"),
    re.compile(r"\bnpm_[A-Za-z0-9]{30,}"),
    re.compile(r"\bpypi-[A-Za-z0-9_-]{30,}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    re.compile(r"(?<=://)[^\s/:@'\"]*:[^\s/@'\"]+(?=@)"),
    re.compile(r"(?i)(?<=bearer )[A-Za-z0-9._~+/-]{16,}=*"),
)
_NAME = (
    r"(?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|credential)s?"
)
_ASSIGNED = re.compile(
    rf"(?i)(\b\w*{_NAME}\w*[\"']?\]?\s*(?::\s*[\w.\[\]| ]+)?\s*[:=]\s*[rbuf]{{0,2}})"
    r"(['\"])(?!\2)(.+?)\2"
)
_NAMED = re.compile(rf"(?i){_NAME}|auth")
_LEAST_LENGTH = 8
MARK = "<redacted>"


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without anything that looks like a secret."""
    return _ASSIGNED.sub(rf"\1\2{MARK}\2", redact_shapes(text, secrets))


def redact_shapes(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without known secrets and what has the shape of one; quotes stay as they are."""
    for secret in secrets:
        text = text.replace(secret, MARK)
    for shape in _SHAPES:
        text = shape.sub(MARK, text)
    return text


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables that are named as secrets are, the longest first."""
    found = {
        value
        for name, value in environ.items()
        if _NAMED.search(name) and len(value) >= _LEAST_LENGTH and not value.startswith("/")
    }
    return tuple(sorted(found, key=len, reverse=True))


_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_CHUNK = 1 << 16
_MOST_RETRY_SECONDS = 3600.0


class Transport(Protocol):
    """What carries a request and brings an answer; `ModelFailed` when there is none."""

    def post(self, posted: Posted, seconds: float) -> Answered:
        """One exchange, within so many seconds."""
        ...


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """The standard library's client, held to limits that it does not have."""

    endpoint: str
    headers: Mapping[str, str] = field(repr=False)
    reply_bytes: int

    def post(self, posted: Posted, seconds: float) -> Answered:
        """One exchange; however slowly an endpoint dribbles, it ends in time."""
        place = urlsplit(self.endpoint)
        _require_private(place, self.headers)
        connection = _connection(place, seconds)
        late = threading.Event()
        try:
            connection.connect()
            # The answer takes the socket over from the connection, so the guard has its own hold.
            guard = threading.Timer(seconds, _cut, (connection.sock, late))
            guard.start()
            try:
                path = place.path.rstrip("/") + posted.path
                answered = self._exchange(connection, path, posted.body)
            finally:
                guard.cancel()
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = f"no whole answer after {seconds:g} s" if late.is_set() else _told(error)
            raise ModelFailed(f"{place.hostname}: {why}") from error
        finally:
            connection.close()
        if late.is_set():  # cut in the middle, which looks like an end
            raise ModelFailed(f"{place.hostname}: no whole answer after {seconds:g} s")
        return answered

    def _exchange(self, connection: http.client.HTTPConnection, path: str, body: bytes) -> Answered:
        fixed = {"Content-Type": "application/json", "Accept": "application/json"}
        connection.request("POST", path, body, {**fixed, **self.headers})
        with connection.getresponse() as response:
            return self._read(response)

    def _read(self, response: http.client.HTTPResponse) -> Answered:
        whole = bytearray()
        while chunk := response.read(_CHUNK):
            whole += chunk
            if len(whole) > self.reply_bytes:
                raise ModelFailed(f"the answer is longer than {self.reply_bytes} bytes")
        return Answered(response.status, bytes(whole), _retry_after(response))


def _require_private(place: SplitResult, headers: Mapping[str, str]) -> None:
    has_key = any(name.lower() in ("authorization", "x-api-key") for name in headers)
    if has_key and place.scheme == "http" and place.hostname not in _LOOPBACK:
        raise ConfigError(f"models.endpoint: a key is not sent to {place.hostname} over plain http")


def _connection(place: SplitResult, seconds: float) -> http.client.HTTPConnection:
    host = place.hostname or ""
    try:
        port = place.port
    except ValueError as error:
        raise ConfigError(f"models.endpoint: {error}") from error
    if place.scheme == "http":
        return http.client.HTTPConnection(host, port, timeout=seconds)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(host, port, timeout=seconds, context=context)


def _cut(held: socket.socket, late: threading.Event) -> None:
    late.set()
    try:
        held.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _told(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__


def _retry_after(response: http.client.HTTPResponse) -> float | None:
    given = response.getheader("Retry-After") or ""
    return min(float(given), _MOST_RETRY_SECONDS) if given.isascii() and given.isdigit() else None


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

    def __init__(self, inner: Transport, path: Path, secrets: Sequence[str] = ()) -> None:
        self._inner = inner
        self._path = path
        self._secrets = secrets
        self._lock = threading.Lock()

    def post(self, posted: Posted, seconds: float) -> Answered:
        """The inner answer, recorded before it is given."""
        answered = self._inner.post(posted, seconds)
        line = {
            "request": posted.key,
            "asked": posted.body.decode("utf-8", "replace"),
            "path": posted.path,
            **_document(self._harmless(answered)),
        }
        try:
            with self._lock, self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
        except OSError as error:
            raise UsageError(
                f"models.record: cannot write {str(self._path)!r}: {reason_of(error)}"
            ) from error
        return answered

    def _harmless(self, answered: Answered) -> Answered:
        """An answer without secrets: a model may have been shown one by somebody else."""
        text = answered.body.decode("utf-8", "surrogateescape")
        clean = redact_shapes(text, self._secrets).encode("utf-8", "surrogateescape")
        return replace(answered, body=clean)


def taped(
    section: ModelsSection, carrier: Callable[[], Transport], secrets: Sequence[str]
) -> Transport:
    """Whatever carries, recorded or played back as the settings say."""
    if section.replay:
        return ReplayTransport(Path(section.replay))
    inner = carrier()
    if not section.record:
        return inner
    return RecordingTransport(inner, Path(section.record), secrets)


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
            raise UsageError(
                f"models.replay: cannot read {str(path)!r}: {reason_of(error)}"
            ) from error

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
