"""What a change does to production code: what it may catch, reach, keep, show and complicate."""
