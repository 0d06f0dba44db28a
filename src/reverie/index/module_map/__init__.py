"""Which modules belong together: the groups of the import and call graph."""

from reverie.index.module_map.drawing_up import map_modules

__all__ = ["map_modules"]
