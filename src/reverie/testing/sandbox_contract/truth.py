"""What comes back is bounded and true: lists of changes, names, output, answers, time spent."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from reverie.model.execution import ChangeKind, Execution, Policy
from reverie.model.outcome import TestOutcome
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox_contract.harness import (
    QUICK,
    SandboxHarness,
    Valuables,
    ended,
    script,
    told,
)

_SECONDS = 0.3

_BURNERS = {
    "unreaped": "if os.fork() == 0: burn()\nos.read(ready, 1)",
    "orphaned": """
if os.fork() == 0:
    if os.fork() == 0: burn()
    os._exit(0)
os.wait()
os.read(ready, 1)
""",
    "still_running": "if os.fork() == 0: burn(for_ever=True)\nos.read(ready, 1)",
    "reaped_by_nobody": """
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if os.fork() == 0: burn()
os.read(ready, 1)
try: os.wait()
except ChildProcessError: pass
""",
}

_BURN = f"""
import os, signal, time
ready, done = os.pipe()
def burn(for_ever=False):
    while time.process_time() < {_SECONDS}: pass
    os.write(done, b"x")
    while for_ever: pass
    os._exit(0)
"""

_AMPLIFY = """
import sys
def reply():
    frame = sys._getframe()
    while "reply" not in frame.f_locals: frame = frame.f_back
    return frame.f_locals["reply"]
def f(n):
    return [[] for _ in range(20_000)]
def forge(n):
    print("x" * 9_000)
    sys.stdout.flush()
    for index in range(8):
        place = {"index": index, "position": [9_000 * (index % 2 == 0), 0]}
        reply().send({"claim": "returned", "value": 1, "type": "int", **place})
    return 0
