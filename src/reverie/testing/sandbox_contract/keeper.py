"""The process that serves every execution of a slot, out of reach; the disguise of a slot."""

import os
import sys
import venv
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Policy, Pytest, Request, Script
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    NO_RULES,
    QUICK,
    SYSTEM_CALL,
    SandboxHarness,
    Victim,
    answer,
    call,
    system_call_numbers,
    told,
)

_ATTEMPT = """
import os
def attempt(way):
    try:
        return way() is not False
    except OSError:
        return False
def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return True
"""

_STATE = """
import fcntl, os, resource
_result = {
    "nice": os.getpriority(os.PRIO_PROCESS, 0),
    "processors": sorted(os.sched_getaffinity(0)),
    "policy": os.sched_getscheduler(0),
    "stdin": fcntl.fcntl(0, fcntl.F_GETFL),
    "limits": [resource.getrlimit(n) for n in range(16)],
}
"""

_TAMPER = f"""{SYSTEM_CALL}{_ATTEMPT}
import errno, fcntl, resource, signal
def by_owner(set_owner):
    'Whether the kernel takes an order to signal the keeper when a pipe is written to.'
    reading, writing = os.pipe()
    try:
        return set_owner(reading)
    finally:
        os.close(reading)
        os.close(writing)
def ways(pid):
    yield "nice", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)
    yield "nice of its group", lambda: os.setpriority(os.PRIO_PGRP, pid, 19)
    yield "processors", lambda: os.sched_setaffinity(pid, {{0}})
    yield "policy", lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    yield "parameters", lambda: os.sched_setparam(pid, os.sched_param(0))
    yield "input and output", lambda: system_call("ioprio_set", 1, pid, 3 << 13) == 0
    yield "group's input", lambda: system_call("ioprio_set", 2, pid, 3 << 13) == 0
    for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_MEMLOCK):
        yield f"limit {{kind}}", lambda: resource.prlimit(pid, kind, (64, 64)) is None
    for number in (0, signal.SIGTERM, signal.SIGSTOP, signal.SIGCHLD, 40):
        yield f"signal {{number}}", lambda: os.kill(pid, number)
    yield "thread signal", lambda: system_call("tkill", pid, 0) == 0
    yield "thread of group", lambda: system_call("tgkill", pid, pid, 0) == 0
    yield "queued signal", lambda: system_call("rt_sigqueueinfo", pid, 10, bytes(128)) == 0
    yield "descriptor", lambda: os.pidfd_open(pid) >= 0
    yield "owner", lambda: by_owner(lambda n: fcntl.fcntl(n, fcntl.F_SETOWN, pid))
    yield "owner by ioctl", lambda: by_owner(
        lambda n: system_call("ioctl", n, 0x8901, pid.to_bytes(4, "little")) == 0)
    yield "core scheduling", lambda: libc.prctl(62, 2, pid, 0, 0) == 0
    yield "memory", lambda: system_call("process_madvise", pid, 0, 0, 0, 0) == 0
    for name, text in (("oom_score_adj", "1000"), ("timerslack_ns", "1000000"),
                       ("clear_refs", "1"), ("comm", "x"), ("coredump_filter", "0"),
                       ("sched", "0"), ("autogroup", "19"), ("mem", "x"), ("attr/current", "x")):
        yield name, lambda: write(f"/proc/{{pid}}/{{name}}", text)
_result = [[pid, name] for pid in pids(os) for name, way in ways(pid) if attempt(way)]
nobody = 3_999_999_999  # whose processes, were there any, could be changed all at once
_result += [["user", name] for name, error in (
    ("nice", system_call("setpriority", 2, nobody, 19)),
    ("input and output", system_call("ioprio_set", 3, nobody, 3 << 13)),
) if error != errno.EPERM]
fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
"""

_ALL_BELOW = """
def pids(os):
    'Without numbers of its own nobody but the keeper: others are not ours to try.'
    if os.getppid() != 1:
        return [os.getppid()]
    def may_be_there(pid):
        try:
            os.kill(pid, 0)
        except OSError as error:
            return not isinstance(error, ProcessLookupError)
        return True
    return [1, *[pid for pid in range(2, os.getpid()) if may_be_there(pid)][-200:]]
"""

