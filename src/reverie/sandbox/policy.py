"""What a policy lets through, refused when it is read if it is wider than anyone can mean."""

import os
import sys
from pathlib import Path

from reverie.errors import PolicyError
from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.profile import MOST

_ALWAYS_SHOWN = ("/usr", sys.prefix, sys.base_prefix)
_OWN_FOLDERS = ("/", "/tmp")  # where there is a root of its own
_NEVER = ("/", "/proc", "/sys", "/dev", "/run", "/etc", "/var", "/tmp", "/home", "/root", "/boot")


def check_policy(policy: Policy, tier: IsolationTier) -> None:
    """Raise `PolicyError` for a rule that is over-wide, contradictory or impossible."""
    for path in (*policy.readonly, *policy.private_copies):
        _check_path(path)
    if policy.private_copies and not policy.enable_filesystem:
        raise PolicyError("private copies need enable_filesystem; it is off")
    if policy.private_copies and tier is not IsolationTier.NAMESPACES:
        raise PolicyError(f"private copies need tier namespaces, not {tier}")
    if policy.enable_network and tier is IsolationTier.SRT:
        raise PolicyError("tier srt cannot open the network: it only knows lists of domains")
    for path in policy.private_copies:
        if not os.path.isdir(path):
            raise PolicyError(f"private copy of {path!r}: not a folder")
    if not 0 <= policy.hash_seed < 2**32:
        raise PolicyError(f"not a hash seed: {policy.hash_seed!r}")
    if not 0 <= policy.disguise < MOST:
        raise PolicyError(f"not the number of a disguise: {policy.disguise!r}")
    for name in policy.environment:
        if not name or "=" in name or "\0" in name:
            raise PolicyError(f"not the name of an environment variable: {name!r}")
    for module in policy.preload:
        if not all(part.isidentifier() for part in module.split(".")):
            raise PolicyError(f"not a module name: {module!r}")
    for path in policy.import_paths:
        _check_visible(path, policy, tier, "import path")
    if policy.working_directory is not None:
        _check_visible(policy.working_directory, policy, tier, "working directory")
    if policy.python is not None and not os.access(policy.python, os.X_OK):
        raise PolicyError(f"not an interpreter: {policy.python!r}")


def _check_path(path: str) -> None:
    if not os.path.isabs(path) or "\0" in path:
        raise PolicyError(f"mounts need an absolute path, not {path!r}")
    real = os.path.realpath(path)
    home = os.path.realpath(Path.home())
    if real in _NEVER or home == real or home.startswith(real.rstrip("/") + "/"):
        raise PolicyError(f"refusing to show all of {path!r} to untrusted code")
    if not os.path.exists(real):
        raise PolicyError(f"mount {path!r}: no such file or folder")


def _check_visible(path: str, policy: Policy, tier: IsolationTier, what: str) -> None:
    """A folder that would not be there inside is a mistake, and not this machine's."""
    if not os.path.isabs(path) or not os.path.isdir(path):
        raise PolicyError(f"{what} {path!r}: not the absolute path of a folder")
    if tier is IsolationTier.NAMESPACES and path in _OWN_FOLDERS:
        return
    shown = (*policy.readonly, *policy.private_copies, *_ALWAYS_SHOWN)
    if tier is not IsolationTier.NONE and not any(is_inside(path, each) for each in shown):
        raise PolicyError(f"{what} {path!r} is not inside a mount")


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it, by name or by where links lead."""
    places = {os.path.abspath(folder), os.path.realpath(folder)}
    own = {os.path.abspath(path), os.path.realpath(path)}
    return any(inner == outer or inner.startswith(f"{outer}/") for inner in own for outer in places)


def names_paths(policy: Policy) -> bool:
    """Whether what is in order now may not be later, for files come and go."""
    folders = (*policy.readonly, *policy.private_copies, *policy.import_paths)
    return bool(folders or policy.python or policy.working_directory)


def check_limits(limits: Limits) -> None:
    """Raise `PolicyError` for a limit that is no limit."""
    for name in Limits.__dataclass_fields__:
        value = getattr(limits, name)
        if value is None and name == "cpu_seconds":
            continue
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e15:
            raise PolicyError(f"{name} must be a positive number, not {value!r}")
