"""Tree patterns: source with holes that is looked for, and source that takes its place."""
