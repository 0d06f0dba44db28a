"""A profile: everything about a warm sandbox that requests must share; and its disguise.

    machine = draw_disguise(1)
    machine.host, machine.user      # 'desktop-k3x9q', 'work'

The disguise is the machine that a sandbox pretends to be: an ordinary developer's, another one by
number. Code under test must not be able to tell that it is judged, so nothing of it may be known
to it beforehand: everything is drawn with a secret of this process. Executions with the same number
see the same machine; two numbers differ in all that is drawn.
"""

import hashlib
import os
import random
import re
import secrets
import string
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.inside.identity import INSIDE_ID
from reverie.sandbox.interpreters import Interpreter, interpreter_at, own_interpreter

MOST = 16
"""Numbers there are: as many as every pool below has values."""
_KINDS = (
    "laptop", "desktop", "workstation", "thinkpad", "latitude", "precision", "devbox", "tower",
    "fedora", "ubuntu", "debian", "arch", "pop-os", "mint", "nuc", "station",
)  # fmt: skip
_USERS = (
    "dev", "work", "me", "user", "code", "build", "ubuntu", "vscode", "main", "home", "admin",
    "coder", "project", "desk", "local", "office",
)  # fmt: skip
_SHELLS = ("/bin/bash", "/usr/bin/bash", "/bin/zsh", "/usr/bin/zsh", "/usr/bin/fish") * 4
_TERMINALS = ("xterm-256color", "screen-256color", "tmux-256color", "xterm", "alacritty") * 4
_ZONES = (
    "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo",
    "Asia/Kolkata", "Africa/Nairobi", "America/Los_Angeles", "Europe/London", "Asia/Singapore",
    "Pacific/Auckland", "America/Chicago", "Europe/Madrid", "Asia/Dubai", "Europe/Warsaw",
    "America/Denver",
)  # fmt: skip
_LANGUAGES = ("en_US.UTF-8", "en_GB.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8")
_LOCALES = "/usr/lib/locale"
_LETTERS = string.ascii_lowercase + string.digits
_FIRST_PID, _LAST_PID = 1_100, 6_000
"""Low enough that the numbers of a slot do not come round: those served by them rely on that."""
_EARLIEST, _LATEST = 1_735_700_000.0, 1_893_400_000.0
"""Between 2025 and 2030, for instruments that set the clock themselves."""


@dataclass(frozen=True, slots=True)
class Disguise:
    """Everything about the pretended machine that the kernel lets us choose."""

    host: str
    user: str
    shell: str
    terminal: str
    machine_id: str
    language: str
    zone: str | None
    """None: that of the real machine, for which the repository's tests were written."""
    first_pid: int
    epoch: float
    """What the clock says where an instrument stops it."""

    @property
    def home(self) -> str:
        """The user's folder."""
        return f"/home/{self.user}"

    @property
    def environment(self) -> dict[str, str]:
        """What a login sets."""
        found = {
            "USER": self.user,
            "LOGNAME": self.user,
            "SHELL": self.shell,
            "TERM": self.terminal,
            "LANG": self.language,
        }
        return found if self.zone is None else {**found, "TZ": self.zone}

    def files(self, uid: int) -> dict[str, str]:
        """Files that say whose machine it is, by path."""
        entry = f"{self.user}:x:{uid}:{uid}:{self.user}:{self.home}:{self.shell}"
        return {
            "/etc/passwd": f"root:x:0:0:root:/root:/bin/bash\n{entry}\n",
            "/etc/group": f"root:x:0:\n{self.user}:x:{uid}:\n",
            "/etc/hostname": f"{self.host}\n",
            "/etc/machine-id": f"{self.machine_id}\n",
            "/etc/hosts": f"127.0.0.1 localhost\n127.0.1.1 {self.host}\n::1 localhost\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
        }


@cache
def draw_disguise(number: int, secret: bytes | None = None) -> Disguise:
    """The machine of a number. The first one speaks the language and has the zone of this one."""
    key = _secret() if secret is None else secret
    kinds, users, shells, terminals, zones = (
        _shuffled(key, pool)[number % len(pool)]
        for pool in (_KINDS, _USERS, _SHELLS, _TERMINALS, _ZONES)
    )
    chance = random.Random(hashlib.sha256(b"%s %d" % (key, number)).digest())
    others = [each for each in _LANGUAGES if _is_installed(each)]
    return Disguise(
        host=f"{kinds}-{''.join(chance.choices(_LETTERS, k=5))}",
        user=users,
        shell=shells,
        terminal=terminals,
        machine_id=chance.randbytes(16).hex(),
        language=others[number % len(others)] if number else "C.UTF-8",
        zone=zones if number else None,
        first_pid=chance.randrange(_FIRST_PID, _LAST_PID),
        epoch=round(chance.uniform(_EARLIEST, _LATEST), 3),
    )


def _shuffled(key: bytes, pool: tuple[str, ...]) -> list[str]:
    """The values of a pool, each once, in an order that only the key tells."""
    values = sorted(set(pool))
    random.Random(key + values[0].encode()).shuffle(values)
    return values * -(-len(pool) // len(values))


def _is_installed(language: str) -> bool:
    """Whether a program can set this locale; C.UTF-8 is part of the C library."""
    name = language.replace("UTF-8", "utf8")
    return language == "C.UTF-8" or os.path.isdir(f"{_LOCALES}/{name}")


@cache
def _secret() -> bytes:
    return secrets.token_bytes(16)


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
_OLDER = re.compile(r"^python3\.(?:\d|10)$")
"""Interpreters that do not know `-P`, by their names."""
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
        "knows_safe_path": not _OLDER.search(os.path.basename(target.binary)),
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
