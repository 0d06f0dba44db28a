"""Do written tests notice faults that were real? Cases are fixes from public histories."""
