"""What the flagger says, rule by rule: the words, the line, and the neighbour that is no matter."""

import pytest

from reverie.gates.alignment.additions import redacted, secret_kind
from reverie.gates.alignment.changed_files import ReadFile
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.gates.alignment.removals import figures_of
from reverie.model.change import Change, FileEdit
from reverie.model.repository.quality import AlignmentFlag, Severity
from reverie.model.settings.judgement import GuardSection
from reverie.model.settings.promotion import AlignmentSection

from .matters import edit

SRC, TEST = "src/shop/stock.py", "tests/test_stock.py"
INFO, WARNING, ERROR, CRITICAL = Severity.INFO, Severity.WARNING, Severity.ERROR, Severity.CRITICAL


def flags(*edits: FileEdit, **settings: object) -> list[AlignmentFlag]:
    section = AlignmentSection(**settings)  # type: ignore[arg-type]
    return list(HumanAlignmentFlagger(section).flag(Change(edits)).flags)


def of(rule: str, before: str | None, after: str | None, path: str = SRC) -> list[AlignmentFlag]:
    """What is flagged by one rule."""
    return [each for each in flags(edit(path, before, after)) if each.rule == rule]


def flag(rule: str, severity: Severity, line: int, said: str, path: str = SRC) -> AlignmentFlag:
    return AlignmentFlag(rule, severity, path, line, said)


REACH = {
    "new_network": (WARNING, "it starts to use the network", "socket.x ssl.x http.x urllib.x urllib3.x"
                    " requests.x httpx.x aiohttp.x ftplib.x smtplib.x paramiko.x websockets.x boto3.x grpc.x"
                    " xmlrpc.x asyncio.open_connection asyncio.start_server webbrowser.x"),
    "new_process": (ERROR, "it starts to run other programs", "subprocess.x os.system os.popen os.execv"
                    " os.spawnv os.fork os.posix_spawn pty.x asyncio.create_subprocess_exec multiprocessing.x"),
    "new_dynamic_code": (ERROR, "it starts to run text as code", "eval exec compile __import__ pickle.loads"
                         " marshal.loads runpy.x importlib.import_module yaml.load yaml.unsafe_load dill.load ctypes.x"),
    "new_file_write": (WARNING, "it starts to write or remove files", "os.remove os.rename os.replace"
                       " os.rmdir os.removedirs os.makedirs os.mkdir os.chmod os.truncate shutil.x"),
}  # fmt: skip
CALLS = [(rule, name) for rule, (_, _, names) in REACH.items() for name in names.split()]


@pytest.mark.parametrize(("rule", "name"), CALLS)
def test_new_reach_is_flagged_once_with_what_is_called(rule: str, name: str) -> None:
    severity, said, _ = REACH[rule]
    after = f"x = 1\ny = {name}(1)\nz = {name}(2)\n"
    assert of(rule, "x = 1\n", after) == [flag(rule, severity, 2, f"{said}: {name}")]
    assert of(rule, f"{name}(1)\n", after) == []
    tested = of(rule, "x = 1\n", after, TEST)
    assert tested == [flag(rule, INFO, 2, f"{said}: {name}", TEST)]
    assert of(rule, "x = 1\n", f"my.{name}(1)\n") == []


@pytest.mark.parametrize("name", ["evaluate", "execute", "compiled", "socket_of"])
def test_names_that_only_begin_alike_are_not_flagged(name: str) -> None:
    assert flags(edit(SRC, "x = 1\n", f"x = {name}(1)\n")) == []


@pytest.mark.parametrize("mode", ["w", "wb", "a", "x", "r+", "w+t"])
def test_files_opened_for_writing_are_flagged(mode: str) -> None:
    said = flag("new_file_write", WARNING, 2, "it starts to write files")
    for call in (
        f"open(p, '{mode}')",
        f"open(p, mode='{mode}')",
        f"p.open('{mode}')",
        f"io.open(p, '{mode}')",
    ):
        assert of("new_file_write", "x = 1\n", f"x = 1\n{call}\n") == [said]
    assert of("new_file_write", "x = 1\n", f"opened(p, '{mode}')\n") == []


@pytest.mark.parametrize(
    "call",
    [
        "open(p)",
        "open(p, 'r')",
        "open(p, 'rb')",
        "open('waxes')",
        "open(p, m)",
        "open(p, 1)",
        "open(p, 'rt', 1, 'w')",
    ],
)
def test_files_opened_for_reading_are_not(call: str) -> None:
    assert of("new_file_write", "x = 1\n", f"{call}\n") == []


