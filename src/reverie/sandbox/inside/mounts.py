"""A root of its own: a small read-only tree of bind mounts, with private scratch space.

Built inside a new mount namespace. A tmpfs becomes the root by `pivot_root`; the old root
stays reachable at `/old` just long enough to bind from it, so no folder on the host is
touched, and sources under any path (also under `/tmp`) stay visible.
"""

import errno
import os
import struct
from typing import Any

from . import kernel, owners, scratch

OLD = "/old"
OWN_CODE = "/.reverie"
"""Where a second interpreter finds this package."""
_READONLY = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
_PRIVATE = kernel.MS_NOSUID | kernel.MS_NODEV
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SYSTEM_FILES = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/mime.types",
    "/etc/magic",
    "/etc/locale.alias",
    "/etc/os-release",
    "/etc/debian_version",
)
_NETWORK_FILES = ("/etc/resolv.conf", "/etc/ssl", "/etc/pki", "/etc/ca-certificates")


def enter_new_root(config: "dict[str, Any]", owned: "dict[str, int]") -> None:
    """Make a minimal root around the (host path, inner path) pairs to be shown; move into it."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    stage = next(path for path in ("/tmp", "/var", "/usr") if os.path.isdir(path))
    kernel.mount("tmpfs", stage, "tmpfs", _PRIVATE, "size=1m,nr_inodes=4096,mode=755")
    os.chdir(stage)
    os.mkdir("old")
    kernel.pivot_root(".", "old")
    os.chdir("/")
    for folder in ("/tmp", "/proc", "/dev", "/etc", "/usr"):
        os.makedirs(folder, exist_ok=True)
    _bind_system(config["network"], config["files"])
    _make_devices()
    scratch.mount(config)
    for source, target in config["readonly"]:
        bind_readonly(source, target, owned)


def seal_root() -> None:
    """Forget the old root and make the new one read-only."""
    kernel.detach(OLD)
    os.rmdir(OLD)
    kernel.mount(None, "/", None, kernel.MS_REMOUNT | kernel.MS_BIND | _READONLY)


def mount_proc() -> bool:
    """A `/proc` of this pid namespace; False where the kernel forbids it (masked host /proc)."""
    flags = _PRIVATE | kernel.MS_NOEXEC
    for options in ("subset=pid,hidepid=ptraceable", "hidepid=2", ""):
        try:
            kernel.mount("proc", "/proc", "proc", flags, options)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EINVAL, errno.EACCES):
                raise
        else:
            return True
    return False


def bind_readonly(source: str, target: str, owned: "dict[str, int] | None" = None) -> None:
    """Show one host path (free of links) read-only, with everything mounted below it.

    One that has an owner in `owned` is shown as belonging to the sandbox's user.
    """
    host = OLD + source
    if not os.path.exists(host):
        return
    if os.path.isdir(host):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    if owned and source in owned:
        owners.bind_as_user(host, target, owned[source])
        return
    kernel.mount(host, target, None, kernel.MS_BIND | kernel.MS_REC)
    make_readonly(target)


def bind_own_code(folder: str) -> None:
    """Show this package to an interpreter that has to load it again."""
    os.makedirs(f"{OWN_CODE}/inside", exist_ok=True)
    kernel.mount(f"{OLD}{folder}/inside", f"{OWN_CODE}/inside", None, kernel.MS_BIND)
    make_readonly(f"{OWN_CODE}/inside")


def make_readonly(path: str) -> None:
    """Read-only, no set-uid, no devices; for the mount and everything below it."""
    attributes = struct.pack("QQQQ", 1 | 2 | 4, 0, 0, 0)  # read-only, no set-uid, no devices
    try:
        kernel.syscall(
            "mount_setattr",
            _AT_FDCWD,
            os.fsencode(path),
            _AT_RECURSIVE,
            attributes,
            len(attributes),
        )
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        for point in _mounts_below(path):
            kernel.mount(None, point, None, kernel.MS_REMOUNT | kernel.MS_BIND | _READONLY)


def _mounts_below(path: str) -> list[str]:
    with open(f"{OLD}/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as lines:
        points = [line.split()[4].encode().decode("unicode_escape") for line in lines]
    return [point for point in points if point == path or point.startswith(path + "/")]


def _bind_system(enable_network: bool, files: "dict[str, str]") -> None:
    bind_readonly("/usr", "/usr")
    for name in _SYSTEM_LINKS:
        host = f"{OLD}/{name}"
        if os.path.islink(host):
            os.symlink(os.readlink(host), f"/{name}")
        elif os.path.isdir(host):
            bind_readonly(f"/{name}", f"/{name}")
    for path in _SYSTEM_FILES + (_NETWORK_FILES if enable_network else ()):
        _bind_resolved(path)
    for path, text in files.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def _bind_resolved(path: str) -> None:
    """Bind what `path` resolves to on the host (it may be a link into `/run` or `/usr`)."""
    source = path
    if os.path.islink(OLD + path):
        source = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(OLD + path)))
        if source.startswith("/usr/"):
            os.symlink(source, path)
            return
    bind_readonly(source, path)


def _make_devices() -> None:
    for name in _DEVICES:
        path = f"/dev/{name}"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
        kernel.mount(OLD + path, path, None, kernel.MS_BIND)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1")):
        os.symlink(target, f"/dev/{name}")
    os.symlink("fd/2", "/dev/stderr")
