"""`reverie equiv` and `check_equivalence` through the real sandbox."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Equivalence, EquivalenceVerdict, Sandbox, check_equivalence
from reverie.instruments.equivalence import compare_versions, read_version, version_of
from reverie.instruments.equivalence.mutants import mutants_of
from reverie.instruments.equivalence.scenario import Shown
from reverie.model.call import Call, Expression
from reverie.model.sections import EquivalenceSection

OLD = "def share(total: int, people: int) -> int:\n    return total // people\n"
NEW = "def share(total: int, people: int) -> int:\n    return int(total / people)\n"
KEYS = {
    "verdict", "inputs", "branch_coverage", "counterexample", "reason", "adequacy", "novelty",
    "seed",
    "proof",
}  # fmt: skip
QUICK = EquivalenceSection(least_inputs=200, quiet_inputs=100, exhausted_inputs=150)
Judge = Callable[..., tuple[str, str | None]]


@pytest.fixture
def versions(repository: Path) -> Path:
    (repository / "old.py").write_text(OLD)
    (repository / "new.py").write_text(NEW)
    return repository


def test_a_difference_is_told_with_everything_needed_to_see_it(
    cli: Callable, versions: Path
) -> None:
    (versions / "calls.txt").write_text("# the one that hurts\nshare(-7, people=2)\n")
    targets = [f"{versions}/{name}.py:share" for name in ("old", "new")]
    line = ("equiv", *targets, "--inputs", str(versions / "calls.txt"), "--json")
    ran = cli(*line, "--repo", str(versions))
    assert ran.code == 1
    assert set(ran.document) == KEYS
    assert ran.document["inputs"] == 1, "those that are given are tried first"
    assert (ran.document["verdict"], ran.document["reason"]) == ("different", None)
    shown = ran.document["counterexample"]
    assert shown["kind"] == "value"
    assert shown["expression"].startswith("share(")
    script = versions / "repro.py"
    script.write_text(shown["repro"])
    told = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    first, second = (line.split(" returned ")[1] for line in told.stdout.splitlines())
    assert first != second


def test_people_see_the_call_and_both_results(cli: Callable, versions: Path) -> None:
    targets = [f"{versions}/{name}.py:share" for name in ("old", "new")]
    ran = cli("equiv", *targets, "--repo", str(versions))
    assert ran.code == 1
    assert ran.out.startswith("different\n")
    assert "value: share(" in ran.out


def test_equal_versions_are_equivalent(cli: Callable, versions: Path) -> None:
    target = f"{versions}/old.py:share"
    ran = cli("equiv", target, target, "--json", "--repo", str(versions), "--budget", "1m")
    assert ran.code == 0
    assert ran.document["verdict"] == "equivalent"
    assert ran.document["inputs"] >= 1000
    assert ran.document["branch_coverage"] == {"old": 1.0, "new": 1.0}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (("old.py", "new.py:share"), "expected FILE.py:callable"),
        (("old.py:share", "none.py:share"), "cannot read 'none.py'"),
        (("old.py:share", "new.py:spare"), "no function or class 'spare'"),
        (("old.py:share", "new.py:share", "--budget", "soon"), "'soon'"),
        (("old.py:share", "new.py:share", "--inputs", "none.txt"), "none.txt"),
        (("old.py:share", "new.py:share", "--inputs", "old.py"), "not a call"),
    ],
)
def test_a_wrong_line_is_answered_with_one_line(
    cli: Callable,
    versions: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(versions)
    ran = cli("equiv", *line, "--repo", str(versions))
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.count("\n") == 1


MODELS = "from dataclasses import dataclass\n@dataclass\nclass Item:\n    price: int\n    n: int\n"
HEAD = "from .models import Item\ndef f(items: list[Item]) -> int:\n"


def compared(sandbox: Sandbox, repository: Path, *named: str) -> Equivalence:
    old, new = (read_version(each, repository) for each in named)
    return compare_versions(sandbox, old, new, section=QUICK)


def test_modules_of_a_package_see_their_relatives(sandbox: Sandbox, repository: Path) -> None:
    folder = repository / "src" / "shop"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "models.py").write_text(MODELS)
    (folder / "old.py").write_text(HEAD + "    return sum(i.price * i.n for i in items)\n")
    (folder / "new.py").write_text(HEAD + "    return sum(i.n * i.price for i in items)\n")
    (folder / "bad.py").write_text(HEAD + "    return sum(i.price * abs(i.n) for i in items)\n")
    same = check_equivalence("shop.old:f", "shop.new:f", repository=repository, section=QUICK)
    assert (same.verdict, same.reason) == (EquivalenceVerdict.EQUIVALENT, None)
    other = compared(sandbox, repository, "shop.old:f", "shop.bad:f")
    assert other.counterexample is not None
    assert "Item(" in other.counterexample.expression
    script = repository / "repro.py"
    script.write_text(other.counterexample.repro)
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("shop.old returned int ")
    assert "shop.bad returned int " in ran.stdout


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


@pytest.fixture
def judge(sandbox: Sandbox) -> Judge:
    def verdict(old: str, new: str, *inputs: Call) -> tuple[str, str | None]:
        versions = version_of(old, "f"), version_of(new, "f")
        answer = compare_versions(sandbox, *versions, section=QUICK, inputs=inputs)
        kind = None if answer.counterexample is None else answer.counterexample.kind.value
        return answer.verdict.value, kind or answer.reason

    return verdict


def test_a_module_that_its_package_imports_in_turn_is_loaded_after_it(
    sandbox: Sandbox, repository: Path
) -> None:
    module = "from shop import unit\ndef f(n: int) -> int:\n    return n // 2\n"
    files = {
        "__init__": "from shop.old import f\nfrom shop import more\n",
        "more": "from shop.old import f\nfrom shop.new import f as g\n",
        "unit": "",
        "old": module,
        "new": module,
    }
    (repository / "shop").mkdir()
    for name, text in files.items():
        (repository / "shop" / f"{name}.py").write_text(text)
    found = compared(sandbox, repository, "shop.old:f", "shop.new:f")
    assert (found.verdict, found.reason) == (EquivalenceVerdict.EQUIVALENT, None)


def test_the_front_module_of_a_package_imports_from_its_own_folder(
    sandbox: Sandbox, repository: Path
) -> None:
    front = "from .units import HALF\n\ndef f(n: int) -> int:\n    return n // HALF\n"
    for name in ("old", "new"):
        (repository / name / "shop").mkdir(parents=True)
        (repository / name / "shop" / "units.py").write_text("HALF = 2\n")
    (repository / "old" / "shop" / "__init__.py").write_text(front)
    (repository / "new" / "shop" / "__init__.py").write_text(front.replace("//", "%"))
    old, new = (str(repository / each / "shop" / "__init__.py:f") for each in ("old", "new"))
    assert compared(sandbox, repository, old, old).verdict is EquivalenceVerdict.EQUIVALENT
    assert compared(sandbox, repository, old, new).verdict is EquivalenceVerdict.DIFFERENT


REREAD = """
import ast, inspect, sys, types

