"""`reverie mutate` on small repositories, through the real sandbox and the real command line."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Sandbox
from reverie.instruments.mutation.cache import VerdictCache, measure_coverage
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.instruments.self_check import Proofs
from reverie.model.measurements.suite import MutantVerdict, MutationReport

CODE = '''
"""A shop."""

RATE = 20
NAMES = {"a": "Apple", "b": "Banana"}


def total(prices, discount=0):
    """
    >>> total([1, 2])
    3
    """
    amount = 0
    for price in prices:
        if price < 0:
            raise ValueError("negative")
        amount += price
    return amount - discount


def once(function):
    seen = {}

    def wrapper(key):
        if key not in seen:
            seen[key] = function(key)
        return seen[key]

    return wrapper


@once
def label(key):
    return NAMES[key].upper()


class Basket:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def add(self, item, count=1):
        self.items += [item] * count
        return self

    def __len__(self):
        return len(self.items)


class Big(Basket):
    def __init__(self):
        super().__init__("big")


def countdown(number):
    while number > 0:
        number -= 1
    return number


def unused(value):
    return value + 1
'''
TESTS = """
import subprocess
import sys
import unittest
from pathlib import Path

import pytest
import shop


@pytest.mark.parametrize("prices, expected", [([], 0), ([1], 1), ([1, 2], 3)])
def test_total(prices, expected):
    assert shop.total(prices) == expected
    prices.append(99)  # a test that spoils its own arguments


def test_negative(caplog):
    with pytest.raises(ValueError, match="^negative$"):
        shop.total([-1])


def test_free():
    assert shop.total([0, 5], discount=2) == 3


def test_label(names):
    assert [shop.label(name) for name in names] == ["APPLE", "BANANA"]


class TestBasket:
    def test_add(self):
        assert len(shop.Basket("me").add("x").add("y", 2)) == 3

    def test_big(self):
        assert shop.Big().owner == "big"


class Old(unittest.TestCase):
    def test_rate(self):
        self.assertEqual(shop.RATE, 20)

    def test_countdown(self):
        self.assertEqual(shop.countdown(3), 0)


def test_leaves_a_file():
    path = Path(__file__).parent / "left.txt"
    assert not path.exists()
    path.write_text(str(shop.total([1])))


def test_in_another_process():
    code = "import shop; print(shop.total([4]))"
    assert subprocess.run([sys.executable, "-c", code]).returncode in (0, 1)


def test_that_fails():
    assert shop.total([1]) == 2


@pytest.mark.skip(reason="not now")
def test_that_is_skipped():
    assert False
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def campaign(sandbox: Sandbox, root: Path, wishes: Wishes) -> MutationReport:
    project = find_project(root)
    far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=60)
    return Campaign(far, wishes).run()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "src" / "shop.py").write_text(CODE)
    (root / "tests" / "test_shop.py").write_text(TESTS)
    (root / "tests" / "conftest.py").write_text(
        "import pytest\n\n\n@pytest.fixture(scope='module')\ndef names():\n    return ['a', 'b']\n"
    )
    (root / "pytest.ini").write_text(
        "[pytest]\naddopts = -n 4 --cov=shop --strict-config -p no:randomly --doctest-modules\n"
        "testpaths = tests src\n"
    )
    return root


