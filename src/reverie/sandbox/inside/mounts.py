"""A root of its own: a small read-only tree of bind mounts, with private scratch space.

Built inside a new mount namespace. A tmpfs becomes the root by `pivot_root`; the old root
stays reachable at `/old` just long enough to bind from it, so no folder on the host is
touched, and sources under any path (also under `/tmp`) stay visible.
"""

import errno
import os
import stat
from typing import Any

from . import kernel, scratch, shown, snapshot
from .binds import OLD, READONLY

OWN_CODE = "/.reverie"
"""Where a second interpreter finds this package."""
_PRIVATE = kernel.MS_NOSUID | kernel.MS_NODEV
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
_COPIED_BYTES = 1 << 20
_NETWORK_FILES = ("/etc/resolv.conf", "/etc/ssl", "/etc/pki", "/etc/ca-certificates")


def enter_new_root(config: "dict[str, Any]", owned: "dict[str, int]") -> shown.Shown:
    """Make a minimal root around the (host path, inner path) pairs to be shown; move into it."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    stage = next(path for path in ("/tmp", "/var", "/usr") if os.path.isdir(path))
    kernel.mount("tmpfs", stage, "tmpfs", _PRIVATE, "size=8m,nr_inodes=4096,mode=755")
    os.chdir(stage)
    os.mkdir("old")
    kernel.pivot_root(".", "old")
    os.chdir("/")
    for folder in ("/tmp", "/proc", "/dev", "/etc", "/usr"):
        os.makedirs(folder, exist_ok=True)
    shown.make_hidden()
    things = shown.Shown(owned)
    _show_system(things, config["network"], config["files"])
    _make_devices()
    scratch.mount(config)
    if config["interpreter"] != config["launcher"]:
        things.show(f"{config['own_code']}/inside", f"{OWN_CODE}/inside")
    for source, target in config["readonly"]:
        named = config["renewed"]
        is_named = any(source == path or source.startswith(f"{path}/") for path in named)
        things.show(source, target, renewed=is_named)
    config["private_files"] = things.is_private
    return things


def seal_root() -> None:
    """Forget the old root and make the new one read-only."""
    kernel.detach(OLD)
    os.rmdir(OLD)
    flags = kernel.MS_RDONLY | kernel.MS_NOSUID  # but its devices work
    kernel.mount(None, "/dev", None, kernel.MS_REMOUNT | kernel.MS_BIND | flags)
    kernel.mount(None, "/", None, kernel.MS_REMOUNT | kernel.MS_BIND | READONLY)


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


def _show_system(things: shown.Shown, enable_network: bool, files: "dict[str, str]") -> None:
    things.show("/usr", "/usr")
    for name in _SYSTEM_LINKS:
        host = f"{OLD}/{name}"
        if os.path.islink(host):
            os.symlink(os.readlink(host), f"/{name}")
        elif os.path.isdir(host):
            things.show(f"/{name}", f"/{name}")
    for path in _SYSTEM_FILES + (_NETWORK_FILES if enable_network else ()):
        _show_resolved(things, path)
    for path, text in files.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def _show_resolved(things: shown.Shown, path: str) -> None:
    """Show what `path` resolves to on the host (it may be a link into `/run` or `/usr`)."""
    source = path
    if os.path.islink(OLD + path):
        source = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(OLD + path)))
        if source.startswith("/usr/"):
            os.symlink(source, path)
            return
    if os.path.isfile(OLD + source) and os.stat(OLD + source).st_size <= _COPIED_BYTES:
        snapshot.copy_file(OLD + source, path)
    else:
        things.show(source, path)


def _make_devices() -> None:
    """Nodes of our own where we may make them, or else the host's."""
    kernel.mount("tmpfs", "/dev", "tmpfs", kernel.MS_NOSUID, "size=64k,nr_inodes=64,mode=755")
    for name in _DEVICES:
        path = f"/dev/{name}"
        if not _make_node(path):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
            kernel.mount(OLD + path, path, None, kernel.MS_BIND)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1")):
        os.symlink(target, f"/dev/{name}")
    os.symlink("fd/2", "/dev/stderr")


def _make_node(path: str) -> bool:
    """Only root of the machine makes devices; in a user namespace they could not be opened."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.stat(OLD + path).st_rdev)
        os.chmod(path, 0o666)
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError:
        if os.path.lexists(path):
            os.unlink(path)
        return False
    return True
