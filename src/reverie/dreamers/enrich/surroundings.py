"""Traces of the machine in code and in what it says: nothing of them is for a test or a finding.

    trace_of("ModuleNotFoundError: No module named 'yaml'")     # 'a missing module'
    trace_of("'/usr/lib/python3.11/json/__init__.py'")          # 'a path of the machine'

What stands in the input as well was given, and is no trace: a function that joins paths may be
given paths.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

CLOCK = re.compile(r"\b(?:now|utcnow|today|time\.time|time_ns|monotonic|localtime|gmtime)\(")
"""Calls that ask what time it is."""
MACHINE = re.compile(
    r"\b(?:getcwd|cwd|expanduser|expandvars|listdir|scandir|gethostname|getfqdn|getuser|getpid"
    r"|getuid|getpwuid|uname|cpu_count|process_cpu_count|sched_getaffinity|gettempdir|mkdtemp"
    r"|mkstemp|isatty|get_terminal_size|getlocale|getdefaultlocale|getpreferredencoding"
    r"|getfilesystemencoding|localeconv|find_spec|get_platform|get_config_vars?|which)\("
    r"|\b(?:platform|sysconfig|multiprocessing|importlib_?\.?metadata|pkg_resources)\.\w+"
    r"|\bPath\.home\(|\bos\.(?:environ|getenv|name)\b"
    r"|\bsys\.(?:platform|version|version_info|hexversion|implementation|argv|executable|prefix"
    r"|base_prefix|byteorder|maxsize|flags)\b"
)
"""What reads the machine, the user, the interpreter, the locale or what is installed."""
CHANCE = re.compile(
    r"\b(?:random|secrets)\.(?!seed\b|Random\b)\w+\("
    r"|\b(?:randint|randrange|randbytes|getrandbits|shuffle|urandom|uuid1|uuid4|token_bytes"
    r"|token_hex|token_urlsafe)\("
)
"""Calls that draw something."""
_ABSENT = re.compile(
    r"No module named|No package metadata|cannot import name|\bpip3? install\b"
    r"|\b(?:please|try) install(?:ing)?\b|\b(?:un|not )(?:available|installed)\b.*\binstall"
    r"|\b(?:is|are) not (?:available|installed) (?:on|in) this\b|\bis not installed\b",
    re.IGNORECASE,
)
OF_PACKAGES = frozenset({"ImportError", "ModuleNotFoundError", "PackageNotFoundError"})
_OF_FILES = frozenset({
    "FileNotFoundError", "NotADirectoryError", "IsADirectoryError", "PermissionError",
})  # fmt: skip
_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w+(?:Error|Exception))\b")
_PATH = re.compile(
    r"(?<![\w./:\\])/(?:usr|home|root|tmp|opt|var|etc|proc|sys|dev|lib|lib64|bin|run|mnt|srv|data"
    r"|private|Users|work|workspace|builds?)(?:/[\w.@+~-]+)+"
)
_VERSION = re.compile(
    r"\b(?:C?Python|PyPy)[ /-]?3\.\d+|\bpython3\.\d+|\bcp(?:ython-)?3\d{1,2}\b|\bpy3\.\d+",
    re.IGNORECASE,
)
_BUILT_FOR = re.compile(r"\b(?:linux|macosx|manylinux|musllinux)[-_]\w*(?:x86_64|aarch64|arm64)\b")
_INNER = re.compile(r"(?<![\w.])_(?:[a-z]+)\.\w+")
"""`_io.BytesIO`, `_operator.add`: where the interpreter keeps what has another name for users."""
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}\b")
_UNBOUND = re.compile(r"\bNameError: name '(\w+)' is not defined")
_ASKS_VERSION = re.compile(r"(?:^|[._])(?:get_)?versions?(?:_info|_string)?$|__version__$")


def trace_of(said: str, given: str = "") -> str | None:
    """The first trace in what was seen, in plain words; None where there is none."""
    return next(_traces(said, given), None)


def _traces(said: str, given: str) -> Iterator[str]:
    error = _ERROR.match(said)
    kind = "" if error is None else error[1]
    if kind in OF_PACKAGES or _ABSENT.search(said):
        yield "a missing module"
    if kind in _OF_FILES:
        yield "a missing file of the environment"
    for pattern, words in (
        (_PATH, "a path of the machine"),
        (_VERSION, "a version of Python"),
        (_BUILT_FOR, "the kind of machine"),
        (_ADDRESS, "an address in memory"),
    ):
        if any(found[0] not in given for found in pattern.finditer(said)):
            yield words
    for found in _INNER.finditer(said):
        if found[0].partition(".")[0] in sys.stdlib_module_names and found[0] not in given:
            yield "a module of the interpreter's own"


def is_unbound_option(said: str, tree: ast.Module) -> bool:
    """Whether a name has no value because an import that a module can do without failed here."""
    named = _UNBOUND.search(said)
    blocks = (each for each in ast.walk(tree) if isinstance(each, ast.Try | ast.With))
    return named is not None and any(
        named[1] == (each.asname or each.name.partition(".")[0])
        for block in blocks
        for node in block.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for each in node.names
    )


def asks_version(callee: str, call: str) -> bool:
    """Whether a call without arguments asks for the version of something installed."""
    return bool(_ASKS_VERSION.search(callee)) and call.rstrip().endswith(("()", "__version__"))
