"""What a sink outside of this machine is: it takes one event at a time, or says why not."""

from typing import Protocol

from reverie.model.published import Event


class Undelivered(Exception):
    """It did not arrive, and may later: try again."""


class Unacceptable(Exception):
    """The other side will never take this one: go on with the next."""


class Sender(Protocol):
    """Sends events; returning is the promise that the event has arrived."""

    @property
    def name(self) -> str:
        """Which sink it is, in files and logs."""
        ...

    def send(self, event: Event, line: bytes) -> None:
        """Deliver one; raise `Undelivered` or `Unacceptable`."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...