def tree(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_without_time_mutants_get_no_verdict_and_the_report_says_so(
    sandbox: Sandbox, shop: Path
) -> None:
    wishes = Wishes(workers=1, cpu_seconds=0.0, verified_share=0.0, shams=0)
    found = campaign(sandbox, shop, wishes)
    assert not found.is_complete
    assert {each.verdict for each in found.judged} <= {MutantVerdict.NOT_COVERED}


def test_every_verdict_is_the_same_in_a_fresh_process(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    before = tree(shop)
    page, schema = tmp_path / "page.html", tmp_path / "schema.json"
    outputs = ("--html", str(page), "--stryker", str(schema))
    ran = cli("mutate", "--repo", str(shop), "--verify", "0.15", "--json", *outputs)
    assert ran.code == 0, ran.err
    found = ran.document
    assert tree(shop) == before
    assert found["agreement"]["checked"] >= 10
    assert found["agreement"]["disagreements"] == []
    counted = [found[key] for key in ("killed", "survived", "timeout", "not_covered")]
    assert sum(counted) == found["mutants"] == len(found["verdicts"]) - found["equivalent"]
    assert found["score"] == (found["killed"] + found["timeout"]) / found["mutants"]

    verdicts = {each["id"]: each["verdict"] for each in found["verdicts"]}
    assert verdicts["src/shop.py::<module>::number_up::1"] == "killed"
    assert verdicts["src/shop.py::label::drop_decorator::1"] == "survived"
    assert verdicts["src/shop.py::total::augmented_add_sub::1"] == "killed"
    assert verdicts["src/shop.py::once.wrapper::compare_notin_in::1"] == "killed"
    assert verdicts["src/shop.py::Big.__init__::drop_call::1"] == "killed"
    assert verdicts["src/shop.py::countdown::augmented_sub_add::1"] == "timeout"
    assert verdicts["src/shop.py::unused::arithmetic_add_sub::1"] == "not_covered"
    assert verdicts["src/shop.py::total::number_up::2"] == "killed"

    assert [each["id"] for each in found["deselected"]] == ["tests/test_shop.py::test_that_fails"]
    assert found["not_isolated"] == ["tests/test_shop.py::test_in_another_process"]
    assert any("-n, --cov=shop" in note for note in found["notes"])
    survivor = found["survivors"][0]
    assert {"id", "file", "line", "operator", "diff"} <= set(survivor)
    assert survivor["diff"].startswith("--- a/src/shop.py")
    assert "<script" not in page.read_text()
    mutants = json.loads(schema.read_text())["files"]["src/shop.py"]["mutants"]
    assert len(mutants) == len(found["verdicts"])


def small(root: Path, test: str) -> Path:
    (root / "tests").mkdir(parents=True)
    (root / "tiny.py").write_text("LIMIT = 3\n\n\ndef double(x):\n    return x * 2\n")
    (root / "tests" / "test_tiny.py").write_text(f"import tiny\n\n\n{test}")
    return root


GOOD = "def test_double():\n    assert tiny.double(tiny.LIMIT) == 6\n"


@pytest.mark.parametrize("tier", ["landlock"])
def test_it_works_without_namespaces(cli: Callable, tmp_path: Path, tier: str) -> None:
    root = small(tmp_path / "tiny", GOOD)
    ran = cli("mutate", "--repo", str(root), "--tier", tier, "--json", "--verify", "0")
    assert ran.code == 0, ran.err
    assert ran.document["isolation"] == tier
    assert (ran.document["survived"], ran.document["killed"]) == (0, ran.document["mutants"])


def test_a_second_run_answers_from_what_the_first_one_kept(
    cli: Callable, sandbox: Sandbox, tmp_path: Path
) -> None:
    root, folder = small(tmp_path / "tiny", GOOD), tmp_path / "c"
    first = campaign(sandbox, root, Wishes(verified_share=0, cache=VerdictCache(folder)))
    kept = folder / "verdicts.jsonl"
    kept.write_text(kept.read_text() + '{"key": "cut o')  # a run that was killed while writing
    line = ("mutate", "--repo", str(root), "--verify", "0", "--json", "--cache", str(folder))
    second = cli(*line).document
    assert second["cached"] == second["mutants"] == first.mutants
    assert second["killed"] == first.count(MutantVerdict.KILLED)
    (root / "tiny.py").write_text((root / "tiny.py").read_text() + "\n\ndef other():\n    pass\n")
    assert cli(*line).document["cached"] == 0


def test_a_score_below_the_bar_is_a_no(cli: Callable, tmp_path: Path) -> None:
    root = small(tmp_path / "tiny", "def test_double():\n    tiny.double(1)\n")
    kept = ("--cache", str(tmp_path / "c"))
    line = ("mutate", "--repo", str(root), "--verify", "0", *kept, "--fail-under")
    assert cli(*line, "0.9").code == 1
    ran = cli(*line, "0", "--diffs")
    assert ran.code == 0
    assert "survived  tiny.py::double::arithmetic_mult_div::1" in ran.out
    assert "+    return x / 2" in ran.out


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("def test_it():\n    assert False\n", "no test passes on the unchanged code"),
        ("def test_it(\n", "no test was collected"),
    ],
)
def test_a_baseline_that_fails_is_no_evidence(
    cli: Callable, tmp_path: Path, test: str, words: str
) -> None:
    root = small(tmp_path / "tiny", test)
    stopped = cli("mutate", "--repo", str(root), "--json")
    assert (stopped.code, stopped.out) == (2, "")
    assert "or go on with --anyway" in stopped.err
    ran = cli("mutate", "--repo", str(root), "--json", "--anyway")
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_tests_that_reach_nothing_are_a_clear_line(cli: Callable, tmp_path: Path) -> None:
    root = small(tmp_path / "tiny", "def test_it():\n    pass\n")
    (root / "tests" / "test_tiny.py").write_text("def test_it():\n    pass\n")
    ran = cli("mutate", "--repo", str(root))
    assert ran.code == 2
    assert "no test runs a line of the code to mutate" in ran.err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("nowhere",), "'nowhere'"),
        (("--tests", "nowhere"), "'nowhere'"),
        (("--fail-under", "2"), "2"),
        (("--verify", "7"), "7"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    cli: Callable, tmp_path: Path, line: tuple[str, ...], words: str
) -> None:
    root = small(tmp_path / "tiny", GOOD)
    ran = cli("mutate", "--repo", str(root), *line)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_what_is_planted_for_the_instrument_is_seen(sandbox: Sandbox) -> None:
    proof = Proofs(sandbox).require("mutation")
    assert [each.seen for each in proof.sightings] == ["killed", "survived", "killed", "survived"]


