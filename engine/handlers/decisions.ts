/** A decision that a business rule task asked for has been evaluated. */
import { fail } from '../behaviors/failures.js';
import { trigger } from '../behaviors/waits.js';
import type { DecisionAnswer } from '../commands.js';
import { record, type Run } from '../run.js';
import { openWait } from './handler.js';

/** An answer that nothing waits for any more is dropped: its task was interrupted meanwhile. */
export function takeAnswer(run: Run, { execution, outcome }: DecisionAnswer): void {
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
