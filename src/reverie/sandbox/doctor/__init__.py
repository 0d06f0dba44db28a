"""What isolation this machine allows, what is missing, and the exact way to get it.

`machine` reads facts, `checks` judges them (pure), `probes` attacks a sandbox through its
public interface, `examination` puts the three together.
"""
