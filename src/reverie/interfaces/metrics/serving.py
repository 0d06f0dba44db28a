"""A small server for Prometheus: `/metrics`, `/health` and `/ready`, and nothing else."""

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

from reverie.errors import ReverieError, UsageError
from reverie.interfaces.metrics.catalogue import CONTENT_TYPE
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.interfaces.metrics.exporter import Pool
    from reverie.settings import Loaded


def health() -> Mapping[str, Any]:
    """Alive: whoever can answer is."""
    return {"status": "ok"}


def readiness(loaded: "Loaded") -> Mapping[str, Any]:
    """`ready` when the journal can be read; otherwise `not_ready`, and why."""
    url = loaded.journal_url
    if url is None:
        return {"status": "not_ready", "reason": "there is no journal here: run `reverie init`"}
    try:
        journal = Journal.find(url)
        if journal is None:
            return {"status": "ready", "journal": "nothing was recorded yet"}
        with journal, journal.reading() as connection:
            connection.exec_driver_sql("SELECT 1")
            return {"status": "ready", "journal": journal.location}
    except ReverieError as error:
        return {"status": "not_ready", "reason": str(error)}


CLIENT_SECONDS = 10.0
"""A client that says nothing for so long is let go."""
MOST_CLIENTS = 16
_JSON = "application/json"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = CLIENT_SECONDS
    server: "MetricsServer"
    _PLACES: ClassVar[dict[str, str]] = {
        "/metrics": "_metrics",
        "/health": "_health",
        "/ready": "_ready",
    }

    def do_GET(self) -> None:
        name = self._PLACES.get(self.path.partition("?")[0])
        if name is None:
            self._answer(404, _JSON, json.dumps({"error": "not found"}))
            return
        try:
            getattr(self, name)()
        except ReverieError as error:
            self._answer(503, _JSON, json.dumps({"error": str(error)}))

    def do_HEAD(self) -> None:
        self.do_GET()

    def _metrics(self) -> None:
        self._answer(200, CONTENT_TYPE, self.server.exporter.render())

    def _health(self) -> None:
        self._answer(200, _JSON, json.dumps(health()))

    def _ready(self) -> None:
        found = readiness(self.server.loaded)
        self._answer(200 if found["status"] == "ready" else 503, _JSON, json.dumps(found))

    def _answer(self, code: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        if self.command != "HEAD":
            self.wfile.write(body)

    def version_string(self) -> str:
        return "reverie"

    def log_message(self, format: str, *args: object) -> None:
        """Scrapes are not worth a line."""


class MetricsServer(ThreadingHTTPServer):
    """Listens from the start; `serve_forever` answers, `shutdown` ends it."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        loaded: "Loaded",
        port: int,
        pool: "Pool | None" = None,
        keys: frozenset[str] | None = None,
    ) -> None:
        from reverie.interfaces.metrics.exporter import FIRST_SCRAPE_SECONDS, Exporter

        self.loaded = loaded
        self.exporter = Exporter(loaded, pool, keys, patience_seconds=FIRST_SCRAPE_SECONDS)
        self._room = threading.BoundedSemaphore(MOST_CLIENTS)
        host = loaded.settings.metrics.host
        try:
            super().__init__((host, port), _Handler)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"cannot listen on {host}:{port}: {reason}") from error

    @property
    def address(self) -> str:
        """Where it listens."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"

    def process_request_thread(self, request: object, client_address: object) -> None:
        """One client; those beyond the limit are sent away at once."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)  # type: ignore[arg-type]
            return
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self._room.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no error of ours."""


def start_metrics_server(
    port: int, loaded: "Loaded | None" = None, pool: "Pool | None" = None
) -> MetricsServer:
    """Serve the metrics of a repository, here by default, from a thread of this process."""
    server = MetricsServer(loaded or _load_here(), port, pool)
    threading.Thread(target=server.serve_forever, name="reverie-metrics", daemon=True).start()
    return server


def serve(server: MetricsServer, told: Callable[[str], None]) -> None:
    """Answer until Ctrl-C; `told` hears the address."""
    told(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def _load_here() -> "Loaded":
    import os

    from reverie.settings import find_repository, load_settings

    return load_settings(find_repository(None, os.environ).path, os.environ, {})
