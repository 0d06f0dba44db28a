"""What the journal knows, as Prometheus reads it; and whether Reverie is well."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.settings import Loaded


def render(loaded: "Loaded") -> str:
    """All metrics of a repository's journal, once. Whoever is asked often keeps an `Exporter`."""
    from reverie.interfaces.metrics.exporter import Exporter

    return Exporter(loaded).render()