def test_an_interrupt_ends_with_what_is_known(sandbox: Sandbox, tmp_path: Path) -> None:
    def interrupt(phase: str, done: int, total: int) -> None:
        if phase == "looking again":
            raise KeyboardInterrupt

    wishes = Wishes(verified_share=0.1, progress=interrupt)
    report = campaign(sandbox, small(tmp_path / "tiny", GOOD), wishes)
    assert not report.is_complete
    assert report.count(MutantVerdict.KILLED) == report.mutants > 0


PECULIAR = {
    "tiny.py": "def double(x):\n    return x * 2\n",
    "test_tiny.py": """
import importlib
import sys

import tiny


def test_reload():
    module = importlib.reload(tiny)
    assert module.double(2) == 4


def test_trace():
    sys.settrace(None)
    tiny.double(1)
""",
    "early.py": "def double(number):\n    return number * 2\n",
    "late.py": "import early\n\nTABLE = {2: 20}\n\n\n"
    "def look_up(number):\n    return TABLE[early.double(number)]\n",
    "test_both.py": "import early\nimport late\n\n\n"
    "def test_double():\n    assert early.double(3) == 6\n\n\n"
    "def test_look_up():\n    assert late.look_up(1) == 20\n",
    "memo.py": "KNOWN = {}\n\n\ndef letters():\n    if not KNOWN:\n"
    "        KNOWN['a'] = 1\n        KNOWN['b'] = 2\n    return KNOWN\n",
    "test_memo.py": "import memo\n\n\ndef test_a():\n    assert memo.letters()['a'] == 1\n\n\n"
    "def test_b():\n    assert memo.letters()['b'] == 2\n",
}


@pytest.fixture(scope="module")
def peculiar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Modules and tests that could hide a mutant: each file has its reason."""
    root = tmp_path_factory.mktemp("peculiar")
    for name, text in PECULIAR.items():
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def looked_at_twice(sandbox: Sandbox, peculiar: Path) -> MutationReport:
    """Every verdict on them, all made again in fresh processes."""
    report = campaign(sandbox, peculiar, Wishes(verified_share=1))
    assert report.agreement.disagreements == ()
    assert report.agreement.checked == report.mutants
    return report


def verdicts_in(report: MutationReport, file: str) -> dict[str, str]:
    judged = [each for each in report.judged if each.mutant.file == file]
    return {each.mutant.id: each.verdict.value for each in judged}


def test_a_mutant_outlives_a_reload_and_a_test_that_traces(looked_at_twice: MutationReport) -> None:
    verdicts = verdicts_in(looked_at_twice, "tiny.py")
    assert verdicts["tiny.py::double::arithmetic_mult_div::1"] == "killed"
    assert verdicts["tiny.py::double::number_up::1"] == "killed"


def test_what_was_imported_before_a_mutated_import_is_changed_too(
    looked_at_twice: MutationReport,
) -> None:
    assert set(verdicts_in(looked_at_twice, "early.py").values()) == {"killed"}


def test_what_one_test_makes_it_remember_is_noticed_by_another(
    looked_at_twice: MutationReport,
) -> None:
    of_second = {
        each.verdict
        for each in looked_at_twice.judged
        if (each.mutant.file, each.mutant.line) == ("memo.py", 7)
    }
    assert of_second == {MutantVerdict.KILLED}


def test_a_sample_says_so_and_is_the_same_every_time(
    cli: Callable, sandbox: Sandbox, peculiar: Path, looked_at_twice: MutationReport
) -> None:
    line = ("mutate", "--repo", str(peculiar), "--json", "--verify", "0", "--sample", "3")
    three = cli(*line).document
    four = campaign(sandbox, peculiar, Wishes(sample=4, verified_share=0))
    named = [{each["id"] for each in three["verdicts"]}, {each.mutant.id for each in four.judged}]
    assert (len(named[0]), len(named[1])) == (3, 4)
    assert named[0] < named[1]
    assert three["sampled_of"] == four.sampled_of == len(looked_at_twice.judged)
    assert looked_at_twice.sampled_of is None


SHELF = """
import re

