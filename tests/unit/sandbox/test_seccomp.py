"""The system call filter, executed by an interpreter of classic BPF as the kernel would."""

import ctypes
import errno
import mmap
import struct
import termios
from functools import cache

import pytest

from reverie.sandbox.inside import bpf, filters, kernel, peers, seccomp, sharing, syscalls

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
I386, X86_64, AARCH64, RISCV64 = 0x40000003, 0xC000003E, 0xC00000B7, 0xC00000F3
NAMESPACE_FLAGS = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000]
NAMESPACE_FLAGS += [0x40000000]
THREAD = 0x3D0F00
FORK = 0x1200011
PID = 4711

STRONG = seccomp.Rules(socket_families=(1, 2, 10), private_files=True)
NETWORK = seccomp.Rules(socket_families=(2, 10))
WEAK = seccomp.Rules(
    own_pid_only=PID,
    allow_processes=False,
    allow_metadata=False,
    allow_memfd=False,
    allow_shared_memory=False,
)
RULES = {"strong": STRONG, "network": NETWORK, "weak": WEAK, "bare": seccomp.Rules()}


@cache
def decoded(program: bytes) -> tuple[tuple[int, int, int, int], ...]:
    return tuple(struct.iter_unpack("HBBI", program))


def execute(program: bytes, architecture: int, number: int, arguments: list[int]) -> int:
    """What the kernel would answer; fails on anything but a well-formed program."""
    words = [number & 0xFFFFFFFF, architecture, 0, 0]
    for argument in (*arguments, *[0] * 6)[:6]:
        words += [argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF]
    code = decoded(program)
    accumulator, kept, position, steps = 0, 0, 0, 0
    while True:
        operation, if_true, if_false, value = code[position]
        position, steps = position + 1, steps + 1
        assert steps <= 4096
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            assert value % 4 == 0
            accumulator = words[value // 4]
            continue
        if operation == 0x01:
            kept = value
            continue
        if operation in (0x54, 0xA4, 0x74):
            results = {0x54: accumulator & value, 0xA4: accumulator ^ value}
            accumulator = results.get(operation, accumulator >> (value & 31))
            continue
        holds = {
            0x1D: accumulator == kept,
            0x15: accumulator == value,
            0x25: accumulator > value,
            0x35: accumulator >= value,
            0x45: accumulator & value != 0,
        }[operation]
        position += if_true if holds else if_false


class Machine:
    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.architecture, self.numbers = kernel.MACHINES[name]
        monkeypatch.setattr(kernel, "machine", lambda: kernel.MACHINES[name])
        self.peers: dict[int, bytes] = {}

    def ask(self, rules: seccomp.Rules, name: str, *arguments: int) -> int:
        program = seccomp.build(rules)
        return execute(program, self.architecture, self.numbers[name], list(arguments))

    def ask_peers(self, last: int, name: str, *arguments: int) -> int:
        program = self.peers.get(last) or peers.build(last)
        self.peers[last] = program
        return execute(program, self.architecture, self.numbers[name], list(arguments))


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(request.param, monkeypatch)


def refused(code: int) -> int:
    return ERRNO | code


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_nothing_is_ever_killed(machine: Machine, rules: seccomp.Rules) -> None:
    program = seccomp.build(rules)
    actions = {value for code, _, _, value in struct.iter_unpack("HBBI", program) if code == 0x06}
    assert all(action == ALLOW or action & 0xFFFF0000 == ERRNO for action in actions)
    assert len(program) // 8 <= 4096
    numbers = [*range(1024), 0x3FFFFFFF, 0x40000000, 0x7FFFFFFF, 0xFFFFFFFF]
    for architecture in (I386, X86_64, AARCH64, RISCV64, 0):
        for number in numbers:
            answer = execute(program, architecture, number, [0xFFFFFFFFFFFFFFFF] * 6)
            assert answer == ALLOW or answer & 0xFFFF0000 == ERRNO


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_what_is_known_to_be_dangerous_is_refused(machine: Machine, rules: seccomp.Rules) -> None:
    for name in syscalls.REFUSED:
        if name in machine.numbers:
            for argument in (0, 1, PID, 0xFFFFFFFF):
                assert machine.ask(rules, name, *[argument] * 6) == refused(errno.EPERM), name


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_an_unknown_call_is_not_there(machine: Machine, rules: seccomp.Rules) -> None:
    program = seccomp.build(rules)
    known = set(machine.numbers.values())
    for number in (*range(1024), 9999, 0x3FFFFFFF):
        if number not in known:
            answer = execute(program, machine.architecture, number, [])
            assert answer == refused(errno.ENOSYS), number


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_another_architecture_is_not_there(machine: Machine, rules: seccomp.Rules) -> None:
    program = seccomp.build(rules)
    for architecture in {I386, X86_64, AARCH64, RISCV64} - {machine.architecture}:
        for number in (0, 1, 2, 11, 57, 59, 64, 221):
            assert execute(program, architecture, number, []) == refused(errno.ENOSYS)


def test_the_32_bit_numbers_of_x86_64_are_not_there(machine: Machine) -> None:
    program = seccomp.build(STRONG)
    for number in machine.numbers.values():
        answer = execute(program, machine.architecture, number | 0x40000000, [])
        assert answer == refused(errno.ENOSYS)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_namespaces_cannot_be_cloned(machine: Machine, rules: seccomp.Rules) -> None:
    for flag in NAMESPACE_FLAGS:
        for others in (0, THREAD, FORK):
            answer = machine.ask(rules, "clone", flag | others)
            assert answer == refused(errno.EPERM), hex(flag)
    assert machine.ask(rules, "clone3") == refused(errno.ENOSYS)


def test_processes_and_threads(machine: Machine) -> None:
    assert machine.ask(STRONG, "clone", FORK) == ALLOW
    assert machine.ask(STRONG, "clone", THREAD) == ALLOW
    assert machine.ask(WEAK, "clone", THREAD) == ALLOW
    assert machine.ask(WEAK, "clone", FORK) == refused(errno.EPERM)
    for name in ("fork", "vfork", "execve", "execveat", "setsid", "setpgid"):
        if name in machine.numbers:
            assert machine.ask(STRONG, name) == ALLOW
            assert machine.ask(WEAK, name) == refused(errno.EPERM)


@pytest.mark.parametrize("family", range(46))
def test_socket_families(machine: Machine, family: int) -> None:
    unknown = refused(errno.EAFNOSUPPORT)
    assert machine.ask(STRONG, "socket", family) == (ALLOW if family in (1, 2, 10) else unknown)
    assert machine.ask(NETWORK, "socket", family) == (ALLOW if family in (2, 10) else unknown)
    assert machine.ask(WEAK, "socket", family) == refused(errno.EPERM)
    pair = ALLOW if family == 1 else refused(errno.EPERM)
    assert machine.ask(STRONG, "socketpair", family, 1) == pair


@pytest.mark.parametrize("flags", [0, 0o4000, 0o2000000, 1 << 40])
def test_pairs_of_sockets_are_connected_ones(machine: Machine, flags: int) -> None:
    for kind in range(16):
        answer = ALLOW if kind in (1, 5) else refused(errno.EPERM)
        assert machine.ask(STRONG, "socketpair", 1, kind | flags) == answer, kind


def test_without_sockets_nothing_has_an_address(machine: Machine) -> None:
    for name in ("bind", "connect", "listen", "accept", "accept4"):
        assert machine.ask(STRONG, name) == ALLOW
        assert machine.ask(WEAK, name) == refused(errno.EPERM)


def test_locks_are_kept_on_private_inodes_only(machine: Machine) -> None:
    shared = seccomp.Rules()
    assert machine.ask(STRONG, "flock") == ALLOW
    for rules in (WEAK, shared):
        assert machine.ask(rules, "flock") == refused(errno.ENOSYS)
        for command in (5, 36, 37, 38):
            assert machine.ask(rules, "fcntl", 0, command) == refused(errno.EINVAL)
    for command in (6, 7):
        assert machine.ask(STRONG, "fcntl", 0, command) == ALLOW
        assert machine.ask(shared, "fcntl", 0, command) == refused(errno.ENOLCK)
        assert machine.ask(WEAK, "fcntl", 0, command) == ERRNO


def test_one_process_alone_wakes_nobody_else(machine: Machine) -> None:
    for command in (1, 3, 4, 5, 10, 1 | 0x100):
        assert machine.ask(STRONG, "futex", 0, command) == ALLOW
        assert machine.ask(WEAK, "futex", 0, command | 0x80) == ALLOW
        assert machine.ask(WEAK, "futex", 0, command) == refused(errno.EINVAL)
    for command in (0, 9, 0 | 0x100, 9 | 0x100):
        assert machine.ask(WEAK, "futex", 0, command) == ALLOW


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_nobody_is_watched_through_a_file(machine: Machine, rules: seccomp.Rules) -> None:
    for name in ("inotify_init1", "inotify_add_watch", "cachestat", "mincore", "openat2"):
        assert machine.ask(rules, name) == refused(errno.ENOSYS), name
    for command in (1024, 1025, 1026, 1036, 1038):
        assert machine.ask(rules, "fcntl", 0, command) == refused(errno.EINVAL), command
    for name in ("fadvise64", "sync", "syncfs"):
        assert machine.ask(rules, name) == ERRNO
    for advice in (12, 20, 21):
        assert machine.ask(rules, "madvise", 0, 0, advice) == refused(errno.EINVAL)
    for flags in (8, 0x80, 0x88, 0xFFFFFFFF):
        answer = machine.ask(rules, "preadv2", 0, 0, 0, 0, 0, flags)
        assert answer == refused(errno.EOPNOTSUPP)
    assert machine.ask(rules, "openat", 0, 0, 0o20000000) == refused(errno.EOPNOTSUPP)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_file_system_is_not_told_anything(machine: Machine, rules: seccomp.Rules) -> None:
    for command in (0x40086602, 0x401C5820, 0x40087602, 0xC0506617, 0x12, 0xB701, 0x5201):
        assert machine.ask(rules, "ioctl", 0, command) == refused(errno.ENOTTY), hex(command)
    for command in (0x541B, 0x5421, 0x5451, 0x8912, 0x40049409, 0x80086601):
        assert machine.ask(rules, "ioctl", 0, command) == ALLOW, hex(command)


def test_a_high_word_does_not_hide_a_low_one(machine: Machine) -> None:
    high = 1 << 40
    assert machine.ask(STRONG, "ioctl", 0, termios.TIOCSTI | high) == refused(errno.EPERM)
    assert machine.ask(STRONG, "clone", 0x10000000 | high) == refused(errno.EPERM)


def test_terminals_cannot_be_typed_into(machine: Machine) -> None:
    for command in (termios.TIOCSTI, 0x541C):
        assert machine.ask(STRONG, "ioctl", 0, command) == refused(errno.EPERM)
    assert machine.ask(STRONG, "ioctl", 0, termios.TCGETS) == ALLOW


def test_personality_can_be_asked_but_not_changed(machine: Machine) -> None:
    assert machine.ask(STRONG, "personality", 0xFFFFFFFF) == ALLOW
    assert machine.ask(STRONG, "personality", 0) == ALLOW
    assert machine.ask(STRONG, "personality", 0x0040000) == refused(errno.EPERM)


def test_prctl_cannot_hide_a_process(machine: Machine) -> None:
    assert machine.ask(STRONG, "prctl", 15) == ALLOW
    assert machine.ask(STRONG, "prctl", 4, 1) == ALLOW
    assert machine.ask(STRONG, "prctl", 4, 0) == refused(errno.EPERM)
    assert machine.ask(STRONG, "prctl", 4, 2) == refused(errno.EPERM)
    assert machine.ask(STRONG, "prctl", 35, 1) == refused(errno.EPERM)


def test_the_zygote_may_hide_until_it_forbids_that(machine: Machine) -> None:
    rules = seccomp.Rules(allow_hiding=True)
    assert machine.ask(rules, "prctl", 4, 0) == ALLOW
    assert machine.ask(rules, "prctl", 35, 1) == refused(errno.EPERM)
    assert machine.ask_peers(7, "prctl", 4, 0) == refused(errno.EPERM)
    assert machine.ask_peers(7, "prctl", 4, 1) == ALLOW
    assert machine.ask_peers(7, "prctl", 15) == ALLOW


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_kernel_is_not_asked_to_signal_somebody(machine: Machine, rules: seccomp.Rules) -> None:
    for command in (8, 10, 15):
        assert machine.ask(rules, "fcntl", 0, command, PID) == refused(errno.EPERM)
    for command in (0x8901, 0x8902):
        assert machine.ask(rules, "ioctl", 0, command, PID) == refused(errno.EPERM)
    assert machine.ask(rules, "fcntl", 0, 4) == ALLOW
    assert machine.ask(rules, "prctl", 62, 2, PID) == refused(errno.EPERM)


def test_limits_may_be_for_nobody_else(machine: Machine) -> None:
    rules = seccomp.Rules(allow_limiting_others=False)
    assert machine.ask(rules, "prlimit64", 0) == ALLOW
    assert machine.ask(rules, "kill", PID) == ALLOW
    for name in ("prlimit64", *syscalls.OTHER_PROCESSES):
        assert machine.ask(rules, name, PID) == refused(errno.EPERM)


BY_NUMBER = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open"]
BY_NUMBER += ["prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler"]
BY_NUMBER += ["sched_setattr"]


@pytest.mark.parametrize("last", [1, 2, 7, 300])
@pytest.mark.parametrize("name", BY_NUMBER)
def test_who_was_there_before_cannot_be_named(machine: Machine, name: str, last: int) -> None:
    for target in {1, 2, last - 1, last} - {0}:
        is_free = target > last
        assert machine.ask_peers(last, name, target) == (ALLOW if is_free else refused(errno.EPERM))
        if target > 1:  # its group; minus one is everybody who may be reached
            group = ALLOW if is_free else refused(errno.EPERM)
            assert machine.ask_peers(last, name, -target) == group
        assert machine.ask_peers(last, name, target | 1 << 40) == (
            ALLOW if is_free else refused(errno.EPERM)
        )
    for target in (0, -1, last + 1, PID, -last - 1, -PID):
        assert machine.ask_peers(last, name, target) == ALLOW, target


def test_a_user_s_processes_are_not_changed_all_at_once(machine: Machine) -> None:
    for name, process, user in (("setpriority", 0, 2), ("ioprio_set", 1, 3)):
        for target in (0, 1, PID):
            assert machine.ask_peers(7, name, user, target) == refused(errno.EPERM)
        for kind in (process, process + 1):
            assert machine.ask_peers(7, name, kind, 7) == refused(errno.EPERM)
            assert machine.ask_peers(7, name, kind, 8) == ALLOW
            assert machine.ask_peers(7, name, kind, 0) == ALLOW


def test_the_time_that_others_used_is_not_told(machine: Machine) -> None:
    def clock(pid: int, kind: int) -> int:
        return (~pid << 3 | kind) & 0xFFFFFFFF

    for name in ("clock_gettime", "clock_getres", "clock_nanosleep", "timer_create"):
        for pid in (1, PID - 1, PID + 1, 1 << 22):
            assert machine.ask(WEAK, name, clock(pid, 2)) == refused(errno.EPERM)
        for pid in (0, PID):
            assert machine.ask(WEAK, name, clock(pid, 2)) == ALLOW
        assert machine.ask(WEAK, name, 1) == ALLOW
        for kind in (0, 1, 2, 4, 5, 6):
            assert machine.ask_peers(7, name, clock(1, kind)) == refused(errno.EPERM)
            assert machine.ask_peers(7, name, clock(7, kind)) == refused(errno.EPERM)
            assert machine.ask_peers(7, name, clock(0, kind)) == ALLOW
            assert machine.ask_peers(7, name, clock(8, kind)) == ALLOW
        for ordinary in range(12):
            assert machine.ask_peers(7, name, ordinary) == ALLOW


def test_sync_is_pretended(machine: Machine) -> None:
    assert machine.ask(STRONG, "sync") == ERRNO


def test_without_a_pid_namespace_only_its_own_pid_can_be_named(machine: Machine) -> None:
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert machine.ask(STRONG, name, 1) == ALLOW
        assert machine.ask(WEAK, name, PID) == ALLOW
        for target in (0, 1, PID + 1, -1, -PID):
            assert machine.ask(WEAK, name, target) == refused(errno.EPERM), (name, target)
    for name in ("tkill", "pidfd_open", "pidfd_send_signal", "setpriority", "sched_setaffinity"):
        assert machine.ask(STRONG, name, PID) == ALLOW
        assert machine.ask(WEAK, name, PID) == refused(errno.EPERM)
    assert machine.ask(WEAK, "prlimit64", 0) == ALLOW
    assert machine.ask(WEAK, "prlimit64", PID) == ALLOW
    assert machine.ask(WEAK, "prlimit64", 1) == refused(errno.EPERM)
    assert machine.ask(STRONG, "prlimit64", 1) == ALLOW


def test_without_a_pid_namespace_nobody_else_can_be_asked_about(machine: Machine) -> None:
    for name in syscalls.LOOKS:
        assert machine.ask(STRONG, name, 1) == ALLOW
        assert machine.ask(WEAK, name, 0) == machine.ask(WEAK, name, PID) == ALLOW
        assert machine.ask(WEAK, name, 1) == refused(errno.EPERM)
    for name in ("getpriority", "ioprio_get"):
        assert machine.ask(WEAK, name, 1, 0) == machine.ask(WEAK, name, 1, PID) == ALLOW
        assert machine.ask(WEAK, name, PID, 1) == refused(errno.EPERM)


def test_without_a_mount_namespace_metadata_cannot_be_changed(machine: Machine) -> None:
    for name in syscalls.METADATA:
        if name in machine.numbers:
            assert machine.ask(STRONG, name) == ALLOW
            assert machine.ask(WEAK, name) == refused(errno.EPERM)


def test_memory_that_nobody_counts_is_refused(machine: Machine) -> None:
    shared, private = mmap.MAP_SHARED, mmap.MAP_PRIVATE
    anonymous = mmap.MAP_ANONYMOUS
    for flags in (private, private | anonymous, shared, shared | anonymous):
        assert machine.ask(STRONG, "mmap", 0, 1, 3, flags) == ALLOW
    for flags in (private, private | anonymous, shared):
        assert machine.ask(WEAK, "mmap", 0, 1, 3, flags) == ALLOW
    for flags in (shared | anonymous, 3 | anonymous):
        assert machine.ask(WEAK, "mmap", 0, 1, 3, flags) == refused(errno.ENOMEM)
    assert machine.ask(STRONG, "memfd_create") == ALLOW
    assert machine.ask(WEAK, "memfd_create") == refused(errno.EPERM)


def test_what_every_program_needs_is_allowed(machine: Machine) -> None:
    for name in ("read", "write", "openat", "mmap", "futex", "exit_group", "rt_sigreturn", "brk"):
        assert machine.ask(WEAK, name) == ALLOW


def test_every_name_has_a_number_or_is_known_to_be_missing() -> None:
    groups = (
        *(syscalls.FILES, syscalls.METADATA, syscalls.MEMORY, syscalls.PROCESSES),
        *(syscalls.OTHER_PROCESSES, syscalls.SIGNALS, syscalls.KILL, syscalls.TIME),
        *(syscalls.NETWORK, syscalls.REFUSED, syscalls.FILTERED, sharing.JUDGED),
    )
    named = {name for group in groups for name in group}
    assert named <= set(syscalls.X86_64) | set(syscalls.AARCH64)
    for table in (syscalls.X86_64, syscalls.AARCH64):
        assert set(table) <= named
        assert len(set(table.values())) == len(table)


def test_groups_do_not_contradict_one_another() -> None:
    allowed = {
        name
        for group in (
            *(syscalls.FILES, syscalls.METADATA, syscalls.MEMORY, syscalls.PROCESSES),
            *(syscalls.OTHER_PROCESSES, syscalls.SIGNALS, syscalls.KILL, syscalls.TIME),
            syscalls.NETWORK,
        )
        for name in group
    }
    assert not allowed & set(syscalls.REFUSED)


def test_a_machine_without_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel.os, "uname", lambda: type("U", (), {"machine": "s390x"}))
    with pytest.raises(OSError, match="s390x"):
        kernel.machine()


