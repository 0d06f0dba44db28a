"""The kernel's own surface: what code with no business there gets told."""

import errno
import termios

from reverie.sandbox.engine import Sandbox
from reverie.sandbox.inside import syscalls
from reverie.testing.sandbox_contract.harness import (
    SYSTEM_CALL,
    SandboxHarness,
    answer,
    script,
    system_call_numbers,
)

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
