"""The flagger says what a person should look at, and never says a secret."""

import re

import pytest

from reverie.gates.alignment.additions import redacted, secret_kind
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.model.change import Change, FileEdit
from reverie.model.codec import plain
from reverie.model.repository.quality import (
    AlignmentFlag,
    AlignmentReport,
    AlignmentVerdict,
    Severity,
)
from reverie.model.settings.promotion import AlignmentSection, CustomRule

from .matters import edit

SRC, TEST = "src/shop/stock.py", "tests/test_stock.py"
KEY = "AKIA" + "Q7RZM2XK4WLN8VBT"


def flag(*edits: FileEdit, **settings: object) -> AlignmentReport:
    section = AlignmentSection(**settings)  # type: ignore[arg-type]
    return HumanAlignmentFlagger(section).flag(Change(edits))


def found(*edits: FileEdit, **settings: object) -> dict[str, Severity]:
    return {each.rule: each.severity for each in flag(*edits, **settings).flags}


DOCUMENTED = 'def price(x: int) -> int:\n    """What it costs."""\n    return x\n'


@pytest.mark.parametrize(
    ("path", "before", "after", "rule", "severity"),
    [
        pytest.param(
            SRC, DOCUMENTED, "def price(x: int) -> int:\n    return x\n",
            "docstring_removed", "warning", id="docstring",
        ),
        pytest.param(
            SRC, '"""Stock."""\nx = 1\n', "x = 1\n", "docstring_removed", "warning", id="module",
        ),
        pytest.param(
            SRC, "import logging\nlog = logging.getLogger()\ndef f() -> None:\n    log.info('a')\n",
            "import logging\nlog = logging.getLogger()\ndef f() -> None:\n    pass\n",
            "logging_removed", "warning", id="logging",
        ),
        pytest.param(
            TEST, "def test_a():\n    assert f()\n\ndef test_b():\n    assert g()\n",
            "def test_a():\n    assert f()\n", "test_removed", "error", id="test",
        ),
        pytest.param(
            TEST, "def test_a():\n    assert f()\n    assert g()\n",
            "def test_a():\n    assert f()\n",
            "assertion_removed", "error", id="assertion of a test",
        ),
        pytest.param(
            TEST, "def test_a(self):\n    self.assertEqual(1, f())\n    self.assertTrue(g())\n",
            "def test_a(self):\n    self.assertEqual(1, f())\n",
            "assertion_removed", "error", id="assertion of unittest",
        ),
        pytest.param(
            SRC, "def f(x: int) -> int:\n    assert x\n    return x\n",
            "def f(x: int) -> int:\n    return x\n", "assertion_removed", "warning", id="assert",
        ),
        pytest.param(
            SRC, "x = 1  # never more: see #12\n", "x = 1\n", "reason_removed", "info", id="reason",
        ),
        pytest.param(
            SRC, "x = 1\n", "import requests\nx = requests.get('a')\n",
            "new_network", "warning", id="network",
        ),
        pytest.param(
            SRC, "x = 1\n", "import subprocess as s\nx = s.run('a')\n",
            "new_process", "error", id="process",
        ),
        pytest.param(SRC, "x = 1\n", "x = eval('1')\n", "new_dynamic_code", "error", id="eval"),
        pytest.param(
            SRC, "x = 1\n", "open('a', 'w').close()\n", "new_file_write", "warning", id="open",
        ),
        pytest.param(
            SRC, "x = 1\n", "from pathlib import Path\nPath('a').write_text('b')\n",
            "new_file_write", "warning", id="write_text",
        ),
        pytest.param(
            SRC, "x = 1\n", "import os\nos.remove('a')\n", "new_file_write", "warning", id="remove",
        ),
        pytest.param(
            SRC, "x = 1\n", "try:\n    x = 1\nexcept Exception:\n    raise\n",
            "broad_except", "warning", id="broad except",
        ),
        pytest.param(
            SRC, "x = 1\n", "try:\n    x = 1\nexcept:\n    pass\n",
            "broad_except", "error", id="silent except",
        ),
        pytest.param(
            SRC, "x = 1\n", "x = 1  # noqa: E501\n", "check_disabled", "warning", id="noqa",
        ),
        pytest.param(
            TEST, "def test_a():\n    assert f()\n",
            "import pytest\n@pytest.mark.skip\ndef test_a():\n    assert f()\n",
            "check_disabled", "error", id="skip",
        ),
        pytest.param(
            SRC, "import requests\nrequests.get('a')\n",
            "import requests\nrequests.get('a', verify=False)\n",
            "check_disabled", "error", id="verify",
        ),
        pytest.param(
            SRC, "import subprocess\nsubprocess.run('a')\n",
            "import subprocess\nsubprocess.run('a', shell=True)\n",
            "check_disabled", "error", id="shell",
        ),
        pytest.param("LICENSE", "MIT\n", "GPL\n", "licence_changed", "critical", id="licence"),
        pytest.param(
            SRC, "# Copyright (c) Ann\nx = 1\n", "# Copyright (c) Bob\nx = 1\n",
            "licence_changed", "error", id="copyright",
        ),
        pytest.param(
            SRC, "def f(x: int) -> int:\n    return x\n",
            "def f(x: int) -> int:\n" + "    if x: x += 1\n" * 5 + "    return x\n",
            "complexity_jump", "warning", id="complexity",
        ),
        pytest.param(
            SRC, "def f(x: int) -> int:\n    return x\n", "def f(x):\n    return x\n",
            "types_missing", "warning", id="types lost",
        ),
        pytest.param(
            SRC, "def f(x: int) -> int:\n    return x\n",
            "def f(x: int) -> int:\n    return x\ndef g(x):\n    return x\n",
            "types_missing", "info", id="types missing",
        ),
        pytest.param(
            SRC, "x = 1\n", "x = 1\ndef g(x: int) -> int:\n    return x\n",
            "tests_missing", "warning", id="tests",
        ),
        pytest.param(
            "conf/settings.ini", "a = 1\n", f"a = 1\nkey = {KEY}\n", "secret", "critical",
            id="secret",
        ),
    ],
)  # fmt: skip
def test_each_concern_has_its_flag(
    path: str, before: str, after: str, rule: str, severity: str
) -> None:
    assert found(edit(path, before, after)).get(rule) == severity


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        pytest.param(SRC, "x = 1\n", "x = 2\n", id="a value"),
        pytest.param(SRC, DOCUMENTED, DOCUMENTED.replace("return x", "return x + 0"), id="a body"),
        pytest.param(
            SRC, "import subprocess\nsubprocess.run('a')\n",
            "import subprocess\nsubprocess.run('b')\n", id="what was there before",
        ),
        pytest.param(SRC, "x = 1  # noqa: E501\n", "x = 22  # noqa: E501\n", id="an old mark"),
        pytest.param(SRC, "x = open('a')\n", "y = open('a')\n", id="reading"),
        pytest.param(SRC, "# a plain remark\nx = 1\n", "x = 1\n", id="a remark without a reason"),
        pytest.param(SRC, "try:\n    x = 1\nexcept Exception:\n    pass\n",
                     "try:\n    x = 2\nexcept Exception:\n    pass\n", id="an old handler"),
        pytest.param(SRC, "x = 1\n", "x = re.compile('a')\n", id="compile of another"),
        pytest.param(SRC, "def _f(x):\n    return x\n",
                     "def _f(x):\n    return x\ndef _g(x):\n    return x\n", id="private"),
        pytest.param(SRC, "# because of a\nx = 1\n", "x = 1\n# because of a\n", id="moved reason"),
    ],
)  # fmt: skip
def test_plain_changes_have_none(path: str, before: str, after: str) -> None:
    assert found(edit(path, before, after)) == {}