"""


class TruthContract(SandboxHarness):
    """Nothing an execution does makes a report larger or less than the truth."""

    def edited(self, sandbox: Sandbox, valuables: Valuables, code: str) -> Execution:
        """Run code in a private copy of the valuables."""
        path = str(valuables.folder)
        policy = Policy(enable_filesystem=True, private_copies=(path,), working_directory=path)
        execution = script(sandbox, code, policy=policy)
        ended(execution, TestOutcome.SUCCESS)
        return execution

    def listed(self, execution: Execution, valuables: Valuables) -> Iterator[tuple[str, str]]:
        """Kind and name of every change."""
        for change in execution.changes:
            yield change.kind.value, os.path.relpath(change.path, valuables.folder)

    @pytest.mark.parametrize("place", ["", ".cache/"], ids=["beside_it", "in_a_folder"])
    def test_a_heap_of_new_files_hides_no_edit(
        self, sandbox: Sandbox, valuables: Valuables, place: str
    ) -> None:
        code = f"""
            import os
            if {place!r}: os.makedirs({place!r})
            for number in range(2100): open(f"{place}!{{number:05}}", "w").close()
            open("folder/inner.txt", "w").write("outer")
            os.unlink("link")
        """
        execution = self.edited(sandbox, valuables, code)
        first = list(self.listed(execution, valuables))[:2]
        assert first == [("modified", "folder/inner.txt"), ("deleted", "link")]
        assert execution.changes_truncated

    def test_a_list_that_is_complete_says_so(self, sandbox: Sandbox, valuables: Valuables) -> None:
        execution = self.edited(sandbox, valuables, "open('new', 'w').close()")
        assert list(self.listed(execution, valuables)) == [("created", "new")]
        assert not execution.changes_truncated

    def test_a_tree_too_deep_to_be_listed_is_told(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import os
            for _ in range(200): os.mkdir("d"); os.chdir("d")
            open("new", "w").close()
        """
        execution = self.edited(sandbox, valuables, code)
        assert next(self.listed(execution, valuables)) == ("created", "d")
        assert execution.changes_truncated

    def test_marks_of_the_file_system_cannot_be_forged(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import os
            for path in (".", "folder", "folder/inner.txt"):
                for name in ("opaque", "whiteout", "redirect", "metacopy"):
                    for value in (b"y", b"x", b"/link"):
                        try: os.setxattr(path, f"user.overlay.{name}", value)
                        except OSError: pass
            open("secret.txt", "a").write("x")
        """
        execution = self.edited(sandbox, valuables, code)
        assert list(self.listed(execution, valuables)) == [("modified", "secret.txt")]

    def test_marks_in_the_original_hide_nothing(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        (valuables.folder / "folder" / "empty.py").touch()
        try:
            os.setxattr(valuables.folder / "folder", "user.overlay.opaque", b"x")
            os.setxattr(valuables.folder / "folder" / "empty.py", "user.overlay.whiteout", b"y")
        except OSError:
            return  # a file system without attributes carries no marks
        code = (
            "import os\n_result = sorted(os.listdir('folder')), os.path.exists('folder/empty.py')"
        )
        execution = self.edited(sandbox, valuables, code)
        assert execution.output == [["empty.py", "inner.txt"], True]
        assert execution.changes == ()

    def test_limits_of_its_keeper_do_not_empty_the_list(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import resource
            for pid in (0, 1):
                for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_AS):
                    try: resource.prlimit(pid, kind, (3, 3)) if pid else None
                    except (OSError, ValueError): pass
            open("secret.txt", "w").write("changed")
        """
        execution = self.edited(sandbox, valuables, code)
        assert list(self.listed(execution, valuables)) == [("modified", "secret.txt")]

    def test_names_that_are_no_text_are_told_apart(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = r"""
            for name in (b"\xff", b"\xfe", "é\\".encode(), b"a\xc3"): open(name, "w").close()
        """
        execution = self.edited(sandbox, valuables, code)
        found = set(self.listed(execution, valuables))
        assert found == {("created", name) for name in (r"\xff", r"\xfe", "é\\", r"a\xc3")}

    def test_many_names_that_are_no_text_are_answered(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = r"""
            for n in range(1900): open(b"%04d" % n + b"\xff" * 200, "w").close()
            open("secret.txt", "w").write("changed")
        """
        execution = self.edited(sandbox, valuables, code)
        assert next(self.listed(execution, valuables)) == ("modified", "secret.txt")
        assert execution.changes_truncated

    def test_a_file_replaced_by_a_folder_lists_what_is_in_it(
        self, sandbox: Sandbox, valuables: Valuables
    ) -> None:
        code = """
            import os
            os.unlink("secret.txt"); os.mkdir("secret.txt"); open("secret.txt/x", "w").close()
        """
        execution = self.edited(sandbox, valuables, code)
        assert (ChangeKind.CREATED, "secret.txt/x") in set(self.listed(execution, valuables))

    @pytest.mark.parametrize("descriptor", [1, 2])
    def test_output_that_is_no_text_stays_within_its_limit(
        self, sandbox: Sandbox, descriptor: int
    ) -> None:
        limits = replace(QUICK, output_bytes=9_000)
        code = f"import os\nos.write({descriptor}, bytes([255]) * 8_000)"
        execution = script(sandbox, code, limits=limits)
        kept = (execution.stdout, execution.stderr)[descriptor - 1]
        assert 5_000 < len(json.dumps(kept)) <= 9_002
        assert execution.output_truncated

    @pytest.mark.parametrize("isolated", [True, False])
    def test_answers_of_many_inputs_share_one_bounded_memory(
        self, sandbox: Sandbox, isolated: bool
    ) -> None:
        limits = replace(QUICK, result_bytes=100_000)
        inputs = [{"n": n} for n in range(12)]
        found = sandbox.execute_many(_AMPLIFY, "f", inputs, limits=limits, isolated=isolated)
        kept = [each for each in found if each.succeeded]
        assert len(found) == 12
        assert 1 <= len(kept) <= 4, told(found[0])
        for each in found:
            if not each.succeeded:
                ended(each, TestOutcome.OUTPUT_VALIDATION_FAILED)

    def test_output_of_many_inputs_is_not_given_out_twice(self, sandbox: Sandbox) -> None:
        inputs = [{"n": n} for n in range(8)]
        found = sandbox.execute_many(_AMPLIFY, "forge", inputs, limits=QUICK, isolated=False)
        assert sum(len(each.stdout) for each in found) <= 9_001

    @pytest.mark.parametrize("burner", _BURNERS.values(), ids=_BURNERS)
    def test_time_of_children_that_nobody_waits_for_is_counted(
        self, sandbox: Sandbox, burner: str
    ) -> None:
        execution = script(sandbox, _BURN + burner)
        ended(execution, TestOutcome.SUCCESS)
        assert execution.usage.cpu_seconds is not None
        assert execution.usage.cpu_seconds > 0.9 * _SECONDS, told(execution)
