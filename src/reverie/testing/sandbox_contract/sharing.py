"""What an execution shares with the host or with another one carries no message."""

import fcntl
import os
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie.model.execution import Policy
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    SYSTEM_CALL,
    Listener,
    SandboxHarness,
    Valuables,
    answer,
    system_call_numbers,
)

Listen = Callable[[int, int, Any], Listener]

_DATAGRAMS = """
import array, os, socket
_result = []
def attempt(way):
    try:
        way()
        _result.append("sent")
    except OSError:
        pass
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC):
    try:
        one, other = socket.socketpair(socket.AF_UNIX, kind)
    except OSError:
        continue
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [os.open("/dev/null", 0)]))]
    for address in addresses:
        attempt(lambda: one.sendto(b"x", address))
        attempt(lambda: one.sendmsg([b"x"], rights, 0, address))
        attempt(lambda: (one.connect(address), one.send(b"x")))
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    one, other = socket.socketpair(socket.AF_UNIX, kind)
    for address in addresses: attempt(lambda: one.connect(address))
    one.send(b"pair")
    assert other.recv(9) == b"pair"
"""

_LOCKS = """
import fcntl, os, struct
_result = []
blocked = (11, 13, 35)
def attempt(name, way):
    try:
        way()
    except OSError as error:
        if error.errno in blocked: _result.append(name)
for path in paths:
    file = os.open(path, os.O_RDONLY)
    for command in (fcntl.F_GETLK, fcntl.F_OFD_GETLK):
        lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
        try:
            kind = struct.unpack("hhqqi4x", fcntl.fcntl(file, command, lock))[0]
        except OSError:
            continue
        if kind != fcntl.F_UNLCK: _result.append("asked")
    attempt("flock", lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
    attempt("lockf", lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB))
"""

_WATCHES = (
    SYSTEM_CALL
    + """
import fcntl, os, signal
_result = []
watch = libc.inotify_init1(os.O_NONBLOCK)
if watch >= 0 and libc.inotify_add_watch(watch, folder.encode(), 0xFFF) >= 0:
    _result.append("inotify")
if system_call("fanotify_init", 0, 0) == 0: _result.append("fanotify")
signal.signal(signal.SIGIO, signal.SIG_IGN)
for name, path, command, value in (
    ("dnotify", folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
    ("lease", folder + "/secret.txt", fcntl.F_SETLEASE, fcntl.F_RDLCK),
    ("signals", folder, fcntl.F_SETOWN, 1),
):
    try:
        fcntl.fcntl(os.open(path, os.O_RDONLY), command, value)
        _result.append(name)
    except OSError:
        pass
"""
)

_PIPE = """
import os
_result = []
for flags in (os.O_WRONLY | os.O_NONBLOCK, os.O_RDWR | os.O_NONBLOCK):
    try:
        pipe = os.open(path, flags)
        os.write(pipe, b"from inside")
        _result.append(flags)
    except OSError:
        pass
"""

_PAGES = (
    SYSTEM_CALL
    + """
import mmap, os
_result = []
file = os.open(path, os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
mapped = mmap.mmap(file, 65536, prot=mmap.PROT_READ)
for advice in (20, 21):
    try: mapped.madvise(advice)
    except OSError: pass
if not system_call("cachestat", file, bytes(16), ctypes.create_string_buffer(40), 0):
    _result.append("cachestat")
libc.mmap.restype = ctypes.c_void_p
address = libc.mmap(None, ctypes.c_size_t(65536), 1, 1, file, ctypes.c_long(0))
if not system_call("mincore", address, 65536, ctypes.create_string_buffer(16)):
    _result.append("mincore")
for name, flag in (("nowait", os.RWF_NOWAIT), ("dontcache", 0x80)):
    try:
        os.preadv(file, [bytearray(4096)], 0, flag)
        _result.append(name)
    except OSError:
        pass
"""
)

_FLAGS = """
import fcntl, os, struct
_result = []
for folder in (".", "/dev/shm"):
    for command, value in ((0x40086602, struct.pack("q", 0x40)), (0x401C5820, bytes(28)),
                           (0x40087602, struct.pack("q", 7))):
        try:
            fcntl.ioctl(os.open(folder, os.O_RDONLY), command, value)
            _result.append([folder, command])
        except OSError:
            pass
"""

