"""The settings of operations, as in `sections`: every field with its doc line and its bounds."""

from dataclasses import dataclass

from reverie.model.setting import setting, text, whole


@dataclass(frozen=True, slots=True)
class MetricsSection:
    """Where Prometheus finds the figures."""

    host: str = setting(
        "127.0.0.1",
        text("a host name or address", lambda value: bool(value) and not set(value) & set(" /\0")),
        "Address that `reverie metrics --serve` listens on; everybody there can read the figures.",
        outside_only=True,
    )
    port: int = setting(8001, whole(0, 65_535), "Its port; 0 takes a free one.")
    synergy_port: int = setting(8003, whole(0, 65_535), "Port of `reverie synergy-exporter`.")


@dataclass(frozen=True, slots=True)
class ClusterSection:
    """Where a cluster of this machine's own listens."""

    host: str = setting(
        "127.0.0.1",
        text("a host name or address", lambda value: bool(value) and not set(value) & set(" /\0")),
        "Address of `reverie cluster start`; whoever reaches it can run code on the workers.",
        outside_only=True,
    )
    port: int = setting(8786, whole(0, 65_535), "Port of its scheduler; 0 takes a free one.")
