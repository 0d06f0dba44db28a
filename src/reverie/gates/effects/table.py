"""One table of purity: which names of Python are pure, and of which kind the others are.

`effect_of("platform.node")` is `Effect("machine", "platform.node")`; that of a pure name is None.
A name that nobody lists has an `unknown` effect: the list says what is allowed, not what is not.
"""

from dataclasses import dataclass
from enum import StrEnum

from reverie.gates.effects.pure_names import PURE_NAMES
from reverie.gates.python import words


class EffectKind(StrEnum):
    """What is reached besides arguments."""

    FILES = "files"
    NETWORK = "network"
    PROCESSES = "processes"
    THREADS = "threads"
    ENVIRONMENT = "environment"
    MACHINE = "machine"
    USER = "user"
    TIME = "time"
    CHANCE = "chance"
    LOCALE = "locale"
    INTERPRETER = "interpreter"
    IMPORTS = "import state"
    CODE = "hidden code"
    STATE = "state"
    OUTPUT = "output"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, order=True)
class Effect:
    """One thing that is reached, by its name."""

    kind: EffectKind
    origin: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.origin})"


_ALIKE = frozenset(
    {EffectKind.FILES, EffectKind.NETWORK, EffectKind.THREADS, EffectKind.OUTPUT}
)  # fmt: skip
"""Kinds of which one name is as good as another: `open` or `Path.read_text`."""

