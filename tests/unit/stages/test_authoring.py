"""Agents in their copy, programs, and the loop: contained, within their budget, and told."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.dreamers.models.client import Budget, ModelClient
from reverie.dreamers.models.edits import Place
from reverie.dreamers.models.tasks import Task
from reverie.errors import ModelFailed, Refused, UsageError
from reverie.model.author import Author
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.ruling import Answer as Word
from reverie.model.ruling import Judgement, Ruling
from reverie.model.sections import SafetySection
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.model.settings.everyday import IndexSection
from reverie.promotion.trial_tree import read_files, read_source
from reverie.stages.authoring.asking import (
    AgentAsker,
    Answer,
    Ground,
    ProgramTransport,
    TextAsker,
)
from reverie.stages.authoring.loop import Assessed, Bounds, converse
from reverie.stages.authoring.work_copy import MOST_FILES, read_work
from reverie.stages.grounds import Grounds, Interpreter

CODE = "def f(x):\n    return x + 1\n"
TEST = "from shop import f\n\n\ndef test_f():\n    assert f(1) == 2\n"
ENVIRON = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "A_SECRET_TOKEN": "do-not-show-me"}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / ".gitignore").write_text("*.log\n")
    (folder / "built.log").write_text("generated\n")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run([*git, *line], cwd=folder, check=True)
    with open_index(folder, IndexSection(), SafetySection(), None) as index:
        index.refresh()
        code = index.load()
    source = read_source(folder, "HEAD")
    grounds = Grounds(folder, folder, source, code, Interpreter(sys.executable))
    files = {path: text for path, text in read_files(folder).items() if path in source.files}
    task = Task(Stage.A, "shop.py", "shop", CODE)
    return Ground(task, grounds, files, Place("tests/test_shop_proposed.py", None))


@pytest.fixture
def agent(tmp_path: Path) -> Callable[..., AgentAsker]:
    def make(program: str, **settings: object) -> AgentAsker:
        place = tmp_path / "agent.py"
        place.write_text("import os, pathlib, sys, subprocess, time\n" + program)
        section = ModelsSection(
            protocol=ModelProtocol.AGENT,
            agent_command=shlex.join((sys.executable, str(place), "{task}")),
            **settings,  # type: ignore[arg-type]
        )
        return AgentAsker(Author("robot", section), ENVIRON, Budget(section))

    return make


def ask(asker: AgentAsker | TextAsker, ground: Ground, seconds: float = 60.0) -> Answer:
    with asker.begin(ground) as conversation:
        return conversation.answer("", 0, seconds)


def test_an_agent_finds_a_repository_and_leaves_a_change(agent: Callable, ground: Ground) -> None:
    program = """
assert subprocess.run(["git", "status", "--porcelain"], capture_output=True).stdout == b""
assert subprocess.run(["git", "log", "--oneline"], capture_output=True).stdout.count(b"\\n") == 1
assert pathlib.Path("built.log").read_text() == "generated\\n"
assert "A_SECRET_TOKEN" not in os.environ
assert "Write tests" in pathlib.Path(sys.argv[1]).read_text()
pathlib.Path("tests/test_more.py").write_text("def test_x():\\n    assert 1\\n")
for name in (".pytest_cache/x", "tests/__pycache__/y.pyc", "out.log", ".hypothesis/z"):
    pathlib.Path(name).parent.mkdir(exist_ok=True)
    pathlib.Path(name).write_text("left behind")
print("TITLE: Test more")
"""
    found = ask(agent(program), ground)
    assert found.change.paths == ("tests/test_more.py",)
    assert (found.title, found.note) == ("Test more", None)


def test_work_that_was_committed_counts_as_well(agent: Callable, ground: Ground) -> None:
    program = """