def checked(f):
    text = inspect.getsource(sys.modules[f.__module__])
    whole = compile(ast.parse(text), f.__code__.co_filename, "exec")
    (code,) = [each for each in whole.co_consts if getattr(each, "co_name", "") == f.__name__]
    return types.FunctionType(code, f.__globals__, f.__name__)
"""


def test_a_decorator_that_compiles_the_text_again_gets_the_version_that_is_judged(
    sandbox: Sandbox, repository: Path
) -> None:
    (repository / "checks.py").write_text(REREAD)
    file = repository / "prices.py"
    text = (
        "from checks import checked\n\n@checked\ndef f(n: int) -> int:\n"
        "    if n > 10:\n        return n - 1\n    return n\n"
    )
    file.write_text(text)
    for new, expected in (("n >= 11", "equivalent"), ("n > 11", "different")):
        both = (text, text.replace("n > 10", new))  # on the disk there is the old one all the time
        versions = (version_of(each, "f", path=str(file)) for each in both)
        found = compare_versions(sandbox, *versions, section=QUICK, is_searched=True)
        assert (found.verdict.value, found.reason) == (expected, None)
        assert found.branch_coverage is not None
        assert found.branch_coverage.old == 1.0


DAYS = """
import datetime
class Kind(type):
    pass
class Day(datetime.date, metaclass=Kind):
    pass
def f(n: int) -> int:
    return n // 2
