"""Where tier `srt` differs from the sandbox contract: the test's name, and why.

A deviation is checked, not skipped: the contract runs the test and it has to fail.
"""

from collections.abc import Mapping
from types import MappingProxyType

_NO_NETWORK = "srt opens the network by lists of domains only, so a policy that opens it is refused"
_NO_COPIES = "srt has no copy-on-write view of a folder, so private copies are refused"
_SAME_MACHINE = "the machine's name is the host's"
_SHARED_FILES = "srt binds the host's own files, and locks are kept where the file is"

SRT_DEVIATIONS: Mapping[str, str] = MappingProxyType(
    {
        "test_a_server_of_the_host_is_reached_where_the_policy_allows_it": _NO_NETWORK,
        "test_a_socket_file_of_the_host_cannot_be_reached[with_network]": _NO_NETWORK,
        "test_an_abstract_socket_of_the_host_cannot_be_reached[with_network]": _NO_NETWORK,
        "test_changes_of_a_private_copy_are_listed_and_the_original_is_untouched": _NO_COPIES,
        "test_a_change_that_hides_its_time_is_listed": _NO_COPIES,
        "test_the_next_execution_has_a_fresh_copy": _NO_COPIES,
        "test_a_copy_that_resists_is_compared_all_the_same": _NO_COPIES,
        "test_a_deep_tree_in_a_copy_does_no_harm": _NO_COPIES,
        "test_a_socket_file_in_a_copied_folder_cannot_be_reached": _NO_COPIES,
        "test_the_machine_of_a_disguise_has_its_own_name_and_files": _SAME_MACHINE,
        "test_originals_and_layers_are_out_of_sight": _NO_COPIES,
        "test_a_heap_of_new_files_hides_no_edit": _NO_COPIES,
        "test_a_list_that_is_complete_says_so": _NO_COPIES,
        "test_a_tree_too_deep_to_be_listed_is_told": _NO_COPIES,
        "test_marks_of_the_file_system_cannot_be_forged": _NO_COPIES,
        "test_marks_in_the_original_hide_nothing": _NO_COPIES,
        "test_limits_of_its_keeper_do_not_empty_the_list": _NO_COPIES,
        "test_names_that_are_no_text_are_told_apart": _NO_COPIES,
        "test_many_names_that_are_no_text_are_answered": _NO_COPIES,
        "test_a_file_replaced_by_a_folder_lists_what_is_in_it": _NO_COPIES,
        "test_locks_of_the_host_are_neither_seen_nor_felt": _SHARED_FILES,
    }
)
"""Name of a test (or of one of its cases) to the reason."""