@pytest.mark.parametrize("method", ["write_text", "write_bytes", "unlink", "rmtree", "touch"])
def test_methods_that_write_are_flagged_outside_tests(method: str) -> None:
    assert of("new_file_write", "x = 1\n", f"p.{method}(1)\n") == [
        flag("new_file_write", WARNING, 1, "it starts to write files")
    ]
    assert of("new_file_write", "x = 1\n", f"p.{method}(1)\n", TEST) == []
    assert of("new_file_write", f"p.{method}(1)\n", f"q.{method}(1)\n") == []
    assert of("new_file_write", "x = 1\n", f"{method}(1)\n") == []
    last = of("new_file_write", "x = 1\n", f"p.{method}(1)\nq.{method}(1)\n")
    assert [each.line for each in last] == [2]


TRY = "try:\n    x = 1\n{}\n"


@pytest.mark.parametrize(
    ("handler", "severity", "said"),
    [
        ("except:\n    pass", ERROR, "every error is caught and thrown away"),
        ("except Exception:\n    pass", ERROR, "every error is caught and thrown away"),
        ("except Exception:\n    y = 1", WARNING, "every error is caught"),
        ("except Exception:\n    pass\n    y = 1", WARNING, "every error is caught"),
        ("except a.BaseException:\n    raise", WARNING, "every error is caught"),
        ("except (KeyError, Exception):\n    raise", WARNING, "every error is caught"),
    ],
)
def test_catching_everything_is_flagged(handler: str, severity: Severity, said: str) -> None:
    after = TRY.format(handler)
    assert of("broad_except", "x = 1\n", after) == [flag("broad_except", severity, 3, said)]
    assert of("broad_except", after, after + "z = 1\n") == []
    assert of("broad_except", "x = 1\n", TRY.format("except KeyError:\n    pass")) == []


def test_going_on_in_a_loop_is_throwing_away() -> None:
    after = "for a in b:\n    try:\n        x = 1\n    except Exception:\n        continue\n"
    (found,) = of("broad_except", "x = 1\n", after)
    assert found.severity is ERROR


MARKS = ["noqa", "nosec", "nosemgrep", "type: ignore", "pragma: no cover", "pragma: no branch", "pylint: disable",
         "mypy: ignore", "ruff: noqa", "flake8: noqa", "pyright: ignore", "fmt: off", "NOQA", "type:ignore"]  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
def test_a_check_that_is_switched_off_is_flagged(mark: str) -> None:
    found = of("check_disabled", "x = 1\n", f"x = 1\ny = 2  # {mark}\n")
    assert {(each.severity, each.line) for each in found} == {(WARNING, 2)}
    assert found[0].message.startswith("a check is switched off: ")
    assert found[0].message.rpartition(": ")[2] in mark.lower() or ":" in mark
    assert of("check_disabled", "x = 1\n", f"y = '{mark}'\n") == []
    moved = of("check_disabled", f"x = 1  # {mark}\n", f"y = 2\nx = 3  # {mark}\n")
    assert moved == []


@pytest.mark.parametrize(
    "name", ["skip", "skipif", "skipIf", "xfail", "skipUnless", "expectedFailure", "importorskip"]
)
def test_tests_passed_over_are_flagged(name: str) -> None:
    after = f"@pytest.mark.{name}\ndef test_a():\n    assert f()\n"
    before = "def test_a():\n    assert f()\n"
    said = flag("check_disabled", ERROR, 1, "tests are passed over that were not", TEST)
    assert of("check_disabled", before, after, TEST) == [said]
    assert of("check_disabled", after, after + "x = 1\n", TEST) == []
    assert of("check_disabled", before, after) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("verify=False", "verify=False: the other side is not checked"),
        ("check_hostname=False", "check_hostname=False: the other side is not checked"),
        ("shell=True", "shell=True: a shell reads what is run"),
        ("verify=True", None), ("shell=False", None), ("verify=x", None), ("other=False", None), ("other=True", None),
    ],
)  # fmt: skip
def test_safety_switched_off_by_an_argument_is_flagged(given: str, said: str | None) -> None:
    expected = [] if said is None else [flag("check_disabled", ERROR, 2, said)]
    after = f"x = 1\nf(1, {given})\n"
    assert of("check_disabled", "x = 1\n", after) == expected
    assert of("check_disabled", after, after + "y = 1\n") == []


DOC = '"""Stock."""\n\n\ndef f() -> None:\n    """What."""\n\n\nclass C:\n    """What."""\n\n    async def m(self) -> None:\n        """What."""\n'


