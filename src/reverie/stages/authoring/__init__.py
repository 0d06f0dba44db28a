"""Models, agents and programs as dreamers: a task, an answer, the refusal, the next answer."""
