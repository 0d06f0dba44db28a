"""A change tried in the sandbox: what its tests show, and what is measured of both versions."""
