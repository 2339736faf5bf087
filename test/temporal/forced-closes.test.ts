/**
 * Temporal fails a workflow task during which more than 100 signals arrive, and leases a new one while the worker still
 * works on the old one. The worker continues under the new task, so the history has signals before answers that came first.
 */
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command } from '@perdure/engine/contract/commands.js';
import { endEvent, multiInstance, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

const RESULTS = 1_000;
const { WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND: FORCE_CLOSE } = temporal.api.enums.v1.WorkflowTaskFailedCause;

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost({ hot: true });
  await host.deploy(
    processModel(
      'many',
      [startEvent('start'), serviceTask('work', { loop: multiInstance('=items') }), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
  );
});
afterAll(() => host?.close());

async function openJobs(workflowID: string): Promise<number[]> {
  const { rows } = await host.store.query<{ number: number }>(
    "SELECT number FROM jobs WHERE workflow_id = $1 AND status = 'PENDING' AND ending_command IS NULL ORDER BY number",
    [workflowID],
  );
  return rows.map(({ number }) => number);
}

/** Writes the result and signals it, whether or not the instance will read it by number. */
async function completeAndSignal(workflowID: string, execution: number): Promise<void> {
  const { command, delivery } = await host.submit(workflowID, { kind: 'COMPLETE_JOB', execution });
  await Promise.all([host.deliver(workflowID, command, delivery), signal(workflowID, command)]);
}

async function signal(workflowID: string, command: Command): Promise<void> {
  await host.instances.signal(workflowID, command).catch(() => undefined);
}

test('an instance whose workflow tasks are closed by force under a worker that continues ends, and its history replays', async () => {
  const id = await host.start('many', { items: Array.from({ length: RESULTS }, (_, index) => index) });
  const given = new Set<number>();
  await eventually('all results', async () => {
    const jobs = (await openJobs(id)).filter((job) => !given.has(job));
    for (const job of jobs) given.add(job);
    await Promise.all(jobs.map((job) => completeAndSignal(id, job)));
    return given.size === RESULTS ? true : undefined;
  });
  expect((await host.ended(id)).status).toBe('COMPLETED');
  await host.handle(id).result();
  const history = await host.handle(id).fetchHistory();
  const closed = history.events!.filter(
    ({ workflowTaskFailedEventAttributes: failed }) => failed?.cause === FORCE_CLOSE,
  );
  expect(closed.length, 'workflow tasks that were closed by force').toBeGreaterThan(0);
  await host.replay(id, history);
}, 120_000);