_PURE_BUILTINS = words(
    "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup "
    "BlockingIOError BufferError BytesWarning ConnectionError DeprecationWarning EOFError "
    "Ellipsis Exception ExceptionGroup False FileExistsError FileNotFoundError "
    "FloatingPointError FutureWarning GeneratorExit IOError ImportError IndexError "
    "IsADirectoryError KeyError KeyboardInterrupt LookupError ModuleNotFoundError NameError "
    "None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError "
    "PermissionError ReferenceError ResourceWarning RuntimeError RuntimeWarning "
    "StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit "
    "TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError "
    "UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning "
    "ZeroDivisionError ConnectionResetError ConnectionRefusedError BrokenPipeError "
    "InterruptedError ProcessLookupError ChildProcessError IndentationError TabError "
    "ConnectionAbortedError EncodingWarning ImportWarning PendingDeprecationWarning "
    "EnvironmentError PythonFinalizationError abs aiter all anext any ascii bin bool bytearray "
    "bytes callable chr classmethod complex delattr dict divmod enumerate filter float format "
    "frozenset getattr hasattr hex int isinstance issubclass iter len list map max memoryview "
    "min next object oct ord pow property range repr reversed round set setattr slice sorted "
    "staticmethod str sum super tuple type zip __build_class__"
)
_BUILTINS: dict[EffectKind, str] = {
    EffectKind.CODE: "eval exec compile __import__ __builtins__",
    EffectKind.FILES: "open",
    EffectKind.OUTPUT: "print input help copyright credits license",
    EffectKind.PROCESSES: "exit quit",
    EffectKind.CHANCE: "hash",
    EffectKind.INTERPRETER: "id globals locals vars dir breakpoint __debug__ RecursionError"
    " MemoryError WindowsError",
    EffectKind.IMPORTS: "__name__ __file__ __spec__ __loader__ __package__ __path__ __cached__"
    " __annotations__ __dict__",
}
_PURE_MIXED = words(
    "os.fspath os.fsencode os.fsdecode os.PathLike os.sep os.linesep os.altsep os.extsep "
    "os.curdir os.pardir os.pathsep os.SEEK_SET os.SEEK_CUR os.SEEK_END os.error sys.maxsize "
    "sys.intern sys.maxunicode sys.float_info sys.byteorder sys.hash_info time.struct_time "
    "warnings.deprecated __future__ typing_extensions"
)
"""Pure names of modules that have others."""
_NAMES: dict[EffectKind, str] = {
    EffectKind.NETWORK: "asyncio.open_connection asyncio.start_server asyncio.start_unix_server",
    EffectKind.PROCESSES: "os.system os.popen os.exec* os.spawn* os.fork* os.posix_spawn* os.kill*"
    " os._exit os.abort os.getp* os.wait* os.nice os.sched* os.times os.pidfd_open os.setpgid"
    " os.setsid os.startfile sys.argv sys.orig_argv sys.exit asyncio.create_subprocess*",
    EffectKind.ENVIRONMENT: "os.environ* os._Environ os.putenv os.unsetenv os.getenv* os.chdir"
    " os.fchdir os.umask os.getcwd* os.get_exec_path contextlib.chdir os.path.abspath"
    " os.path.expandvars pathlib.Path.cwd os.path.relpath os.path.realpath posixpath.abspath"
    " posixpath.expandvars posixpath.relpath",
    EffectKind.MACHINE: "os.uname os.cpu_count os.process_cpu_count os.getloadavg os.sysconf*"
    " os.confstr* os.name os.statvfs os.fstatvfs sys.platform sys.getwindowsversion"
    " uuid.getnode uuid.uuid1 uuid.uuid6 os.path.supports_unicode_filenames os.supports_*"
    " io.DEFAULT_BUFFER_SIZE mmap.PAGESIZE",
    EffectKind.USER: "pathlib.Path.home os.getlogin os.getuid os.geteuid os.getgid os.getegid"
    " os.getgroups* os.getres* os.setuid os.setgid os.path.expanduser posixpath.expanduser"
    " os.initgroups",
    EffectKind.CHANCE: "os.urandom os.getrandom uuid.uuid4 uuid.uuid7 statistics.NormalDist"
    " statistics.kde_random",
    EffectKind.FILES: "io.open io.open_code io.FileIO codecs.open",
    EffectKind.TIME: "gzip.compress sys.getswitchinterval",
    EffectKind.OUTPUT: "sys.stdout sys.stderr sys.stdin sys.__std* sys.displayhook pprint.pprint"
    " pprint.pp pprint.PrettyPrinter contextlib.redirect_* typing.reveal_type calendar.prmonth"
    " calendar.prcal os.write os.get_terminal_size",
    EffectKind.INTERPRETER: "decimal.getcontext decimal.setcontext decimal.localcontext"
    " decimal.DefaultContext csv.field_size_limit csv.register_dialect csv.get_dialect"
    " csv.unregister_dialect csv.list_dialects calendar.setfirstweekday calendar.firstweekday"
    " codecs.register* codecs.lookup_error codecs.unregister re.purge abc.get_cache_token"
    " types.CellType unicodedata.unidata_version typing.get_overloads typing.clear_overloads",
    EffectKind.IMPORTS: "sys.modules sys.path sys.path_hooks sys.meta_path sys.path_importer_cache"
    " sys.builtin_module_names sys.stdlib_module_names sys.executable sys.prefix sys.base_prefix"
    " sys.exec_prefix sys.dont_write_bytecode sys.pycache_prefix",
    EffectKind.CODE: "typing.get_type_hints typing.ForwardRef typing.evaluate_forward_ref"
    " types.CodeType typing_extensions.get_type_hints dataclasses.make_dataclass"
    " string.Formatter sys.addaudithook sys.call_tracing",
    EffectKind.LOCALE: "calendar.month_name calendar.month_abbr calendar.day_name calendar.day_abbr"
    " calendar.Locale* calendar.month calendar.calendar calendar.weekheader"
    " sys.getdefaultencoding sys.getfilesystemencod* io.text_encoding",
    EffectKind.THREADS: "sys.setswitchinterval",
}
_MODULES: dict[EffectKind, str] = {
    EffectKind.NETWORK: "socket ssl http urllib urllib3 requests httpx aiohttp ftplib smtplib"
    " telnetlib xmlrpc websockets paramiko boto3 grpc imaplib poplib socketserver"
    " webbrowser nntplib _socket _ssl select selectors wsgiref cgi",
    EffectKind.PROCESSES: "subprocess multiprocessing pty signal _posixsubprocess _signal pexpect"
    " psutil sched",
    EffectKind.CODE: "importlib runpy pickle marshal ctypes cffi dill cloudpickle shelve builtins"
    " code codeop _pickle _imp imp zipimport pkgutil pickletools cPickle _ctypes copyreg",
    EffectKind.THREADS: "threading _thread concurrent queue asyncio contextvars _queue trio anyio"
    " gevent greenlet curio",
    EffectKind.FILES: "shutil tempfile sqlite3 mmap pathlib os _io glob fileinput linecache zipfile"
    " tarfile gzip bz2 lzma dbm filecmp netrc configparser posix nt stat mailbox"
    " zoneinfo fcntl logging.handlers logging.config os.path posixpath ntpath genericpath"
    " msvcrt winreg",
    EffectKind.INTERPRETER: "sys gc inspect warnings atexit weakref traceback tracemalloc"
    " faulthandler dis opcode symtable trace bdb pdb profile cProfile timeit resource sysconfig"
    " site _warnings _weakref _weakrefset _tracemalloc test doctest unittest pytest"
    " rlcompleter readline",
    EffectKind.TIME: "time _time timeit",
    EffectKind.CHANCE: "random secrets _random",
    EffectKind.MACHINE: "platform distutils",
    EffectKind.USER: "pwd grp getpass spwd nis crypt",
    EffectKind.LOCALE: "locale gettext _locale",
    EffectKind.OUTPUT: "logging curses syslog cmd termios tty getopt argparse optparse tkinter"
    " turtle structlog loguru",
}
_ATTRIBUTES: dict[EffectKind, str] = {
    EffectKind.TIME: "now utcnow today localtime fromtimestamp utcfromtimestamp astimezone"
    " timestamp monotonic perf_counter process_time time_ns",
    EffectKind.LOCALE: "strftime",
    EffectKind.STATE: "cache_info cache_clear cache_parameters",
    EffectKind.INTERPRETER: "gi_frame gi_code gi_running gi_suspended gi_yieldfrom cr_frame cr_code"
    " cr_running cr_origin cr_await ag_frame ag_code ag_running ag_await tb_frame tb_next tb_lineno"
    " tb_lasti f_back f_globals f_locals f_builtins f_code f_lineno f_lasti f_trace co_code"
    " co_consts co_names co_varnames co_filename co_firstlineno co_flags co_lines co_positions"
    " co_freevars co_cellvars co_name co_qualname co_stacksize co_nlocals co_argcount mro"
    " cell_contents settrace setprofile getrefcount",
    EffectKind.FILES: "read_text write_text read_bytes write_bytes",
    EffectKind.MACHINE: "cpu_count uname getloadavg",
    EffectKind.ENVIRONMENT: "environ getenv getcwd",
    EffectKind.USER: "expanduser getlogin",
    EffectKind.CHANCE: "urandom getrandbits",
}
"""Names of attributes that say by themselves what is reached, of whatever object.

Their effects are written `.name`: one of them never stands for another.
"""
_PLAIN_DUNDERS = words(
    "__name__ __qualname__ __class__ __members__ __dataclass_fields__ __slots__ __all__ "
    "__version__ __origin__ __args__ __notes__ __match_args__ __post_init__ __init__ __new__ "
    "__call__ __repr__ __str__ __bytes__ __format__ __bool__ __len__ __length_hint__ "
    "__getitem__ __setitem__ __delitem__ __missing__ __iter__ __next__ __reversed__ "
    "__contains__ __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __await__ __get__ "
    "__set__ __delete__ __set_name__ __init_subclass__ __class_getitem__ __setattr__ "
    "__delattr__ __copy__ __deepcopy__ __fspath__ __buffer__ __lt__ __le__ "
    "__eq__ __ne__ __gt__ __ge__ __int__ __float__ __complex__ __index__ __round__ __trunc__ "
    "__floor__ __ceil__ __neg__ __pos__ __abs__ __invert__ __or__ __ror__ __add__ __sub__ "
    "__mul__ __matmul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__ __lshift__ "
    "__rshift__ __and__ __xor__ __radd__ __rsub__ __rmul__ __rmatmul__ __rtruediv__ "
    "__rfloordiv__ __rmod__ __rdivmod__ __rpow__ __rlshift__ __rrshift__ __rand__ __rxor__ "
    "__iadd__ __isub__ __imul__ __ior__ __iand__ __ixor__ __imatmul__ __itruediv__ "
    "__ifloordiv__ __imod__ __ipow__ __ilshift__ __irshift__ __instancecheck__ "
    "__subclasscheck__ __subclasshook__ __prepare__"
)
"""Dunder names that lead to a value, a class or an operation, and not to how they are made."""


