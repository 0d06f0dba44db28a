"""What a trial ran on: interpreter, machine and every installed distribution, as a lock.

Read from files alone: the interpreter of the target is not started.
"""

import hashlib
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

_VERSION = re.compile(r"(?m)^version(?:_info)?\s*=\s*(\S+)")


def read_environment(python: Path | None = None) -> dict[str, Any]:
    """The lock of an interpreter: the one given, by its virtual environment, or this one."""
    home = None if python is None else _virtual_environment(python)
    paths = None if home is None else [str(path) for path in _site_packages(home)]
    found = distributions() if paths is None else distributions(path=paths)
    return {
        "python": platform.python_version() if home is None else _version(home),
        "implementation": sys.implementation.name if home is None else None,
        "system": platform.system(),
        "machine": platform.machine(),
        "distributions": _locked(found),
    }


def differences(locked: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[str, ...]:
    """Where this environment is not the one that was locked, one line each."""
    lines = [
        f"{name}: {locked.get(name)} there, {found.get(name)} here"
        for name in ("python", "implementation", "system", "machine")
        if locked.get(name) != found.get(name) and None not in (locked.get(name), found.get(name))
    ]
    there, here = locked.get("distributions", {}), found.get("distributions", {})
    for name in sorted({*there, *here}):
        one, two = there.get(name), here.get(name)
        if one == two:
            continue
        versions = [about["version"] if about else "not installed" for about in (one, two)]
        same = versions[0] == versions[1]
        told = "another build" if same else f"{versions[0]} there, {versions[1]} here"
        lines.append(f"{name}: {told}")
    return tuple(lines)


def _locked(found: Iterable[Distribution]) -> dict[str, dict[str, str | None]]:
    """By name; of two installations the one that is imported counts."""
    locked: dict[str, dict[str, str | None]] = {}
    for each in found:
        name = each.metadata["Name"]
        if name:
            record = each.read_text("RECORD")
            digest = hashlib.sha256(record.encode("utf-8")).hexdigest() if record else None
            key = re.sub(r"[-_.]+", "-", str(name)).lower()
            locked.setdefault(key, {"version": str(each.version), "record_sha256": digest})
    return locked


def _virtual_environment(python: Path) -> Path | None:
    """The environment that an interpreter belongs to; None for the one that runs this."""
    home = python.parent.parent
    is_other = (home / "pyvenv.cfg").is_file() and home.resolve() != Path(sys.prefix).resolve()
    return home if is_other else None


def _site_packages(home: Path) -> list[Path]:
    return sorted(home.glob("lib/python*/site-packages"))


def _version(home: Path) -> str | None:
    found = _VERSION.search((home / "pyvenv.cfg").read_text("utf-8", "replace"))
    return found[1] if found else None
