/** Handles the end of a called instance. */
import { throwEscalation } from '../behaviors/waiting/escalations.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { trigger } from '../behaviors/waiting/waits.js';
import type { ChildOutcome } from '../contract/commands.js';
import type { Failure } from '../failure.js';
import { openWait, record } from '../run.js';
import { APPLIED, rejected, type Handler } from './handler.js';

export const endChild: Handler<'END_CHILD'> = (run, command) => {
  const { execution, outcome } = command;
  const child = openWait(run, 'child', execution);
  if (!child) return rejected('CONFLICT', `Called instance ${execution} is no longer open`);
  record(run, { kind: 'CHILD_ENDED', child: child.id });
  if (outcome.status === 'COMPLETED') trigger(run, child, outcome.variables);
  else fail(run, run.state.elements[child.element]!, failureOf(outcome, child.node));
  return APPLIED;
};

/** Handles an escalation of the called instance that something around the call activity catches. */
export const escalateChild: Handler<'ESCALATE_CHILD'> = (run, command) => {
  const { execution, escalationCode, variables } = command;
  const child = openWait(run, 'child', execution);
  if (!child) return rejected('CONFLICT', `Called instance ${execution} is no longer open`);
  throwEscalation(run, run.state.elements[child.element]!, escalationCode, variables);
  return APPLIED;
};

function failureOf(outcome: Exclude<ChildOutcome, { status: 'COMPLETED' }>, node: string): Failure {
  switch (outcome.status) {
    case 'ERROR':
      return {
        errorType: 'BpmnError',
        errorCode: outcome.errorCode,
        message: outcome.message ?? `The process called by ${node} ended with error ${outcome.errorCode}`,
        ...(outcome.variables && { variables: outcome.variables }),
      };
    case 'CANCELED':
      return {
        errorType: 'CallActivityCanceled',
        message: `The instance called by ${node} was canceled${outcome.reason ? `: ${outcome.reason}` : ''}`,
      };
    case 'REFUSED':
      return { errorType: 'NoHandler', message: outcome.message };
  }
}
