"""Exact fixes: commands to paste, by what stands in the way."""

from reverie.sandbox.doctor.machine import Kind, Machine

RAISE_NAMESPACES = "sudo sysctl -w user.max_user_namespaces=15000"
ALLOW_CLONE = "sudo sysctl -w kernel.unprivileged_userns_clone=1"
LIFT_APPARMOR = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
DELEGATE = "systemd-run --user --scope -p Delegate=yes -- reverie …"
LINGER = "loginctl enable-linger $USER"

_DOCKER = (
    "docker run{admin} --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined …"
)
_PODMAN = "podman run{admin} --security-opt seccomp=unconfined --security-opt unmask=ALL …"
_KUBERNETES = (
    "in the pod: spec.hostUsers: false; securityContext: {{seccompProfile: {{type: Unconfined}}, "
    "appArmorProfile: {{type: Unconfined}}, procMount: Unmasked{capabilities}}}"
)
_BY_KIND = {
    Kind.DOCKER: _DOCKER,
    Kind.PODMAN: _PODMAN,
    Kind.KUBERNETES: _KUBERNETES,
    Kind.LXC: "on the host: lxc config set NAME security.nesting true && lxc restart NAME",
    Kind.WSL: "in Windows: wsl --set-version DISTRIBUTION 2",
    Kind.GVISOR: "docker run --runtime=runc … (gVisor gives a process no namespaces of its own)",
    Kind.OTHER: "allow user namespaces, mount and an unmasked /proc in the container's settings",
}


def open_container(machine: Machine) -> str:
    """How to start the container around us so that it lets us make namespaces."""
    if machine.container is None:
        return "start Reverie where it may create namespaces"
    needs_power = machine.is_root and not machine.can_administrate
    return _BY_KIND[machine.container.kind].format(
        admin=" --cap-add SYS_ADMIN" if needs_power else "",
        capabilities=", capabilities: {add: [SYS_ADMIN]}" if needs_power else "",
    )


def apparmor_profile(interpreter: str) -> str:
    """Let one interpreter make user namespaces, and leave the restriction on for the rest."""
    profile = (
        "abi <abi/4.0>,\\ninclude <tunables/global>\\n"
        f"profile reverie {interpreter} flags=(unconfined) {{\\n  userns,\\n}}\\n"
    )
    return (
        f"printf '{profile}' | sudo tee /etc/apparmor.d/reverie && "
        f"sudo apparmor_parser -r /etc/apparmor.d/reverie (or for all programs: {LIFT_APPARMOR})"
    )


def enable_landlock(security_modules: tuple[str, ...]) -> str:
    """Put Landlock on the kernel's list of security modules."""
    modules = ",".join(("landlock", *security_modules))
    return (
        f"add lsm={modules} to GRUB_CMDLINE_LINUX in /etc/default/grub, then "
        "sudo update-grub && sudo reboot"
    )
