"""Who waits for which book."""


class Waiting:
    """Readers waiting for books, first come, first served."""

    def __init__(self, most: int = 5) -> None:
        self.most = most
        self._queues: dict[str, list[str]] = {}

    def reserve(self, isbn: str, reader: str) -> int:
        """Put a reader into the queue and return their place, from 1."""
        queue = self._queues.setdefault(isbn, [])
        if reader in queue:
            raise ValueError(f"{reader} is waiting already")
        if self.open_reservations(reader) >= self.most:
            raise ValueError(f"{reader} has {self.most} reservations")
        queue.append(reader)
        return len(queue)

    def cancel(self, isbn: str, reader: str) -> bool:
        """Take a reader out of the queue; whether they were in it."""
        queue = self._queues.get(isbn, [])
        if reader not in queue:
            return False
        queue.remove(reader)
        return True

    def next_reader(self, isbn: str) -> str | None:
        """The reader whose turn it is, taken out of the queue; None when nobody waits."""
        if isbn not in self._queues:
            return None
        return self._queues[isbn].pop(0)

    def open_reservations(self, reader: str) -> int:
        """How many books a reader waits for."""
        return sum(reader in queue for queue in self._queues.values())


def weeks_to_wait(place: int, copies: int, loan_weeks: int = 4) -> int:
    """The longest wait for somebody at a place in the queue."""
    if place < 1:
        raise ValueError(f"places count from 1, not {place}")
    return (place + copies - 1) // copies * loan_weeks
