/** Outcomes of requests that listeners of a user task have decided about. */
import type { CommandOutcome } from '../contract/commands.js';
import type { Fact } from '../contract/facts.js';
import { APPLIED, rejected, type Verdict } from './handler.js';

/** The outcomes of the commands that `facts` name. */
export function heldOutcomes(facts: readonly Fact[]): CommandOutcome[] {
  return facts.flatMap((fact) => {
    const verdict = verdictOf(fact);
    return verdict && 'command' in fact && fact.command !== undefined ? [{ number: fact.command, ...verdict }] : [];
  });
}

function verdictOf(fact: Fact): Verdict | undefined {
  switch (fact.kind) {
    case 'USER_TASK_COMPLETED':
    case 'USER_TASK_CHANGED':
      return APPLIED;
    case 'USER_TASK_DENIED':
      return rejected('CONFLICT', fact.reason ?? `A listener of user task ${fact.task} denied the request`);
    case 'USER_TASK_CANCELED':
      return rejected('CONFLICT', `User task ${fact.task} is no longer open: ${fact.reason}`);
    default:
      return undefined;
  }
}
