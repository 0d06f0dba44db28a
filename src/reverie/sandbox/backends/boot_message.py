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
        raise _fault(profile, wanted, f"sent no word: {error}") from error
    if not data:
        raise _failure(profile, wanted, "it ended at once")
    facts = _parse(data)
    if facts is None:
        raise _fault(profile, wanted, "sent an unreadable first word")
    if isinstance(facts.get("refused"), str):
        raise PolicyError(f"cannot preload: {_printable(facts['refused'])}")
    if isinstance(facts.get("error"), str):
        raise _failure(profile, wanted, _printable(facts["error"]))
    pid = sender(ancillary)
    if facts.get(wanted) is not True or pid is None:
        raise _fault(profile, wanted, f"did not say that it is {wanted}")
    return Word(facts, pid)


def sender(ancillary: Ancillary) -> int | None:
    """The pid, here, of who sent a message: the kernel vouches for it."""
    if not ancillary or ancillary[0][1] != socket.SCM_CREDENTIALS:
        return None
    pid: int = _CREDENTIALS.unpack(ancillary[0][2])[0]
    return pid


def posture(word: Word, tier: IsolationTier) -> Mapping[str, Any]:
    """What our own code in the slot found out about itself, which cannot be seen from outside."""
    found = word.facts.get("posture")
    if not isinstance(found, dict) or not isinstance(found.get("proc"), bool):
        raise SandboxLost(tier, "a new slot did not say what it has")
    return {**found, "pid": word.pid}


def _is_foreign(profile: Profile, wanted: str) -> bool:
    """It was ours until it was closed in; after that it is the interpreter that was asked for.

    What that says about itself must not look like a tier that does not work: another, weaker
    one would be tried.
    """
    return wanted == "booted" and profile.policy.python is not None


def _fault(profile: Profile, wanted: str, what: str) -> PolicyError | SandboxLost:
    if _is_foreign(profile, wanted):
        return PolicyError(f"interpreter {profile.policy.python!r} {what}")
    return SandboxLost(profile.tier, f"a new slot {what}")


def _failure(profile: Profile, wanted: str, why: str) -> PolicyError | IsolationUnavailable:
    if _is_foreign(profile, wanted):
        return PolicyError(f"interpreter {profile.policy.python!r} cannot be used: {why}")
    return IsolationUnavailable(f"tier {profile.tier} cannot be used here: {why}")


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