PRICES = {"apple": 3}
NAMES = {price: name for name, price in PRICES.items()}
SIZES = [1]
SIZES.append(3)
PAIR = (10, 20)
ONCE = zip((1,), (3,))
TWICE = list(ONCE)
TAKEN = [5]
LOOKED_AT = 7
WORD = re.compile("a+b")
TEXT = "12"
NUMBER = int(TEXT)
LIMITS = {"low": 1, "high": 9}
UNUSED = ["nobody"]


def pair(first=PAIR[0]):
    return first, PAIR[1]


def cheap(price):
    return NAMES.get(price), SIZES, TWICE


def word(text):
    return WORD.search(text) is not None
"""
SHELF_USER = """
import shelf
from shelf import TAKEN

DOUBLE = shelf.LOOKED_AT * 2
shelf.LIMITS["low"] = 4
"""
SHELF_TESTS = """
import shelf
import user


def test_values():
    assert shelf.cheap(3) == ("apple", [1, 3], [(1, 3)])
    assert shelf.pair() == (10, 20)


def test_others():
    assert user.DOUBLE == 14 and user.TAKEN[0] == 5
    assert shelf.LIMITS == {"low": 4, "high": 9}


def test_text():
    assert shelf.word("aab") and not shelf.word("AAB") and shelf.NUMBER == 12
"""


def test_a_value_that_is_changed_late_is_what_an_import_would_have_made(
    cli: Callable, tmp_path: Path
) -> None:
    files = {"shelf.py": SHELF, "user.py": SHELF_USER, "test_shelf.py": SHELF_TESTS}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = cli(
        "mutate", str(tmp_path / "shelf.py"), "--repo", str(tmp_path), "--json", "--verify", "1"
    ).document
    assert found["agreement"]["disagreements"] == []
    assert found["agreement"]["checked"] > 50
    survived = {each["line"] for each in found["verdicts"] if each["verdict"] == "survived"}
    unused = SHELF.splitlines().index('UNUSED = ["nobody"]') + 1
    assert unused in survived


DEAR = {
    "memo.py": "import functools\n\n\n@functools.cache\ndef twice(n):\n    return 2 * n\n",
    "test_memo.py": """
import time

import memo


def burn():
    began = time.process_time()
    while time.process_time() - began < 1.2:
        pass


def test_first():
    burn()
    memo.twice(2)


def test_second():
    burn()
    assert memo.twice(2) == 4
""",
}


def test_no_memo_hides_what_a_test_of_a_dear_suite_reaches(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    for name, text in DEAR.items():
        (tmp_path / name).write_text(text)
    far = FarSide(sandbox, find_project(tmp_path), exhaustive=False, baseline_seconds=60.0)
    coverage = measure_coverage(far, VerdictCache(None))
    reaching = coverage.tests_of("memo.py", frozenset({6}))
    assert [test.partition("::")[2] for test in reaching] == ["test_first", "test_second"]


CALLING = "def test_double():\n    tiny.double(1)\n\n\ndef test_again():\n    tiny.double(2)\n"
FORGING = """
import hashlib, pytest, tiny

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    yield
    assert hashlib.sha256(tiny.double.__code__.co_code).hexdigest() == KNOWN
"""
PINNING = "\n\ndef test_pinned():\n    assert len(tiny.double.__code__.co_code) == KNOWN\n"


def code_of(root: Path) -> bytes:
    made: dict[str, Any] = {}
    exec((root / "tiny.py").read_text(), made)  # noqa: S102  what this test wrote
    return bytes(made["double"].__code__.co_code)


def test_a_conftest_that_fails_on_every_changed_code_lifts_no_score(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    root = small(tmp_path / "tiny", CALLING)
    known = hashlib.sha256(code_of(root)).hexdigest()
    (root / "tests" / "conftest.py").write_text(FORGING.replace("KNOWN", repr(known)))
    report = campaign(sandbox, root, Wishes(verified_share=0))
    assert report.score is None
    assert "change nothing" in (report.void or "")


def test_a_test_that_looks_at_the_code_has_no_say_about_mutants(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    root = small(tmp_path / "tiny", CALLING)
    with (root / "tests" / "test_tiny.py").open("a") as file:
        file.write(PINNING.replace("KNOWN", str(len(code_of(root)))))
    report = campaign(sandbox, root, Wishes(verified_share=0))
    assert report.void is None
    assert not any("test_pinned" in (each.killer or "") for each in report.judged)
    assert any("test_pinned" in note for note in report.notes)
