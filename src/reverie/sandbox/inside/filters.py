"""The two filters of a slot: one for everybody in it, one more for an execution of the weaker tier.

The first protects the host and is in force before any program that is not ours. The second
takes away what the zygote needs and an execution must not have. It is made before the fork and
holds only what the first does not already say: the kernel translates a filter for every
execution anew, and asks all of them for every system call.
"""

from typing import Any

from . import bpf, seccomp


def of_slot(config: "dict[str, Any]") -> seccomp.Rules:
    """What protects the host."""
    has_unused_network = config["tier"] != "namespaces" or config["network"] or config["has_proc"]
    return seccomp.Rules(
        # A network that nobody could say was used would tell the next execution.
        socket_families=tuple(config["socket_families"]) if has_unused_network else (),
        allow_memfd=config["allow_memfd"],
        private_files=config.get("private_files", False),
        allow_limiting_others=config["tier"] == "namespaces",
        allow_hiding=True,
    )


def of_execution(config: "dict[str, Any]") -> seccomp.Rules:
    """Without a pid namespace: no process but its own, and nothing that could outlast it."""
    return seccomp.Rules(
        own_pid_only=seccomp.HIGHEST_PID,  # nobody; every execution writes its own there
        allow_processes=False,
        allow_metadata=False,
        allow_memfd=False,
        allow_shared_memory=config["allow_memfd"],
        socket_families=tuple(config["socket_families"]),
    )


def of_own(config: "dict[str, Any]") -> "seccomp.Filter | None":
    """The second filter, ready for a fork to install; none where namespaces keep all apart."""
    if config["tier"] != "landlock":
        return None
    whole, before = seccomp.build(of_execution(config)), seccomp.build(of_slot(config))
    return seccomp.Filter(bpf.difference(whole, before))
