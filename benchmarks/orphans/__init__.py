"""Orphans planted in real packages: what is found, beside vulture and deptry."""