_DUNDER_KINDS = {
    "__module__": EffectKind.IMPORTS, "__file__": EffectKind.IMPORTS, "__hash__": EffectKind.CHANCE,
}  # fmt: skip


def _pure_names() -> dict[str, frozenset[str]]:
    found = {module: frozenset(names.split()) for module, names in PURE_NAMES.items()}
    found["os.path"] = found["ntpath"] = found["posixpath"]
    return found


_PURE = _pure_names()
_EXACT = {
    name: kind
    for kind, names in _NAMES.items()
    for name in names.split()
    if not name.endswith("*")
}  # fmt: skip
_STARTS = tuple(
    (name[:-1], kind)
    for kind, names in _NAMES.items()
    for name in names.split()
    if name.endswith("*")
)
_OWNERS = {name: kind for kind, names in _MODULES.items() for name in names.split()}
_BUILTIN_KINDS = {name: kind for kind, names in _BUILTINS.items() for name in names.split()}
_ATTRIBUTE_KINDS = {name: kind for kind, names in _ATTRIBUTES.items() for name in names.split()}
_MIXED = frozenset({"os", "sys", "urllib", "uuid", "pathlib", "time", "xml", "xml.sax", "warnings"})
"""Modules that may be imported for what is pure in them; what is used of them is looked at."""
_C_MODULES = {
    "posix": "os", "nt": "os", "posixpath": "os.path", "ntpath": "os.path",
    "genericpath": "os.path",
    "_io": "io", "_datetime": "datetime", "_pydatetime": "datetime", "_operator": "operator",
    "_functools": "functools", "_collections": "collections", "_collections_abc": "collections.abc",
    "_decimal": "decimal", "_struct": "struct", "_typing": "typing", "_abc": "abc",
}  # fmt: skip
"""Modules that are known under another name."""
_TELLING = words(
    "os sys time random platform subprocess socket builtins importlib gc inspect threading "
    "ctypes shutil tempfile pathlib secrets uuid getpass pwd"
)
"""Modules of Python that say what is reached also behind the name of a library."""


