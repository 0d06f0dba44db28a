"""No network but what is allowed, seen by an audit hook: also what bypasses `socket.socket`.

Unix sockets and kernel sockets are local and always allowed. Code in C that makes system calls
of its own, and programs that are not Python, are out of a hook's reach. Child processes load this
file by its path, so it imports nothing of its package.
"""

import functools
import os
import re
import sys
from typing import Any

ALLOW = "allow"
BLOCK = "block"
BLOCK_LOOPBACK = "block-loopback"
VARIABLE = "_REVERIE_NETWORK"

_CHILD_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child")
_ADDRESS_ARGUMENT = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
}
_LOOPBACK = re.compile(
    r"127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3}|localhost|(?:[\w-]+\.)+localhost"
    r"|0\.0\.0\.0|::|",
    re.IGNORECASE,
)

_NAMING_METHODS = {
    "connect": ("socket.connect", 0),
    "connect_ex": ("socket.connect", 0),
    "sendto": ("socket.sendto", -1),
    "sendmsg": ("socket.sendmsg", 3),
}

_rule = ALLOW
_is_hooked = False
_is_guarded = False
_attempts = 0


class NetworkBlocked(RuntimeError):
    """A test reached for the network. Not an `OSError`: code that copes with those hides it."""


def set_rule(rule: str) -> str:
    """Put a rule in force for this process; returns the rule before."""
    global _rule, _is_hooked
    before, _rule = _rule, rule
    if rule != ALLOW and not _is_hooked:
        _is_hooked = True
        sys.addaudithook(_hook)
    return before


def attempts() -> int:
    """How often this process was refused."""
    return _attempts


def hand_down(rule: str, environ: "os._Environ[str]") -> None:
    """Let Python children started from now on keep to a rule as well."""
    folders = environ.get("PYTHONPATH", "").split(os.pathsep)
    if _CHILD_FOLDER not in folders:
        environ["PYTHONPATH"] = os.pathsep.join([_CHILD_FOLDER, *filter(None, folders)])
    environ[VARIABLE] = rule


def hand_down_nothing(environ: "os._Environ[str]") -> None:
    """Undo `hand_down`."""
    environ.pop(VARIABLE, None)
    folders = environ.get("PYTHONPATH", "").split(os.pathsep)
    if _CHILD_FOLDER in folders:
        environ["PYTHONPATH"] = os.pathsep.join(each for each in folders if each != _CHILD_FOLDER)
        if not environ["PYTHONPATH"]:
            del environ["PYTHONPATH"]


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event in _ADDRESS_ARGUMENT and _rule != ALLOW:
        _check(event, args)
    elif event == "socket.__new__" and not _is_guarded:
        _guard_names()


def _guard_names() -> None:
    """Ask before a socket resolves a name to connect to: the hook is only asked after that."""
    global _is_guarded
    kind = getattr(sys.modules.get("socket"), "socket", None)
    if isinstance(kind, type):
        _is_guarded = True
        for name, (event, position) in _NAMING_METHODS.items():
            setattr(kind, name, _guarded(getattr(kind, name), event, position))


def _guarded(real: Any, event: str, position: int) -> Any:
    @functools.wraps(real)
    def method(self: Any, *args: Any) -> Any:
        if _rule != ALLOW and -len(args) <= position < len(args):
            _check(event, (self, args[position]))
        return real(self, *args)

    return method


def _check(event: str, args: tuple[Any, ...]) -> None:
    global _attempts
    position = _ADDRESS_ARGUMENT[event]
    address = args[position]
    if position and (address is None or not _leaves_the_kernel(args[0])):
        return
    host = address[0] if isinstance(address, tuple) and address else address
    if _rule == BLOCK and _is_loopback(host):
        return
    if _rule == BLOCK_LOOPBACK and not position and _is_loopback(host):
        return  # a name is looked up in a file; only the connection leaves
    _attempts += 1
    raise NetworkBlocked(
        f"Network calls are blocked: {event} {host!r}; mark the test @pytest.mark.external, "
        "or set ALLOW_NET=1"
    )


def _leaves_the_kernel(sock: Any) -> bool:
    import _socket

    local = {getattr(_socket, name, None) for name in ("AF_UNIX", "AF_NETLINK", "AF_ALG")}
    return int(sock.family) not in local


def _is_loopback(host: Any) -> bool:
    if host is None:
        return True
    if isinstance(host, bytes | bytearray):
        host = host.decode("ascii", "replace")
    if not isinstance(host, str):
        return False
    import _socket

    return _LOOPBACK.fullmatch(host.partition("%")[0]) is not None or host == _socket.gethostname()
