"""One warm slot as the supervisor sees it: start it, arm it, throw it away.

A slot holds exactly one execution at a time. It is armed with a spare (a forked, warmed
process waiting for its request) as soon as the previous execution is reported dead.
"""

import fcntl
import itertools
import json
import os
import secrets
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Limits
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends import boot_message, cage, cgroups, group_owners, srt
from reverie.sandbox.inside import frames
from reverie.sandbox.interpreters import own_interpreter
from reverie.sandbox.profile import INSIDE_FOLDER, Profile, build_config

BOOT_SECONDS = 60.0
_LOOKED_AT = (IsolationTier.NAMESPACES, IsolationTier.LANDLOCK)
_PROGRAM = (
    f"import sys; sys.path.insert(0, {INSIDE_FOLDER!r}); from inside import %s as own, tracks; "
    "tracks.rename_functions(); own.main()"
)
_SEALS = 0x0001 | 0x0002 | 0x0004  # no more seals, no shrinking, no growing
_PAGE = 4096
_serial = itertools.count()
_LAUNCH_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LD_BIND_NOW": "1",  # or every execution links for itself what it calls first
}


@dataclass(slots=True)
class Arms:
    """The descriptors of one coming execution, supervisor's side."""

    channel: socket.socket
    output: int
    errors: int
    output_bytes: int
    serial: int
    nonce: bytes
    """Opens every answer: who did not read the request cannot know it."""

    def receive_hello(self) -> int | None:
        """The pid, here, of the spare that said hello; None when it is gone.

        `BlockingIOError` when it has not yet. The kernel vouches for the pid: it is not what
        the sender says.
        """
        try:
            data, ancillary, _, _ = self.channel.recvmsg(1, boot_message.ANCILLARY_BYTES)
        except BlockingIOError:
            raise
        except OSError:
            return None
        return boot_message.sender(ancillary) if data else None

    def close(self) -> None:
        """Let go of all three."""
        self.channel.close()
        os.close(self.output)
        os.close(self.errors)