_HIDDEN = """
import os
def look(way, *arguments):
    try:
        way(*arguments)
    except OSError:
        return False
    return True
points = [line.split()[4] for line in open("/proc/self/mountinfo")]
for hidden in [f"/{name}" for name in os.listdir("/") if name.startswith(".")]:
    points += [hidden, *(f"{hidden}/{name}/{n}" for name in ("original", "layers", "shown")
                         for n in range(3))]
shown = [point for point in points if point.startswith("/.")]
ways = (os.listdir, os.stat, lambda path: os.chmod(path, 0o777), os.chdir,
        lambda path: os.setxattr(path, "user.overlay.opaque", b"y"))
_result = [point for point in shown if any(look(way, point) for way in ways[:1] + ways[2:])]
"""

_NUMBERS = """
import os, socket, threading
if noise != "none":
    for number in range(50):
        open(f"file{number}", "w").close(); os.unlink(f"file{number}")
    for _ in range(7):
        thread = threading.Thread(target=int); thread.start(); thread.join()
if noise == "network":  # after which a slot may be replaced as a whole
    try:
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        receiver.bind(("127.0.0.1", 20_001))
        for _ in range(9): receiver.sendto(b"x", ("127.0.0.1", 20_001))
        server = socket.create_server(("127.0.0.1", 20_003))
        client = socket.create_connection(("127.0.0.1", 20_003))
        server.accept()[0].close(); client.close(); server.close()
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 9))
    except OSError:
        pass
def read(path):
    try:
        return open(path).read()
    except OSError:
        return ""
def taken(port):
    try:
        with socket.socket() as server: server.bind(("127.0.0.1", port))
    except OSError as error:
        return error.errno == 98
    return False
folder = os.stat(".")
open("first", "w").close()
try: os.close(os.open(".", os.O_TMPFILE | os.O_RDWR)); unnamed = True
except OSError: unnamed = False
_result = {
    "number": os.getpid(), "inode": os.stat("first").st_ino, "unnamed": unnamed,
    "taken": taken(20_003),
    "network": [read(f"/proc/self/net/{name}") for name in ("snmp", "snmp6", "tcp", "udp")],
    "untouched": folder.st_mtime_ns == folder.st_ctime_ns,
}
"""