"""


def test_what_derives_a_class_of_another_make_from_a_date_is_loaded(judge: Judge) -> None:
    assert judge(DAYS, DAYS.replace("n // 2", "n >> 1")) == ("equivalent", None)


def test_an_old_version_that_differs_from_itself_is_unknown(judge: Judge) -> None:
    source = "import time\ndef f(n: int):\n    return n, time.perf_counter_ns()\n"
    assert judge(source, source) == ("unknown", "the old version differs from itself")


def test_a_constructor_is_compared_by_the_objects_that_it_makes(sandbox: Sandbox) -> None:
    """It was called like a function, without an object, and failed alike in both versions."""
    old = "class V:\n    def __init__(self, n):\n        self.n = int(n)\n"
    versions = (version_of(text, "V.__init__") for text in (old, old.replace("int(n)", "n")))
    answer = compare_versions(sandbox, *versions, section=QUICK)
    assert answer.verdict is EquivalenceVerdict.DIFFERENT
    assert answer.counterexample is not None
    assert answer.counterexample.expression.startswith("V(")


def test_a_warning_is_what_it_says_and_not_the_line_that_gives_it(judge: Judge) -> None:
    body = "def f(n: int):\n    if {0}:\n        warnings.warn('{1}')\n    return n\n"
    old = "import warnings\n" + body.format("n > 2", "many")
    new = "import warnings\n\n\n" + body.format("n >= 3", "many")
    assert judge(old, new) == ("equivalent", None)
    assert judge(old, new.replace("many", "few")) == ("different", "stderr")


def test_a_new_version_that_cannot_be_imported_is_different(judge: Judge) -> None:
    good = "def f(n: int):\n    return n\n"
    assert judge(good, "import nothing_like_it\n" + good) == ("different", "loading")
    verdict, reason = judge("import nothing_like_it\n" + good, good)
    assert verdict == "unknown"
    assert "nothing_like_it" in str(reason)


def test_a_new_version_that_ends_the_process_or_hangs_is_different(judge: Judge) -> None:
    good = "def f(n: int):\n    return n\n"
    dying = "import os\ndef f(n: int):\n    os._exit(0)\n"
    assert judge(good, dying) == ("different", "exception")
    hanging = "def f(n: int):\n    while n > 1:\n        pass\n    return n\n"
    assert judge(good, hanging) == ("different", "termination")


def test_a_version_that_forges_its_answers_is_not_believed(judge: Judge) -> None:
    forging = (
        "import sys\n"
        "frame = sys._getframe()\n"
        "while '_Run' not in frame.f_globals:\n    frame = frame.f_back\n"
        "frame.f_globals['observe'] = None\n"
        "frame.f_globals['_Run'].perform = lambda *a: {'steps': [], 'taken': 1}\n"
        "def f(n: int):\n    return n\n"
    )
    good = "def f(n: int):\n    return n + 1\n"
    verdict, reason = judge(good, forging)
    assert verdict == "unknown"
    assert "meddled with its answers" in str(reason)


def test_state_that_survives_a_call_is_seen(judge: Judge) -> None:
    old = "def f(n: int):\n    return [n]\n"
    new = "_n = []\ndef f(n: int):\n    _n.append(n)\n    return [n] if len(_n) < 3 else []\n"
    verdict, kind = judge(old, new)
    assert (verdict, kind) == ("different", "value")


def test_what_a_caller_hands_over_counts(judge: Judge) -> None:
    old = "def f(n: int):\n    return n\n"
    new = "def f(n: int):\n    return n if n != 987654321987 * 3 else 0\n"
    call = Call((Expression("2962962965961"),))
    assert judge(old, new, call) == ("different", "value")


BOX = """
class Box:
    def __init__(self, size: int = 3):
        self.size = size
    @property
    def area(self) -> int:
        return self.size * self.size
    @area.setter
    def area(self, value: int) -> None:
        self.size = value
