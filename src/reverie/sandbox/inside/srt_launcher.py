"""The launcher of an srt slot: makes its private place, starts the keeper, cleans up after it.

Like the launcher of the other tiers it is a fresh interpreter that outlives the slot: when
its lifeline ends (the supervisor closed it, or died in any way) nothing of the slot is left.
"""

import json
import os
import select
import signal
import socket
import sys
from typing import Any, NoReturn

from . import hostside, identity, keeper, kernel, kin, owners, passage, posture
from .guest_process import PreloadRefused

_CONFIG_BYTES = 1 << 20
_OWN_BYTES = 4 << 20
_INODES = 8192
_SHARED = ("/tmp",)
"""srt shows /tmp/claude of the host to every command, whatever its settings say."""


def main() -> NoReturn:
    """Entry of the fresh interpreter: `control` and `lifeline` descriptors in argv."""
    control = socket.socket(fileno=int(sys.argv[-2]))
    lifeline = int(sys.argv[-1])
    config = json.loads(control.recv(_CONFIG_BYTES))
    host = hostside.HostThings(config)
    try:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        host.make()
        config["host_namespaces"] = posture.namespaces()
        pid = os.fork()
        if pid == 0:
            os.close(lifeline)
            _become_keeper(control, config)
    except OSError as error:
        _fail(control, error)
        host.remove()
        os._exit(1)
    control.close()
    _guard(pid, lifeline)
    host.remove()
    os._exit(0)


def _become_keeper(control: socket.socket, config: "dict[str, Any]") -> NoReturn:
    try:
        _settle(control, config)
        keeper.Keeper(control, config).run()
    except PreloadRefused as error:
        _tell(control, booted=False, refused=str(error))
    except Exception as error:  # noqa: BLE001  whatever it is, this slot did not boot
        _fail(control, error)
    kin.reap_orphans()
    os._exit(1)


def _settle(control: socket.socket, config: "dict[str, Any]") -> None:
    """A mount namespace of our own, with scratch space of bounded size, as nobody special.

    Never as root: in a user namespace whose user is the host's root, srt 0.0.78 leaves
    /proc/sys writable, and with it the host's kernel.core_pattern.
    """
    os.setsid()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.closerange(3, control.fileno())
    kernel.close_from(control.fileno() + 1)
    owned = owners.learn(config)
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWNS | (kernel.CLONE_NEWUSER if config["uid"] is None else 0))
    if config["uid"] is None:
        identity.map_single_user(uid, gid)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    folder = config["scratch"][0]
    needed = [*config["readonly"], *config["srt"]["needs"], (folder, folder)]
    passage.open_way(needed, _SHARED, owned)
    _make_folders(config)
    if config["uid"] is not None:
        identity.become(config["uid"])
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir("/")
    os.umask(0o022)


def _make_folders(config: "dict[str, Any]") -> None:
    """In memory, private to this mount namespace: whatever happens, it ends with us."""
    srt, scratch, owner = config["srt"], config["scratch"][0], config["uid"]
    os.mkdir(srt["own_folder"])
    for folder, size in ((srt["own_folder"], _OWN_BYTES), (scratch, config["disk_bytes"])):
        options = f"size={size},nr_inodes={_INODES},mode=1777"
        kernel.mount("tmpfs", folder, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    if owner is not None:
        os.chown(srt["own_folder"], owner, owner)
        os.chown(scratch, owner, owner)
    with open(srt["settings_file"], "w", encoding="utf-8") as file:
        json.dump(srt["settings"], file)


def _fail(control: socket.socket, error: BaseException) -> None:
    _tell(control, booted=False, error=f"{type(error).__name__}: {error}"[:1000])


def _tell(control: socket.socket, **facts: Any) -> None:
    try:
        control.send(json.dumps(facts).encode())
    except OSError:
        return  # the supervisor is gone; the exit status is all there is to say


def _guard(pid: int, lifeline: int) -> None:
    """Wait for the keeper or the supervisor, whichever ends first; then nothing is left."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    poll.register(os.pidfd_open(pid), select.POLLIN)
    poll.poll()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    kin.reap_orphans()
