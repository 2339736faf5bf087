/** The parts that the commands for batches share. */
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Invocation } from '../../command.js';
import type { Host } from '../../host.js';
import { show } from '../../terminal.js';

export type Batch = Schemas['BpmnBatch'];

export const exampleBatch = '5f0c9a0e-58f4-4a7e-9d3c-6f2f6a1b7c21';

const BETWEEN_LOOKS_MS = 500;

export function readBatch({ client, projectID }: Host, batchID: string, signal: AbortSignal): Promise<Batch> {
  const params = { path: { projectID, batchID } };
  return unwrap<Batch>(client.GET('/projects/{projectID}/bpmn/batches/{batchID}', { params, signal }));
}

/** One line whenever something has changed, until the batch has ended or is paused. */
export async function follow(invocation: Invocation, host: Host, batchID: string): Promise<number> {
  const { terminal, signal } = invocation;
  let said = '';
  for (;;) {
    const batch = await readBatch(host, batchID, signal);
    const line = progressOf(batch);
    if (line !== said) show(terminal, batch, () => [line]);
    said = line;
    if (batch.completedAt !== undefined || batch.status === 'PAUSED') return exitCodeOf(batch);
    await delay(BETWEEN_LOOKS_MS, undefined, { signal });
  }
}

/** `RUNNING [#####---------------]  25 %  applied 100, rejected 2 of 408` */
export function progressOf({ status, total, counts }: Batch): string {
  const part = total === 0 ? 1 : (total - counts.pending) / total;
  const filled = Math.floor(part * BAR);
  const outcomes = Object.entries(counts)
    .filter(([name, count]) => name !== 'pending' && count > 0)
    .map(([name, count]) => `${name} ${count}`);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}]`;
  const percent = String(Math.floor(part * 100)).padStart(3);
  return `${status} ${bar} ${percent} %  ${outcomes.join(', ') || 'nothing yet'} of ${total}`;
}

const BAR = 20;

/** Items that were skipped had nothing to do. */
function exitCodeOf({ counts, completedAt }: Batch): number {
  if (completedAt === undefined) return exitCodes.pending;
  return counts.rejected + counts.failedAgain + counts.canceled === 0 ? exitCodes.done : exitCodes.refused;
}
