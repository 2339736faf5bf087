/** Halts an instance that keeps working without waiting for anything, before it has cost much. */
import { MAX_UNBROKEN_CHARACTERS, MAX_UNBROKEN_STEPS } from '../../budget.js';
import { record, type Run } from '../../run.js';
import { haltInstance } from './halt.js';

const MAX_NAMED = 3;

/** Resolving the incident grants the same amount of work again. */
export function haltWhenUnbroken(run: Run): void {
  const { steps, written } = run.state.unbroken!;
  if (steps < MAX_UNBROKEN_STEPS && written < MAX_UNBROKEN_CHARACTERS) return;
  haltInstance(run, {
    errorType: 'RotationLimitError',
    errorCode: 'LOOP_WITHOUT_WAIT',
    message:
      `The instance took ${steps} steps in a row and wrote ${written} characters without waiting for anything; the limit is ${MAX_UNBROKEN_STEPS} steps or ${MAX_UNBROKEN_CHARACTERS} characters. ` +
      `Most active in its last step: ${busiestNodes(run)}. Check there for a loop without a wait, then resolve this incident to let the instance continue.`,
  });
  // Resolving the incident resets the count and causes joins and conditions to be checked again.
  record(run, { kind: 'STEP_SETTLED' });
}

function busiestNodes({ facts }: Run): string {
  const counts = new Map<string, number>();
  for (const fact of facts)
    if (fact.kind === 'ELEMENT_ACTIVATED') counts.set(fact.node, (counts.get(fact.node) ?? 0) + 1);
  const busiest = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_NAMED);
  return busiest.map(([node, count]) => `${node} (${count} times)`).join(', ') || 'no element';
}
