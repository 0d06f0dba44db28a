"""The server itself: put together, and run over stdio or over HTTP with a token."""

import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import Tool
from pydantic import ConfigDict

from reverie.interfaces.doors.bodies import read_whole, replayed
from reverie.interfaces.mcp.code_tools import add_code_tools
from reverie.interfaces.mcp.desk import Desk
from reverie.interfaces.mcp.dream_tools import add_dream_tools, add_dreaming_tools
from reverie.interfaces.mcp.proof_tools import add_proof_tools
from reverie.interfaces.mcp.shaping import shape_answers
from reverie.interfaces.mcp.submissions import add_prompts, add_resources, add_submission_tools
from reverie.interfaces.mcp.tasks import add_task_tools
from reverie.interfaces.mcp.timing_tools import add_timing_tools
from reverie.interfaces.mcp.work_tools import add_work_tools

if TYPE_CHECKING:
    from reverie.settings import Loaded

_ABOUT = (
    "Reverie proves changes to one Python repository. Begin with start_task: it says what a change "
    "of its kind is held to. Edit, run_tests, then check until it passes: a refusal says what to "
    "do. Hand the work in with submit. Everything runs in a sandbox; nothing is merged or written "
    "into the repository. Answers are short; `detail`, or the resource in `whole`, has all of it."
)
UNLISTED = frozenset(
    {"dream", "dream_health", "dream_stats", "dream_test_results", "dream_test_failures",
     "dream_test_patterns"}
)  # fmt: skip
"""Tools that answer as they always did, and are not listed: dream_journal has their views."""
Scope = dict[str, Any]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Callable[[], Awaitable[Any]], Send], Any]
BODY_BYTES = 1 << 22
"""Of one request: a patch of some ten thousand lines."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a server answers."""

    lists_all: bool = False
    """Whether the tools are listed, too, whose views `dream_journal` has."""
    as_text: bool = False
    """For clients that read no structure: answers are text alone."""


_USUAL = Manner()


class _Server(MCPServer[Any]):
    """Lists what an agent needs; the others can still be called."""

    lists_all = False

    async def list_tools(self) -> list[Tool]:
        """Few tools are little context."""
        found = await super().list_tools()
        return found if self.lists_all else [each for each in found if each.name not in UNLISTED]


def build_server(
    loaded: "Loaded", python: str | None = None, manner: Manner = _USUAL
) -> MCPServer[Any]:
    """The server of one repository, with every tool, resource and prompt."""
    from reverie import __version__

    server = _Server(
        "reverie", title="Reverie", instructions=_ABOUT, version=__version__, log_level="WARNING"
    )
    server.lists_all = manner.lists_all
    desk = Desk(loaded, python)
    add_task_tools(server, desk)
    add_work_tools(server, desk)
    add_timing_tools(server, desk)
    add_code_tools(server, desk)
    add_proof_tools(server, desk)
    add_submission_tools(server, desk)
    add_dream_tools(server, desk)
    add_dreaming_tools(server, desk)
    shape_answers(server, desk.shelf, as_text=manner.as_text)
    _refuse_unknown_arguments(server)
    add_resources(server, desk)
    add_prompts(server)
    return server


def _refuse_unknown_arguments(server: MCPServer[Any]) -> None:
    """A misspelt argument is an error: the SDK would pass it over."""
    for tool in server._tool_manager.list_tools():
        loose = tool.fn_metadata.arg_model
        forbidding = {"model_config": ConfigDict(extra="forbid")}
        strict = cast(type[ArgModelBase], type(loose.__name__, (loose,), forbidding))
        tool.fn_metadata.arg_model = strict
        tool.parameters = strict.model_json_schema(by_alias=True)


def serve_stdio(loaded: "Loaded", python: str | None = None, manner: Manner = _USUAL) -> None:
    """Answer on stdout whoever talks on stdin, until it is closed."""
    build_server(loaded, python, manner).run("stdio")


def serve_http(
    loaded: "Loaded",
    told: Callable[[str, str], None],
    python: str | None = None,
    manner: Manner = _USUAL,
) -> None:
    """Answer over HTTP at `/mcp` whoever shows the token; `told` hears address and token."""
    import socket

    import uvicorn

    from reverie.interfaces.doors.connections import guarded_config

    section = loaded.settings.mcp
    token = section.token or secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in section.host else socket.AF_INET
    with socket.create_server((section.host, section.port), family=family) as listener:
        port = listener.getsockname()[1]
        host = f"[{section.host}]" if ":" in section.host else section.host
        names = sorted({host, "127.0.0.1", "localhost"})
        hosts = [f"{name}:{port}" for name in names]
        app = build_application(loaded, token, hosts, python, manner)
        told(f"http://{host}:{port}/mcp", token)
        uvicorn.Server(guarded_config(app, ending_seconds=5)).run(sockets=[listener])


def build_application(
    loaded: "Loaded",
    token: str,
    hosts: Sequence[str],
    python: str | None = None,
    manner: Manner = _USUAL,
) -> App:
    """What is served over HTTP, for whoever calls it by one of these names with the token."""
    security = TransportSecuritySettings(
        allowed_hosts=list(hosts), allowed_origins=[f"http://{host}" for host in hosts]
    )
    app = build_server(loaded, python, manner).streamable_http_app(transport_security=security)
    return guarded(app, token)


def guarded(app: Any, token: str) -> App:
    """An application that answers only who shows the token, and only what is not too large."""
    wanted = f"Bearer {token}".encode()

    async def admit(scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        headers = scope.get("headers", ())
        shown = [value for name, value in headers if name == b"authorization"]
        if len(shown) != 1 or not hmac.compare_digest(shown[0], wanted):
            await _refuse(send, 401, (b"www-authenticate", b"Bearer"))
            return
        _vouch(scope)
        body = await read_whole(headers, receive, BODY_BYTES)
        if body is None:
            await _refuse(send, 413, (b"connection", b"close"))
            return
        await app(scope, replayed(body, receive), _unsniffed(send))

    return admit


def _vouch(scope: Scope) -> None:
    from reverie.interfaces.doors.connections import vouch  # with uvicorn, which stdio needs not

    vouch(scope)


async def _refuse(send: Send, status: int, header: tuple[bytes, bytes]) -> None:
    headers = [header, (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _unsniffed(send: Send) -> Send:
    """Answers are what they say they are: no browser makes a page of them."""

    async def told(message: Any) -> None:
        if message["type"] == "http.response.start":
            added = [(b"x-content-type-options", b"nosniff")]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return told
