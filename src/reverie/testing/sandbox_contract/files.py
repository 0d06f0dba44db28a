"""Files of the host: seen only where the policy shows them, changed never."""

import os
import socket
import tempfile
from pathlib import Path

import pytest

from reverie.model.execution import ChangeKind, Execution, Policy
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SYSTEM_CALL,
    SandboxHarness,
    Valuables,
    answer,
    ended,
    script,
    system_call_numbers,
)

_READERS = """
import ctypes, glob, linecache, mmap, os, pathlib, shutil
def through_link():
    os.symlink(path, "link")
    return open("link").read()
def through_hard_link():
    os.link(path, "hard")
    return open("hard").read()
def through_descriptor():
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 99).decode()
def through_parents():
    return open("/proc/self/cwd/" + "../" * 40 + path).read()
def through_root_of(pid):
    return open(f"/proc/{pid}/root{path}").read()
def through_copy():
    shutil.copy(path, "copy")
    return open("copy").read()
def through_rename():
    os.rename(path, "mine")
    return open("mine").read()
def through_c():
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    buffer = ctypes.create_string_buffer(99)
    file = libc.fopen(path.encode(), b"r")
    if not file: raise OSError
    libc.fgets(buffer, 99, ctypes.c_void_p(file))
    return buffer.value.decode()
ways = [lambda: open(path).read(), lambda: linecache.getline(path, 1),
        lambda: pathlib.Path(path).read_text(), through_link, through_hard_link,
        through_descriptor, through_parents, lambda: through_root_of(1),
        lambda: through_root_of(os.getppid()), through_copy, through_c, through_rename]
_result = []
for number, way in enumerate(ways):
    try:
        if way(): _result.append(number)
    except (OSError, ValueError):
        pass
"""

_WRITERS = """
import os, shutil
def attempt(way):
    try:
        way()
    except (OSError, shutil.Error):
        return False
    return True
file, inner = folder + "/secret.txt", folder + "/folder"
def write(path, mode):
    with open(path, mode) as handle: handle.write("changed")
ways = {
    "write": lambda: write(file, "w"), "append": lambda: write(file, "a"),
    "create": lambda: write(folder + "/new", "x"), "truncate": lambda: os.truncate(file, 0),
    "unlink": lambda: os.unlink(folder + "/link"), "mkdir": lambda: os.mkdir(folder + "/made"),
    "rename": lambda: os.rename(inner, folder + "/other"), "rmtree": lambda: shutil.rmtree(inner),
    "link": lambda: os.link(file, folder + "/again"),
    "symlink": lambda: os.symlink("x", folder + "/pointer"),
    "fifo": lambda: os.mkfifo(folder + "/fifo"),
    "move": lambda: os.rename(file, "taken"),
    "read_write": lambda: os.close(os.open(file, os.O_RDWR)),
    "truncate_on_open": lambda: os.close(os.open(file, os.O_RDONLY | os.O_TRUNC)),
}
_result = [name for name, way in ways.items() if attempt(way)]
"""

_METADATA = """
import os
def attempt(way):
    try:
        way()
    except OSError:
        return False
    return True
ways = {
    "chmod": lambda: os.chmod(path, 0o777), "utime": lambda: os.utime(path, (1, 1)),
    "chown": lambda: os.chown(path, os.getuid(), os.getgid()),
    "fchmod": lambda: os.fchmod(os.open(path, os.O_RDONLY), 0o777),
    "setxattr": lambda: os.setxattr(path, "user.mark", b"x"),
    "futimens": lambda: os.utime(os.open(path, os.O_RDONLY), (2, 2)),
    "fchmodat": lambda: os.chmod(os.path.basename(path), 0o777,
                                 dir_fd=os.open(os.path.dirname(path), os.O_RDONLY)),
}
_result = [name for name, way in ways.items() if attempt(way)]
"""


