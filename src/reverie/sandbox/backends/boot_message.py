"""The words of a slot that is coming up, checked for shape before anything is made of them.

The first comes from our own code, before any foreign program runs in the slot. The second may
come from whatever the target's interpreter really is: it is a claim like any other.
"""

import json
import socket
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.errors import IsolationUnavailable, PolicyError, SandboxLost
from reverie.model.outcome import IsolationTier
from reverie.sandbox.profile import Profile

_MESSAGE_BYTES = 1 << 16
_SHOWN_CHARACTERS = 1000
_CREDENTIALS = struct.Struct("iII")  # pid, uid, gid
ANCILLARY_BYTES = socket.CMSG_SPACE(_CREDENTIALS.size)
Ancillary = Sequence[tuple[int, int, bytes]]


@dataclass(frozen=True, slots=True)
class Word:
    """One message, and who sent it as the kernel says."""

    facts: Mapping[str, Any]
    pid: int


def hear(control: socket.socket, profile: Profile, wanted: str) -> Word:
    """The word that says `wanted`; anything else is raised as what it means."""
    try:
        data, ancillary, _, _ = control.recvmsg(_MESSAGE_BYTES, ANCILLARY_BYTES)
    except OSError as error:
        raise SandboxLost(profile.tier, f"no word from a new slot: {error}") from error
    if not data:
        raise _ended(profile, wanted)
    facts = _parse(data)
    if facts is None:
        raise SandboxLost(profile.tier, "the first word of a new slot is unreadable")
    for name, refusal in (("refused", _refused), ("error", _failed)):
        text = facts.get(name)
        if isinstance(text, str):
            raise refusal(profile, _printable(text))
    if facts.get(wanted) is not True:
        raise SandboxLost(profile.tier, f"a new slot did not say that it is {wanted}")
    pid = sender(ancillary)
    if pid is None:
        raise SandboxLost(profile.tier, "nobody knows who spoke for a new slot")
    return Word(facts, pid)


def sender(ancillary: Ancillary) -> int | None:
    """The pid, here, of who sent a message: the kernel vouches for it."""
    if not ancillary or ancillary[0][1] != socket.SCM_CREDENTIALS:
        return None
    pid: int = _CREDENTIALS.unpack(ancillary[0][2])[0]
    return pid


def has_proc(word: Word, tier: IsolationTier) -> bool:
    """Whether the slot has a `/proc` of its own, by its first word."""
    posture = word.facts.get("posture")
    found = posture.get("proc") if isinstance(posture, dict) else None
    if not isinstance(found, bool):
        raise SandboxLost(tier, "a new slot did not say what it has")
    return found


def _refused(profile: Profile, text: str) -> PolicyError:
    return PolicyError(f"cannot preload: {text}")


def _failed(profile: Profile, text: str) -> IsolationUnavailable:
    return IsolationUnavailable(f"tier {profile.tier} cannot be used here: {text}")


def _ended(profile: Profile, wanted: str) -> PolicyError | IsolationUnavailable:
    """It was ours until it was closed in; after that it is the interpreter that was asked for."""
    if wanted == "booted" and profile.policy.python is not None:
        return PolicyError(f"interpreter {profile.policy.python!r} ended before it was ready")
    return _failed(profile, "it ended at once")


def _parse(data: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)[
        :_SHOWN_CHARACTERS
    ]
