"""The machine that a sandbox pretends to be: an ordinary developer's, another one by number.

    machine = draw_disguise(1)
    machine.host, machine.user      # 'desktop-k3x9q', 'work'

Code under test must not be able to tell that it is judged, so nothing here may be known to it
beforehand: everything is drawn with a secret of this process. Executions with the same number
see the same machine; two numbers differ in all that is drawn.
"""

import hashlib
import os
import random
import secrets
import string
from dataclasses import dataclass
from functools import cache

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
