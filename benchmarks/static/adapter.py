"""Answer one labelled-case question: `{"code": …}` on stdin, a verdict on stdout."""

import json
import sys

from reverie.model.outcome import TrustTier
from reverie.sandbox.safety import RuleSet, check_source


def main() -> None:
    """Judge at tier `sandbox`, the strictest."""
    request = json.load(sys.stdin)
    rules = RuleSet.default()
    checked = check_source(request["code"], "<case>", TrustTier.SANDBOX, rules)
    failing = {rule.id for rule in rules if rule.fails_at(TrustTier.SANDBOX)}
    found = sorted({finding.rule for finding in checked.findings} & failing)
    json.dump({"dangerous": not checked.passed, "rules": found}, sys.stdout)


if __name__ == "__main__":
    main()
