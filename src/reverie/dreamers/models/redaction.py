"""Takes secrets out of what is sent away: shapes, named values, the environment's own.

It errs on the side of taking out too much: a prompt can do without.
"""

import re
from collections.abc import Iterable, Mapping

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
    for secret in secrets:
        text = text.replace(secret, MARK)
    for shape in _SHAPES:
        text = shape.sub(MARK, text)
    return _ASSIGNED.sub(rf"\1\2{MARK}\2", text)


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables that are named as secrets are, the longest first."""
    found = {
        value
        for name, value in environ.items()
        if _NAMED.search(name) and len(value) >= _LEAST_LENGTH and not value.startswith("/")
    }
    return tuple(sorted(found, key=len, reverse=True))
