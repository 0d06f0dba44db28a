"""Where tier `srt` differs from the sandbox contract: the test's name, and why.

A deviation is checked, not skipped: the contract runs the test and it has to fail.
"""

from collections.abc import Mapping
from types import MappingProxyType

_NO_NETWORK = "srt opens the network by lists of domains only, so a policy that opens it is refused"
_NO_COPIES = "srt has no copy-on-write view of a folder, so private copies are refused"
_SAME_MACHINE = "the machine's name is the host's"

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
    }
)
"""Name of a test (or of one of its cases) to the reason."""