_OWN_CHILDREN = """
import os, resource, signal, subprocess
def sleeper():
    return subprocess.Popen(["sleep", "60"])
_result = []
for end in (lambda p: p.terminate(), lambda p: p.kill(), lambda p: os.kill(p.pid, 15),
            lambda p: signal.pidfd_send_signal(os.pidfd_open(p.pid), 9)):
    process = sleeper()
    end(process)
    _result.append(process.wait())
process = subprocess.Popen(["sleep", "60"], start_new_session=True)
os.setpriority(os.PRIO_PROCESS, process.pid, 5)
resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
os.sched_setaffinity(process.pid, os.sched_getaffinity(0))
os.killpg(process.pid, signal.SIGKILL)
_result.append(process.wait())
"""

_LITTER = """
import os
folder = os.environ["TMPDIR"]
os.close(os.open(f"{folder}/first", os.O_CREAT))
for number in range(4100):
    os.link(f"{folder}/first", f"{folder}/{number}")
"""

_SHADOW = """
import os, sys
sys.__dict__.setdefault("loaded_by", []).append([{name!r}, os.getpid()])
"""


def _harm(sandbox: Sandbox, code: str, policy: Policy = NO_RULES) -> Any:
    """What was done to the keeper. One that was ended may be seen before or after the answer."""
    try:
        return answer(sandbox, code, policy=policy, numbers=system_call_numbers())
    except SandboxLost as error:
        return [["keeper", str(error)]]


class KeeperContract(SandboxHarness):
    """No execution reaches it, no line of a repository runs in it."""

    def test_its_keeper_cannot_be_changed(self, single: Sandbox) -> None:
        before = answer(single, _STATE)
        code = "def pids(os):\n    return [os.getppid()]\n" + _TAMPER
        assert _harm(single, code) == []
        assert answer(single, _STATE) == before

    def test_no_number_below_its_own_can_be_named(self, single: Sandbox) -> None:
        policy = Policy(preload=("numpy",))  # which starts threads where it is loaded
        before = answer(single, _STATE, policy=policy)
        assert _harm(single, _ALL_BELOW + _TAMPER, policy) == []
        assert answer(single, _STATE, policy=policy) == before

    def test_the_kernel_sends_no_signal_for_it(self, sandbox: Sandbox, victim: Victim) -> None:
        code = """
            import fcntl, os, signal
            reading, writing = os.pipe()
            for order in ((10, signal.SIGKILL), (fcntl.F_SETOWN, victim)):
                try:
                    fcntl.fcntl(reading, *order)
                except OSError:
                    pass
            fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
            os.write(writing, b"x")
            _result = fcntl.fcntl(reading, fcntl.F_GETOWN)
        """
        assert answer(sandbox, code, victim=victim.pid) == 0
        ended = os.waitid(os.P_PID, victim.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        assert ended is None

    def test_processes_of_its_own_can_be_changed_and_ended(self, sandbox: Sandbox) -> None:
        assert answer(sandbox, _OWN_CHILDREN) == [-15, -9, -15, -9, -9]

    def test_modules_of_the_repository_are_not_loaded_into_the_keeper(
        self, single: Sandbox, tmp_path: Path
    ) -> None:
        for name in sys.stdlib_module_names:
            (tmp_path / f"{name}.py").write_text(_SHADOW.format(name=name))
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,), preload=("decimal",))
        code = "import sys, os\ndef f():\n    return getattr(sys, 'loaded_by', []), os.getpid()"
        for _ in range(2):
            loaded, own = call(single, code, policy=policy).output
            assert {pid for _, pid in loaded} <= {own}

    def test_a_module_that_is_preloaded_from_the_repository_is_not_either(
        self, single: Sandbox, tmp_path: Path
    ) -> None:
        (tmp_path / "of_the_repository.py").write_text(_SHADOW.format(name="it"))
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,), preload=("of_the_repository",))
        code = "import sys, os\n_result = sys.loaded_by, os.getpid()"
        for _ in range(2):
            loaded, own = answer(single, code, policy=policy)
            assert loaded == [["it", own]]

    def test_a_pth_file_of_an_environment_is_not_either(
        self, single: Sandbox, tmp_path: Path
    ) -> None:
        folder = tmp_path / "environment"
        venv.create(folder, symlinks=True)
        packages = next(folder.glob("lib/python3*/site-packages"))
        (packages / "early.py").write_text(_SHADOW.format(name="early"))
        (packages / "sitecustomize.py").write_text(_SHADOW.format(name="customize"))
        (packages / "early.pth").write_text(f"import early\n{tmp_path / 'lead'}\n")
        (tmp_path / "lead").mkdir()
        (tmp_path / "lead" / "led.py").write_text("")
        policy = Policy(python=str(folder / "bin" / "python"), readonly=(str(tmp_path / "lead"),))
        code = "import led, sys, os\n_result = sys.loaded_by, os.getpid()"
        for _ in range(2):
            loaded, own = answer(single, code, policy=policy)
            assert loaded == [["early", own]]

    def test_the_repository_s_own_pytest_does_not_run_its_tests(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        for name in ("pytest.py", "_pytest.py", "pluggy.py", "iniconfig.py"):
            (tmp_path / name).write_text("def main(args):\n    return 0\n")
        (tmp_path / "test_it.py").write_text("def test_it():\n    assert 0\n")
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,), working_directory=folder)
        execution = sandbox.run(Request(Pytest(("-q",)), QUICK, policy))
        assert execution.exit_code == 1, told(execution)

    def test_code_gets_its_own_module_where_the_same_name_is_preloaded(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        (tmp_path / "pluggy.py").write_text("VALUE = 'its own'\n")
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,), preload=("pytest",))
        assert answer(sandbox, "import pluggy\n_result = pluggy.VALUE", policy=policy) == "its own"

    def test_dirty_slots_do_not_cost_the_next_execution(self, sandbox: Sandbox) -> None:
        request = Request(Script(_LITTER), QUICK)
        with Sandbox(replace(sandbox.section, slots=3)) as dirty:
            dirty.warm()
            assert all(each.succeeded for each in dirty.run_batch([request] * 3))
            assert answer(dirty, "_result = 1") == 1