pathlib.Path("shop.py").write_text("def f(x):\\n    return 1 + x\\n")
subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=y", "commit", "-qam", "mine"])
"""
    assert ask(agent(program), ground).change.paths == ("shop.py",)


@pytest.mark.parametrize("end", ["sys.exit(3)", "time.sleep(600)", "print('x' * 9_000_000)"])
def test_what_was_done_before_a_failure_is_kept_and_told(
    agent: Callable, ground: Ground, end: str
) -> None:
    program = f"pathlib.Path('tests/test_more.py').write_text('x = 1\\n')\n{end}\n"
    found = ask(agent(program), ground, 3.0)
    assert found.change.paths == ("tests/test_more.py",)
    assert found.note is not None
    assert "the work that was there is judged" in found.note


def test_an_agent_that_never_ends_stays_within_its_budget(agent: Callable, ground: Ground) -> None:
    asker = agent("time.sleep(600)", most_seconds=2.0)
    with pytest.raises(ModelFailed, match="no end after"):
        ask(asker, ground, 600.0)
    with pytest.raises(Refused, match="budget of seconds is spent"):
        ask(asker, ground, 600.0)
    assert asker.budget.calls == 1


def test_processes_that_an_agent_leaves_behind_are_ended(
    agent: Callable, ground: Ground, tmp_path: Path
) -> None:
    number = tmp_path / "number"
    program = f"""
left = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL)
pathlib.Path({str(number)!r}).write_text(str(left.pid))
pathlib.Path("tests/test_more.py").write_text("x = 1\\n")
"""
    found = ask(agent(program), ground)
    assert "1 processes that it left behind were ended" in (found.note or "")
    state = Path("/proc", number.read_text(), "stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_a_flood_of_files_is_not_read(agent: Callable, ground: Ground) -> None:
    program = f"""
for i in range({MOST_FILES} + 50):
    pathlib.Path(f"tests/test_{{i}}.py").write_text("x = 1\\n")
"""
    with pytest.raises(ModelFailed, match="nothing of it is read"):
        ask(agent(program), ground)


def test_a_change_of_the_repository_itself_is_told_and_nothing_is_taken(
    agent: Callable, ground: Ground
) -> None:
    real = ground.grounds.repository / "shop.py"
    program = f"""
pathlib.Path("tests/test_more.py").write_text("x = 1\\n")
pathlib.Path({str(real)!r}).write_text("import os\\n")
"""
    with pytest.raises(ModelFailed, match="the repository itself was changed while robot worked"):
        ask(agent(program), ground)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("import shutil; shutil.rmtree('.git')", "no repository any more"),
        (
            "pathlib.Path('shop.py').write_text('x = 1\\n')\n"
            "subprocess.run('git add -A; git -c user.name=x -c user.email=y commit -qm z;"
            "git replace -f HEAD~1 HEAD; rm -rf .git/objects', shell=True)",
            "no repository any more",
        ),
    ],
)
def test_a_copy_whose_history_is_gone_is_not_believed(
    agent: Callable, ground: Ground, program: str, why: str
) -> None:
    with pytest.raises(ModelFailed, match=why):
        ask(agent(program), ground)


def test_a_link_out_of_the_copy_is_a_link_and_not_what_it_leads_to(
    agent: Callable, ground: Ground
) -> None:
    found = ask(agent("os.symlink('/etc/passwd', 'tests/test_more.py')"), ground)
    (edit,) = found.change.edits
    assert (edit.after, edit.mode_after) == ("/etc/passwd", "120000")


def test_a_second_answer_goes_on_with_the_work_of_the_first(
    agent: Callable, ground: Ground
) -> None:
    program = """
place = pathlib.Path("tests/test_more.py")
place.write_text((place.read_text() if place.exists() else "") + "x = 1\\n")
"""
    with agent(program).begin(ground) as conversation:
        conversation.answer("", 0, 60.0)
        (edit,) = conversation.answer("mend it", 1, 60.0).change.edits
    assert edit.after == "x = 1\nx = 1\n"


def test_a_tape_answers_for_an_agent_without_starting_it(
    agent: Callable, ground: Ground, tmp_path: Path
) -> None:
    tape, ran = str(tmp_path / "tape.jsonl"), tmp_path / "ran"
    program = f"""
with open({str(ran)!r}, "a") as stream:
    stream.write("x")