"""


WORD = "class Word:\n    pass\ndef f(word: Word | None, n: int) -> str:\n    return {}\n"


def test_where_an_object_lies_is_no_difference_and_is_not_tried_again(judge: Judge) -> None:
    """In one process two objects lie at two places, in fresh ones at the same."""
    old, new = WORD.format("str(word)[-9:] * n"), WORD.format("n * str(word)[-9:]")
    assert judge(old, new) == ("equivalent", None)


def test_a_property_is_compared_by_reading_and_by_setting_it(sandbox: Sandbox) -> None:
    def verdict(new: str) -> str:
        versions = version_of(BOX, "Box.area"), version_of(new, "Box.area")
        return compare_versions(sandbox, *versions, section=QUICK).verdict.value

    assert verdict(BOX.replace("size * self.size", "size ** 3")) == "different"
    assert verdict(BOX.replace("size = value", "size = value + 1")) == "different"


def test_inputs_that_would_not_notice_a_mutant_are_not_enough(sandbox: Sandbox) -> None:
    """The branch is taken, but what it compares with is out of every input's reach."""
    old = (
        "import hashlib\n"
        "def f(text: str) -> int:\n"
        "    score = len(text)\n"
        "    return score + (hashlib.sha256(text.encode()).hexdigest() < {!r})\n"
    )
    new = (
        old.replace("score + (", "(")
        .replace(")\n", ") + score\n")
        .replace("len(text) + score", "len(text)")
    )
    versions = [version_of(each.format("0000001"), "f") for each in (old, new)]
    answer = compare_versions(sandbox, *versions, section=QUICK)
    assert answer.verdict == "unknown"
    assert "would notice" in str(answer.reason)
    assert answer.adequacy is not None
    assert any("<=" in each.code or "<" in each.code for each in answer.adequacy.survivors)


def test_a_text_with_one_separator_too_many_is_tried_whatever_the_seed(sandbox: Sandbox) -> None:
    text = (
        "def f(text: str) -> tuple[int, int]:\n"
        "    limits = [int(each) for each in text.split('-')]\n"
        "    return {}\n"
    )
    versions = [
        version_of(text.format(each), "f")
        for each in ("min(limits), max(limits)", "tuple(sorted((limits[0], limits[-1])))")
    ]
    for seed in (1, 2, 3):
        section = EquivalenceSection(seed=seed)
        assert compare_versions(sandbox, *versions, section=section).verdict == "different"


def test_without_a_seed_the_change_and_the_key_of_the_user_decide(sandbox: Sandbox) -> None:
    versions = [version_of(each, "share") for each in (OLD, NEW)]
    seeds = {compare_versions(sandbox, *versions, section=QUICK).seed for _ in range(2)}
    other = compare_versions(sandbox, versions[1], versions[0], section=QUICK).seed
    assert len(seeds) == 1
    assert seeds.isdisjoint({other, 0, None})


LOCKED = """import hashlib

def fee(code: str) -> int:
    if hashlib.sha256(code.encode()).hexdigest().startswith("0000000"):
        rate = len(code) + 1
        return rate
    return len(code)
"""


def test_what_other_calls_have_shown_need_not_be_found_again(sandbox: Sandbox) -> None:
    old = version_of(LOCKED, "fee")
    new = version_of(LOCKED.replace("rate = len(code) + 1", "rate = 1 + len(code)"), "fee")
    alone = compare_versions(sandbox, old, new, section=QUICK, is_searched=True)
    assert (alone.verdict, alone.wants_inputs) == (EquivalenceVerdict.UNKNOWN, True)
    every = frozenset(range(8))
    names = [frozenset(each.name for each in mutants_of(*p)) for p in ((old, new), (new, old))]
    shown = Shown(200, (every, every), (names[0], names[1]))
    both = compare_versions(sandbox, old, new, section=QUICK, is_searched=True, shown=shown)
    assert both.verdict is EquivalenceVerdict.EQUIVALENT
    reached = replace(shown, noticed=(frozenset(), frozenset()))
    found = compare_versions(sandbox, old, new, section=QUICK, is_searched=True, shown=reached)
    assert found.verdict is EquivalenceVerdict.UNKNOWN, "to come by is not to notice"


FAR = """import hashlib

def is_low(code: str) -> bool:
    number = int(hashlib.sha256(code.encode()).hexdigest(), 16)
    return number <= 1 << 255
"""


def test_a_change_that_no_input_puts_to_the_test_is_unknown(sandbox: Sandbox) -> None:
    old, new = version_of(FAR, "is_low"), version_of(FAR.replace("<=", "<"), "is_low")
    found = compare_versions(sandbox, old, new, section=QUICK)
    assert found.verdict is EquivalenceVerdict.UNKNOWN
    assert "no input was found for which number <= 1 << 255 -> number < 1 << 255" in str(
        found.reason
    )
