"""Does the change reach for what the code did not reach before?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.reading import rewritten_files
from reverie.gates.python import origin_of
from reverie.model.ruling import Answer, Ruling

_KINDS: dict[str, tuple[str, ...]] = {
    "new_network": (
        "socket", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "aiohttp", "ftplib",
        "smtplib", "telnetlib", "xmlrpc", "websockets", "paramiko", "boto3", "grpc", "imaplib",
        "poplib", "socketserver", "asyncio.open_connection", "asyncio.start_server", "webbrowser",
    ),
    "new_process": (
        "subprocess", "multiprocessing", "pty", "os.system", "os.popen", "os.exec", "os.spawn",
        "os.fork", "os.posix_spawn", "os.kill", "os._exit", "asyncio.create_subprocess",
    ),
    "new_dynamic_code": (
        "eval", "exec", "compile", "__import__", "importlib", "runpy", "pickle", "marshal",
        "ctypes", "cffi", "dill", "cloudpickle", "shelve", "builtins", "code",
    ),
    "new_threads": ("threading", "_thread", "concurrent", "queue", "asyncio.create_task",
                    "asyncio.run", "asyncio.get_event_loop"),
    "new_file_use": ("open", "os.remove", "os.unlink", "os.rename", "os.replace", "os.mkdir",
                     "os.makedirs", "os.rmdir", "os.chmod", "os.open", "shutil", "tempfile",
                     "sqlite3", "mmap", "os.write", "pathlib"),
    "new_environment_use": ("os.environ", "os.putenv", "os.getenv", "os.chdir", "os.umask"),
    "new_interpreter_use": (
        "sys.setrecursionlimit", "sys.path", "sys.modules", "sys.settrace", "sys.setprofile",
        "sys._getframe", "sys.meta_path", "gc", "inspect", "warnings", "locale.setlocale",
        "signal", "atexit", "sys.setswitchinterval", "sys.exit", "sys.stdout", "sys.stderr",
        "decimal.getcontext", "decimal.setcontext", "weakref", "sys.getrefcount", "id",
    ),
    "new_chance_or_clock": ("random", "secrets", "uuid", "time", "datetime.datetime.now",
                            "datetime.date.today", "os.urandom", "os.getpid"),
}  # fmt: skip
_REASONS = {
    "new_network": "it starts to use the network",
    "new_process": "it starts to run other programs",
    "new_dynamic_code": "it starts to run code that is not there to be read",
    "new_threads": "it starts threads or tasks of its own",
    "new_file_use": "it starts to use files",
    "new_environment_use": "it starts to use the environment",
    "new_interpreter_use": "it starts to use the workings of the interpreter",
    "new_chance_or_clock": "it starts to depend on chance or on the clock",
    "detects_judge": "it asks whether it is being tested",
    "import_effect": "importing the module does something that it did not do",
}
_TELLTALES = ("REVERIE", "PYTEST_", "COVERAGE", "pytest", "unittest", "_reverie")
_INERT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)


@dataclass(frozen=True, slots=True)
class ReachGate:
    """Refuses new use of network, programs, files, threads, chance and the interpreter."""

    name: str = "reach"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each new thing that is reached for."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "it reaches for nothing new")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            known = {(code, what) for code, what, _ in _uses(file.before.tree, file.names_before)}
            seen = set()
            for code, what, node in _uses(file.after.tree, file.names):
                if (code, what) not in known and (code, what) not in seen:
                    seen.add((code, what))
                    said = f"{_REASONS[code]}: {what}"
                    yield Ruling(self.name, Answer.FAIL, code, said, file.after.place(node))
            before = {ast.dump(each) for each in file.before.tree.body}
            for node in file.after.tree.body:
                if ast.dump(node) not in before and not _is_inert(node):
                    said = _REASONS["import_effect"]
                    place = file.after.place(node)
                    yield Ruling(self.name, Answer.FAIL, "import_effect", said, place)


def _uses(tree: ast.AST, names: dict[str, str]) -> Iterator[tuple[str, str, ast.AST]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            origin = origin_of(node, names)
            if isinstance(node, ast.Name) and node.id not in names:
                origin = origin if origin in _BUILTINS else ""
            yield from ((code, what, node) for code, what in _kinds_of(origin))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from ((code, what, node) for code, what in _kinds_of(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                origin = f"{node.module}.{alias.name}"
                yield from ((code, what, node) for code, what in _kinds_of(origin))
        elif isinstance(node, ast.Constant) and str(node.value).startswith(_TELLTALES):
            yield "detects_judge", str(node.value)[:40], node


_BUILTINS = frozenset({"eval", "exec", "compile", "__import__", "open", "id"})


def _kinds_of(origin: str) -> Iterator[tuple[str, str]]:
    for code, starts in _KINDS.items():
        for start in starts:
            if (
                origin == start
                or origin.startswith(f"{start}.")
                or ("." in start and origin.startswith(start))
            ):
                yield code, start


def _is_inert(node: ast.stmt) -> bool:
    """Whether a statement at the top of a module binds names and does nothing else."""
    if isinstance(node, _INERT):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name)
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
