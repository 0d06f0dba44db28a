"""Programs that run in the sandbox; nothing here is imported by Reverie itself."""
