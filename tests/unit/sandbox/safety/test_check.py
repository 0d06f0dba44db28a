from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import Severity
from reverie.sandbox.safety import check_file, check_source
from reverie.sandbox.safety.source import MAX_BYTES


def test_a_finding_says_where_and_what() -> None:
    checked = check_source("x = 1\nif x:\n    y = eval('x')\n", "a.py")
    (finding,) = checked.findings
    assert (finding.rule, finding.line, finding.column) == ("dynamic-code", 3, 9)
    assert finding.severity is Severity.CRITICAL
    assert "eval" in finding.message
    assert checked.path == "a.py"
    assert not checked.passed


def test_columns_count_characters_not_bytes() -> None:
    (finding,) = check_source("'äöü'; eval(x)").findings
    assert finding.column == 8


def test_lines_are_those_of_an_editor_that_ignores_form_feeds() -> None:
    (finding,) = check_source("a = 'ä\x0c'; eval(x)").findings
    assert (finding.line, finding.column) == (1, 11)


def test_the_order_is_that_of_the_source() -> None:
    source = "import os\nos.system('b'); eval('a')\nexec('c')\n"
    first = check_source(source).findings
    assert first == check_source(source).findings
    assert [f.line for f in first] == sorted(f.line for f in first)


def test_harmless_source_passes_without_findings() -> None:
    checked = check_source("def add(a, b):\n    return a + b\n")
    assert checked.passed
    assert checked.findings == ()


def test_tiers_decide_what_fails() -> None:
    source = "import subprocess\nsubprocess.run(['ls'])\n"
    verdicts = {tier: check_source(source, tier=tier).passed for tier in TrustTier}
    assert verdicts == {
        TrustTier.SANDBOX: False,
        TrustTier.TESTING: True,
        TrustTier.TRUSTED: True,
        TrustTier.CORE: True,
    }


def test_below_the_tier_that_fails_a_finding_is_still_advice() -> None:
    checked = check_source("import subprocess\nsubprocess.run(['ls'])\n", tier=TrustTier.CORE)
    assert [finding.rule for finding in checked.findings] == ["process"]


def test_a_hidden_payload_fails_at_every_tier() -> None:
    source = "import base64\nexec(base64.b64decode('eD0x'))\n"
    assert not any(check_source(source, tier=tier).passed for tier in TrustTier)


def test_what_is_inside_a_string_is_reported_where_it_is_run() -> None:
    source = "code = 'import os\\nos.system(1)'\n\nexec(code)\n"
    found = {(finding.rule, finding.line) for finding in check_source(source).findings}
    assert ("process", 3) in found


def test_code_that_never_runs_is_reported_all_the_same() -> None:
    source = "def f():\n    return 1\n    eval('x')\nif False:\n    exec('y')\n"
    assert [finding.line for finding in check_source(source).findings] == [3, 5]


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        pytest.param("def (", "syntax", id="not Python"),
        pytest.param("print 'x'", "syntax", id="an older Python"),
        pytest.param("x = 1\0", "syntax", id="a NUL"),
        pytest.param(b"x = '\xff'", "syntax", id="not UTF-8"),
        pytest.param(b"# coding: nonsense\n", "syntax", id="an unknown encoding"),
        pytest.param("x = '\ud800'", "syntax", id="half a character"),
        pytest.param("-" * 100_000 + "1", "too-complex", id="deep nesting"),
        pytest.param("x = a" + ".b()" * 3000, "too-complex", id="a long chain"),
        pytest.param("x = 1\n" * (MAX_BYTES // 6 + 1), "too-large", id="huge"),
    ],
)
def test_what_cannot_be_judged_fails_at_every_tier(source: str | bytes, rule: str) -> None:
    for tier in TrustTier:
        checked = check_source(source, tier=tier)
        assert not checked.passed
        assert rule in {finding.rule for finding in checked.findings}


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "'a' + " * 900 + "'b'",
        "x = [" + "1, " * 20_000 + "]",
        "\n".join(f"{'elif' if i else 'if'} x == {i}: y = {i}" for i in range(150)),
        "\n".join(" " * i + f"for x{i} in range(100):" for i in range(15)) + "\n" + " " * 15 + "y",
        "\n".join(f"def f{i}(x): return f{i + 1}(x) + f{i + 1}(x + 1)" for i in range(30)),
        "x = []\nx.append(x)\nfor i in range(99):\n    x = [x, x]\n",
        "class A(A): pass\nA().x.y\n",
        "def g(x):\n    if x:\n        return g([x, x])\n    return {1: x, 2: x}\ng(g(1))\n",
        "from functools import partial as p\nf = p(f)\nfor i in range(99):\n    f = p(f, f)\nf()\n",
        "f = lambda x: f(x)\ng = f(f)\n",
        "s = 'a' * 60000\nt = s.replace('a', s)\nu = s.translate({97: s})\nv = '%99999d' % 1\n",
    ],
)
def test_long_and_circular_source_is_followed_to_its_end(source: str) -> None:
    assert check_source(source).passed


def test_the_hash_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ä.py"
    path.write_bytes("x = 'ä'\n".encode())
    assert check_file(path).code_hash == check_source("x = 'ä'\n").code_hash


def test_a_byte_order_mark_is_no_syntax_error(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert check_file(path).passed
    assert check_source("\ufeffx = 1\n").passed


def test_a_huge_file_is_hashed_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"#" * (MAX_BYTES + 10))
    checked = check_file(path)
    assert [finding.rule for finding in checked.findings] == ["too-large"]
    assert checked.code_hash == check_source(b"#" * (MAX_BYTES + 10)).code_hash


def test_a_file_that_is_not_there_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing\.py"):
        check_file(tmp_path / "missing.py")
