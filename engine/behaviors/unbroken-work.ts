/** An instance that works on and on without waiting for anything: it is held before it has cost much. */
import { MOST_UNBROKEN_CHARACTERS, MOST_UNBROKEN_STEPS } from '../budget.js';
import { record, type Run } from '../run.js';
import { hold } from './hold.js';

const MOST_NAMED = 3;

/** Resolving the incident grants the same amount of work again. */
export function holdWhenUnbroken(run: Run): void {
  const { steps, written } = run.state.unbroken!;
  if (steps < MOST_UNBROKEN_STEPS && written < MOST_UNBROKEN_CHARACTERS) return;
  hold(run, {
    errorType: 'RotationLimitError',
    errorCode: 'LOOP_WITHOUT_WAIT',
    message:
      `The instance took ${steps} steps in a row and wrote ${written} characters without waiting for anything; ${MOST_UNBROKEN_STEPS} steps or ${MOST_UNBROKEN_CHARACTERS} characters are allowed. ` +
      `Most active in its last step: ${busiestNodes(run)}. Look for a loop without a wait there; resolve this incident to let the instance continue.`,
  });
  // The count begins anew when the incident is resolved; joins and conditions are looked at again then.
  record(run, { kind: 'STEP_SETTLED' });
}

function busiestNodes({ facts }: Run): string {
  const counts = new Map<string, number>();
  for (const fact of facts) if (fact.kind === 'ELEMENT_ACTIVATED') counts.set(fact.node, (counts.get(fact.node) ?? 0) + 1);
  const busiest = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_NAMED);
  return busiest.map(([node, count]) => `${node} (${count} times)`).join(', ') || 'no element';
}
