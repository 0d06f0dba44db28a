"""The sandbox room: run one request under a policy and limits, and say whose fault it was."""