def both(newer: bytes, older: bytes, architecture: int, number: int, arguments: list[int]) -> int:
    """Of two filters in force the kernel takes the stricter answer, of equal ones the newer's."""
    answers = [execute(each, architecture, number, arguments) for each in (newer, older)]
    return min(answers, key=lambda answer: answer & 0xFFFF0000)


@pytest.mark.parametrize("has_group", [True, False])
def test_on_top_of_the_slot_s_filter_the_difference_answers_as_the_whole(
    machine: Machine, has_group: bool
) -> None:
    config = {"tier": "landlock", "network": True, "allow_memfd": has_group}
    config["socket_families"] = [2, 10]
    whole, slot = (
        seccomp.build(filters.of_execution(config)),
        seccomp.build(filters.of_slot(config)),
    )
    added = bpf.difference(whole, slot)
    assert len(added) < len(whole) / 2
    named = {value for operation, _, _, value in struct.iter_unpack("HBBI", added)}
    words = [0, 4, 6, 33, 0x5412, PID, FORK, THREAD, 0xFFFFFFF8, seccomp.HIGHEST_PID]
    words += [seccomp.cpu_clock(1), seccomp.cpu_clock(seccomp.HIGHEST_PID) + 7]
    for number in (*range(450), 0x40000001):
        for word in words if number in named else words[:2]:
            question = (machine.architecture, number, [word] * 6)
            assert both(added, slot, *question) == both(whole, slot, *question), (number, word)
    assert execute(added, I386, 1, []) == refused(errno.ENOSYS)


def test_a_number_that_is_written_later_is_the_own_one(machine: Machine) -> None:
    program = seccomp.build(WEAK)
    buffer = ctypes.create_string_buffer(program, len(program))
    bpf.write_own(buffer, bpf.own_places(program), 815)
    for name in ("kill", "tgkill", "sched_getparam", "prlimit64"):
        number = machine.numbers[name]
        assert execute(buffer.raw, machine.architecture, number, [815]) == ALLOW
        assert execute(buffer.raw, machine.architecture, number, [PID]) == refused(errno.EPERM)
    number = machine.numbers["clock_gettime"]
    for pid, answer in ((815, ALLOW), (814, refused(errno.EPERM)), (0, ALLOW)):
        clocks = [seccomp.cpu_clock(pid) + kind for kind in range(8)]
        answers = {execute(buffer.raw, machine.architecture, number, [each]) for each in clocks}
        assert answers == {answer}
