"""What an execution may spend: each limit holds, and is named when it was reached."""

from dataclasses import replace

import pytest

from reverie.errors import PolicyError
from reverie.model.execution import MIB, Limits
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SandboxHarness,
    answer,
    ended,
    script,
)

_MEMORY_BOMBS = {
    "list": "x = [0] * 60_000_000",
    "growth": "x = []\nwhile True: x.append(bytearray(1 << 20))",
    "mapping": """
        import mmap
        held = mmap.mmap(-1, 600 << 20)
        for _ in range(600): held.write(b"x" * (1 << 20))
    """,
    "swallowed": """
        x = []
        while True:
            try: x.append(bytearray(1 << 22))
            except MemoryError: raise
    """,
}


class LimitsContract(SandboxHarness):
    """Reaching a limit is `resource_exhaustion`, whatever the code makes of it."""

    @pytest.mark.parametrize("code", _MEMORY_BOMBS.values(), ids=_MEMORY_BOMBS)
    def test_memory_of_one_process_is_limited(self, sandbox: Sandbox, code: str) -> None:
        execution = script(sandbox, code)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_memory_within_the_limit_can_be_used(self, sandbox: Sandbox) -> None:
        assert answer(sandbox, "x = bytearray(150 << 20); _result = len(x)") == 150 * MIB

    def test_memory_shared_between_processes_is_limited(self, sandbox: Sandbox) -> None:
        code = """
            import mmap
            held = []
            for _ in range(600):
                held.append(mmap.mmap(-1, 1 << 20, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))
                held[-1].write(b"x" * (1 << 20))
        """
        assert not script(sandbox, code).succeeded

    def test_memory_of_a_tree_of_processes_is_limited(self, sandbox: Sandbox) -> None:
        code = """
            import os, select
            read, write = os.pipe()
            for _ in range(6):
                if os.fork() == 0:
                    held = bytearray(b"x") * (100 << 20)
                    os.write(write, b"x")
                    select.select([], [], [], 30)
                    os._exit(0)
            os.close(write)
            had = 0
            while had < 6 and select.select([read], [], [], 1.5)[0]:
                had += len(os.read(read, 9)) or 6
            _result = had
        """
        execution = script(sandbox, code)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    @pytest.mark.parametrize("handler", ["SIG_DFL", "SIG_IGN"])
    def test_cpu_time_is_limited(self, sandbox: Sandbox, handler: str) -> None:
        limits = replace(QUICK, cpu_seconds=1)
        code = f"import signal; signal.signal(signal.SIGXCPU, signal.{handler})\nwhile True: pass"
        execution = script(sandbox, code, limits=limits)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)
        assert execution.usage.cpu_seconds is not None
        assert 0.5 < execution.usage.cpu_seconds < 10

    def test_processes_are_limited(self, sandbox: Sandbox) -> None:
        code = """
            import os, time
            for _ in range(100):
                if os.fork() == 0:
                    time.sleep(60)
        """
        execution = script(sandbox, code, limits=replace(QUICK, processes=16))
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_threads_are_limited(self, sandbox: Sandbox) -> None:
        code = """
            import threading, time
            threading.stack_size(1 << 16)  # many, not large
            for _ in range(100):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        """
        execution = script(sandbox, code, limits=replace(QUICK, processes=16))
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_open_files_are_limited(self, sandbox: Sandbox) -> None:
        code = "held = [open('/dev/null') for _ in range(1000)]"
        execution = script(sandbox, code, limits=replace(QUICK, open_files=64))
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_the_size_of_a_file_is_limited(self, sandbox: Sandbox) -> None:
        limits = replace(QUICK, file_bytes=1 * MIB)
        code = "with open('large', 'wb', 0) as file: file.write(b'x' * {size}); file.write(b'x')"
        assert script(sandbox, code.format(size=1000), limits=limits).succeeded
        execution = script(sandbox, code.format(size=2 * MIB), limits=limits)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_disk_space_is_limited(self, sandbox: Sandbox) -> None:
        code = """
            for number in range(20):
                with open(f"file-{number}", "wb", 0) as file: file.write(b"x" * (1 << 20))
        """
        execution = script(sandbox, code, limits=replace(QUICK, disk_bytes=8 * MIB))
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    def test_the_number_of_files_is_limited(self, sandbox: Sandbox) -> None:
        code = """
            import os
            open("file", "w").close()
            if os.statvfs(".").f_files < 10_000:
                for number in range(10_000): os.mkdir(str(number))
        """
        execution = script(sandbox, code)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)

    @pytest.mark.parametrize("descriptor", [1, 2])
    def test_output_is_limited(self, sandbox: Sandbox, descriptor: int) -> None:
        code = f"import os\nwhile True: os.write({descriptor}, b'x' * 4096)"
        execution = script(sandbox, code)
        ended(execution, TestOutcome.RESOURCE_EXHAUSTION, ErrorCategory.RESOURCE)
        assert execution.output_truncated
        kept = (execution.stdout, execution.stderr)[descriptor - 1]
        assert kept == "x" * QUICK.output_bytes

    def test_output_that_is_lost_is_reported(self, sandbox: Sandbox) -> None:
        code = """
            import os
            try:
                while True: os.write(1, b"x" * 4096)
            except OSError:
                _result = "swallowed"
        """
        execution = script(sandbox, code)
        assert execution.output_truncated
        assert len(execution.stdout) <= QUICK.output_bytes

    def test_a_position_far_behind_the_end_of_output_costs_nothing(self, sandbox: Sandbox) -> None:
        for code in ("os.lseek(1, 1 << 40, 0)", "os.lseek(1, 0, 2)", "os.ftruncate(1, 0)"):
            execution = script(sandbox, f"import os\nprint('x', flush=True)\n{code}")
            assert len(execution.stdout) <= QUICK.output_bytes + 4096

    def test_less_output_can_be_allowed(self, sandbox: Sandbox) -> None:
        limits = replace(QUICK, output_bytes=100)
        execution = script(sandbox, "print('x' * 99)", limits=limits)
        assert execution.stdout == "x" * 99 + "\n"
        execution = script(sandbox, "print('x' * 9_999)", limits=limits)
        assert execution.stdout == "x" * 100
        assert execution.output_truncated

    def test_limits_cannot_be_lifted_from_inside(self, sandbox: Sandbox) -> None:
        code = """
            import resource
            kinds = [resource.RLIMIT_DATA, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE,
                     resource.RLIMIT_FSIZE, resource.RLIMIT_CORE]
            lifted = []
            for kind in kinds:
                soft, hard = resource.getrlimit(kind)
                try:
                    resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                    lifted.append(kind)
                except (ValueError, OSError):
                    pass
            _result = lifted
        """
        assert answer(sandbox, code) == []

    def test_a_limit_that_is_no_limit_is_refused(self, sandbox: Sandbox) -> None:
        for limits in (
            Limits(wall_seconds=0),
            Limits(memory_bytes=-1),
            Limits(wall_seconds=float("nan")),
            Limits(processes=True),
        ):
            with pytest.raises(PolicyError, match="positive number"):
                script(sandbox, "pass", limits=limits)
