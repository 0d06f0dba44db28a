"""What is told of an environment that lacks something."""

from reverie.environment.making import in_short


def test_an_installer_is_quoted_without_its_alarms() -> None:
    failure = (
        "ERROR: Cannot install shop~=2.3 because these package versions have conflicting "
        "dependencies.\nERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/"
    )
    assert in_short(failure) == (
        "Cannot install shop~=2.3 because these package versions have conflicting dependencies."
    )
    assert in_short("No matching distribution found for shop") == (
        "No matching distribution found for shop"
    )
