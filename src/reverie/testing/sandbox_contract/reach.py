"""What else of the host could be reached: network, sockets, environment, processes, the kernel.

Code with no business at the kernel's own surface gets told so.
"""

import errno
import os
import socket
import termios
from collections.abc import Callable
from typing import Any

import pytest

from reverie.errors import SandboxLost
from reverie.model.execution import Policy
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.inside import syscalls
from reverie.testing.sandbox_contract.harness import (
    SYSTEM_CALL,
    Listener,
    SandboxHarness,
    Valuables,
    Victim,
    answer,
    script,
    system_call_numbers,
)

Listen = Callable[[int, int, Any], Listener]

_CONNECT = """
import socket
def attempt(family, kind, address):
    try:
        with socket.socket(family, kind) as client:
            client.settimeout(2)
            client.connect(address)
            client.send(b"hello")
    except OSError:
        return False
    return True
"""


class ReachContract(SandboxHarness):
    """No way out but the answer."""

    @pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6], ids=["ipv4", "ipv6"])
    def test_a_server_of_the_host_cannot_be_reached(
        self, sandbox: Sandbox, listen: Listen, family: int
    ) -> None:
        host = "127.0.0.1" if family == socket.AF_INET else "::1"
        stream = listen(family, socket.SOCK_STREAM, (host, 0))
        datagram = listen(family, socket.SOCK_DGRAM, (host, 0))
        ports = [server.server.getsockname()[1] for server in (stream, datagram)]
        code = f"""{_CONNECT}
attempt({family}, socket.SOCK_STREAM, (host, ports[0]))
attempt({family}, socket.SOCK_DGRAM, (host, ports[1]))
"""
        answer(sandbox, code, host=host, ports=ports)
        assert (stream.visitors(), datagram.visitors()) == (0, 0)

    def test_a_server_of_the_host_is_reached_where_the_policy_allows_it(
        self, sandbox: Sandbox, listen: Listen
    ) -> None:
        server = listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        code = (
            f"{_CONNECT}\n_result = attempt({socket.AF_INET}, socket.SOCK_STREAM, tuple(address))"
        )
        address = server.server.getsockname()
        policy = Policy(enable_network=True)
        assert answer(sandbox, code, policy=policy, address=address) is True
        assert server.visitors() == 1

    @pytest.mark.parametrize("network", [False, True], ids=["alone", "with_network"])
    def test_a_socket_file_of_the_host_cannot_be_reached(
        self, sandbox: Sandbox, listen: Listen, valuables: Valuables, network: bool
    ) -> None:
        address = str(valuables.folder / "socket")
        server = listen(socket.AF_UNIX, socket.SOCK_STREAM, address)
        policy = Policy(readonly=(str(valuables.folder),), enable_network=network)
        code = f"{_CONNECT}\n_result = attempt({socket.AF_UNIX}, socket.SOCK_STREAM, address)"
        assert answer(sandbox, code, policy=policy, address=address) is False
        assert server.visitors() == 0

    @pytest.mark.parametrize("network", [False, True], ids=["alone", "with_network"])
    def test_an_abstract_socket_of_the_host_cannot_be_reached(
        self, sandbox: Sandbox, listen: Listen, network: bool
    ) -> None:
        address = f"\0reverie-contract-{os.getpid()}-{network}"
        server = listen(socket.AF_UNIX, socket.SOCK_STREAM, address)
        code = f"{_CONNECT}\n_result = attempt({socket.AF_UNIX}, socket.SOCK_STREAM, address)"
        policy = Policy(enable_network=network)
        assert answer(sandbox, code, policy=policy, address=address) is False
        assert server.visitors() == 0

    def test_unusual_sockets_cannot_be_made(self, sandbox: Sandbox) -> None:
        code = """
            import socket
            _result = []
            unusual = [(16, 3, 0), (17, 3, 0), (38, 5, 0), (40, 1, 0), (2, 3, 1), (31, 3, 1),
                       (29, 3, 1), (44, 3, 0), (15, 3, 2)]
            for family, kind, protocol in unusual:
                try:
                    socket.socket(family, kind, protocol).close()
                    _result.append(family)
                except OSError:
                    pass
        """
        assert answer(sandbox, code) == []

    def test_names_are_not_looked_up(self, sandbox: Sandbox) -> None:
        code = """
            import socket
            try:
                _result = socket.getaddrinfo("reverie-contract.invalid", 80) and "resolved"
            except OSError:
                _result = "refused"
        """
        assert answer(sandbox, code) == "refused"

    def test_only_named_variables_are_passed(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REVERIE_CONTRACT_GIVEN", "given é")
        monkeypatch.setenv("REVERIE_CONTRACT_SECRET", "hidden-4711")
        code = """
            import ctypes, os
            libc = ctypes.CDLL(None)
            libc.getenv.restype = ctypes.c_char_p
            try:
                block = open("/proc/self/environ", "rb").read()
            except OSError:
                block = b""
            _result = [dict(os.environ), libc.getenv(b"REVERIE_CONTRACT_SECRET") is None,
                       b"hidden-4711" in block]
        """
        policy = Policy(environment=("REVERIE_CONTRACT_GIVEN", "REVERIE_CONTRACT_ABSENT"))
        environment, is_absent, is_in_block = answer(sandbox, code, policy=policy)
        assert environment.pop("REVERIE_CONTRACT_GIVEN") == "given é"
        assert not any(name.startswith("REVERIE") for name in environment)
        assert set(environment) <= {"PATH", "HOME", "TMPDIR", "LANG"} | {
            *("USER", "LOGNAME", "SHELL", "TERM"),
            "PYTEST_ADDOPTS",
            "PYTHONDONTWRITEBYTECODE",
            "PYTHONHASHSEED",
        }
        assert is_absent
        assert not is_in_block

    def test_the_environment_of_other_processes_cannot_be_read(
        self, sandbox: Sandbox, victim: Victim
    ) -> None:
        code = """
            _result = []
            for pid in (victim, supervisor):
                for name in ("environ", "cmdline", "maps", "status", "auxv"):
                    try:
                        if open(f"/proc/{pid}/{name}", "rb").read(1 << 20):
                            _result.append([pid, name])
                    except OSError:
                        continue
        """
        found = answer(sandbox, code, victim=victim.pid, supervisor=os.getpid())
        assert found == []

    def test_other_processes_cannot_be_seen(self, sandbox: Sandbox, victim: Victim) -> None:
        code = """
            import os
            try:
                names = os.listdir("/proc")
            except OSError:
                names = []
            _result = [name for name in names if name.isdigit()]
        """
        seen = answer(sandbox, code)
        assert str(victim.pid) not in seen
        assert len(seen) <= 3

    def test_other_processes_cannot_be_asked_about(self, sandbox: Sandbox, victim: Victim) -> None:
        code = """
            import os, time
            def attempt(way):
                try:
                    way()
                except OSError:
                    return False
                return True
            ways = [lambda: time.clock_gettime((~victim << 3) | 2),
                    lambda: os.getpgid(victim),
                    lambda: os.getsid(victim),
                    lambda: os.getpriority(os.PRIO_PROCESS, victim),
                    lambda: os.sched_getaffinity(victim),
                    lambda: os.sched_getscheduler(victim)]
            _result = [number for number, way in enumerate(ways) if attempt(way)]
        """
        assert answer(sandbox, code, victim=victim.pid) == []

    def test_other_processes_cannot_be_signalled(self, sandbox: Sandbox, victim: Victim) -> None:
        code = (
            SYSTEM_CALL
            + """
import os, signal
def attempt(way):
    try:
        return not way()
    except OSError:
        return False
ways = [lambda: os.kill(victim, signal.SIGTERM),
        lambda: signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGTERM),
        lambda: system_call("tgkill", victim, victim, 15),
        lambda: system_call("tkill", victim, 15),
        lambda: system_call("rt_sigqueueinfo", victim, 15, bytes(128)),
        lambda: os.killpg(os.getpgid(victim), signal.SIGURG)]
_result = [number for number, way in enumerate(ways) if attempt(way)]
"""
        )
        done = answer(sandbox, code, victim=victim.pid, numbers=system_call_numbers())
        ended = os.waitid(os.P_PID, victim.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        assert ended is None
        assert done == []

    def test_its_keeper_cannot_be_killed(self, sandbox: Sandbox) -> None:
        code = """
            import os, signal, time
            keeper = os.getppid()
            for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
                try:
                    os.kill(keeper, number)
                except OSError:
                    pass
            time.sleep(0.3)  # so that the loss is seen before an answer
            _result = os.getppid() == keeper
        """
        lost = None
        try:
            assert script(sandbox, code).output is True  # on a busy machine the loss is seen late
        except SandboxLost as error:
            lost = error
        assert answer(sandbox, "_result = 1") == 1
        assert lost is None

    def test_other_processes_cannot_be_slowed_down_or_limited(
        self, sandbox: Sandbox, victim: Victim
    ) -> None:
        code = """
            import os, resource
            def attempt(way):
                try:
                    way()
                except OSError:
                    return False
                return True
            ways = [lambda: os.setpriority(os.PRIO_PROCESS, victim, 19),
                    lambda: os.sched_setaffinity(victim, {0}),
                    lambda: os.sched_setscheduler(victim, os.SCHED_BATCH, os.sched_param(0)),
                    lambda: resource.prlimit(victim, resource.RLIMIT_CORE, (0, 0))]
            _result = [number for number, way in enumerate(ways) if attempt(way)]
        """
        assert answer(sandbox, code, victim=victim.pid) == []
        assert os.getpriority(os.PRIO_PROCESS, victim.pid) == os.getpriority(os.PRIO_PROCESS, 0)


_WITHOUT_ARGUMENTS = {"vhangup"}
"""It would hang up a terminal where nothing refuses it."""


class PrivilegesContract(SandboxHarness):
    """Nothing here kills: what is refused gets an errno."""

    def test_dangerous_system_calls_are_refused(self, sandbox: Sandbox) -> None:
        numbers = system_call_numbers()
        names = sorted(set(syscalls.REFUSED) & set(numbers) - _WITHOUT_ARGUMENTS)
        code = f"{SYSTEM_CALL}\n_result = {{name: system_call(name, *[-1] * 6) for name in names}}"
        found = answer(sandbox, code, numbers=numbers, names=names)
        assert {name: code for name, code in found.items() if code != errno.EPERM} == {}

    def test_namespaces_cannot_be_made(self, sandbox: Sandbox) -> None:
        code = f"""{SYSTEM_CALL}
_result = [system_call("unshare", flag) for flag in flags]
_result += [system_call("clone", flag | 0x10000, 0, 0, 0, 0) for flag in flags]
"""
        flags = [0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x80]
        found = answer(sandbox, code, numbers=system_call_numbers(), flags=flags)
        assert set(found) == {errno.EPERM}

    def test_an_unknown_system_call_is_not_there(self, sandbox: Sandbox) -> None:
        code = f"{SYSTEM_CALL}\n_result = [system_call('odd'), system_call('next')]"
        found = answer(sandbox, code, numbers={"odd": 9999, "next": 100_000})
        assert found == [errno.ENOSYS] * 2

    def test_a_terminal_cannot_be_typed_into(self, sandbox: Sandbox) -> None:
        code = f"{SYSTEM_CALL}\n_result = [system_call('ioctl', 0, n, b'x') for n in commands]"
        numbers = system_call_numbers()
        commands = [termios.TIOCSTI, 0x541C, termios.TIOCSTI | 1 << 40]
        found = answer(sandbox, code, numbers=numbers, commands=commands)
        assert found == [errno.EPERM] * 3

    def test_there_is_no_terminal(self, sandbox: Sandbox) -> None:
        code = """
            import os
            try:
                os.open("/dev/tty", os.O_RDWR)
                _result = True
            except OSError:
                _result = any(os.isatty(n) for n in range(3))
        """
        assert answer(sandbox, code) is False

    def test_no_privilege_is_left_or_can_be_had(self, sandbox: Sandbox) -> None:
        code = f"""{SYSTEM_CALL}
import os
header = ctypes.create_string_buffer(bytes([0x22, 5, 8, 0x20]) + bytes(4), 8)
data = ctypes.create_string_buffer(24)
system_call("capget", header, data)
allowed = []
for name in ("setuid", "setgid", "seteuid", "setegid"):
    if os.getuid() == 0:
        break
    try:
        getattr(os, name)(0)
        allowed.append(name)
    except OSError:
        pass
_result = [any(data.raw), libc.prctl(39, 0, 0, 0, 0), allowed]
"""
        has_capabilities, no_new_privileges, allowed = answer(
            sandbox, code, numbers=system_call_numbers()
        )
        assert not has_capabilities
        assert no_new_privileges == 1
        assert allowed == []

    def test_no_descriptor_is_inherited(self, sandbox: Sandbox) -> None:
        code = """
            import os, stat
            _result = {}
            for number in range(256):
                try:
                    mode = os.fstat(number).st_mode
                except OSError:
                    continue
                _result[str(number)] = stat.S_ISDIR(mode)
        """
        found = answer(sandbox, code)
        assert sorted(found) == ["0", "1", "2", "3"]
        assert not any(found.values())

    def test_code_that_is_executable_memory_runs(self, sandbox: Sandbox) -> None:
        code = """
            import ctypes
            back = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)
            _result = back(41)
        """
        assert answer(sandbox, code) == 42

    def test_being_refused_is_an_error_like_any_other(self, sandbox: Sandbox) -> None:
        code = "import os; os.chroot('/')"
        execution = script(sandbox, code)
        assert not execution.succeeded
        assert execution.error is not None
        assert execution.error.type_name == "PermissionError"
