"""Dreams of procedures: how fast they are tested, whether they differ, and what learning does."""
