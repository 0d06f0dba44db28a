"""The dreamer of integrations: how a module becomes part of its package."""
