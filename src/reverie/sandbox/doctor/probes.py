"""Attack a sandbox through its public interface and see from outside whether it held.

A probe passes only when the attack was really made and was seen to be contained: code that
did not run contains nothing. So the first probe is that something harmless does run.
"""

import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.errors import MachineryError
from reverie.model.execution import MIB, Call, Execution, Expression, Limits, Request
from reverie.model.outcome import TestOutcome
from reverie.sandbox.doctor import attacks
from reverie.sandbox.doctor.findings import Probe
from reverie.sandbox.engine import Sandbox

LIMITS = Limits(wall_seconds=15.0, memory_bytes=96 * MIB, processes=24)
_CHILDREN = 4
_ROOM_FOR_ALL_BYTES = 1024 * MIB
Judge = Callable[[Sandbox], Probe]


def probe_all(sandbox: Sandbox) -> tuple[Probe, ...]:
    """Every probe, in order; one that our own side fails is not passed."""
    found = []
    for probe in PROBES:
        try:
            found.append(probe(sandbox))
        except MachineryError as error:
            name = probe.__name__.removeprefix("probe_").replace("_", " ")
            found.append(Probe(name, False, str(error)))
    return tuple(found)


def probe_harmless_code(sandbox: Sandbox) -> Probe:
    """The control: a sandbox that runs nothing would pass everything else."""
    token = secrets.token_hex(8)
    execution = sandbox.run(Request(Expression(f"{token!r} * 2"), LIMITS))
    passed = execution.succeeded and execution.output == token * 2
    return Probe("harmless code", passed, "it ran" if passed else _told(execution))


def probe_secret_file(sandbox: Sandbox) -> Probe:
    """A file that everybody on this machine may read."""
    secret = secrets.token_hex(8)
    with _open_folder() as folder:
        path = folder / "secret"
        path.write_text(secret, encoding="ascii")
        path.chmod(0o644)
        execution = _attack(sandbox, attacks.READ, path=str(path))
    return _refused("secret file", execution)


def probe_loopback(sandbox: Sandbox) -> Probe:
    """A listener of ours on the loopback interface; it knows whether somebody came."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        execution = _attack(sandbox, attacks.CONNECT, port=listener.getsockname()[1])
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return _refused("loopback", execution)
    return Probe("loopback", False, "it reached a listener of this machine")


def probe_write_outside(sandbox: Sandbox) -> Probe:
    """A folder that everybody on this machine may write to."""
    with _open_folder() as folder:
        folder.chmod(0o777)
        execution = _attack(sandbox, attacks.WRITE, path=str(folder / "mark"))
        if any(folder.iterdir()):
            return Probe("write outside", False, "it left a file in a folder of this machine")
    return _refused("write outside", execution)


def probe_fork_bomb(sandbox: Sandbox) -> Probe:
    """More processes than the limit allows, each of them asleep."""
    wanted = 3 * LIMITS.processes
    roomy = replace(LIMITS, memory_bytes=_ROOM_FOR_ALL_BYTES)
    request = Request(Call(attacks.FORK, "probe", {"wanted": wanted}), roomy)
    execution = sandbox.run(request)
    made = execution.output
    if execution.succeeded and type(made) is int:
        return Probe("fork bomb", made <= LIMITS.processes, f"{made} of {wanted} processes made")
    return _exhausted("fork bomb", execution)


def probe_memory_bomb(sandbox: Sandbox) -> Probe:
    """More memory than the limit allows, in one process and then spread over several."""
    parameters = {"limit": LIMITS.memory_bytes, "processes": _CHILDREN}
    execution = _attack(sandbox, attacks.GROW, **parameters)
    held = execution.output
    if execution.succeeded and isinstance(held, int | float):
        return Probe("memory bomb", held < 1.3, f"it held {held:.1f} times its limit")
    return _exhausted("memory bomb", execution)


def probe_host_processes(sandbox: Sandbox) -> Probe:
    """Ourselves, by number and time of birth."""
    fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    execution = _attack(sandbox, attacks.LOOK, pid=os.getpid(), born=fields[19])
    if execution.succeeded and str(execution.output).startswith("another"):
        return Probe("host processes", True, str(execution.output))
    return _refused("host processes", execution)


def probe_forged_answer(sandbox: Sandbox) -> Probe:
    """An answer of its own making on every descriptor it can find, then a clean exit."""
    value = secrets.token_hex(8)
    execution = _attack(sandbox, attacks.FORGE, value=value)
    believed = execution.succeeded or execution.output == value
    detail = "its forgery was taken for an answer" if believed else _told(execution)
    return Probe("forged answer", not believed, detail)


PROBES: tuple[Judge, ...] = (
    probe_harmless_code,
    probe_secret_file,
    probe_loopback,
    probe_write_outside,
    probe_fork_bomb,
    probe_memory_bomb,
    probe_host_processes,
    probe_forged_answer,
)


def _attack(sandbox: Sandbox, code: str, **params: Any) -> Execution:
    return sandbox.run(Request(Call(code, "probe", params), LIMITS))


def _refused(name: str, execution: Execution) -> Probe:
    """Contained when the code says that it tried and was refused."""
    refused = execution.succeeded and str(execution.output).startswith("refused: ")
    if refused:
        return Probe(name, True, str(execution.output)[:200])
    return Probe(name, False, f"not refused: {_told(execution)}")


def _exhausted(name: str, execution: Execution) -> Probe:
    """Contained when a limit ended it."""
    passed = execution.outcome is TestOutcome.RESOURCE_EXHAUSTION
    return Probe(name, passed, _told(execution))


def _told(execution: Execution) -> str:
    error = "" if execution.error is None else f": {execution.error.message}"
    return f"{execution.outcome}{error}"[:200]


@contextmanager
def _open_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="reverie-doctor-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
