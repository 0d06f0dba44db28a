"""Code under test cannot tell that it is judged: the machine and the interpreter look ordinary."""

from reverie.model.execution import Policy
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import SandboxHarness, answer

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
