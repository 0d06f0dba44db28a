"""What a change brings in: reach, dynamic code, writes, silence, switched-off checks."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from reverie.gates.alignment.reading import ReadFile, calls
from reverie.gates.python import Parsed, dotted
from reverie.model.alignment import AlignmentFlag
from reverie.model.finding import Severity

_KINDS: tuple[tuple[str, Severity, str, tuple[str, ...]], ...] = (
    ("new_network", Severity.WARNING, "it starts to use the network",
     ("socket.", "ssl.", "http.", "urllib.", "urllib3.", "requests.", "httpx.", "aiohttp.",
      "ftplib.", "smtplib.", "paramiko.", "websockets.", "boto3.", "grpc.", "xmlrpc.",
      "asyncio.open_connection", "asyncio.start_server", "webbrowser.")),
    ("new_process", Severity.ERROR, "it starts to run other programs",
     ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn", "os.fork", "os.posix_spawn",
      "pty.", "asyncio.create_subprocess", "multiprocessing.")),
    ("new_dynamic_code", Severity.ERROR, "it starts to run text as code",
     ("eval", "exec", "compile", "__import__", "pickle.load", "marshal.load", "runpy.",
      "importlib.import_module", "yaml.load", "yaml.unsafe_load", "dill.load", "ctypes.")),
    ("new_file_write", Severity.WARNING, "it starts to write or remove files",
     ("os.remove", "os.unlink", "os.rename", "os.replace", "os.rmdir", "os.removedirs",
      "os.makedirs", "os.mkdir", "os.chmod", "os.truncate", "shutil.")),
)  # fmt: skip
_EXACT = frozenset({"eval", "exec", "compile", "__import__"})
_WRITERS = frozenset({"write_text", "write_bytes", "unlink", "rmtree", "touch"})
_CHECKS = re.compile(
    r"\b(noqa|nosec|nosemgrep|type:\s*ignore|pragma:\s*no\s*(?:cover|branch)|pylint:\s*disable|"
    r"mypy:\s*ignore|ruff:\s*noqa|flake8:\s*noqa|pyright:\s*ignore|fmt:\s*off)",
    re.IGNORECASE,
)
_SKIPS = ("skip", "skipif", "skipIf", "xfail", "skipUnless", "expectedFailure", "importorskip")
_BROAD = frozenset({"Exception", "BaseException"})


def additions(file: ReadFile) -> Iterator[AlignmentFlag]:
    """All of them in one file."""
    yield from _reach(file)
    yield from _writes(file)
    yield from _broad_handlers(file)
    yield from _disabled(file)
    yield from _unverified(file)


def _reach(file: ReadFile) -> Iterator[AlignmentFlag]:
    known = {kind for origin, _ in calls(file.before) for kind in _kinds_of(origin)}
    seen: set[tuple[str, Severity, str]] = set()
    for origin, node in calls(file.after):
        for kind in _kinds_of(origin):
            if kind in known | seen:
                continue
            seen.add(kind)
            rule, severity, said = kind
            severity = Severity.INFO if file.is_test else severity
            yield file.flag(rule, severity, node.lineno, f"{said}: {origin}")


def _kinds_of(origin: str) -> Iterator[tuple[str, Severity, str]]:
    for rule, severity, said, starts in _KINDS:
        for start in starts:
            if origin == start if start in _EXACT else origin.startswith(start):
                yield rule, severity, said
                break


def _writes(file: ReadFile) -> Iterator[AlignmentFlag]:
    """Files opened for writing, and methods that write."""
    before, after = (list(_written(each)) for each in (file.before, file.after))
    if len(after) > len(before) and not file.is_test:
        line = after[-1]
        yield file.flag("new_file_write", Severity.WARNING, line, "it starts to write files")


def _written(parsed: Parsed | None) -> Iterator[int]:
    for origin, node in calls(parsed):
        is_open = origin.rpartition(".")[2] == "open" and _is_for_writing(node)
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in _WRITERS
        if is_open or is_method:
            yield node.lineno


def _is_for_writing(call: ast.Call) -> bool:
    modes = [*call.args[:2], *(each.value for each in call.keywords if each.arg == "mode")]
    return any(
        isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and re.fullmatch(r"[rwxabt+]{1,4}", each.value) is not None
        and set(each.value) & set("wax+")
        for each in modes
    )


def _broad_handlers(file: ReadFile) -> Iterator[AlignmentFlag]:
    before, after = (list(_broad(each)) for each in (file.before, file.after))
    for line, is_silent in after[len(before) :]:
        said = "every error is caught" + (" and thrown away" if is_silent else "")
        severity = Severity.ERROR if is_silent else Severity.WARNING
        yield file.flag("broad_except", severity, line, said)


def _broad(parsed: Parsed | None) -> Iterator[tuple[int, bool]]:
    for node in ast.walk(parsed.tree) if parsed is not None else ():
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or dotted(kind).rpartition(".")[2] in _BROAD for kind in kinds):
                is_silent = all(isinstance(each, ast.Pass | ast.Continue) for each in node.body)
                yield node.lineno, is_silent


def _disabled(file: ReadFile) -> Iterator[AlignmentFlag]:
    """Marks that switch a check off, more of them than before."""
    gone = Counter(found[0].lower() for _, line in file.removed for found in _marks(line))
    for number, line in file.added:
        for found in _marks(line):
            mark = found[0].lower()
            if gone[mark]:
                gone[mark] -= 1
            else:
                said = f"a check is switched off: {mark}"
                yield file.flag("check_disabled", Severity.WARNING, number, said)
    before, after = (_skipped(each) for each in (file.before, file.after))
    if file.is_test and len(after) > len(before):
        said = "tests are passed over that were not"
        yield file.flag("check_disabled", Severity.ERROR, after[-1], said)


def _marks(line: str) -> Iterator[re.Match[str]]:
    if "#" in line:
        yield from _CHECKS.finditer(line.partition("#")[2])


def _skipped(parsed: Parsed | None) -> list[int]:
    if parsed is None:
        return []
    names = (ast.Attribute, ast.Name)
    return [
        node.lineno
        for node in ast.walk(parsed.tree)
        if isinstance(node, names) and dotted(node).rpartition(".")[2] in _SKIPS
    ]


def _unverified(file: ReadFile) -> Iterator[AlignmentFlag]:
    """Safety of connections, switched off by an argument."""
    before = sum(1 for _ in _careless(file.before))
    for line, said in list(_careless(file.after))[before:]:
        yield file.flag("check_disabled", Severity.ERROR, line, said)


def _careless(parsed: Parsed | None) -> Iterator[tuple[int, str]]:
    for _, node in calls(parsed):
        for each in node.keywords:
            value = each.value.value if isinstance(each.value, ast.Constant) else ...
            if (each.arg, value) in (("verify", False), ("check_hostname", False)):
                yield node.lineno, f"{each.arg}=False: the other side is not checked"
            elif (each.arg, value) == ("shell", True):
                yield node.lineno, "shell=True: a shell reads what is run"
