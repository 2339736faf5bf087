"""Loaded by schemathesis: what it cannot know of our API, so that each alarm is one."""

import re
from urllib.parse import unquote

import schemathesis

# Ids out of BPMN and DMN files, which may have letters of all alphabets.
MODEL_IDENTIFIERS = {"activeNodeID", "adHocNodeID", "definitionsID", "processID", "processId"}
DURATION = re.compile(r"(\d+(\.\d+)?(ms|s|m|h|d))+|P.*")


@schemathesis.hook
def filter_case(_context, case):
    """Keeps out what is meant to be wrong and is right: it reads the \\p{L} of a pattern as less than all letters."""
    if case.meta is None or not case.meta.generation.mode.is_negative:
        return True
    given = {**(case.path_parameters or {}), **(case.query or {})}
    return all(not isinstance(value, str) or unquote(value).isascii() for name, value in given.items() if name in MODEL_IDENTIFIERS)


@schemathesis.hook
def before_call(_context, case, _arguments):
    """Keeps requests for jobs from waiting for them, which would take most of the time of a run."""
    if not case.operation.path.endswith("/external-jobs/poll") or not isinstance(case.body, dict):
        return
    timeout = case.body.get("timeout", "30s")
    # One that is wrong on purpose stays so.
    if isinstance(timeout, str) and DURATION.fullmatch(timeout):
        case.body["timeout"] = "0s"
