"""The server itself: bound to this machine, with a token, until it is stopped."""

import ipaddress
import secrets
import socket
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import uvicorn

from reverie.errors import UsageError
from reverie.interfaces.doors.connections import guarded_config
from reverie.interfaces.web.admission import Keys
from reverie.interfaces.web.application import build_application
from reverie.interfaces.web.desk import Desk

if TYPE_CHECKING:
    from reverie.settings import Loaded


def serve(loaded: "Loaded", environ: Mapping[str, str], told: Callable[[str, str], None]) -> None:
    """Answer browsers until somebody stops it; `told` hears the address and the token."""
    section = loaded.settings.web
    token = section.token or secrets.token_urlsafe(24)
    with _listener(section.host, section.port) as listener:
        port = listener.getsockname()[1]
        host = f"[{section.host}]" if ":" in section.host else section.host
        desk = Desk(
            loaded,
            environ,
            Keys(token, port),
            is_read_only=section.read_only,
            can_sign=is_loopback(section.host),
        )
        names = {host, "127.0.0.1", "localhost"} if is_loopback(section.host) else {host}
        app = build_application(desk, [f"{name}:{port}" for name in names])
        told(f"http://{host}:{port}/", token)
        uvicorn.Server(guarded_config(app)).run(sockets=[listener])


def is_loopback(host: str) -> bool:
    """Whether only this machine can call there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"cannot listen on {host!r}, port {port}: {error.strerror}") from error
