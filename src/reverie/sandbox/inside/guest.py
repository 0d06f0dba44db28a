"""The process inside srt: it holds one execution and tells the keeper how it ended.

srt decides what is visible and keeps the network away. Before anything foreign runs, this
process adds what the other tiers have as well: no capability, our system call filter, and
Landlock where there is some. Nothing here serves twice: a new execution gets a new srt.
"""

import json
import os
import resource
import signal
import socket
from typing import Any, NoReturn

from . import imports, kernel, landlock, posture, runner, seccomp, tracks, zygote

_MESSAGE_BYTES = 1 << 20
_OWN_NAMESPACES = ("user", "mnt", "pid", "net")
_DEVICES = ("/dev/null", "/dev/full")
_FORBIDDEN_WRITES = ("/.reverie-probe", "/usr/.reverie-probe")


def main() -> NoReturn:
    """Entry of the interpreter that srt starts; its stdin is the keeper's socket."""
    keeper = socket.socket(fileno=os.dup(0))
    try:
        config = json.loads(keeper.recv(_MESSAGE_BYTES))
        _settle(config)
        facts = _examine(config)
        target = _warm_up(keeper, config)
        tracks.cover(config)
        _tell(keeper, ready=facts)
        descriptors = _await_descriptors(keeper)
        _tell(keeper, **_hold(descriptors, config, target))
    except Exception as error:  # noqa: BLE001  whatever it is, this guest cannot serve
        _tell(keeper, error=f"{type(error).__name__}: {error}"[:1000])
    os._exit(0)


def _settle(config: "dict[str, Any]") -> None:
    """Give up what srt left: capabilities, dangerous system calls, writing anywhere else."""
    _check_namespaces(config["host_namespaces"])
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.drop_capabilities()
    os.environ.clear()
    os.environ.update(config["environment"])
    os.umask(0o022)
    os.chdir(config["working_directory"])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_MSGQUEUE, (0, 0))
    zygote.prepare_process()
    if landlock.abi() >= 1:
        writable = [*config["scratch"], *_DEVICES, "/dev/shm", "/proc"]
        landlock.restrict(["/"], writable, forbid_tcp=False)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    rules = seccomp.Rules(
        socket_families=tuple(config["socket_families"]),
        allow_memfd=False,
        private_files=True,  # they are not: srt binds the host's own, and programs need locks
    )
    seccomp.install(seccomp.build(rules))


def _check_namespaces(host: "dict[str, int]") -> None:
    mine = posture.namespaces()
    for name in _OWN_NAMESPACES:
        if mine[name] == host[name]:
            raise posture.Unsafe(f"srt left us in the host's {name} namespace")


def _examine(config: "dict[str, Any]") -> "dict[str, Any]":
    """Facts for the keeper, after refusing to go on without a layer."""
    posture.check_power()
    for path in _FORBIDDEN_WRITES:
        posture.refuse_writing(path)
    if os.path.exists(config["hidden"]):
        raise posture.Unsafe("files that srt was told to hide are visible")
    return {"uid": os.getuid(), "landlock": landlock.abi(), "proc": True, "pid": os.getpid()}


def _warm_up(keeper: socket.socket, config: "dict[str, Any]") -> imports.Imports:
    """A preload that cannot be imported is the caller's mistake, not this machine's."""
    try:
        return zygote.warm_up(config)
    except Exception as error:  # noqa: BLE001  any module may raise anything
        _tell(keeper, refused=f"{type(error).__name__}: {error}"[:1000])
        os._exit(1)


def _await_descriptors(keeper: socket.socket) -> "tuple[int, ...]":
    _, descriptors, _, _ = socket.recv_fds(keeper, _MESSAGE_BYTES, 3)
    if len(descriptors) != 3:
        raise EOFError("the keeper is gone")
    return tuple(descriptors)


def _hold(
    descriptors: "tuple[int, ...]", config: "dict[str, Any]", target: imports.Imports
) -> "dict[str, Any]":
    """Fork the execution, wait for it, kill and reap what it leaves behind."""
    child = os.fork()
    if child == 0:
        runner.Runner(config, target).serve(descriptors, rehearsed=True)
    for descriptor in descriptors:
        os.close(descriptor)
    _, status, usage = os.wait4(child, 0)
    cpu = usage.ru_utime + usage.ru_stime + _bury_the_rest()
    return {"status": status, "cpu": cpu, "peak_kib": usage.ru_maxrss}


def _bury_the_rest() -> float:
    """Kill and reap every other process of this pid namespace; the CPU time they used."""
    cpu = 0.0
    try:
        os.kill(-1, signal.SIGKILL)
        while True:
            _, _, usage = os.wait4(-1, 0)
            cpu += usage.ru_utime + usage.ru_stime
    except (ProcessLookupError, ChildProcessError):
        return cpu


def _tell(keeper: socket.socket, **facts: Any) -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        keeper.send(json.dumps(facts).encode())
    except OSError:
        os._exit(1)  # nobody is left to tell
