"""The facts about this machine that isolation depends on, read and not yet judged.

Every file is read below a root folder that tests put in place of `/`. Container runtimes and
subsystems are known by the marks that they leave.
"""

import importlib.util
import os
import platform
import resource
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from reverie.errors import IsolationUnavailable
from reverie.sandbox.backends import cgroups
from reverie.sandbox.backends.kernel_features import Feature, try_features
from reverie.sandbox.backends.srt import find_srt
from reverie.sandbox.inside.passage import closed_folder
from reverie.sandbox.interpreters import own_interpreter


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


SYSCTLS = (
    "user.max_user_namespaces",
    "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns",
)
_CAP_SYS_ADMIN = 21


@dataclass(frozen=True, slots=True)
class CgroupFacts:
    """Control groups: what is mounted, what is switched on here, where a group can be made."""

    version: int | None
    site: str | None
    controllers: tuple[str, ...]  # of version 2, handed down to our own group
    has_systemd: bool


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder for temporary files."""

    path: str
    is_writable: bool
    is_noexec: bool
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Machine:
    """Facts. An absent one is None."""

    release: str
    architecture: str
    is_root: bool
    can_administrate: bool  # CAP_SYS_ADMIN
    features: Mapping[str, Feature]
    sysctls: Mapping[str, str | None]
    security_modules: tuple[str, ...] | None
    container: Container | None
    cgroups: CgroupFacts
    shared_memory_bytes: int | None
    temporary: Folder
    resource_limits: Mapping[str, int | None]  # None: unlimited
    interpreter: str
    closed_folder: str | None  # on the way to the interpreter
    srt_version: str | None
    srt_problem: str | None
    has_postgres: bool
    git: str | None


def read_machine(root: Path = Path("/"), environ: Mapping[str, str] = os.environ) -> Machine:
    """This machine, as a process started from here sees it."""
    version, problem = _srt()
    interpreter = own_interpreter()
    return Machine(
        release=platform.release(),
        architecture=platform.machine(),
        is_root=os.geteuid() == 0,
        can_administrate=_has_capability(root, _CAP_SYS_ADMIN),
        features=try_features(),
        sysctls={name: read(root, f"proc/sys/{name.replace('.', '/')}") for name in SYSCTLS},
        security_modules=_words(read(root, "sys/kernel/security/lsm"), ","),
        container=find_container(root, environ, platform.release()),
        cgroups=_cgroups(root),
        shared_memory_bytes=_size(root / "dev/shm"),
        temporary=_temporary(),
        resource_limits={
            "open files": _limit(resource.RLIMIT_NOFILE),
            "processes": _limit(resource.RLIMIT_NPROC),
            "address space": _limit(resource.RLIMIT_AS),
        },
        interpreter=interpreter.binary,
        closed_folder=closed_folder(interpreter.binary),
        srt_version=version,
        srt_problem=problem,
        has_postgres=importlib.util.find_spec("psycopg") is not None,
        git=shutil.which("git"),
    )


def read(root: Path, path: str) -> str | None:
    """A small file's text without its last newline; None when it cannot be read."""
    try:
        return (root / path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _words(text: str | None, separator: str) -> tuple[str, ...] | None:
    return None if text is None else tuple(word for word in text.split(separator) if word)


def _has_capability(root: Path, number: int) -> bool:
    for line in (read(root, "proc/self/status") or "").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _cgroups(root: Path) -> CgroupFacts:
    site = cgroups.find_site()
    mounts = read(root, "proc/self/mountinfo") or ""
    version = 1 if " - cgroup " in mounts else None
    if " - cgroup2 " in mounts and (version is None or (site is not None and site.version == 2)):
        version = 2
    own = next(
        (
            line[3:]
            for line in (read(root, "proc/self/cgroup") or "").splitlines()
            if line[:3] == "0::"
        ),
        "/",
    )
    handed_down = read(root, f"sys/fs/cgroup/{own.strip('/')}/cgroup.controllers")
    return CgroupFacts(
        version,
        None if site is None else site.memory,
        _words(handed_down, " ") or (),
        os.path.isdir(root / "run/systemd/system"),
    )


def _size(path: Path) -> int | None:
    try:
        space = os.statvfs(path)
    except OSError:
        return None
    return space.f_blocks * space.f_frsize if os.access(path, os.W_OK) else None


def _temporary() -> Folder:
    path = tempfile.gettempdir()
    space = os.statvfs(path)
    noexec = bool(space.f_flag & os.ST_NOEXEC)
    return Folder(path, os.access(path, os.W_OK), noexec, space.f_bavail * space.f_frsize)


def _limit(kind: int) -> int | None:
    soft, _ = resource.getrlimit(kind)
    return None if soft == resource.RLIM_INFINITY else soft


def _srt() -> tuple[str | None, str | None]:
    try:
        return find_srt().version, None
    except IsolationUnavailable as error:
        return None, str(error)