def is_known_module(origin: str) -> bool:
    """Whether a dotted name is a module of the table, so that its names are not attributes."""
    return origin in _PURE or origin in _OWNERS or origin in _MIXED


def effect_of_import(module: str) -> Effect | None:
    """The effect of having a module at hand; None where only its use can tell."""
    if module in _PURE or module in _MIXED or module in _PURE_MIXED:
        return None
    return effect_of(module)


def effect_of(origin: str) -> Effect | None:
    """The effect of a name of a module, as `module.name`; None for a pure one."""
    parts = origin.split(".")
    starts = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
    for start in starts:
        if start in _PURE_MIXED:
            return None
        if start in _EXACT:
            return Effect(_EXACT[start], origin)
        for beginning, kind in _STARTS:
            if start.startswith(beginning) and start.count(".") == beginning.count("."):
                return Effect(kind, origin)
        if start in _PURE:
            return _of_pure_module(origin, start)
        if start in _OWNERS:
            return Effect(_OWNERS[start], origin)
    return _of_foreign(origin, parts)


def _of_foreign(origin: str, parts: list[str]) -> Effect:
    """A library of somebody else's: unknown, but for a module of Python that it is asked for."""
    for start, part in enumerate(parts[1:], 1):
        found = effect_of(".".join(parts[start:])) if part in _TELLING else None
        if found is not None:
            return Effect(found.kind, origin)
    return Effect(EffectKind.UNKNOWN, origin)


