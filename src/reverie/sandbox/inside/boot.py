"""The launcher of one slot: builds the isolation, starts the zygote, cleans up after it.

Started by the supervisor as a fresh interpreter with two descriptors: the control socket
and a lifeline. When the lifeline ends (the supervisor closed it, or died in any way) it
kills the zygote, and with it everything in the slot, and removes what it made on the host.
"""

import json
import os
import resource
import select
import signal
import socket
import sys
from typing import Any, NoReturn

from . import (
    binds,
    filters,
    frames,
    hostside,
    identity,
    imports,
    kernel,
    kin,
    landlock,
    layers,
    mounts,
    owners,
    posture,
    scratch,
    seccomp,
    traces,
    tracks,
    zygote,
)

_NAMESPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
_CONFIG_BYTES = 1 << 20
_DEVICES = ("/dev/null", "/dev/full")
_SOURCES = ("/dev/zero", "/dev/random", "/dev/urandom")
_LOAD = """
import sys
sys.path[:] = [path for path in sys.path if path]
from importlib.util import module_from_spec, spec_from_file_location
folder = %(folder)r + "/inside"
places = {"submodule_search_locations": [folder]}
sys.modules["inside"] = module_from_spec(
    spec_from_file_location("inside", folder + "/__init__.py", **places))
from inside import boot, tracks
tracks.rename_functions()
boot.resume()
"""
"""Loads this package without a look at the folder above it, which need not be readable.

Before Python 3.11 there is no `-P`: the empty name of the current folder, which may be the
repository's, leaves the path before anything is imported."""


def main() -> NoReturn:
    """Entry of the fresh interpreter: `control` and `lifeline` descriptors in argv."""
    control = socket.socket(fileno=int(sys.argv[-2]))
    lifeline = int(sys.argv[-1])
    config = json.loads(control.recv(_CONFIG_BYTES))
    if config["tier"] == "landlock" and config["uid"] is not None:
        _choose_identity(config)
    host = hostside.HostThings(config)
    try:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        host.make()
        views = layers.Layers(config)
        ours, theirs = socket.socketpair()
        config["layer_channel"] = theirs.fileno()
        if config["tier"] == "namespaces":
            numbers = traces.Numbers()
            config["sets_numbers"] = numbers.can_be_set
            views.shuffle_numbers = numbers.shuffle
            _enter_namespaces(config, views)
        config["renews_views"] = views.has_to_be_renewed
        pid = os.fork()
        if pid == 0:
            os.close(lifeline)
            ours.close()
            _become_zygote(control, config, host)
    except OSError as error:
        _fail(control, error)
        host.remove()
        os._exit(1)
    control.close()
    theirs.close()
    _guard(pid, lifeline, views, ours)
    host.remove()
    os._exit(0)


def _choose_identity(config: "dict[str, Any]") -> None:
    """Without a mount namespace an unused uid may not reach what it has to run and read.

    Then it stays root in name only: no capability, no way to get one, Landlock around it.
    """
    closed = identity.unreachable(config["uid"], (source for source, _ in config["readonly"]))
    if closed is not None:
        config["uid"] = None
        config["kept_uid"] = f"an unused uid cannot reach {closed}"


def _enter_namespaces(config: "dict[str, Any]", views: layers.Layers) -> None:
    owned = owners.learn(config)
    uid, gid = os.getuid(), os.getgid()
    flags = _NAMESPACES | (0 if config["network"] else kernel.CLONE_NEWNET)
    if config["uid"] is None:
        kernel.unshare(flags | kernel.CLONE_NEWUSER)
        identity.map_single_user(uid, gid)
    else:
        kernel.unshare(flags)
    if not config["network"]:
        identity.raise_loopback()
    socket.sethostname(config["host_name"])
    views.shown = mounts.enter_new_root(config, owned)
    views.mount_originals(owned)
    views.mount_fresh()
    scratch.close_shelves(config)
    for descriptor in owned.values():
        os.close(descriptor)


def _become_zygote(
    control: socket.socket, config: "dict[str, Any]", host: hostside.HostThings
) -> NoReturn:
    try:
        os.setsid()
        host.join()
        if config["tier"] == "namespaces":
            kernel.unshare(kernel.CLONE_NEWCGROUP)
            _finish_root(config)
        _settle(control, config)
        written = _write_down(config) if config["interpreter"] != config["launcher"] else -1
        if config["tier"] != "none":
            seccomp.install(seccomp.build(filters.of_slot(config)))
        _be_looked_at(control, config)
        if written >= 0:
            _change_interpreter(control, config, written)
        _serve(control, config)
    except Exception as error:  # noqa: BLE001  whatever it is, this slot did not boot
        _fail(control, error)
        os._exit(1)


def _finish_root(config: "dict[str, Any]") -> None:
    config["has_proc"] = mounts.mount_proc()
    tracks.start_pids_at(config["first_pid"], binds.OLD)
    mounts.seal_root()
    if config["uid"] is not None:
        identity.become(config["uid"])
        kernel.unshare(kernel.CLONE_NEWUSER)
        identity.map_single_user(config["uid"], config["uid"])


