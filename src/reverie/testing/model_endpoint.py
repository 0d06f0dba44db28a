"""An endpoint on this machine that speaks the protocols of models, well or badly.

with open_endpoint() as endpoint:
    endpoint.script = [openai_says("two")]
    …                                  # models.endpoint is endpoint.url
    endpoint.asked                     # what it was asked, as JSON values
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[[BaseHTTPRequestHandler], None]


@dataclass(slots=True)
class Endpoint:
    """What it will do, call by call (the last stays), and what it was asked."""

    url: str
    script: list[Behaviour] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test has ended: for behaviours that would not."""


def sends(status: int, body: bytes, **headers: str) -> Behaviour:
    """One plain answer."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def openai_says(text: Any, usage: Any = None, finish: str = "stop") -> Behaviour:
    """A chat completion with one choice."""
    told = {"prompt_tokens": 10, "completion_tokens": 5} if usage is None else usage
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return sends(200, json.dumps({"choices": [choice], "usage": told}).encode())


def anthropic_says(text: str) -> Behaviour:
    """A message of two blocks of text."""
    content = [{"type": "text", "text": text[:2]}, {"type": "text", "text": text[2:]}]
    told = {"input_tokens": 7, "output_tokens": 3}
    return sends(200, json.dumps({"content": content, "usage": told}).encode())


@contextmanager
def open_endpoint() -> Iterator[Endpoint]:
    """Listens on a free port of the loopback interface until this ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_address[1]}")
    server.RequestHandlerClass = _handler_for(endpoint)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler_for(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            endpoint.asked.append({"path": self.path, **json.loads(body)})
            endpoint.headers.append(dict(self.headers))
            script = endpoint.script
            try:
                (script.pop(0) if len(script) > 1 else script[0])(self)
            except OSError:
                self.close_connection = True  # the client has gone

        def log_message(self, *args: object) -> None:
            return

    return Handler