@pytest.mark.parametrize(
    ("old", "name", "line"),
    [('"""Stock."""\n', "the module", 1), ('f() -> None:\n    """What."""', "f", 4), ('C:\n    """What."""', "C", 8),
     ('m(self) -> None:\n        """What."""', "m", 11)],
)  # fmt: skip
def test_a_docstring_that_is_gone_is_flagged(old: str, name: str, line: int) -> None:
    new = old.replace('"""What."""', "pass").replace('"""Stock."""', "x = 1")
    said = f"the docstring of {name} is gone"
    assert of("docstring_removed", DOC, DOC.replace(old, new, 1)) == [
        flag("docstring_removed", WARNING, line, said)
    ]
    assert of("docstring_removed", DOC.replace(old, new, 1), DOC) == []


def test_a_function_that_is_gone_takes_its_docstring_along() -> None:
    assert of("docstring_removed", DOC, '"""Stock."""\n') == []
    assert of("docstring_removed", DOC, "def f(:\n") == []


@pytest.mark.parametrize(
    "method", ["debug", "info", "warning", "warn", "error", "exception", "critical", "log"]
)
@pytest.mark.parametrize(
    "owner", ["log", "logger", "logging", "self._log", "my_logger", "LOG", "audit", "a.audit.b"]
)
def test_a_log_that_is_gone_is_flagged(owner: str, method: str) -> None:
    line = f"{owner}.{method}('a')\n"
    said = f"{owner}.{method} is gone (2 times): what happened is not told any more"
    assert of("logging_removed", line * 3, line) == [flag("logging_removed", WARNING, 1, said)]
    assert of("logging_removed", line, line * 2) == of("logging_removed", line, None) == []
    assert of("logging_removed", line, "x = 1\n", TEST) == []


@pytest.mark.parametrize(
    "call", ["catalogue.info('a')", "log.other('a')", "blog.info('a')", "info('a')", "math.log(1)"]
)
def test_other_calls_are_no_logs(call: str) -> None:
    assert of("logging_removed", f"{call}\n", "x = 1\n") == []


def test_a_test_that_is_gone_is_flagged_by_name() -> None:
    text = "def test_b(): ...\ndef test_a(): ...\nclass TestC:\n    def test_d(self): ...\ndef help(): ...\n"
    names = ["TestC.test_d", "test_a", "test_b"]
    assert of("test_removed", text, "x = 1\n", TEST) == [
        flag("test_removed", ERROR, 1, f"the test {name} is gone", TEST) for name in names
    ]
    assert of("test_removed", text, "x = 1\n") == []


@pytest.mark.parametrize(
    "check", ["assert x", "self.assertEqual(x, 1)", "pytest.raises(E)", "pytest.warns(W)"]
)
def test_assertions_that_are_gone_are_counted(check: str) -> None:
    def text(count: int) -> str:
        return "x = 1\ndef test_a():\n    y = 1\n" + f"    {check}\n" * count

    for path, severity in ((TEST, ERROR), (SRC, WARNING)):
        said = flag("assertion_removed", severity, 2, "test_a asserts 2 things less", path)
        assert of("assertion_removed", text(3), text(1), path) == [said]
        assert of("assertion_removed", text(1), text(2), path) == []
        assert of("assertion_removed", text(1), "x = 1\n", path) == []


WORDS = ["because", "since", "so that", "otherwise", "never", "must", "do not", "don't", "careful", "beware", "note",
         "warning", "hack", "TODO", "fixme", "xxx", "security", "unsafe", "race", "deadlock", "invariant", "why",
         "bug", "issue", "#12", "http://a", "https://a"]  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_reason_that_is_gone_is_flagged(word: str) -> None:
    before = f"x = 1\ny = 2  # it {word} so\n"
    said = flag("reason_removed", INFO, 2, "a comment that gives a reason is gone")
    assert of("reason_removed", before, "x = 1\ny = 2\n") == [said]
    kept = f"# it {word} so\nx = 1\ny = 2\n"
    assert of("reason_removed", before, kept) == of("reason_removed", before, None) == []


@pytest.mark.parametrize("line", ["y = 2  # plain words", "y = 'never'", "y = 'a#never'"])
def test_other_words_are_no_reasons(line: str) -> None:
    assert of("reason_removed", f"{line}\n", "y = 2\n") == []