def _of_pure_module(origin: str, module: str) -> Effect | None:
    """Only what is a module's own counts as pure: not what it imports."""
    name = origin[len(module) + 1 :].partition(".")[0]
    if not name:
        return Effect(EffectKind.UNKNOWN, f"{origin} as a value")
    if name in _PURE[module]:
        return None
    if is_known_module(name):
        found = effect_of(origin[len(module) + 1 :])
        kind = EffectKind.IMPORTS if found is None else found.kind
        return Effect(EffectKind.IMPORTS if kind is EffectKind.UNKNOWN else kind, origin)
    if module in _OWNERS:
        return Effect(_OWNERS[module], origin)
    return Effect(EffectKind.UNKNOWN, origin)


def effect_of_builtin(name: str) -> Effect | None:
    """The effect of a builtin, or of a name that every module has; None for a pure one."""
    if name in _PURE_BUILTINS:
        return None
    kind = _BUILTIN_KINDS.get(name)
    return None if kind is None else Effect(kind, name)


def is_builtin(name: str) -> bool:
    """Whether a name is one that every module has."""
    return name in _PURE_BUILTINS or name in _BUILTIN_KINDS


def effect_of_attribute(name: str) -> Effect | None:
    """The effect that the name of an attribute tells, of whatever object."""
    if name.startswith("__") and name.endswith("__") and len(name) > 4:
        if name in _PLAIN_DUNDERS:
            return None
        return Effect(_DUNDER_KINDS.get(name, EffectKind.INTERPRETER), f".{name}")
    if name in _ATTRIBUTE_KINDS:
        return Effect(_ATTRIBUTE_KINDS[name], f".{name}")
    return None


def effect_of_reached(origin: str) -> Effect | None:
    """The effect of what was seen at run time: a function by its module, or `event NAME`.

    None also for what the table does not know: names inside of modules are nobody's to list.
    """
    module, _, name = origin.removeprefix("event ").partition(".")
    if origin.startswith("event "):
        found = _of_event(origin.removeprefix("event "))
    elif module == "builtins":
        found = effect_of_builtin(name.partition(".")[0]) or _of_method(origin)
    else:
        public = f"{_C_MODULES.get(module, module)}.{name}"
        found = effect_of(public)
        if found is None or found.kind is EffectKind.UNKNOWN:
            found = _of_method(public)
    return None if found is None or found.kind is EffectKind.UNKNOWN else found


def _of_event(event: str) -> Effect | None:
    if event == "open" or event.startswith("builtins."):
        return effect_of_builtin(event.removeprefix("builtins."))
    if event.startswith(("object.__", "code.__new__")):
        return Effect(EffectKind.INTERPRETER, event)
    return effect_of(event)


def _of_method(origin: str) -> Effect | None:
    """What the name of a method tells: `datetime.datetime.now`, `builtins.type.mro`."""
    owner, _, name = origin.rpartition(".")
    found = effect_of_attribute(name) if "." in owner else None
    return None if found is None else Effect(found.kind, origin)


def is_covered(effect: Effect, known: frozenset[Effect]) -> bool:
    """Whether code that had some effects had this one too, or one that is as good as it."""
    if effect in known:
        return True
    if effect.kind in _ALIKE and not effect.origin.startswith("."):
        return any(e.kind is effect.kind and not e.origin.startswith(".") for e in known)
    if effect.kind is not EffectKind.UNKNOWN:
        return False
    package = effect.origin.partition(".")[0]
    return any(
        each.kind is EffectKind.UNKNOWN and each.origin.partition(".")[0] == package
        for each in known
    )
