"""One step: lay out the files, call the callable, bring back what it returned and left.

What it does wrong is raised, so that the sandbox sorts it as it sorts everything else.

Absolute paths lead into the run's own folder, as if it were the root of the disk. A convenience,
not the boundary (that is the sandbox): code written for `/data/in.csv` finds its test data, and
what it writes to `/var/out` comes back. Reading falls through to what is really there; a library
that opens files in C sees real names only.
"""

import ast
import base64
import builtins
import importlib
import importlib.util
import inspect
import io
import math
import os
import pickle
import shutil
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any

_READS = ("stat", "lstat", "access", "readlink", "chdir", "remove", "unlink", "rmdir", "utime")
_WRITES = ("mkdir", "truncate", "mkfifo")
_MOVES = ("rename", "replace", "link")
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Redirect:
    """Sends absolute names below `root`; names below an exempt folder stay."""

    def __init__(self, root: str, exempt: "tuple[str, ...]") -> None:
        self.root = root
        self.exempt = (root, *exempt, "/dev", "/proc")
        self.open = builtins.open
        self.os = {name: getattr(os, name) for name in (*_READS, *_WRITES, *_MOVES)}
        self.os |= {name: getattr(os, name) for name in ("open", "listdir", "scandir", "chmod")}
        self.os["symlink"] = os.symlink

    def install(self) -> None:
        """Replace the functions that take file names. The process ends before anybody minds."""
        for name in (*_READS, "chmod"):
            setattr(os, name, self._mapped(self.os[name], self.to_read))
        for name in _WRITES:
            setattr(os, name, self._mapped(self.os[name], self.to_write))
        for name in _MOVES:
            setattr(os, name, self._mapped(self.os[name], self.to_read, self.to_write))
        os.symlink = self._mapped(self.os["symlink"], lambda path: path, self.to_write)
        os.listdir = self._listdir
        os.scandir = self._scandir  # type: ignore[assignment]
        os.open = self._os_open
        builtins.open = io.open = self._open

    def to_read(self, path: Any) -> Any:
        """Where a name is read: below the root when it is there, else at its own place."""
        inner = self._inner(path)
        return inner if inner is not None and self._is_there(inner) else path

    def to_write(self, path: Any, is_changed: bool = False) -> Any:
        """Where a name is written: below the root; what is changed in place is copied first."""
        inner = self._inner(path)
        if inner is None:
            return path
        os.makedirs(os.path.dirname(inner), exist_ok=True)
        if is_changed and not self._is_there(inner) and os.path.isfile(path):
            with self.open(path, "rb") as source, self.open(inner, "xb") as copy:
                shutil.copyfileobj(source, copy)
        return inner

    def _inner(self, path: Any) -> "str | None":
        """The name below the root; None for a name that stays as it is."""
        if isinstance(path, int):
            return None
        name = os.path.normpath(os.fsdecode(path))
        if not name.startswith("/"):
            return None
        if any(name == folder or name.startswith(f"{folder}/") for folder in self.exempt):
            return None
        return self.root + "/" + name.lstrip("/")

    def _is_there(self, path: str) -> bool:
        try:
            self.os["lstat"](path)
        except OSError:
            return False
        return True

    def _mapped(
        self, function: "Callable[..., Any]", *maps: "Callable[[Any], Any]"
    ) -> "Callable[..., Any]":
        def call(*paths: Any, **options: Any) -> Any:
            if options.get("dir_fd") is None and options.get("src_dir_fd") is None:
                changed = [change(path) for change, path in zip(maps, paths, strict=False)]
                paths = (*changed, *paths[len(changed) :])
            return function(*paths, **options)

        return call

    def _open(self, file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if set(mode) & set("wax+"):
            file = self.to_write(file, is_changed=bool(set(mode) & set("a+")) and "w" not in mode)
        else:
            file = self.to_read(file)
        return self.open(file, mode, *rest, **options)

    def _os_open(self, path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if options.get("dir_fd") is None:
            if flags & _WRITING_FLAGS:
                path = self.to_write(path, is_changed=not flags & os.O_TRUNC)
            else:
                path = self.to_read(path)
        return int(self.os["open"](path, flags, *rest, **options))

    def _both(self, path: Any) -> "list[Any]":
        """The folder below the root and the real one, as far as they are there."""
        inner = self._inner(path)
        if inner is None or not os.path.isdir(inner):
            return [path]
        try:
            self.os["listdir"](path)
        except OSError:
            return [inner]
        return [inner, path]

    def _listdir(self, path: Any = ".") -> "list[Any]":
        return list(dict.fromkeys(name for each in self._both(path) for name in self._names(each)))

    def _names(self, path: Any) -> "list[Any]":
        names: list[Any] = self.os["listdir"](path)
        return names

    def _scandir(self, path: Any = ".") -> "_Entries":
        return _Entries([self.os["scandir"](each) for each in self._both(path)])


class _Entries:
    """What `os.scandir` returns, over one or two folders; the first of a name counts."""

    def __init__(self, parts: "list[Any]") -> None:
        self.parts = parts
        self.entries = self._walk()

    def _walk(self) -> "Iterator[os.DirEntry[str]]":
        seen = set()
        for part in self.parts:
            for entry in part:
                if entry.name not in seen:
                    seen.add(entry.name)
                    yield entry

    def __iter__(self) -> "Iterator[os.DirEntry[str]]":
        return self

    def __next__(self) -> "os.DirEntry[str]":
        return next(self.entries)

    def __enter__(self) -> "_Entries":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folders."""
        for part in self.parts:
            part.close()


_TEXT_CHARACTERS = 1000
_DEPTH = 200
_SOURCE_FILE = "<dream>"
_HANDED = "handed"
_OFF = "network access is off in safe mode: {} {!r:.200}"
_OUTBOUND = ("connect", "connect_ex", "sendto", "sendmsg")
_LOOKUPS = ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo")


def _run_step(**order: Any) -> "dict[str, Any]":
    """Everything about one step, as `sandbox_runner` orders it."""
    root, temporary, redirect = _settle(order)
    if order["safe_mode"]:
        _forbid_network()
    with _Teardowns() as teardowns:
        for recipe in order["injectors"]:
            teardowns.add(_load(recipe)(root))
        function, params = _load(order["step"]), order["params"]
        if order["handed"] is None:
            value = _resolve(function(**params))
        else:
            with redirect.open(os.path.join(temporary, _HANDED), "rb") as file:
                # Made by this workflow, in the sandbox, and read by it there, never by the host.
                handed = pickle.load(file)  # noqa: S301
            if order["each"]:
                value = _for_each(function, params, handed, order["cached"])
            else:
                value = _resolve(_call(function, params, handed))
    found = _collect(root, redirect.open, order["most_bytes"])
    return {**found, **_describe(value), **(_hand_on(value) if order["hands_on"] else {})}


def _settle(order: "dict[str, Any]") -> "tuple[str, str, Redirect]":
    """The step's folders, laid out and entered, and what leads absolute names there."""
    home = os.environ["TMPDIR"]
    root, temporary = os.path.join(home, "workflow"), os.path.join(home, "temporary")
    _lay_out(root, order["files"], order["folders"])
    _lay_out(temporary, {} if order["handed"] is None else {_HANDED: order["handed"]}, [])
    os.environ["TMPDIR"] = tempfile.tempdir = temporary
    os.chdir(root)
    redirect = Redirect(root, (temporary,))
    redirect.install()
    return root, temporary, redirect


def _lay_out(root: str, files: "dict[str, str]", folders: "list[str]") -> None:
    os.makedirs(root)
    for name in folders:
        os.makedirs(os.path.join(root, name), exist_ok=True)
    for name, data in files.items():
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(base64.b64decode(data))


def _load(recipe: "dict[str, Any]") -> "Callable[..., Any]":
    """The callable of a recipe: out of its module, or made from its source."""
    scope: dict[str, Any] = {"__name__": "dream"}
    if recipe["scope"] is not None:
        scope = dict(vars(_import(recipe["scope"])))
    for name, place in recipe["imports"].items():
        scope[name] = _reach(place)
    for name, literal in recipe["values"].items():
        scope[name] = ast.literal_eval(literal)
    for source, flags in recipe["sources"]:
        code = compile(source, _SOURCE_FILE, "exec", flags=flags, dont_inherit=True)
        exec(code, scope)  # noqa: S102  inside the sandbox, this is the job
    if recipe["sources"]:
        return scope[recipe["name"]]  # type: ignore[no-any-return]
    return _reach(recipe["place"])  # type: ignore[no-any-return]


def _reach(place: "dict[str, Any]") -> Any:
    found: Any = _import(place)
    for part in place["attribute"].split(".") if place["attribute"] else ():
        found = getattr(found, part)
    return found


def _import(place: "dict[str, Any]") -> types.ModuleType:
    name, file = place["module"], place["file"]
    if file is None or name in sys.modules:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {file}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _for_each(
    function: "Callable[..., Any]", params: "dict[str, Any]", items: Any, cached: bool
) -> "list[Any]":
    """The result for every item; `cached` computes what is written the same once."""
    known: dict[bytes, tuple[Any, bytes | None]] = {}
    results = []
    for item in items:
        if not cached:
            results.append(_resolve(function(item, **params)))
            continue
        key = pickle.dumps(item)
        if key not in known:
            value = _resolve(function(item, **params))
            is_atom = type(value) in (int, float, str, bool, bytes, type(None))
            known[key] = (value, None) if is_atom else (None, pickle.dumps(value))
        value, copied = known[key]
        results.append(value if copied is None else pickle.loads(copied))  # noqa: S301  its own
    return results


def _call(function: "Callable[..., Any]", params: "dict[str, Any]", value: Any) -> Any:
    """A later step gets what the step before returned, if it takes anything."""
    return function(value, **params) if _takes(function, value, params) else function(**params)


def _takes(function: "Callable[..., Any]", value: Any, params: "dict[str, Any]") -> bool:
    """Whether the value has somewhere to go; None is not forced on a parameter with a default."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    by_position = [
        each
        for name, each in signature.parameters.items()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.VAR_POSITIONAL)
        and name not in params
    ]
    required = [each for each in by_position if each.default is each.empty]
    required = [each for each in required if each.kind is not each.VAR_POSITIONAL]
    return bool(by_position) and (value is not None or bool(required))


def _resolve(value: Any) -> Any:
    if isinstance(value, types.CoroutineType):
        import asyncio

        return asyncio.run(value)
    return list(value) if isinstance(value, types.GeneratorType) else value


def _describe(value: Any) -> "dict[str, Any]":
    kind = type(value).__qualname__[:200]
    if _is_plain(value):
        return {"is_plain": True, "value": value, "type": kind, "text": None}
    text = repr(value)[:_TEXT_CHARACTERS].encode("utf-8", "replace").decode()
    return {"is_plain": False, "value": None, "type": kind, "text": text}


def _is_plain(value: Any, depth: int = 0) -> bool:
    """Whether JSON carries the value unchanged, but for tuples, which become lists."""
    kind = type(value)
    if value is None or kind in (bool, int):
        return True
    if kind is str:
        return bool(value == value.encode("utf-8", "replace").decode())
    if kind is float:
        return math.isfinite(value)
    if depth > _DEPTH:
        return False
    if kind in (list, tuple):
        return all(_is_plain(item, depth + 1) for item in value)
    return kind is dict and all(
        type(key) is str and _is_plain(key) and _is_plain(item, depth + 1)
        for key, item in value.items()
    )


def _hand_on(value: Any) -> "dict[str, Any]":
    try:
        return {"handed": base64.b64encode(pickle.dumps(value)).decode()}
    except Exception as error:  # noqa: BLE001  whatever its __reduce__ raises is its own
        return {"handed": None, "not_handed": f"{type(error).__name__}: {error}"[:500]}


def _collect(root: str, open_file: "Callable[..., Any]", most_bytes: int) -> "dict[str, Any]":
    """Regular files and folders below the root; links and the like are left behind."""
    files: dict[str, str] = {}
    folders: list[str] = []
    total = 0
    for folder, inner, names in os.walk(root):
        folders += [os.path.relpath(os.path.join(folder, name), root) for name in inner]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            with open_file(path, "rb") as file:
                data = file.read(most_bytes + 1)
            total += len(data)
            if total > most_bytes:
                return {"files": {}, "folders": [], "too_large": total}
            files[os.path.relpath(path, root)] = base64.b64encode(data).decode()
    return {"files": files, "folders": folders}


class _Teardowns:
    """Runs what injectors returned, last first, whatever happened before."""

    def __init__(self) -> None:
        self.pending: list[Callable[[], Any]] = []

    def add(self, teardown: Any) -> None:
        """Keep a teardown; None means there is nothing to restore."""
        if teardown is None:
            return
        if not callable(teardown):
            raise TypeError(f"a mock injector returns a callable, not {type(teardown).__name__}")
        self.pending.append(teardown)

    def __enter__(self) -> "_Teardowns":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        first: BaseException | None = None
        for teardown in reversed(self.pending):
            try:
                teardown()
            except BaseException as failure:  # noqa: BLE001  the next one has to run as well
                first = first or failure
        if first is not None and error is None:
            raise first


def _forbid_network() -> None:
    """An attempt says what it is. The sandbox has no network anyway."""
    import socket

    def guarded(name: str) -> "Callable[..., Any]":
        original = getattr(socket.socket, name)

        def method(self: socket.socket, *arguments: Any) -> Any:
            if self.family == socket.AF_UNIX:
                return original(self, *arguments)
            raise RuntimeError(_OFF.format(name, arguments[-1:]))

        return method

    def refused(name: str) -> "Callable[..., Any]":
        def function(*arguments: Any, **_: Any) -> Any:
            raise RuntimeError(_OFF.format(name, arguments[:2]))

        return function

    for name in _OUTBOUND:
        setattr(socket.socket, name, guarded(name))
    for name in _LOOKUPS:
        setattr(socket, name, refused(name))
