import os
from pathlib import Path

from reverie.model.execution import Call, ChangeKind, FileChange, Policy, Request
from reverie.model.outcome import TestOutcome
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.engine import Sandbox

STRANGER = 4242


def test_files_of_somebody_else_can_be_changed_in_a_private_view(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    theirs = folder / "theirs.txt"
    theirs.write_text("before")
    if os.getuid() == 0:  # only root can make files of other people; others test their own
        os.chown(theirs, STRANGER, STRANGER)
    code = "def change(path):\n    with open(path, 'a') as file: file.write(' and after')"
    policy = Policy(enable_filesystem=True, private_copies=(str(folder),))
    request = Request(Call(code, "change", {"path": str(theirs)}), policy=policy)
    with Sandbox(SandboxSection(tier=TierChoice.NAMESPACES)) as sandbox:
        for _ in range(2):
            execution = sandbox.run(request)
            assert execution.outcome is TestOutcome.SUCCESS, execution.error
            assert execution.changes == (FileChange(str(theirs), ChangeKind.MODIFIED),)
    assert theirs.read_text() == "before"
