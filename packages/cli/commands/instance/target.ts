/** Shared by the commands on one instance. */
import type { Invocation, Option } from '../../command.js';
import type { Host } from '../../host.js';

export const reasonOption = {
  reason: { type: 'string', value: 'TEXT', help: 'why, for the record of the instance' },
} as const satisfies { [name: string]: Option };

export function reasonOf({ option }: Pick<Invocation, 'option'>): { reason?: string } {
  const reason = option('reason');
  return reason === undefined ? {} : { reason };
}

/** The path parameters of the instance that the first operand names. */
export function instanceOf({ projectID }: Host, { operands }: Pick<Invocation, 'operands'>) {
  return { projectID, workflowID: operands[0]! };
}

export const exampleInstance = '9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11';