def test_new_functions_with_tests_are_not_missing_them() -> None:
    code = edit(SRC, "x = 1\n", "x = 1\ndef g(x: int) -> int:\n    return x\n")
    test = edit(TEST, None, "def test_g():\n    assert g(1) == 1\n")
    assert "tests_missing" not in found(code, test)


def test_a_deleted_file_of_tests_loses_its_tests() -> None:
    assert found(edit(TEST, "def test_a():\n    assert f()\n", None))["test_removed"] == "error"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (f"key = '{KEY}'", "an AWS access key"),
        ("-----BEGIN RSA PRIVATE KEY-----", "a private key"),
        ("-----BEGIN PRIVATE KEY-----", "a private key"),
        ("t = 'ghp_" + "a1B2" * 9 + "'", "a GitHub token"),
        ("t = 'glpat-" + "a1B2c" * 4 + "'", "a GitLab token"),
        ("t = 'xoxb-" + "1234567890-ab" + "'", "a Slack token"),
        ("k = 'sk_live_" + "a1B2c3D4e5F6g7H8" + "'", "a Stripe key"),
        ("url = 'postgres://bob:hunter42@db/x'", "a password in an address"),
        ("password = 'g7Kq!x92Lm'", "a password or key"),
        ('"api_key": "9f8e7d6c5b4a3f2e"', "a password or key"),
        ("DB_PASSWORD: str = 'g7Kq!x92Lm'", "a password or key"),
        ("password = os.environ['PASSWORD']", None),
        ("password = 'changeme1'", None),
        ("token = 'aaaaaaaaaaaa'", None),
        ("token = '<your token here>'", None),
        ("url = 'postgres://{user}:{password}@db/x'", None),
        ("def password(text): return text", None),
        ("AKIA = 3", None),
    ],
)
def test_secrets_are_known_by_their_looks(line: str, kind: str | None) -> None:
    assert secret_kind(line) == kind


