/** Handles the result of a decision that a business rule task requested. */
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import type { DecisionEvaluation } from '../contract/commands.js';
import { openWait, record, type Run } from '../run.js';

/** A result without an open wait is dropped: its task was interrupted in the meantime. */
export function takeEvaluation(run: Run, { execution, outcome }: DecisionEvaluation): void {
  const wait = run.state.status === 'RUNNING' ? openWait(run, 'decision', execution) : undefined;
  if (!wait) return;
  if (outcome.status === 'EVALUATED') {
    const { value, definitionID, version } = outcome;
    record(run, { kind: 'DECISION_EVALUATED', decision: wait.id, definitionID, version });
    trigger(run, wait, { result: value });
  } else {
    const { errorType, errorCode, message } = outcome;
    record(run, { kind: 'DECISION_FAILED', decision: wait.id, message });
    fail(run, run.state.elements[wait.element]!, { errorType, message, ...(errorCode !== undefined && { errorCode }) });
  }
}
