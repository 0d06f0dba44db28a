"""One execution leaves nothing for the next: no file, no process, no change of any kind."""

import re
import time
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SandboxHarness,
    answer,
    ended,
    script,
)

_BURIAL_SECONDS = 3.0

_LITTER = {
    "files": "open('file', 'w').write('x'); os.makedirs('a/b/c'); open('a/b/c/d', 'w').close()",
    "hidden": "open('.hidden', 'w').close(); open(os.path.expanduser('~/.rc'), 'w').close()",
    "closed_folders": """
os.makedirs('a/b/c')
for path in ('a/b/c', 'a/b', 'a'): os.chmod(path, 0)
""",
    "closed_scratch": "os.mkdir('a'); os.chmod('.', 0)",
    "deep": """
for _ in range(1200):
    os.mkdir('d' * 50); os.chdir('d' * 50)
""",
    "wide": "[os.mkdir(f'{n}') for n in range(300)]",
    "fifo": "os.mkfifo('fifo')",
    "undecodable": "open(b'\\xff\\xfe\\n', 'w').close(); os.mkdir(b'\\x80')",
    "newline": "open('a\\nb', 'w').close()",
    "links": "os.symlink('/', 'root'); os.symlink('loop', 'loop'); os.symlink('..', 'up')",
    "hard_links": "open('f', 'w').close(); [os.link('f', f'g{n}') for n in range(50)]",
    "parked_names": "[os.makedirs(f'.parked-{n}/.parked-{n + 1}') for n in range(9)]",
    "sparse": "os.truncate(os.open('sparse', os.O_CREAT | os.O_RDWR), 60 << 20)",
    "held_open": "os.unlink(open('held', 'w').name); held = os.open('.', os.O_RDONLY)",
    "folder_times": "os.utime('.', (987654321, 987654321))",
    "folder_mode": "os.chmod('.', 0o711)",
    "socket": "import socket; socket.socketpair()",
    "locked": "import fcntl; fcntl.flock(os.open('.', os.O_RDONLY), fcntl.LOCK_EX)",
}

_LEFT = """
import os
def left(folder):
    names = os.listdir(folder)
    return [name for name in names if not os.path.ismount(os.path.join(folder, name))]
"""
"""What is mounted nobody has left: an interpreter in the host's `/tmp` is shown where it lies."""

_LOOK = f"""{_LEFT}
def attributes(path):
    try:
        return [[name, os.getxattr(path, name).hex()] for name in os.listxattr(path)]
    except OSError:
        return []
facts = os.stat(".")
_result = {{"files": sorted(map(repr, left(b"."))), "mode": facts.st_mode,
           "attributes": attributes("."), "times": facts.st_mtime_ns == 987654321 * 10**9}}
"""

_STATE = """
import builtins, os, random, resource, signal, sys, threading, warnings
_result = {
    "environment": sorted(os.environ.items()), "folder": os.getcwd(), "umask": os.umask(0o22),
    "builtins": sorted(vars(builtins)), "absolute": abs(-3), "path": sys.path,
    "limits": [resource.getrlimit(n) for n in range(16) if n != resource.RLIMIT_CPU],
    "handlers": [str(signal.getsignal(n)) for n in sorted(signal.Signals)],
    "mask": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
    "recursion": sys.getrecursionlimit(), "threads": threading.active_count(),
    "niceness": os.getpriority(os.PRIO_PROCESS, 0), "filters": len(warnings.filters),
    "modules": sorted(name for name in sys.modules if "reverie_left" in name),
    "switch": sys.getswitchinterval(), "argv": sys.argv, "hooks": sys.excepthook.__module__,
}
"""

_DISTURB = """
import builtins, os, random, resource, signal, sys, threading, types, warnings
os.environ["REVERIE_LEFT"] = "1"; os.putenv("REVERIE_LEFT_TOO", "1")
os.mkdir("elsewhere"); os.chdir("elsewhere"); os.umask(0)
builtins.reverie_left = 1; builtins.abs = lambda *a: -1
sys.path.insert(0, "/reverie_left"); sys.setrecursionlimit(5000); sys.argv.append("left")
sys.modules["reverie_left"] = types.ModuleType("reverie_left")
import json; json.loads = None; json.reverie_left = True
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT, signal.SIGCHLD):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGTERM])
try: os.nice(5)
except PermissionError: pass
warnings.simplefilter("ignore"); sys.setswitchinterval(1.0)
sys.excepthook = lambda *a: None
threading.Thread(target=__import__("time").sleep, args=(60,), daemon=True).start()
"""


def _unnumbered(folder: object) -> str:
    """A scratch folder whichever slot it is of: one that was given up has a successor."""
    return re.sub(r"-[0-9a-f]{8}\b", "", str(folder))


