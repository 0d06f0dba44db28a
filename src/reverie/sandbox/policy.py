"""What a policy lets through, refused when it is read if it is wider than anyone can mean."""

import os
from pathlib import Path

from reverie.errors import PolicyError
from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier

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
    for name in policy.environment:
        if not name or "=" in name or "\0" in name:
            raise PolicyError(f"not the name of an environment variable: {name!r}")
    for module in policy.preload:
        if not all(part.isidentifier() for part in module.split(".")):
            raise PolicyError(f"not a module name: {module!r}")
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


def check_limits(limits: Limits) -> None:
    """Raise `PolicyError` for a limit that is no limit."""
    for name in Limits.__dataclass_fields__:
        value = getattr(limits, name)
        if value is None and name == "cpu_seconds":
            continue
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e15:
            raise PolicyError(f"{name} must be a positive number, not {value!r}")