class FilesContract(SandboxHarness):
    """The host's files are there to be read where shown, and nowhere else."""

    def test_a_file_that_is_not_shown_cannot_be_read(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        assert answer(sandbox, _READERS, path=str(valuables.file)) == []
        assert valuables.file.read_text() == valuables.secret

    def test_the_home_folder_is_not_shown(self, sandbox: Sandbox) -> None:
        with tempfile.TemporaryDirectory(prefix=".reverie-", dir=Path.home()) as folder:
            path = Path(folder, "secret.txt")
            path.write_text("secret")
            assert answer(sandbox, _READERS, path=str(path)) == []

    def test_a_file_that_is_shown_can_be_read(self, sandbox: Sandbox, valuables: Valuables) -> None:
        policy = Policy(readonly=(str(valuables.folder),))
        code = "import os\n_result = [open(path).read(), sorted(os.listdir(folder))]"
        found = answer(
            sandbox, code, policy=policy, path=str(valuables.file), folder=str(valuables.folder)
        )
        assert found == [valuables.secret, ["folder", "link", "secret.txt"]]

    def test_one_file_can_be_shown_alone(self, sandbox: Sandbox, valuables: Valuables) -> None:
        policy = Policy(readonly=(str(valuables.file),))
        code = "_result = open(path).read()"
        assert answer(sandbox, code, policy=policy, path=str(valuables.file)) == valuables.secret
        other = str(valuables.folder / "folder" / "inner.txt")
        assert not script(sandbox, code, policy=policy, path=other).succeeded

    def test_what_is_shown_can_be_imported(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "own_module.py").write_text("VALUE = 7")
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,))
        assert answer(sandbox, "import own_module\n_result = own_module.VALUE", policy=policy) == 7
        assert sorted(path.name for path in tmp_path.iterdir()) == ["own_module.py"]

    def test_a_type_error_in_shown_code_is_at_home(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "own_module.py").write_text("def bad(): return 1 + ''")
        folder = str(tmp_path)
        policy = Policy(readonly=(folder,), import_paths=(folder,))
        execution = script(sandbox, "import own_module\nown_module.bad()", policy=policy)
        ended(execution, TestOutcome.TYPE_ERROR)
        assert execution.error is not None
        assert execution.error.location == "own_module.py:bad"

    def test_a_link_to_a_shown_folder_shows_it(
        self, sandbox: Sandbox, valuables: Valuables, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        link = tmp_path_factory.mktemp("links") / "here"
        link.symlink_to(valuables.folder)
        policy = Policy(readonly=(str(link),))
        code = "_result = open(path).read()"
        for path in (link / "secret.txt", valuables.file):
            assert answer(sandbox, code, policy=policy, path=str(path)) == valuables.secret

    @pytest.mark.parametrize("shown", [True, False], ids=["shown", "hidden"])
    def test_files_of_the_host_cannot_be_changed(
        self, sandbox: Sandbox, valuables: Valuables, shown: bool
    ) -> None:
        before = valuables.snapshot()
        folder = str(valuables.folder)
        policy = Policy(readonly=(folder,) if shown else ())
        done = answer(sandbox, _WRITERS, policy=policy, folder=folder)
        assert valuables.snapshot() == before
        assert done == []

    def test_metadata_of_the_host_s_files_cannot_be_changed(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        before = valuables.snapshot()
        policy = Policy(readonly=(str(valuables.folder),))
        for path in (valuables.file, valuables.folder):
            assert answer(sandbox, _METADATA, policy=policy, path=str(path)) == []
        assert valuables.snapshot() == before

    def test_the_system_cannot_be_written(self, sandbox: Sandbox) -> None:
        code = """
            import os
            _result = []
            for folder in ("/", "/usr", "/usr/bin", "/etc", "/var", "/run", "/dev", "/proc", "/sys",
                           "/tmp/..", os.path.dirname(os.__file__)):
                path = os.path.join(folder, ".reverie-contract")
                try:
                    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
                except OSError:
                    continue
                os.unlink(path)
                _result.append(folder)
        """
        assert answer(sandbox, code) == []

    def test_a_device_cannot_be_made(self, sandbox: Sandbox) -> None:
        code = """
            import os, stat
            try:
                os.mknod("device", stat.S_IFBLK | 0o600, os.makedev(8, 0))
                _result = True
            except OSError:
                _result = False
        """
        assert answer(sandbox, code) is False

    def test_a_handle_does_not_open_a_hidden_file(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = SYSTEM_CALL + "_result = system_call('open_by_handle_at', -100, bytes(64), 0)"
        assert answer(sandbox, code, numbers=system_call_numbers()) != 0


class PrivateCopiesContract(SandboxHarness):
    """A private copy can be changed at will; the original never is."""

    def changed(self, sandbox: Sandbox, folder: Path, code: str) -> Execution:
        """Run code in a private copy of a folder."""
        path = str(folder)
        policy = Policy(enable_filesystem=True, private_copies=(path,), working_directory=path)
        execution = script(sandbox, code, policy=policy, limits=QUICK)
        ended(execution, TestOutcome.SUCCESS)
        return execution

    def test_changes_of_a_private_copy_are_listed_and_the_original_is_untouched(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        before = valuables.snapshot()
        code = """
            import os
            assert open("folder/inner.txt").read() == "inner"
            open("secret.txt", "w").write("changed")
            os.unlink("link")
            os.makedirs("new/deep")
            open("new/deep/file", "w").write("x")
            open("folder/inner.txt", "w").write("inner")
        """
        execution = self.changed(sandbox, valuables.folder, code)
        folder = valuables.folder
        assert {(change.kind, change.path) for change in execution.changes} == {
            (ChangeKind.MODIFIED, str(folder / "secret.txt")),
            (ChangeKind.DELETED, str(folder / "link")),
            (ChangeKind.CREATED, str(folder / "new")),
            (ChangeKind.CREATED, str(folder / "new" / "deep")),
            (ChangeKind.CREATED, str(folder / "new" / "deep" / "file")),
        }
        assert valuables.snapshot() == before

    def test_a_change_that_hides_its_time_is_listed(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import os
            facts = os.stat("folder/inner.txt")
            open("folder/inner.txt", "w").write("outer")
            os.utime("folder/inner.txt", ns=(facts.st_atime_ns, facts.st_mtime_ns))
        """
        execution = self.changed(sandbox, valuables.folder, code)
        path = str(valuables.folder / "folder" / "inner.txt")
        assert [(change.kind, change.path) for change in execution.changes] == [
            (ChangeKind.MODIFIED, path)
        ]

    def test_the_next_execution_has_a_fresh_copy(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        for _ in range(sandbox.section.slots + 1):
            code = "import os\n_result = sorted(os.listdir('.'))\nopen('more', 'w').close()"
            execution = self.changed(sandbox, valuables.folder, code)
            assert execution.output == ["folder", "link", "secret.txt"]

    def test_a_copy_that_resists_is_compared_all_the_same(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        before = valuables.snapshot()
        code = """
            import os
            os.mkdir("closed"); open("closed/file", "w").close(); os.chmod("closed", 0)
            os.mkfifo("fifo")
            open(b"undecodable-\\xff", "w").close()
            os.unlink("secret.txt"); os.symlink("/etc/passwd", "secret.txt")
            os.unlink("folder/inner.txt"); os.rmdir("folder"); os.symlink("/etc", "folder")
            os.chmod(".", 0)
        """
        execution = self.changed(sandbox, valuables.folder, code)
        names = {
            (change.kind, os.path.relpath(change.path, valuables.folder))
            for change in execution.changes
        }
        assert names >= {
            (ChangeKind.CREATED, "closed"),
            (ChangeKind.CREATED, "closed/file"),
            (ChangeKind.CREATED, "fifo"),
            (ChangeKind.MODIFIED, "folder"),
            (ChangeKind.MODIFIED, "secret.txt"),
        }
        assert any("undecodable" in name for _, name in names)
        assert valuables.snapshot() == before

    def test_a_socket_file_in_a_copied_folder_cannot_be_reached(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import socket
            try:
                with socket.socket(socket.AF_UNIX) as client: client.connect("socket")
                _result = "reached"
            except OSError:
                _result = "refused"
        """
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(valuables.folder / "socket"))
            server.listen()
            assert self.changed(sandbox, valuables.folder, code).output == "refused"

    def test_a_deep_tree_in_a_copy_does_no_harm(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import os
            for _ in range(1200):
                os.mkdir("d"); os.chdir("d")
        """
        self.changed(sandbox, valuables.folder, code)
        assert self.changed(sandbox, valuables.folder, "pass").changes == ()