def test_a_secret_is_never_repeated() -> None:
    lines = [f"import socket_{KEY}\n", f"x = eval('{KEY}')\n", f"password = '{KEY}z9'\n"]
    custom = ("no_keys:error:AKIA",)
    report = flag(edit(SRC, "x = 1\n", "".join(lines)), rules=custom)
    assert {"secret", "no_keys"} <= {each.rule for each in report.flags}
    assert KEY not in str(plain(report))
    assert KEY not in redacted(f"password = '{KEY}' and {KEY}")


def report_of(*severities: str) -> AlignmentReport:
    flags = [AlignmentFlag(f"r{n}", Severity(s), SRC, 1, "") for n, s in enumerate(severities)]
    return AlignmentReport(tuple(flags), 0.3, 0.7)


@pytest.mark.parametrize(
    ("severities", "score", "verdict"),
    [
        ((), 0.0, "pass"),
        (("info",), 0.02, "pass"),
        (("warning",), 0.15, "pass"),
        (("warning", "warning"), 0.2775, "pass"),
        (("warning",) * 3, 0.3859, "alignment_warning"),
        (("error",), 0.5, "alignment_warning"),
        (("error", "error"), 0.75, "alignment_failure"),
        (("critical",), 1.0, "alignment_failure"),
    ],
)
def test_flags_come_to_a_score_and_a_verdict(
    severities: tuple[str, ...], score: float, verdict: str
) -> None:
    report = report_of(*severities)
    assert plain(report)["score"] == pytest.approx(score, abs=1e-4)
    assert report.verdict == verdict


def test_a_rule_counts_once_by_its_worst() -> None:
    flags = [AlignmentFlag("r", Severity(s), SRC, 1, "") for s in ("error", "warning", "error")]
    assert AlignmentReport(tuple(flags), 0.3, 0.7).score == 0.5


def test_thresholds_are_reached_and_not_only_passed() -> None:
    flags = report_of("error").flags
    assert AlignmentReport(flags, 0.5, 0.9).verdict is AlignmentVerdict.WARNING
    assert AlignmentReport(flags, 0.1, 0.5).verdict is AlignmentVerdict.FAILURE


def test_rules_can_be_switched_off_and_added() -> None:
    change = edit(SRC, "x = 1\n", "x = eval('1')\nprint(x)\n")
    assert found(change, disable=("new_dynamic_code",)) == {}
    assert found(change, rules=(r"no_print:error:\bprint\(",))["no_print"] == "error"


@pytest.mark.parametrize(
    "text", ["", "name", "name:error", "name:loud:x", "Name!:error:x", "a:error:("]
)
def test_a_rule_of_ones_own_has_three_parts(text: str) -> None:
    with pytest.raises((ValueError, re.error)):
        CustomRule.read(text)


def test_figures_of_both_sides_are_told() -> None:
    report = flag(edit(SRC, DOCUMENTED, "def price(x):\n    return x if x else 1\n"))
    assert report.before == {"complexity": 1, "documented": 1.0, "typed": 1.0}
    assert report.after == {"complexity": 2, "documented": 0.0, "typed": 0.0}
    assert flag(edit("README.md", "a\n", "b\n")).before["complexity"] is None


def test_the_worst_comes_first() -> None:
    report = flag(edit(SRC, "x = 1\n", f"x = 1  # noqa\nkey = '{KEY}'\n"))
    assert [str(each.severity) for each in report.flags] == ["critical", "warning"]
    assert report.flags[0].line == 2
