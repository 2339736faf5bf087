/** The outcome of a command to an instance. */
import { printable } from '@perdure/lib/trust/printable.js';
import type { Schemas } from '@perdure/client';
import { exitCodes } from './command.js';
import { show, type Terminal } from './terminal.js';

/** How long the host waits for the instance before it answers that the command is pending. */
export const untilApplied = { Prefer: 'wait=30' } as const;

type Outcome = Pick<Schemas['BpmnCommand'], 'commandID' | 'status' | 'message'>;

/**
 * Shows what the instance did. Responses without a body mean that the command has taken effect.
 *
 * @returns the exit code
 */
export function showOutcome(terminal: Terminal, outcome: Outcome | undefined, done: string): number {
  const isPending = outcome?.status === 'PENDING';
  show(terminal, outcome ?? { status: 'APPLIED' }, () => [
    printable(isPending ? describePending(outcome) : [done, outcome?.message].filter(Boolean).join('. ')),
  ]);
  return isPending ? exitCodes.pending : exitCodes.done;
}

function describePending({ commandID }: Outcome): string {
  return (
    `Accepted as command ${commandID}, but not carried out yet. A suspended instance carries it out when it ` +
    'resumes; a request for a task can wait for listeners of the task. Run perdure show WORKFLOW_ID to see its state.'
  );
}
