"""Inside what we run: the marks that container runtimes and subsystems leave."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Kind(StrEnum):
    """What is around us."""

    GVISOR = "gvisor"
    KUBERNETES = "kubernetes"
    DOCKER = "docker"
    PODMAN = "podman"
    LXC = "lxc"
    WSL = "wsl"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Container:
    """What is around us, and how we know."""

    kind: Kind
    mark: str


_GVISOR_VERSION = "Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016"


def find_container(root: Path, environ: Mapping[str, str], release: str) -> Container | None:
    """The closest wall around us that leaves a mark; None when nothing is seen."""
    if _text(root / "proc/version").startswith(_GVISOR_VERSION):
        return Container(Kind.GVISOR, "/proc/version")
    if "KUBERNETES_SERVICE_HOST" in environ:
        return Container(Kind.KUBERNETES, "KUBERNETES_SERVICE_HOST is set")
    if os.path.exists(root / "run/secrets/kubernetes.io"):
        return Container(Kind.KUBERNETES, "/run/secrets/kubernetes.io")
    for path, kind in (("run/.containerenv", Kind.PODMAN), (".dockerenv", Kind.DOCKER)):
        if os.path.exists(root / path):  # unlike Path.exists, False where we may not look
            return Container(kind, f"/{path}")
    for path in ("run/systemd/container", "run/host/container-manager"):
        if os.path.exists(root / path):
            return _named(_text(root / path).strip(), f"/{path}")
    if environ.get("container"):
        return _named(environ["container"], "the variable container")
    for word, kind in (("docker", Kind.DOCKER), ("kubepods", Kind.KUBERNETES), ("lxc", Kind.LXC)):
        if f"/{word}" in _text(root / "proc/1/cgroup"):
            return Container(kind, "/proc/1/cgroup")
    if "microsoft" in release.lower():
        return Container(Kind.WSL, f"kernel {release}")
    return None


def _named(name: str, mark: str) -> Container:
    kind = Kind(name) if name in set(Kind) else Kind.OTHER
    return Container(kind, f"{mark} says {name}")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