pathlib.Path("tests/test_more.py").write_text("KEY = 'sk-0123456789abcdefghij'\\n")
"""
    first = ask(agent(program, record=tape), ground)
    again = ask(agent(program, replay=tape), ground)
    assert ran.read_text() == "x"
    assert again.change.paths == first.change.paths
    assert "sk-0123456789" not in Path(tape).read_text()
    (line,) = Path(tape).read_text().splitlines()
    assert json.loads(line)["request"] == ground.task.key(0)


def test_outside_of_a_copy_there_is_no_work_to_check(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no work copy"):
        read_work(tmp_path)


def program_asker(tmp_path: Path, text: str) -> TextAsker:
    place = tmp_path / "program.py"
    place.write_text(text)
    section = ModelsSection(
        protocol=ModelProtocol.PROGRAM, agent_command=shlex.join((sys.executable, str(place)))
    )
    author = Author("script", section)
    carrier = ProgramTransport(author, ENVIRON)
    return TextAsker(ModelClient(section, ENVIRON, carrier=carrier, wait=lambda seconds: None))


def test_a_program_reads_its_task_and_prints_a_patch(tmp_path: Path, ground: Ground) -> None:
    text = """import sys
assert "def f(x)" in sys.stdin.read()
print("--- a/shop.py\\n+++ b/shop.py\\n@@ -1,2 +1,2 @@\\n def f(x):\\n-    return x + 1")
print("+    return 1 + x")
"""
    stage_b = replace(ground, task=replace(ground.task, stage=Stage.B))
    (edit,) = ask(program_asker(tmp_path, text), stage_b).change.edits
    assert edit.after == "def f(x):\n    return 1 + x\n"


def test_a_program_that_fails_is_told(tmp_path: Path, ground: Ground) -> None:
    with pytest.raises(ModelFailed, match="no answer after 3 tries"):
        ask(program_asker(tmp_path, "raise SystemExit('no')"), ground)


class Scripted:
    """Says what it is told to say, and keeps what it was told."""

    def __init__(self, *said: str | Exception) -> None:
        self.said, self.heard = list(said), list[str]()

    def answer(self, reasons: str, number: int, seconds: float) -> Answer:
        self.heard.append(reasons)
        said = self.said[min(number, len(self.said) - 1)]
        if isinstance(said, Exception):
            raise said
        return Answer(Change((FileEdit("a.py", None, said),)))


def judge(answer: Answer) -> Assessed[str]:
    text = answer.change.edits[0].after or ""
    words = {"good": Word.PASS, "fair": Word.HOLD}
    ruling = Ruling("taste", words.get(text, Word.FAIL), "taste", f"{text} is not good")
    return Assessed(answer, Judgement((ruling,)), {}, 0.0, text)


def test_a_refusal_goes_back_with_its_reasons_until_an_answer_passes() -> None:
    author = Scripted("bad", "good", "never asked for")
    course = converse(author, judge, Bounds(5))
    assert [each.whole for each in course.assessed] == ["bad", "good"]
    assert "taste: bad is not good" in author.heard[1]


def test_the_best_answer_is_the_one_with_the_best_evidence() -> None:
    course = converse(Scripted("bad", "fair", "worse"), judge, Bounds(3))
    assert course.best is not None
    assert course.best.whole == "fair"


def test_an_author_that_repeats_itself_is_not_asked_again() -> None:
    course = converse(Scripted("bad"), judge, Bounds(5))
    assert len(course.assessed) == 1
    assert course.problems == ["the same answer came again"]


def test_an_author_that_answers_by_chance_is_asked_until_the_rounds_are_used_up() -> None:
    course = converse(Scripted("bad", "bad", "good"), judge, Bounds(5, is_by_chance=True))
    assert [each.whole for each in course.assessed] == ["bad", "good"]
    lost = Scripted(ModelFailed("0 blocks"))
    converse(lost, judge, Bounds(4, is_by_chance=True))
    assert len(lost.heard) == 4


def test_an_answer_that_is_none_is_told_and_asked_for_again() -> None:
    author = Scripted(ModelFailed("0 blocks"), "good")
    course = converse(author, judge, Bounds(3))
    assert [each.whole for each in course.assessed] == ["good"]
    assert "0 blocks" in author.heard[1]
    assert course.problems == ["0 blocks"]


def test_a_spent_budget_ends_it_and_a_bound_of_rounds_too() -> None:
    spent = converse(Scripted(Refused("the budget is spent")), judge, Bounds(5))
    assert (spent.assessed, spent.problems) == ([], ["the budget is spent"])
    course = converse(Scripted("one", "two", "three", "four"), judge, Bounds(3))
    assert len(course.assessed) == 3
    stopped = converse(Scripted("one", "two"), judge, Bounds(3, is_stopped=lambda: True))
    assert not stopped.assessed
