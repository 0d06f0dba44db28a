"""What a change brings in: reach, dynamic code, writes, silence, switched-off checks, secrets.

Secrets that a change would publish are named by kind; their text goes nowhere.
"""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator

from reverie.gates.alignment.changed_files import ReadFile, calls
from reverie.gates.python import Parsed
from reverie.model.repository.quality import AlignmentFlag, Severity
from reverie.syntax.nodes import dotted

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


_SECRET_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY")),
    ("an AWS access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})")),
    ("a GitLab token", re.compile(r"\bglpat-[\w-]{20,}")),
    ("a Slack token", re.compile(r"\bxox[abprs]-[\w-]{10,}")),
    ("a Stripe key", re.compile(r"\b[rs]k_live_[A-Za-z0-9]{16,}")),
    ("a Google API key", re.compile(r"\bAIza[\w-]{35}\b")),
    ("an API key", re.compile(r"\bsk-[A-Za-z0-9_-]{20,}")),
    ("a PyPI token", re.compile(r"\bpypi-[\w-]{50,}")),
    ("a JSON web token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    ("a password in an address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s:/@'\"{}]+:[^\s/@'\"{}]{3,}@")),
)  # fmt: skip
_ASSIGNED = re.compile(
    r"""(?ix)\b[\w.]*(?:password|passwd|secret|api_?key|access_?key|auth_?token|private_?key|token)
        \w*["']?\s*(?::\s*[\w\[\]. |]+)?[=:]\s*["']([^"'\s]{8,})["']"""
)
_HARMLESS = re.compile(
    r"(?i)example|sample|dummy|changeme|placeholder|your[_-]|xxx|test|fake|\*\*\*|<|\{|\$|%\(|env"
)
_LEAST_BITS = 2.8
"""Of a character: words repeat letters, keys hardly do."""


def secrets(file: ReadFile) -> Iterator[AlignmentFlag]:
    """In the new lines of one file."""
    for number, line in file.added:
        kind = secret_kind(line)
        if kind is not None:
            said = f"{kind} would be published (not shown here): take it out, and make it void"
            yield file.flag("secret", Severity.CRITICAL, number, said)


def secret_kind(line: str) -> str | None:
    """What kind of secret stands on a line; None when none is seen."""
    for kind, pattern in _SECRET_KINDS:
        found = pattern.search(line)
        if found and not _HARMLESS.search(found[0]):
            return kind
    assigned = _ASSIGNED.search(line)
    if assigned and not _HARMLESS.search(assigned[1]) and _bits(assigned[1]) >= _LEAST_BITS:
        return "a password or key"
    return None


def redacted(text: str) -> str:
    """Text of others with every secret blotted out, for logs and messages."""
    for _, pattern in _SECRET_KINDS:
        text = pattern.sub("[redacted]", text)
    return _ASSIGNED.sub(lambda found: found[0].replace(found[1], "[redacted]"), text)


def _bits(text: str) -> float:
    """Entropy of a character, in bits."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())