class Slot:
    """A launcher process, the zygote behind it, and the spare that waits."""

    def __init__(self, profile: Profile, site: cgroups.CgroupSite | None, limits: Limits) -> None:
        self.profile = profile
        self.executions = 0
        self.kept_waiting = False
        """Whether the last request was there before its spare."""
        self.booted = False
        self.posture: Mapping[str, Any] = {"proc": False}
        self.cgroup: cgroups.SlotCgroup | None = None
        self.arms: Arms | None = None
        self._spent: Arms | None = None
        self._ready: tuple[Arms, socket.socket] | None = None
        self._limits_in_force = (limits.memory_bytes, limits.processes)
        self._lifeline = -1
        self._oom_counter = -1
        self._cpu_counter = -1
        self._oom_kills_seen = 0
        self._serial = 0
        self._start(site, limits)

    @property
    def watches_memory(self) -> bool:
        """Whether the zygote has to watch memory, for want of a cgroup."""
        return self.cgroup is None and bool(self.posture["proc"])

    def take_oom_kills(self) -> int:
        """How often the kernel has killed in this slot for want of memory since last asked."""
        if self._oom_counter < 0:
            return 0
        total = cgroups.read_oom_kills(self._oom_counter)
        fresh, self._oom_kills_seen = total - self._oom_kills_seen, total
        return fresh

    def cpu_seconds(self) -> float | None:
        """CPU time of everybody who was ever in this slot; None where nobody counts it."""
        return cgroups.read_cpu_seconds(self._cpu_counter)

    def _start(self, site: cgroups.CgroupSite | None, limits: Limits) -> None:
        name = group_owners.group_name(next(_serial))
        scratch = os.path.join(
            os.path.realpath(tempfile.gettempdir()),
            f"tmp-{os.getpid():x}-{os.urandom(4).hex()}",  # seen inside where there is no own root
        )
        self._uid = _unused_uid(self.profile)
        config = build_config(self.profile, scratch, self._uid)
        config["cgroups"] = []
        if self.profile.tier is IsolationTier.SRT:
            config |= srt.launch(config)
            site = None  # srt's own processes, node above all, would count against the limits
        if site is not None:
            self.cgroup = cgroups.for_slot(site, name)
            config["cgroups"] = self.cgroup.recipe(limits.memory_bytes, limits.processes)
        config["allow_memfd"] = site is not None
        config["watch_memory"] = site is None
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        read_end, self._lifeline = os.pipe()
        try:
            self.process = subprocess.Popen(
                _command(self.profile.tier, theirs.fileno(), read_end),
                pass_fds=(theirs.fileno(), read_end),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"PYTHONHASHSEED": config["hash_seed"], **_LAUNCH_ENVIRONMENT},
                cwd="/",
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(read_end)
        self.control.send(json.dumps(config).encode())

    def await_boot(self) -> None:
        """Wait until it is closed in, which is seen from here, and then until it is warm."""
        if self.booted:
            return
        deadline = time.monotonic() + BOOT_SECONDS
        word = self._hear(deadline, "closed_in")
        if self.profile.tier in _LOOKED_AT:
            cage.check(word.pid, self.profile, self._expected_uids())
        self.posture = boot_message.posture(word, self.profile.tier)
        try:
            self.control.send(frames.GO_ON)
        except OSError as error:
            raise SandboxLost(self.profile.tier, f"a new slot ended: {error}") from error
        self._hear(deadline, "booted")
        self.control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        self.control.setblocking(False)
        if self.cgroup is not None:
            self._oom_counter = self.cgroup.open_oom_counter()
            self._cpu_counter = self.cgroup.open_cpu_counter()
        self.booted = True

    def _hear(self, deadline: float, wanted: str) -> boot_message.Word:
        self.control.settimeout(max(0.001, deadline - time.monotonic()))
        return boot_message.hear(self.control, self.profile, wanted)

    def _expected_uids(self) -> tuple[int, ...]:
        """Who it may be: without a mount namespace root's own files may need root in name."""
        if self._uid is None:
            return (os.getuid(),)
        is_weak = self.profile.tier is IsolationTier.LANDLOCK
        return (self._uid, os.getuid()) if is_weak else (self._uid,)

    def arm(self, output_bytes: int, hurry: bool = False) -> None:
        """Have the zygote bury what is there and fork a spare on new descriptors.

        In a hurry, with the next request at hand, the spare does not warm up for it: that
        would only move the same work, and cost a little more of it.
        """
        self.lay_down_arms()
        self._serial += 1
        arms, theirs = self._take_ready(output_bytes)
        self.arms = arms
        descriptors = [theirs.fileno(), arms.output, arms.errors]
        try:
            socket.send_fds(self.control, [b"s" if hurry else b"S"], descriptors)
        except OSError as error:
            raise SandboxLost(self.profile.tier, f"cannot arm: {error}") from error
        finally:
            theirs.close()

    def get_ready(self, output_bytes: int) -> None:
        """Make the next spare's descriptors now, while an answer is waited for anyway."""
        self._put_away()
        if self._ready is None:
            self._ready = _make_arms(output_bytes, self._serial + 1)

    def _take_ready(self, output_bytes: int) -> tuple[Arms, socket.socket]:
        ready, self._ready = self._ready, None
        if ready is not None:
            if (ready[0].output_bytes, ready[0].serial) == (output_bytes, self._serial):
                return ready
            _close_both(ready)
        return _make_arms(output_bytes, self._serial)

    def disarm(self) -> None:
        """Let go of the spare."""
        self.lay_down_arms()
        self._put_away()

    def lay_down_arms(self) -> None:
        """The arms are spent; they are closed when there is time for it, in `get_ready`."""
        if self.arms is not None:
            self._put_away()
            self._spent, self.arms = self.arms, None

    def _put_away(self) -> None:
        if self._spent is not None:
            self._spent.close()
            self._spent = None

    def armed_for(self, output_bytes: int) -> Arms:
        """The spare's descriptors, with as much room for output as asked."""
        if self.arms is None or self.arms.output_bytes != output_bytes:
            self.arm(output_bytes)
        assert self.arms is not None
        return self.arms

    def is_ready(self) -> bool:
        """Whether its spare has said hello: a request would be answered at once."""
        if self.arms is None:
            return False
        poll = select.poll()
        poll.register(self.arms.channel.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def prepare(self, limits: Limits) -> None:
        """Put the limits that belong to the slot, not to the process, in force."""
        wanted = (limits.memory_bytes, limits.processes)
        try:
            if self.cgroup is not None and wanted != self._limits_in_force:
                self.cgroup.set_limits(*wanted)
            if self.watches_memory:
                self.control.send(b"L%d" % limits.memory_bytes)
        except OSError as error:  # the group holds more than the new limit, or the slot is gone
            raise SandboxLost(self.profile.tier, f"its limits could not be set: {error}") from error
        self._limits_in_force = wanted

    def kill_execution(self) -> None:
        """Ask the zygote to kill everything in the slot."""
        try:
            self.control.send(b"K")
        except OSError:
            return  # the slot is gone, and so is the execution

    def close(self) -> None:
        """Cut the lifeline: the launcher kills what is left and removes what it made."""
        self.disarm()
        if self._ready is not None:
            _close_both(self._ready)
            self._ready = None
        self.cut_lifeline()
        self.control.close()
        for counter in (self._oom_counter, self._cpu_counter):
            if counter >= 0:
                os.close(counter)
        self._oom_counter = self._cpu_counter = -1

    def cut_lifeline(self) -> None:
        """The first part of `close`, for a thread that is not using the slot."""
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)

    def is_gone(self) -> bool:
        """Whether the launcher has ended (collects its exit status)."""
        return self.process.poll() is not None

    def wait_gone(self, seconds: float) -> None:
        """Wait for the launcher; kill it if it does not come to an end."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _command(tier: IsolationTier, control: int, lifeline: int) -> list[str]:
    program = _PROGRAM % ("srt_launcher" if tier is IsolationTier.SRT else "boot")
    arguments = ["-s", "-S", "-P", "-X", "utf8", "-c", program, str(control), str(lifeline)]
    return [own_interpreter().binary, *arguments]


def _make_arms(output_bytes: int, serial: int) -> tuple[Arms, socket.socket]:
    """Our side of a coming execution, and the spare's end of its channel."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    ours.setblocking(False)
    output, errors = _bounded_file(output_bytes), _bounded_file(output_bytes)
    nonce = secrets.token_bytes(frames.NONCE_BYTES)
    return Arms(ours, output, errors, output_bytes, serial, nonce), theirs


def _close_both(ready: tuple[Arms, socket.socket]) -> None:
    ready[0].close()
    ready[1].close()


def _bounded_file(size: int) -> int:
    """An anonymous file that can be written up to `size` (whole pages) and not further."""
    descriptor = os.memfd_create("output", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, -(-size // _PAGE) * _PAGE)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    return descriptor


def _unused_uid(profile: Profile) -> int | None:
    """As root: an id that nobody has, another one for every slot. Otherwise none."""
    if os.getuid() != 0 or profile.tier.value == "none":
        return None
    number = (os.getpid() * 16 + next(_serial)) % 50_000_000
    high = 1_900_000_000 + number
    with open("/proc/self/uid_map", encoding="ascii") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    if any(start <= high < start + count for start, _, count in ranges):
        return high
    return 64_000 + number % 1_000