def _settle(control: socket.socket, config: "dict[str, Any]") -> None:
    """Who we are, what we hold open, what we may spend: once, inherited by every execution."""
    if config["tier"] != "namespaces":
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        if config["uid"] is not None:
            identity.become(config["uid"])
    if config["tier"] != "none":
        kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    _close_all_but(control.fileno(), config["layer_channel"])
    os.environ.clear()
    os.environ.update(config["environment"])
    os.umask(0o022)
    os.chdir(config["working_directory"])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, (0, 0))
    if config["tier"] != "none":
        _apply_landlock(config)


def _close_all_but(*kept: int) -> None:
    first = 3
    for descriptor in sorted(kept):
        os.closerange(first, descriptor)
        first = descriptor + 1
    kernel.close_from(first)


def _apply_landlock(config: "dict[str, Any]") -> None:
    if config["tier"] != "namespaces":
        readable = [*_SOURCES, *(target for _, target in config["readonly"])]
        landlock.restrict(readable, [*config["scratch"], *_DEVICES], forbid_tcp=False)
    elif landlock.abi() >= 1:
        # Mounts decide what can be written; every execution is closed in further (`Traces`),
        # for scratch space is mounted anew, and rules go with what was there when they were made.
        landlock.restrict(["/"], ["/"], forbid_tcp=False)


def _be_looked_at(control: socket.socket, config: "dict[str, Any]") -> None:
    """Wait until the supervisor has seen from outside that we are closed in."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else an ordinary user may not look
    control.send(json.dumps({"closed_in": True, "posture": posture.examine(config)}).encode())
    if control.recv(1) != frames.GO_ON:
        raise posture.Unsafe("the supervisor was not satisfied")


def _write_down(config: "dict[str, Any]") -> int:
    """The configuration, for ourselves as another interpreter."""
    if config["tier"] == "namespaces":
        config["own_code"] = mounts.OWN_CODE
    descriptor = os.memfd_create("config", 0)
    os.write(descriptor, json.dumps(config).encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _change_interpreter(control: socket.socket, config: "dict[str, Any]", written: int) -> NoReturn:
    """Go on as the target's own interpreter: it only ever runs inside the isolation.

    By its own name, not by that of a link to it: beside a link there may be a `pyvenv.cfg`,
    which would say where the standard library is.
    """
    control.set_inheritable(True)
    os.set_inheritable(config["layer_channel"], True)
    safe = ["-P"] if config["knows_safe_path"] else []
    arguments = ["-s", "-S", *safe, "-X", "utf8", "-c", _LOAD % {"folder": config["own_code"]}]
    numbers = [str(control.fileno()), str(written)]
    executable = config["interpreter"]
    environment = {**config["environment"], "PYTHONHASHSEED": config["hash_seed"]}
    os.execve(executable, [executable, *arguments, *numbers], environment)


def resume() -> NoReturn:
    """Entry after `_change_interpreter`: same process, same isolation, other interpreter."""
    control = socket.socket(fileno=int(sys.argv[-2]))
    try:
        with os.fdopen(int(sys.argv[-1]), "rb") as file:
            config = json.load(file)
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        _serve(control, config)
    except Exception as error:  # noqa: BLE001  whatever it is, this slot did not boot
        _fail(control, error)
        os._exit(1)


def _serve(control: socket.socket, config: "dict[str, Any]") -> NoReturn:
    zygote.prepare_process()
    oom_score = zygote.open_oom_score() if config["tier"] == "namespaces" else None
    if config["tier"] == "namespaces":
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    target = _warm_up(control, config)
    tracks.cover(config)
    control.send(json.dumps({"booted": True}).encode())
    zygote.Zygote(control, config, target, oom_score).run()


def _warm_up(control: socket.socket, config: "dict[str, Any]") -> imports.Imports:
    """A preload that cannot be imported is the caller's mistake, not this machine's."""
    try:
        return zygote.warm_up(config)
    except Exception as error:  # noqa: BLE001  any module may raise anything
        text = f"{type(error).__name__}: {error}"[:1000]
        control.send(json.dumps({"booted": False, "refused": text}).encode())
        os._exit(1)


def _fail(control: socket.socket, error: BaseException) -> None:
    text = f"{type(error).__name__}: {error}"[:1000]
    try:
        control.send(json.dumps({"booted": False, "error": text}).encode())
    except OSError:
        return  # the supervisor is gone; the exit status is all there is to say


def _guard(pid: int, lifeline: int, views: layers.Layers, channel: socket.socket) -> None:
    """Wait for the zygote or the supervisor, whichever ends first; then nothing is left."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN | select.POLLHUP)
    poll.register(os.pidfd_open(pid), select.POLLIN)
    poll.register(channel.fileno(), select.POLLIN)
    while [descriptor for descriptor, _ in poll.poll()] == [channel.fileno()]:
        views.answer(channel)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    kin.reap_orphans()