@pytest.mark.parametrize(
    "name", ["LICENSE", "licence.txt", "COPYING", "NOTICE", "unlicense", "sub/LICENSE.md"]
)
def test_files_of_the_licence_are_known_by_name(name: str) -> None:
    said = flag("licence_changed", CRITICAL, 1, "the licence is changed", name)
    assert of("licence_changed", "a\n", "b\n", name) == [said]
    moved = edit("docs/other.md", "a\n", "a\n", renamed_from=name)
    assert [each.rule for each in flags(moved)] == ["licence_changed"]
    assert (
        of("licence_changed", "a\n", "b\n", f"{name.rpartition('/')[2].partition('.')[0]}s") == []
    )


@pytest.mark.parametrize(
    "line", ["SPDX-License-Identifier: MIT", "Copyright (c) Ann", "copyright c Ann", "Licensed under MIT",
             "licenced under MIT", "All rights reserved", "license = 'MIT'", "license-files = []", "licenses = 1"],
)  # fmt: skip
def test_a_line_about_the_licence_is_flagged_once(line: str) -> None:
    said = "a line about the licence or the copyright is changed"
    before = f"x\n{line}\n{line} 2\n"
    assert of("licence_changed", before, "x\n", "a.toml") == [
        flag("licence_changed", ERROR, 2, said, "a.toml")
    ]
    assert len(of("licence_changed", "x\n", before, "a.toml")) == 1
    assert of("licence_changed", None, before, "a.toml") == []
    assert of("licence_changed", "x\n", "x\ny\n", "a.toml") == []


def branches(count: int, name: str = "f") -> str:
    return f"def {name}(x: int) -> int:\n" + "    if x: x += 1\n" * count + "    return x\n"


def test_a_jump_of_decisions_is_flagged_and_a_new_function_has_twice_as_many_free() -> None:
    def jumps(before: str, after: str, path: str = SRC) -> list[str]:
        found = flags(edit(path, before, after), complexity_jump=3)
        return [each.message for each in found if each.rule == "complexity_jump"]

    assert jumps(branches(1), branches(4)) == ["f has 4 decisions, and had 1"]
    assert jumps(branches(1), branches(3)) == []
    assert jumps("", branches(6)) == ["f is new and has 6 decisions"]
    assert jumps("", branches(5)) == []
    assert jumps(branches(1), branches(9), TEST) == []


TYPED = "def f(x: int) -> int: ...\ndef g(x: int) -> int: ...\ndef h(x): ...\n"


@pytest.mark.parametrize(
    ("line", "is_typed"),
    [
        ("def n(x: int) -> int: ...", True), ("def n(x) -> int: ...", False), ("def n(x: int): ...", False),
        ("def n() -> None: ...", True), ("def n(*, x) -> int: ...", False), ("def n(x, /) -> int: ...", False),
        ("class C:\n    def __init__(self, x: int): ...", True), ("class C:\n    def m(self) -> int: ...", True),
        ("class C:\n    @c\n    def m(cls) -> int: ...", True), ("def _n(x): ...", True),
    ],
)  # fmt: skip
def test_a_new_function_without_types_is_flagged_where_there_are_types(
    line: str, is_typed: bool
) -> None:
    said = flag("types_missing", INFO, 4, "n is new and has no types")
    assert of("types_missing", TYPED, f"{TYPED}{line}\n") == ([] if is_typed else [said])


def test_types_are_asked_for_where_most_have_them() -> None:
    lost = of("types_missing", TYPED, TYPED.replace("f(x: int) -> int", "f(x)"))
    assert lost == [flag("types_missing", WARNING, 1, "f has lost its types")]
    even = "def f(x: int) -> int: ...\ndef h(x): ...\n"
    assert of("types_missing", even, even + "def n(x): ...\n") == []
    (new,) = of("types_missing", None, "def n(x): ...\n")
    assert new.severity is INFO
    assert of("types_missing", TYPED, TYPED + "def n(x): ...\n", TEST) == []
    assert of("types_missing", TYPED, "def f(:\n") == []


def test_new_functions_without_tests_are_flagged_by_name() -> None:
    after = (
        "def a() -> None: ...\ndef b() -> None: ...\ndef c() -> None: ...\ndef d() -> None: ...\n"
    )
    said = flag("tests_missing", WARNING, 2, "a, b, c came without a test")
    assert of("tests_missing", "x = 1\n", f"x = 1\n{after}") == [said]
    assert of("tests_missing", after, after) == []
    assert (
        of("tests_missing", "", "def _a() -> None: ...\nclass _C:\n    def m(self) -> None: ...\n")
        == []
    )
    with_test = flags(
        edit(SRC, "", after), edit(TEST, "", "def test_a():\n    assert a() is None\n")
    )
    assert [each for each in with_test if each.rule == "tests_missing"] == []
    without = flags(edit(TEST, "x = 1\n", ""), edit(SRC, "", after))
    assert [each.path for each in without if each.rule == "tests_missing"] == [SRC]


