import { unwrap } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { reasonOf, reasonOption } from '../instance/target.js';
import { show } from '../../terminal.js';
import { exampleBatch, progressOf, readBatch } from './shared.js';

function control(verb: 'pause' | 'resume' | 'cancel', summary: string, details?: string): Command {
  return {
    name: `batch ${verb}`,
    role: 'editor',
    operands: 'BATCH_ID',
    summary,
    ...(details !== undefined && { details }),
    examples: [`perdure batch ${verb} ${exampleBatch}`],
    minOperands: 1,
    maxOperands: 1,
    options: reasonOption,
    async run(invocation) {
      const { operands, signal, terminal } = invocation;
      const batchID = operands[0]!;
      const host = await invocation.host();
      const params = { path: { projectID: host.projectID, batchID } };
      await unwrap(
        host.client.POST(`/projects/{projectID}/bpmn/batches/{batchID}/${verb}`, {
          params,
          body: reasonOf(invocation),
        }),
      );
      const batch = await readBatch(host, batchID, signal);
      show(terminal, batch, () => [progressOf(batch)]);
      return exitCodes.done;
    },
  };
}

export const pauseBatch = control(
  'pause',
  'Pause a batch',
  'No further item is begun; at most 50 that are begun are finished.',
);
export const resumeBatch = control('resume', 'Resume a paused batch');
export const cancelBatch = control(
  'cancel',
  'Cancel a batch',
  'Items that are not begun are canceled. What was done stays.',
);
