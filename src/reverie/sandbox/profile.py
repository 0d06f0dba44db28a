"""A profile is everything about a warm sandbox that requests must share to share it."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.disguise import draw_disguise
from reverie.sandbox.inside.identity import INSIDE_ID
from reverie.sandbox.interpreters import Interpreter, interpreter_at, own_interpreter

_SYSTEM_PATHS = (
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
)
_NETWORK_PATHS = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl")
_AF_INET, _AF_INET6 = 2, 10
INSIDE_FOLDER = str(Path(__file__).parent)
_OWN_HOME = str(Path(__file__).parents[2])
"""Where Reverie is imported from: what comes from there is as trusted as what reads this."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The key of a pool: requests with equal profiles run on the same warm slots."""

    tier: IsolationTier
    policy: Policy
    disk_bytes: int

    @classmethod
    def of(cls, tier: IsolationTier, policy: Policy, disk_bytes: int) -> "Profile":
        """The profile of a policy; the seed is per execution and left out."""
        return cls(tier, replace(policy, seed=None), disk_bytes)


def build_config(profile: Profile, scratch: str, uid: int | None) -> dict[str, Any]:
    """What the launcher of a slot has to know, without its cgroups."""
    policy = profile.policy
    own = own_interpreter()
    target = own if policy.python is None else interpreter_at(policy.python)
    namespaces = profile.tier is IsolationTier.NAMESPACES
    machine = draw_disguise(policy.disguise)
    scratch_folders = ["/tmp", "/dev/shm", machine.home] if namespaces else [scratch]
    temporary = scratch_folders[0]
    home = machine.home if namespaces else scratch
    return {
        "tier": profile.tier.value,
        "uid": uid,
        "network": policy.enable_network,
        "readonly": _mount_pairs(profile, target),
        "renewed": [os.path.realpath(path) for path in policy.readonly],
        "copies": [
            {
                "source": os.path.realpath(path),
                "copy": path,
            }
            for path in policy.private_copies
        ],
        "scratch": scratch_folders,
        "scratch_mode": 0o1777 if namespaces else 0o700,
        "disk_bytes": profile.disk_bytes,
        "environment": _environment(
            policy, target, {**machine.environment, "HOME": home, "TMPDIR": temporary}
        ),
        "hash_seed": str(policy.hash_seed),
        "working_directory": policy.working_directory or temporary,
        "socket_families": _socket_families(profile),
        "preload": list(policy.preload),
        "import_paths": list(policy.import_paths),
        "installed_paths": [path for path in policy.import_paths if path == _OWN_HOME],
        "site_packages": list(target.site_packages),
        "own_packages": target.site_packages == own.site_packages,
        "prefix": target.prefix,
        "executable": target.executable,
        "interpreter": target.binary,
        "launcher": own.binary,
        "own_code": INSIDE_FOLDER,
        "host_name": machine.host,
        "first_pid": machine.first_pid,
        "files": machine.files(INSIDE_ID),
    }


def _mount_pairs(profile: Profile, interpreter: Interpreter) -> list[tuple[str, str]]:
    wanted = [*interpreter.folders, *profile.policy.readonly]
    if profile.tier is not IsolationTier.NAMESPACES:
        wanted += _SYSTEM_PATHS
        wanted += _NETWORK_PATHS if profile.policy.enable_network else ()
        if interpreter.binary != own_interpreter().binary or profile.tier is IsolationTier.SRT:
            wanted.append(f"{INSIDE_FOLDER}/inside")
    pairs: list[tuple[str, str]] = []
    for path in sorted({os.path.abspath(path) for path in wanted}):
        for target in dict.fromkeys((os.path.realpath(path), path)):
            pair = (os.path.realpath(path), target)
            if not _is_covered(pair, pairs, profile.tier):
                pairs.append(pair)
    return sorted(pairs, key=lambda pair: pair[1])


def _is_covered(pair: tuple[str, str], pairs: list[tuple[str, str]], tier: IsolationTier) -> bool:
    """Whether a mount already made shows the same thing at the same place."""
    present = [*pairs, ("/usr", "/usr")] if tier is IsolationTier.NAMESPACES else pairs
    for source, target in present:
        if pair == (source, target):
            return True
        inner = pair[1].removeprefix(target + "/")
        if inner != pair[1] and pair[0] == f"{source}/{inner}":
            return True
    return False


def _environment(policy: Policy, interpreter: Interpreter, own: dict[str, str]) -> dict[str, str]:
    base = {
        "PATH": f"{os.path.dirname(interpreter.executable)}:/usr/bin:/bin",
        **own,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": str(policy.hash_seed),
    }
    if not _shows_the_pytest_plugin(interpreter):
        base["PYTEST_ADDOPTS"] = "-p no:reverie_pytest"
    passed = {name: os.environ[name] for name in policy.environment if name in os.environ}
    return base | passed


def _shows_the_pytest_plugin(interpreter: Interpreter) -> bool:
    """Whether our pytest plugin can be imported inside.

    Where Reverie is installed from a checkout its code lies outside of what is shown, but its
    metadata does not: pytest would fail to load the plugin that they announce.
    """
    if interpreter != own_interpreter():
        return True
    return any(os.path.commonpath([folder, _OWN_HOME]) == folder for folder in interpreter.folders)


def _socket_families(profile: Profile) -> list[int]:
    """No AF_UNIX: a path or a name can lead to a server of the host; pairs need neither.

    Without a network namespace an internet socket is the host's, so it needs the permission.
    """
    policy = profile.policy
    has_own_network = profile.tier in (IsolationTier.NAMESPACES, IsolationTier.SRT)
    if not has_own_network and not policy.enable_network:
        return []
    return [_AF_INET, _AF_INET6]