def test_figures_of_a_side() -> None:
    text = branches(2) + 'def g(x):\n    """What."""\n    return x\ndef h(x):\n    return x\n'
    files = [
        ReadFile(edit(SRC, "", text), GuardSection()),
        ReadFile(edit(TEST, branches(9), branches(9)), GuardSection()),
    ]
    assert figures_of(files, "before") == {"complexity": None, "documented": None, "typed": None}
    assert figures_of(files, "after") == {"complexity": 3, "documented": 0.3333, "typed": 0.3333}


def test_flags_come_worst_first_and_each_once() -> None:
    after = "eval('1')  # noqa\nimport requests\nrequests.get('a')\n"
    found = flags(
        edit("src/b.py", "", after), edit("src/a.py", "", after), edit("LICENSE", "a\n", "b\n")
    )
    assert [(each.severity, each.path) for each in found] == [
        (CRITICAL, "LICENSE"), (ERROR, "src/a.py"), (ERROR, "src/b.py"),
        (WARNING, "src/a.py"), (WARNING, "src/a.py"), (WARNING, "src/b.py"), (WARNING, "src/b.py"),
    ]  # fmt: skip
    assert [each.line for each in found if each.path == "src/a.py"] == [1, 1, 3]
    left = flags(edit("src/a.py", "", after), disable=("new_network", "check_disabled"))
    assert [each.rule for each in left] == ["new_dynamic_code"]


SECRETS = {
    "a private key": "-----BEGIN RSA PRIVATE KEY", "an AWS access key": "AKIA" + "Q7RZM2XK4WLN8VBT",
    "a GitHub token": "ghp_" + "aB3" * 12, "a GitLab token": "glpat-" + "aB3-" * 5, "a Slack token": "xoxb-" + "1234567890",
    "a Stripe key": "sk_live_" + "aB3d" * 4, "a Google API key": "AIza" + "aB3-d" * 7, "an API key": "sk-" + "aB3d_" * 4,
    "a PyPI token": "pypi-" + "aB3d-" * 10, "a JSON web token": "eyJ" + "aB3d-aB3d-" + ".eyJ" + "aB3d-aB3d-" + "." + "aB3d-aB3d-",
    "a password in an address": "postgres://ann:pa55word@host/db",
}  # fmt: skip


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_known_by_its_form_and_never_shown(kind: str) -> None:
    text = SECRETS[kind]
    assert secret_kind(f"x = {text}") == kind
    assert redacted(f"x = {text} y").startswith("x = [redacted]")
    (found,) = [
        each for each in flags(edit("a.ini", "", f"\nx = {text}\n")) if each.rule == "secret"
    ]
    said = f"{kind} would be published (not shown here): take it out, and make it void"
    assert found == flag("secret", CRITICAL, 2, said, "a.ini")


NAMES = [
    "password",
    "passwd",
    "secret",
    "api_key",
    "apikey",
    "access_key",
    "accesskey",
    "auth_token",
    "private_key",
    "token",
    "my.Password_2",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_value_given_to_a_telling_name_is_a_secret(name: str) -> None:
    for line in (
        f"{name} = 'q8Zt4Lw1Px'",
        f'"{name}": "q8Zt4Lw1Px"',
        f"{name}: str = 'q8Zt4Lw1Px'",
    ):
        assert secret_kind(line) == "a password or key", line
        assert "q8Zt4Lw1Px" not in redacted(line)
    assert secret_kind(f"{name} = 'aaaaaaaa'") is None
    assert secret_kind(f"{name} = 'short1'") is None
    assert secret_kind(f"{name} = read('q8Zt4Lw1Px')") is None


@pytest.mark.parametrize(
    "word",
    [
        "example",
        "sample",
        "dummy",
        "changeme",
        "placeholder",
        "your_",
        "your-",
        "xxx",
        "test",
        "fake",
        "***",
        "<",
        "{",
        "$",
        "%(",
        "env",
    ],
)
def test_a_value_that_says_it_is_none_is_harmless(word: str) -> None:
    assert secret_kind(f"password = 'q8Zt4L{word}w1Px'") is None


def test_a_message_is_cut_and_holds_no_secret() -> None:
    name = "f" * 300
    (found,) = of("types_missing", None, f"def {name}(x): ...\n")
    assert len(found.message) == 200
