"""Schemathesis hooks for properties of the API that it cannot know, so that it reports no false alarms."""

import re
from urllib.parse import unquote

import schemathesis

# Ids from BPMN and DMN files, which can contain letters of all alphabets.
MODEL_IDENTIFIERS = {"activeNodeID", "adHocNodeID", "definitionsID", "processID", "processId"}
DURATION = re.compile(r"(\d+(\.\d+)?(ms|s|m|h|d))+|P.*")


@schemathesis.hook
def filter_case(_context, case):
    """Drops negative cases that are in fact valid: schemathesis takes the \\p{L} of a pattern for fewer letters than it matches."""
    if case.meta is None or not case.meta.generation.mode.is_negative:
        return True
    given = {**(case.path_parameters or {}), **(case.query or {})}
    return all(not isinstance(value, str) or unquote(value).isascii() for name, value in given.items() if name in MODEL_IDENTIFIERS)


@schemathesis.hook
def before_call(_context, case, _arguments):
    """Disables the wait of job polls, which would take most of the time of a run."""
    if not case.operation.path.endswith("/external-jobs/poll") or not isinstance(case.body, dict):
        return
    timeout = case.body.get("timeout", "30s")
    # A timeout that is invalid on purpose stays so.
    if isinstance(timeout, str) and DURATION.fullmatch(timeout):
        case.body["timeout"] = "0s"
