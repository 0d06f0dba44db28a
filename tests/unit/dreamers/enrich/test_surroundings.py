"""What tells of the machine is neither a test nor a finding; what was given may come back."""

import ast

import pytest

from reverie.dreamers.enrich.surroundings import (
    CLOCK,
    MACHINE,
    asks_version,
    is_unbound_option,
    trace_of,
)

TRACES = {
    "ModuleNotFoundError: No module named 'text_unidecode'": "a missing module",
    "importlib.metadata.PackageNotFoundError: shop": "a missing module",
    "ValueError: No module named 'yaml' is here": "a missing module",
    "FileNotFoundError: [Errno 2] No such file: 'config.ini'": "a missing file of the environment",
    "PermissionError: [Errno 13] Permission denied": "a missing file of the environment",
    "'/home/coder/shop/data.json'": "a path of the machine",
    "['/usr/lib/python3/dist-packages']": "a path of the machine",
    "'shop/1.0 Python/3.11'": "a version of Python",
    "'shop-1.0-cp311-none-any.whl'": "a version of Python",
    "BoxError: toon is unavailable on this system, please install it": "a missing module",
    "ImportError-like: simplejson is not installed": "a missing module",
    "'_io.BytesIO'": "a module of the interpreter's own",
    "'linux_x86_64'": "the kind of machine",
    "<object object at 0x7fa22839e7d0>": "an address in memory",
}


@pytest.mark.parametrize(("said", "expected"), TRACES.items())
def test_a_trace_is_named(said: str, expected: str) -> None:
    assert trace_of(said) == expected


@pytest.mark.parametrize(
    "said",
    ["'1.2.3'", "ValueError: not a path", "'a/b'", "'https://example.org/usr/x'", "3.11", "[1, 2]",
     "'linux'", "KeyError: 'python'", "'//tmp/x'"],
)  # fmt: skip
def test_ordinary_answers_tell_nothing(said: str) -> None:
    assert trace_of(said) is None


def test_what_was_given_is_no_trace() -> None:
    assert trace_of("'/usr/lib/x.py'", "join('/usr/lib/x.py')") is None
    assert trace_of("'/usr/lib/y.py'", "join('/usr/lib/x.py')") == "a path of the machine"


@pytest.mark.parametrize(
    "source",
    ["os.cpu_count()", "os.process_cpu_count()", "locale.getlocale()", "platform.machine()",
     "sysconfig.get_platform()", "sys.version", "importlib.metadata.version('x')",
     "Path.home()", "os.getenv('X')", "tempfile.gettempdir()", "os.getpid()"],
)  # fmt: skip
def test_code_that_asks_the_machine_is_known(source: str) -> None:
    assert MACHINE.search(source)


def test_code_that_asks_the_clock_is_known() -> None:
    assert CLOCK.search("datetime.now()")
    assert not CLOCK.search("known(1)")
    assert not MACHINE.search("transform(platform, count)")


def test_only_a_question_without_arguments_asks_for_what_is_installed() -> None:
    assert asks_version("get_version", "get_version()")
    assert asks_version("shop.version", "shop.version()")
    assert not asks_version("parse_version", "parse_version('1.0')")
    assert not asks_version("Version.bump", "version.bump()")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("try:\n    import yaml\nexcept ImportError:\n    pass", True),
        ("try:\n    from a import b as yaml\nexcept ImportError:\n    pass", True),
        ("with suppress(ImportError):\n    import yaml.nodes", True),
        ("if TYPE_CHECKING:\n    import yaml", False),
        ("try:\n    import json\nexcept ImportError:\n    pass", False),
        ("", False),
    ],
)
def test_a_name_that_an_optional_import_would_have_bound_is_no_slip(
    source: str, expected: bool
) -> None:
    said = "NameError: name 'yaml' is not defined"
    assert is_unbound_option(said, ast.parse(source)) is expected
    assert not is_unbound_option("KeyError: 'yaml'", ast.parse(source))