class SharingContract(SandboxHarness):
    """No channel through sockets, inodes, memory or numbers."""

    @pytest.fixture
    def alone(self, sandbox: Sandbox) -> Iterator[Sandbox]:
        """A sandbox with one slot, so that whatever runs next runs there."""
        with Sandbox(replace(sandbox.section, slots=1)) as alone:
            yield alone

    def test_a_datagram_reaches_no_socket_of_the_host(
        self, sandbox: Sandbox, listen: Listen, valuables: Valuables
    ) -> None:
        path = str(valuables.folder / "socket")
        name = f"\0reverie-datagrams-{os.getpid()}"
        servers = [listen(socket.AF_UNIX, socket.SOCK_DGRAM, each) for each in (path, name)]
        os.chmod(path, 0o666)
        policy = Policy(readonly=(str(valuables.folder),))
        assert answer(sandbox, _DATAGRAMS, policy=policy, addresses=[path, name]) == []
        assert [server.visitors() for server in servers] == [0, 0]

    def test_a_name_that_the_host_has_taken_is_not_found_out(
        self, sandbox: Sandbox, listen: Listen
    ) -> None:
        name = f"\0reverie-name-{os.getpid()}"
        listen(socket.AF_UNIX, socket.SOCK_STREAM, name)
        code = """
            import socket
            one, other = socket.socketpair()
            def attempt(name):
                try: one.bind(name)
                except OSError as error: return error.errno
                return 0
            _result = attempt(name)
        """
        assert answer(sandbox, code, name=name) != 98

    def test_locks_of_the_host_are_neither_seen_nor_felt(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        locked = [os.open(valuables.file, os.O_RDWR) for _ in range(2)]
        fcntl.flock(locked[0], fcntl.LOCK_EX)
        fcntl.fcntl(locked[1], fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        system = os.open("/usr/bin/env", os.O_RDONLY)
        fcntl.flock(system, fcntl.LOCK_EX)
        policy = Policy(readonly=(str(valuables.folder),))
        paths = [str(valuables.file), "/usr/bin/env"]
        try:
            assert answer(sandbox, _LOCKS, policy=policy, paths=paths) == []
            policy = Policy(readonly=(str(valuables.file),))
            assert answer(sandbox, _LOCKS, policy=policy, paths=paths[:1]) == []
        finally:
            for descriptor in (*locked, system):
                os.close(descriptor)

    def test_nobody_is_told_what_the_host_opens(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        policy = Policy(readonly=(str(valuables.folder),))
        params: dict[str, Any] = {"folder": str(valuables.folder), "numbers": system_call_numbers()}
        assert answer(sandbox, _WATCHES, policy=policy, **params) == []

    def test_a_named_pipe_of_the_host_carries_nothing(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        path = str(valuables.folder / "pipe")
        os.mkfifo(path, 0o666)
        os.chmod(path, 0o666)
        reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            answer(sandbox, _PIPE, policy=Policy(readonly=(str(valuables.folder),)), path=path)
            assert os.read(reading, 100) == b""
        finally:
            os.close(reading)

    def test_pages_of_shown_files_are_neither_seen_nor_dropped(
        self, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        path = tmp_path / "pages"
        path.write_bytes(os.urandom(1 << 16))
        os.sync()
        path.read_bytes()
        policy = Policy(readonly=(str(tmp_path),))
        numbers = system_call_numbers()
        assert answer(sandbox, _PAGES, policy=policy, path=str(path), numbers=numbers) == []
        with path.open("rb") as file:
            assert os.preadv(file.fileno(), [bytearray(1 << 16)], 0, os.RWF_NOWAIT) == 1 << 16

    def test_flags_of_folders_cannot_be_set(self, sandbox: Sandbox) -> None:
        assert answer(sandbox, _FLAGS) == []

    def test_originals_and_layers_are_out_of_sight(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        folder = str(valuables.folder)
        policy = Policy(enable_filesystem=True, private_copies=(folder,))
        assert answer(sandbox, _HIDDEN, policy=policy) == []

    def test_a_shown_folder_is_shown_as_it_is_now(
        self, alone: Sandbox, valuables: Valuables
    ) -> None:
        policy = Policy(readonly=(str(valuables.folder), str(valuables.file)))
        code = "import os\n_result = [open(path).read(), sorted(os.listdir(folder)), at_all(new)]"
        code = f"import os\nat_all = os.path.exists\n{code}"
        params: dict[str, Any] = {
            "folder": str(valuables.folder),
            "path": str(valuables.file),
            "new": str(valuables.folder / "new"),
        }
        first = answer(alone, code, policy=policy, **params)
        assert first == [valuables.secret, ["folder", "link", "secret.txt"], False]
        (valuables.folder / "new").write_text("replaced")
        os.replace(valuables.folder / "new", valuables.file)
        (valuables.folder / "new").mkdir()
        second = answer(alone, code, policy=policy, **params)
        assert second == ["replaced", ["folder", "link", "new", "secret.txt"], True]

    def test_numbers_and_counters_say_nothing_about_the_execution_before(
        self, alone: Sandbox
    ) -> None:
        first = answer(alone, _NUMBERS, noise="none")
        del first["number"]
        steps = []
        for noise in ("numbers", "network", "numbers"):
            loud = answer(alone, _NUMBERS, noise=noise)
            after = answer(alone, _NUMBERS, noise="none")
            steps.append(after.pop("number") - loud["number"])
            assert after == first
        assert any(not 0 < step < 100 for step in steps[::2]), "numbers go on where they were"

    @pytest.mark.parametrize("kind", ["flock", "posix"])
    def test_a_program_locks_its_own_files(self, sandbox: Sandbox, kind: str) -> None:
        code = """
            import fcntl, os
            lock = fcntl.flock if kind == "flock" else fcntl.lockf
            files = [os.open("own", os.O_CREAT | os.O_RDWR) for _ in range(2)]
            lock(files[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
            child = os.fork()
            if child == 0:
                try: lock(os.open("own", os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError: os._exit(7)
                os._exit(1)
            _result = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        """
        assert answer(sandbox, code, kind=kind) == 7
