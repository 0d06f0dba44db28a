"""The first process of a slot as the kernel describes it to us, who stand outside.

Looked at once, before any foreign program runs in it: none of this can be undone from inside.
No capability comes back where new privileges are impossible, a filter is never taken off, and
the filter lets nobody change namespaces.
"""

import os

from reverie.errors import IsolationUnavailable
from reverie.model.outcome import IsolationTier
from reverie.sandbox.profile import Profile

_REQUIRED = {
    "Seccomp": ("2", "no system call filter is in force"),
    "NoNewPrivs": ("1", "new privileges are possible"),
}
_NO_POWER = ("CapInh", "CapPrm", "CapEff", "CapAmb")
_NAMESPACES = ("user", "mnt", "pid", "ipc", "uts", "cgroup", "net")


def check(pid: int, profile: Profile, uids: tuple[int, ...]) -> None:
    """Raise `IsolationUnavailable` unless every layer of the tier is in force."""
    try:
        problem = _find_problem(pid, profile, uids)
    except (OSError, ValueError) as error:
        problem = f"its first process cannot be looked at: {error}"
    if problem is not None:
        raise IsolationUnavailable(f"tier {profile.tier} cannot be used here: {problem}")


def _find_problem(pid: int, profile: Profile, uids: tuple[int, ...]) -> str | None:
    fields = _status(pid)
    for name, (wanted, problem) in _REQUIRED.items():
        if fields.get(name) != wanted:
            return problem
    if any(int(fields.get(name, "-1"), 16) != 0 for name in _NO_POWER):
        return "capabilities are left"
    found = {int(word) for word in fields.get("Uid", "").split()}
    if len(found) != 1 or not found <= set(uids):
        return f"it runs as uid {fields.get('Uid')}"
    if profile.tier is IsolationTier.NAMESPACES:
        return _find_shared(pid, is_networked=profile.policy.enable_network)
    return None


def _find_shared(pid: int, is_networked: bool) -> str | None:
    for name in _NAMESPACES:
        is_ours = _namespace(str(pid), name) == _namespace("self", name)
        if is_ours and not (name == "net" and is_networked):
            return f"the {name} namespace is the host's"
    return None


def _namespace(process: str, name: str) -> int:
    return os.stat(f"/proc/{process}/ns/{name}").st_ino


def _status(pid: int) -> dict[str, str]:
    with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
        lines = (line.partition(":") for line in file)
        return {name: value.strip() for name, _, value in lines}