_WORDS = ("reverie", "inside", "sandbox", "zygote", "judge")
_SEEN = """
import gc, sys
frame, frames = sys._getframe(), []
while frame is not None:
    frames.append(f"{frame.f_code.co_filename} {frame.f_globals['__name__']}")
    frame = frame.f_back
try:
    arguments = open("/proc/self/cmdline").read()
except OSError:
    arguments = ""
texts = [*sys.modules, *sys.argv, *sys.orig_argv, *arguments.split("\\0"), *frames,
         *(str(getattr(each, "__file__", "")) for each in list(sys.modules.values())),
         *(type(each).__module__ for each in gc.get_objects())]
texts += [repr(each) for each in (sys.stdin, sys.stdout, sys.stderr)]
_result = sorted({text.replace(sys.prefix, "").replace(sys.base_prefix, "") for text in texts})
"""
_ORDINARY = """
import gc, sys
names = "no_user_site no_site safe_path utf8_mode dont_write_bytecode hash_randomization".split()
_result = [gc.get_freeze_count(), gc.isenabled(), [int(getattr(sys.flags, n)) for n in names]]
"""
_MACHINE = """
import os, socket
names = ("USER", "LOGNAME", "SHELL", "TERM", "TZ")
_result = [socket.gethostname(), os.getpid(), os.path.expanduser("~"), os.environ["USER"],
           {name: os.environ.get(name) for name in names}]
"""
_FILES = """
import getpass, os, pathlib, pwd, socket
entry = pwd.getpwuid(os.getuid())
host = pathlib.Path("/etc/hostname").read_text().strip()
_result = [host == socket.gethostname() == os.uname().nodename,
           entry.pw_name == getpass.getuser() == os.environ["USER"],
           entry.pw_dir == os.environ["HOME"] == os.path.expanduser("~"), os.getpid() > 1000]
"""


class DisguiseContract(SandboxHarness):
    """An ordinary developer's machine, another one by number."""

    def test_nothing_that_a_program_sees_speaks_of_the_sandbox(self, sandbox: Sandbox) -> None:
        texts = answer(sandbox, _SEEN)
        assert [text for text in texts if any(word in text.lower() for word in _WORDS)] == []

    def test_the_interpreter_looks_like_one_that_a_user_started(self, sandbox: Sandbox) -> None:
        assert answer(sandbox, _ORDINARY) == [0, True, [0, 0, 0, 0, 0, 1]]

    def test_a_disguise_stays_the_same_and_another_one_is_another_user(
        self, sandbox: Sandbox
    ) -> None:
        one, again, other = (
            answer(sandbox, _MACHINE, policy=Policy(disguise=number)) for number in (0, 0, 1)
        )
        assert one[2:] == again[2:]
        assert one[3] != other[3]
        assert all(one[4][name] != value for name, value in other[4].items())

    def test_the_machine_of_a_disguise_has_its_own_name_and_files(self, sandbox: Sandbox) -> None:
        names = set()
        for number in (0, 1):
            policy = Policy(disguise=number)
            assert answer(sandbox, _FILES, policy=policy) == [True, True, True, True]
            names.add(answer(sandbox, "import os\n_result = os.uname().nodename", policy=policy))
        assert len(names) == 2
