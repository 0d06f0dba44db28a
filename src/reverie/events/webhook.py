"""Events to a URL: one POST each, signed where there is a secret."""

import hashlib
import hmac
import http.client
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from reverie import __version__
from reverie.events.sender import Unacceptable, Undelivered
from reverie.model.published import Event

SIGNATURE = "X-Reverie-Signature"
_NEVER = frozenset({400, 413, 415, 422})
"""Answers about this event; all others are about the receiver, and may change."""
_ANSWER_BYTES = 1 << 16


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A receiver that has moved is named anew by a person: a POST is not sent on."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class WebhookSender:
    """Posts to one URL. Only its host is ever shown: the path is often a secret."""

    url: str
    secret: str | None = None
    timeout_seconds: float = 10.0

    @property
    def name(self) -> str:
        """Which sink it is."""
        return "webhook"

    def send(self, event: Event, line: bytes) -> None:
        """One POST; arrived when the answer is 2xx."""
        request = urllib.request.Request(self.url, line, self._headers(event, line), method="POST")
        host = urlsplit(self.url).hostname
        try:
            opener = urllib.request.build_opener(_NoRedirect)
            with opener.open(request, timeout=self.timeout_seconds) as answer:
                answer.read(_ANSWER_BYTES)
        except urllib.error.HTTPError as error:
            error.close()
            kind = Unacceptable if error.code in _NEVER else Undelivered
            raise kind(f"{host} answered {error.code}") from None
        except urllib.error.URLError as error:
            raise Undelivered(f"{host}: {error.reason}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Undelivered(f"{host}: {type(error).__name__}: {error}") from None

    def close(self) -> None:
        """Nothing is held between events."""

    def _headers(self, event: Event, line: bytes) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"reverie/{__version__}",
            "X-Reverie-Event": str(event.name),
        }
        if self.secret:
            digest = hmac.new(self.secret.encode(), line, hashlib.sha256).hexdigest()
            headers[SIGNATURE] = f"sha256={digest}"
        return headers
