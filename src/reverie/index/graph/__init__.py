"""Who imports whom: cycles, layers and reach."""

from reverie.index.graph.components import cycles, layers, reverse_reach, strongly_connected
from reverie.index.graph.imports import ImportGraph
from reverie.index.graph.names import ModuleNames

__all__ = [
    "ImportGraph",
    "ModuleNames",
    "cycles",
    "layers",
    "reverse_reach",
    "strongly_connected",
]