_DAEMONS = {
    "double_fork": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: live()
    os._exit(0)
os.wait()
""",
    "new_session": "if os.fork() == 0: os.setsid(); live()",
    "signals_ignored": """
if os.fork() == 0:
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    live()
""",
    "stopped": "if os.fork() == 0: mark(); os.kill(os.getpid(), signal.SIGSTOP)",
    "at_exit": "import atexit; atexit.register(lambda: os.fork() == 0 and live())",
    "chain": """
def chain(depth):
    if os.fork() == 0:
        os.setsid()
        if depth: chain(depth - 1)
        live()
chain(5)
""",
    "holding_streams": "if os.fork() == 0: os.dup2(3, 9); live()",
    "parent_dies": "if os.fork() == 0: live()\nos._exit(0)",
}

_DAEMON = """
import ctypes, os, signal, time
def mark():
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
def live():
    mark()
    time.sleep(60)
    os._exit(0)
"""


def processes_called(name: str) -> list[int]:
    """Processes of this machine with this name."""
    found = []
    for path in Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text(errors="replace").strip() == name:
                found.append(int(path.parent.name))
        except OSError:
            continue  # it ended between two looks
    return found


def is_buried(name: str) -> bool:
    """Whether no such process is left, or will be in a moment: burial goes on behind the caller."""
    deadline = time.monotonic() + _BURIAL_SECONDS
    while processes_called(name):
        if time.monotonic() > deadline:
            return False
    return True


class LeftoversContract(SandboxHarness):
    """Every slot is looked at afterwards, for the next execution may run on any of them."""

    def looks(self, sandbox: Sandbox, code: str) -> list[object]:
        """The same look on every slot."""
        return [answer(sandbox, code) for _ in range(sandbox.section.slots + 1)]

    @pytest.mark.parametrize("litter", _LITTER.values(), ids=_LITTER)
    def test_files_are_gone(self, sandbox: Sandbox, litter: str) -> None:
        before = answer(sandbox, _LOOK)
        script(sandbox, f"import os\n{litter}")
        for look in self.looks(sandbox, _LOOK):
            assert look == before

    def test_attributes_of_the_scratch_folder_are_gone(self, sandbox: Sandbox) -> None:
        code = """
            import os
            try:
                os.setxattr(".", "user.message", b"for the next")
            except OSError:
                pass
        """
        script(sandbox, code)
        for look in self.looks(sandbox, _LOOK):
            assert isinstance(look, dict)
            assert look["attributes"] == []

    def test_shared_memory_is_gone(self, sandbox: Sandbox) -> None:
        mark = f"reverie-{uuid.uuid4().hex}"
        look = f"_result = [name for name in os.listdir('/dev/shm') if {mark!r} in name]"
        code = f"""
            import os
            for path in ("/dev/shm/{mark}", "/dev/shm/{mark}-too"):
                with open(path, "w") as file: file.write("x")
            {look}
        """
        assert len(answer(sandbox, code)) == 2
        found = self.looks(sandbox, f"import os\n{look}")
        outside = list(Path("/dev/shm").glob(f"{mark}*"))
        for path in outside:
            path.unlink()
        assert found == [[]] * (sandbox.section.slots + 1)
        assert outside == []

    def test_the_interpreter_is_as_it_was(self, sandbox: Sandbox) -> None:
        before = self.looks(sandbox, _STATE)
        for _ in range(2):
            execution = script(sandbox, _DISTURB)
            ended(execution, TestOutcome.SUCCESS)
        folders = [_unnumbered(look.pop("folder")) for look in before if isinstance(look, dict)]
        for look in self.looks(sandbox, _STATE):
            assert isinstance(look, dict)
            assert _unnumbered(look.pop("folder")) in folders
            environment = dict(look["environment"])
            assert "REVERIE_LEFT" not in environment
            for key in before[0] if isinstance(before[0], dict) else ():
                if key != "environment":
                    assert look[key] == before[0][key], key  # type: ignore[index]

    @pytest.mark.parametrize("daemon", _DAEMONS.values(), ids=_DAEMONS)
    def test_no_process_outlives_its_execution(self, sandbox: Sandbox, daemon: str) -> None:
        name = f"rv{uuid.uuid4().hex[:11]}"
        code = f"name = {name!r}\n{_DAEMON}\n{daemon}\ntime.sleep(0.05)\n_result = 'done'"
        script(sandbox, code)
        assert is_buried(name)
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    def test_a_fork_bomb_ends_with_its_execution(self, sandbox: Sandbox) -> None:
        name = f"rv{uuid.uuid4().hex[:11]}"
        code = f"""{_DAEMON}
mark()
for _ in range(8):
    try: os.fork()
    except OSError: pass
while True: time.sleep(0.01)
"""
        limits = replace(QUICK, wall_seconds=0.4, processes=40)
        execution = script(sandbox, f"name = {name!r}\n{code}", limits=limits)
        assert not execution.succeeded
        assert is_buried(name)
        ended(script(sandbox, "_result = 1"), TestOutcome.SUCCESS)

    def test_more_litter_than_can_be_wiped_costs_the_slot_not_the_next_one(
        self, sandbox: Sandbox
    ) -> None:
        code = "import os\nopen('f', 'w').close()\nfor n in range(4100): os.link('f', str(n))"
        script(sandbox, code)
        for look in self.looks(sandbox, _LOOK):
            assert isinstance(look, dict)
            assert look["files"] == []

    def test_litter_that_cannot_be_wiped_does_not_cost_the_verdict(self, sandbox: Sandbox) -> None:
        litter = "import os\nopen('f', 'w').close()\nfor n in range(4100): os.link('f', str(n))"
        limits = replace(QUICK, wall_seconds=2.0)
        ended(script(sandbox, f"{litter}\nos._exit(3)"), TestOutcome.UNKNOWN_ERROR)
        ended(script(sandbox, f"{litter}\nwhile True: pass", limits=limits), TestOutcome.TIMEOUT)

    def test_the_scratch_folder_is_private_and_empty(self, sandbox: Sandbox) -> None:
        code = f"""{_LEFT}
home = os.environ['HOME']
_result = [os.getcwd(), os.environ['TMPDIR'], left('.') + left(home)]
open(home + "/left", "w").close()
"""
        for _ in range(2):
            folder, temporary, files = answer(sandbox, code)
            assert folder == temporary
            assert files == []
        is_of_the_host = folder != "/tmp"
        if is_of_the_host:
            assert Path(folder).stat().st_mode & 0o077 == 0
