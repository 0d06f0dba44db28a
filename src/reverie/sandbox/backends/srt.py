"""Anthropic's sandbox-runtime (`srt`) as the launcher of a slot: where it is, what it is told.

Found beside Reverie's own interpreter (where `make setup` puts it) or on the PATH. Settings
deny by default: no domain, no file but the ones named, nothing writable but the scratch.
"""

import json
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import IsolationUnavailable

PACKAGE = "@anthropic-ai/sandbox-runtime"
INSTALL = f"npm install -g {PACKAGE}"
INSTALL_HELPERS = "apt-get install bubblewrap socat ripgrep"
_SETTINGS, _OWN_FOLDER = "/tmp/settings.json", "/tmp/srt"
"""In the launcher's private `/tmp`; short, for a path of a socket may not be long."""
_HELPERS = ("bwrap", "socat", "rg", "bash", "env")
_PROGRAM = (
    "import sys; sys.path.insert(0, {folder!r}); sys.dont_write_bytecode = True; "
    "from inside import guest, tracks; tracks.rename_functions(); guest.main()"
)
_ARCHITECTURES = {"x86_64": "x64", "aarch64": "arm64"}


@dataclass(frozen=True, slots=True)
class Srt:
    """An installed srt with everything it needs."""

    node: str
    package: str
    helpers: dict[str, str]

    @property
    def program(self) -> str:
        """What node runs."""
        return f"{self.package}/dist/cli.js"

    @property
    def filter(self) -> str:
        """The helper that has to be visible inside."""
        return f"{self.package}/vendor/seccomp/{_ARCHITECTURES[platform.machine()]}"

    @property
    def modules(self) -> str:
        """The folder that holds the package and what it imports."""
        return f"{self.package.partition('/node_modules/')[0]}/node_modules"

    @property
    def version(self) -> str:
        """As its package says."""
        return str(_manifest(self.package)["version"])


def find_srt() -> Srt:
    """The srt to use; `IsolationUnavailable` says what to install."""
    if platform.machine() not in _ARCHITECTURES:
        raise IsolationUnavailable(f"tier srt does not know machine {platform.machine()}")
    command = shutil.which("srt", path=_search_path())
    node = shutil.which("node", path=_search_path())
    if command is None or node is None:
        absent = "srt" if command is None else "node"
        raise IsolationUnavailable(f"tier srt: {absent} is not installed: run `{INSTALL}`")
    helpers = {name: shutil.which(name) for name in _HELPERS}
    missing = [name for name, path in helpers.items() if path is None]
    if missing:
        raise IsolationUnavailable(
            f"tier srt: {', '.join(missing)} not installed: run `{INSTALL_HELPERS}`"
        )
    package = os.path.dirname(os.path.dirname(os.path.realpath(command)))
    if _manifest(package).get("name") != PACKAGE:
        raise IsolationUnavailable(f"tier srt: {command} is not {PACKAGE}: run `{INSTALL}`")
    return Srt(os.path.realpath(node), package, {k: v for k, v in helpers.items() if v})


def launch(config: dict[str, Any]) -> dict[str, Any]:
    """What a slot's config needs on top so that its launcher can start srt."""
    srt = find_srt()
    interpreter = [config["interpreter"], "-s", "-S", "-P", "-X", "utf8"]
    program = _PROGRAM.format(folder=config["own_code"])
    clean = [srt.helpers["env"], "-i", f"PYTHONHASHSEED={config['hash_seed']}", "LANG=C.UTF-8"]
    command = [srt.node, srt.program, "--settings", _SETTINGS, "--"]
    folders = dict.fromkeys(os.path.dirname(path) for path in (srt.node, *srt.helpers.values()))
    return {
        "srt": {
            "settings_file": _SETTINGS,
            "command": [*command, *clean, *interpreter, "-c", program],
            "environment": {
                "PATH": ":".join(folders),
                "HOME": _OWN_FOLDER,
                "TMPDIR": _OWN_FOLDER,
                "LANG": "C.UTF-8",
            },
            "own_folder": _OWN_FOLDER,
            "needs": [(path, path) for path in (srt.node, srt.modules, *srt.helpers.values())],
            "settings": _settings(config, srt),
        },
    }


def _settings(config: dict[str, Any], srt: Srt) -> dict[str, Any]:
    readable = dict.fromkeys(path for pair in config["readonly"] for path in pair)
    return {
        "network": {"allowedDomains": [], "deniedDomains": ["*"]},
        "filesystem": {
            "denyRead": ["/"],
            "allowRead": [*readable, srt.filter],
            "allowWrite": config["scratch"],
            "denyWrite": [],
        },
        "bwrapPath": srt.helpers["bwrap"],
        "socatPath": srt.helpers["socat"],
        "ripgrep": {"command": srt.helpers["rg"]},
    }


def _search_path() -> str:
    beside = os.path.dirname(sys.executable)
    return f"{beside}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def _manifest(package: str) -> dict[str, Any]:
    try:
        found = json.loads(Path(package, "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
