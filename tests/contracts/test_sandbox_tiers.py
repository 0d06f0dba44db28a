"""The shipped contract on every tier, as whoever runs the tests; what a tier lacks is named.

`REVERIE_TEST_TIERS` (names, separated by commas) says which tiers this machine is expected to
have; without it all are, and one that is not there fails with the reason.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import IsolationUnavailable
from reverie.model.execution import Expression, Request, Script
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.backends import cgroups
from reverie.sandbox.engine import Sandbox
from reverie.testing.sandbox import SandboxContract

IS_ROOT = os.geteuid() == 0
HAS_CGROUP = cgroups.find_site() is not None
EXPECTED = os.environ.get("REVERIE_TEST_TIERS", "namespaces,landlock,none").split(",")

Deviations = dict[str, str]

PRIVATE_COPIES: Deviations = {
    "test_changes_of_a_private_copy_are_listed_and_the_original_is_untouched": "refused",
    "test_a_change_that_hides_its_time_is_listed": "refused",
    "test_the_next_execution_has_a_fresh_copy": "refused",
    "test_a_copy_that_resists_is_compared_all_the_same": "refused",
    "test_a_deep_tree_in_a_copy_does_no_harm": "refused",
    "test_a_socket_file_in_a_copied_folder_cannot_be_reached": "refused",
    "test_originals_and_layers_are_out_of_sight": "refused",
    "test_a_heap_of_new_files_hides_no_edit": "refused",
    "test_a_list_that_is_complete_says_so": "refused",
    "test_a_tree_too_deep_to_be_listed_is_told": "refused",
    "test_marks_of_the_file_system_cannot_be_forged": "refused",
    "test_marks_in_the_original_hide_nothing": "refused",
    "test_limits_of_its_keeper_do_not_empty_the_list": "refused",
    "test_names_that_are_no_text_are_told_apart": "refused",
    "test_many_names_that_are_no_text_are_answered": "refused",
    "test_a_file_replaced_by_a_folder_lists_what_is_in_it": "refused",
}
"""They need a mount namespace: the policy is refused in advance."""

HOST_DISK: Deviations = {
    "test_disk_space_is_limited": "scratch is a folder of the host; only file size is limited",
    "test_the_number_of_files_is_limited": "scratch is a folder of the host",
}

SAME_MACHINE: Deviations = {
    "test_the_machine_of_a_disguise_has_its_own_name_and_files": "the machine's name is the host's",
}

LANDLOCK: Deviations = {
    **PRIVATE_COPIES,
    **SAME_MACHINE,
    **HOST_DISK,
    "test_a_program_runs[files]": "Landlock does not govern modes and times: chmod is refused",
    "test_a_program_runs[multiprocessing_pool]": "no new processes",
    "test_a_program_runs[multiprocessing_queue]": "no new processes",
    "test_a_program_runs[shared_memory]": "no /dev/shm of its own",
    "test_a_program_runs[subprocess]": "no new processes",
    "test_a_program_runs[local_server]": "without a network namespace: no internet sockets",
    "test_shared_memory_is_gone": "no /dev/shm of its own",
    "test_a_fork_that_comes_back_does_not_answer": "no new processes: EPERM",
    "test_time_of_children_that_nobody_waits_for_is_counted": "no new processes: EPERM",
    "test_numbers_and_counters_say_nothing_about_the_execution_before": "numbers are the host's",
    "test_a_program_locks_its_own_files": "inodes are the host's: no flock, and no new processes",
    "test_memory_of_a_tree_of_processes_is_limited": "no new processes: EPERM",
    "test_processes_are_limited": "no new processes at all: EPERM, not a limit",
    "test_processes_of_its_own_can_be_changed_and_ended": "no new processes: EPERM",
}

NONE: Deviations = {
    **PRIVATE_COPIES,
    **SAME_MACHINE,
    **HOST_DISK,
    "test_the_checkout_is_not_shown": "nothing is hidden",
    "test_a_file_that_is_not_shown_cannot_be_read": "nothing is hidden",
    "test_the_home_folder_is_not_shown": "nothing is hidden",
    "test_one_file_can_be_shown_alone": "nothing is hidden",
    "test_files_of_the_host_cannot_be_changed": "the user's own rights apply",
    "test_metadata_of_the_host_s_files_cannot_be_changed": "the user's own rights apply",
    "test_another_python_is_as_closed_in_as_ours": "nothing is hidden",
    "test_a_preload_is_closed_in_too": "nothing is hidden",
    "test_shared_memory_is_gone": "/dev/shm is the host's",
    "test_dangerous_system_calls_are_refused": "no system call filter",
    "test_namespaces_cannot_be_made": "no system call filter",
    "test_a_terminal_cannot_be_typed_into": "no system call filter",
    "test_unusual_sockets_cannot_be_made": "no system call filter",
    "test_a_server_of_the_host_cannot_be_reached": "the network is the host's",
    "test_a_socket_file_of_the_host_cannot_be_reached": "nothing stops connect()",
    "test_an_abstract_socket_of_the_host_cannot_be_reached": "the network is the host's",
    "test_the_environment_of_other_processes_cannot_be_read": "/proc is the host's",
    "test_other_processes_cannot_be_seen": "/proc is the host's",
    "test_other_processes_cannot_be_asked_about": "processes are the host's",
    "test_other_processes_cannot_be_signalled": "processes are the host's",
    "test_its_keeper_cannot_be_killed": "processes are the host's",
    "test_other_processes_cannot_be_slowed_down_or_limited": "processes are the host's",
    "test_a_datagram_reaches_no_socket_of_the_host": "no system call filter",
    "test_a_name_that_the_host_has_taken_is_not_found_out": "the network is the host's",
    "test_locks_of_the_host_are_neither_seen_nor_felt": "inodes are the host's",
    "test_nobody_is_told_what_the_host_opens": "inodes are the host's",
    "test_a_named_pipe_of_the_host_carries_nothing": "inodes are the host's",
    "test_pages_of_shown_files_are_neither_seen_nor_dropped": "no system call filter",
    "test_flags_of_folders_cannot_be_set": "no system call filter",
    "test_numbers_and_counters_say_nothing_about_the_execution_before": "numbers are the host's",
    "test_its_keeper_cannot_be_changed": "processes are the host's",
    "test_no_number_below_its_own_can_be_named": "processes are the host's",
    "test_the_kernel_sends_no_signal_for_it": "processes are the host's",
    "test_an_interpreter_is_closed_in_before_it_runs": "nothing is closed in",
}

NONE_AS_ROOT: Deviations = {
    "test_the_system_cannot_be_written": "it is root",
    "test_a_device_cannot_be_made": "it is root",
    "test_no_privilege_is_left_or_can_be_had": "it is root",
    "test_being_refused_is_an_error_like_any_other": "it is root",
}

WITHOUT_CGROUP_LANDLOCK: Deviations = {
    "test_threads_are_limited": "the kernel counts tasks per user; a cgroup would per slot",
}

WITHOUT_CGROUP: Deviations = {
    "test_time_of_children_that_nobody_waits_for_is_counted[reaped_by_nobody]": (
        "the kernel forgets what a child has used that it reaps itself; a cgroup does not"
    ),
}

WITHOUT_CGROUP_NONE: Deviations = {
    **WITHOUT_CGROUP,
    "test_threads_are_limited": "the kernel counts tasks per user; a cgroup would per slot",
    "test_processes_are_limited": "the kernel counts tasks per user; a cgroup would per slot",
}


class TierContract(SandboxContract):
    """What holds here besides the shipped contract."""

    tier: TierChoice
    __test__ = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__test__ = True

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with Sandbox(SandboxSection(tier=cls.tier)) as sandbox:
            try:
                sandbox.run(Request(Expression("1")))
            except IsolationUnavailable as error:
                if cls.tier in EXPECTED:
                    pytest.fail(f"{error} (REVERIE_TEST_TIERS names the tiers to expect)", False)
                pytest.skip(f"{cls.tier} is not expected here: {error}")
            yield sandbox

    def test_it_is_the_tier_that_was_asked_for(self, sandbox: Sandbox) -> None:
        assert sandbox.tier == self.tier.tier
        assert sandbox.run(Request(Expression("1"))).isolation is sandbox.tier

    def test_the_checkout_is_not_shown(self, sandbox: Sandbox, root: Path) -> None:
        code = f"open({str(root / 'pyproject.toml')!r}).read()"
        assert not sandbox.run(Request(Script(code))).succeeded


class TestNamespaces(TierContract):
    tier = TierChoice.NAMESPACES
    reasons = {} if HAS_CGROUP else WITHOUT_CGROUP
    deviations = frozenset(reasons)


class TestLandlock(TierContract):
    tier = TierChoice.LANDLOCK
    reasons = LANDLOCK | ({} if HAS_CGROUP else WITHOUT_CGROUP_LANDLOCK)
    deviations = frozenset(reasons)


class TestNone(TierContract):
    tier = TierChoice.NONE
    reasons = NONE | (NONE_AS_ROOT if IS_ROOT else {}) | ({} if HAS_CGROUP else WITHOUT_CGROUP_NONE)
    deviations = frozenset(reasons)
