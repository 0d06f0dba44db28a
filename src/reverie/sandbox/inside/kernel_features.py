"""What this kernel lets a fresh process do: each feature really tried, in a fork of its own.

A sysctl says what somebody wished for; only the attempt says what security modules, container
runtimes and the kernel's own configuration make of it.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from . import identity, kernel, landlock, mounts, seccomp

_UNUSED_ID = 64_000
_PR_GET_SECCOMP = 21
_ALL = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWNET
)


def main() -> None:
    """Entry of the fresh interpreter: all results as one JSON object on stdout."""
    results = {name: _in_a_fork(feature) for name, feature in _FEATURES.items()}
    sys.stdout.write(json.dumps(results))


def _user_namespace() -> None:
    """As an ordinary user, which is what a sandbox's process is."""
    if os.geteuid() == 0:
        identity.become(_UNUSED_ID)
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER)
    identity.map_single_user(uid, gid)


def _mounts() -> None:
    """All namespaces as the tier makes them: root without a user namespace, others with one."""
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(_ALL | (kernel.CLONE_NEWUSER if uid != 0 else 0))
    if uid != 0:
        identity.map_single_user(uid, gid)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", "/tmp", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=64k")


def _proc() -> None:
    _mounts()
    result = _in_a_fork(_mount_proc)
    if result["error"] is not None:
        raise OSError(result["errno"] or 0, result["error"])


def _mount_proc() -> None:
    if not mounts.mount_proc():
        raise PermissionError(1, "mount proc: not permitted")


def _seccomp() -> None:
    seccomp.install(seccomp.build(seccomp.Rules()))
    if kernel.prctl(_PR_GET_SECCOMP) != 2:
        raise OSError("the filter is not in force")


def _landlock() -> int:
    version = kernel.syscall("landlock_create_ruleset", None, 0, 1)
    landlock.restrict(["/usr"], [], forbid_tcp=False)
    return version


_FEATURES: "dict[str, Callable[[], int | None]]" = {
    "user_namespace": _user_namespace,
    "mounts": _mounts,
    "proc": _proc,
    "seccomp": _seccomp,
    "landlock": _landlock,
}


def _in_a_fork(feature: "Callable[[], int | None]") -> "dict[str, Any]":
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        answer: dict[str, Any] = {"error": "it ended without a word", "errno": None, "value": None}
        try:
            answer = {"error": None, "errno": None, "value": feature()}
        except OSError as error:
            text = error.strerror if error.errno else str(error)
            answer = {"error": text, "errno": error.errno or None, "value": None}
        finally:
            os.write(writing, json.dumps(answer).encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        told = file.read()
    _, status = os.waitpid(pid, 0)
    if not told:
        return {"error": f"ended with wait status {status}", "errno": None, "value": None}
    result: dict[str, Any] = json.loads(told)
    return result
