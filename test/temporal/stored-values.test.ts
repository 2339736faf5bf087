import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { endEvent, exclusiveGateway, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';
import type { Activities } from '../../activities/index.js';
import { findDiverged } from '../../host/admin/resync/find-diverged.js';
import { startAgain } from '../../host/admin/resync/repair.js';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

vi.setConfig({ testTimeout: 120_000 });

const RUN_ID = /^[0-9a-f-]{36}$/;
/** A state that Temporal gets as a reference to Postgres. */
const load = 'x'.repeat(300_000);

/** The same with a branch that is never taken, so that Temporal gets the graph as a reference to Postgres. */
const largeJobLoop = processModel(
  'largeJobLoop',
  [
    startEvent('start'),
    exclusiveGateway('again', { default: 'go' }),
    serviceTask('work'),
    ...Array.from({ length: 40 }, (_, index) => scriptTask(`large${index}`, `="${'x'.repeat(5_000)}"`, 'large')),
    endEvent('end'),
  ],
  [
    'a: start -> again',
    'go: again -> work',
    'more: work -> again',
    'b: again -> large0 =false',
    ...Array.from({ length: 39 }, (_, index) => `l${index}: large${index} -> large${index + 1}`),
    'c: large39 -> end',
  ],
);

let server: RotatingServer;
let host: TemporalHost;
/** An instance whose worker stops as it commits a rotation: another worker takes up the next run. */
let stopsAtRotation: string | undefined;
let stopping: Promise<void> | undefined;

function stoppingAtRotations(activities: Activities): Activities {
  return {
    ...activities,
    async exchange(asked) {
      const answer = await activities.exchange(asked);
      if (asked.kind === 'commit' && asked.commit.inputs.rotate && asked.commit.workflowID === stopsAtRotation) {
        stopsAtRotation = undefined;
        stopping = host.stopWorker();
      }
      return answer;
    },
  };
}

beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, maxRotations: 1000, wrap: stoppingAtRotations });
  await host.deploy(jobLoop);
});
afterEach(async () => {
  const { rows } = await host.store.query<{ id: string }>(
    "SELECT workflow_id AS id FROM instances WHERE status = 'RUNNING'",
  );
  for (const { id } of rows) await host.command(id, { kind: 'CANCEL_INSTANCE' });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

/** Completes jobs until the worker has stopped between two runs: the next one has no workflow task yet. */
async function stopBetweenRuns(id: string): Promise<void> {
  for (;;) {
    stopping = undefined;
    stopsAtRotation = id;
    const isStopping = async () => (stopping ? true : undefined);
    // The worker may stop before it has the last result; the next one takes it.
    while (!stopping) await Promise.race([host.completeJob(id, 'work'), eventually('the rotation', isStopping)]);
    await stopping;
    if (!(await host.events(id)).includes('TaskStarted')) return;
    // That result came while the run was about to end, so it did not.
    await host.startWorker();
  }
}

/** Another worker, which knows the instance from its history only. */
async function replaceWorker(): Promise<void> {
  await host.stopWorker();
  await host.startWorker();
}

async function rotate(id: string): Promise<void> {
  const before = await host.rotations(id);
  while ((await host.rotations(id)) === before) await host.completeJob(id, 'work');
  await host.completeJob(id, 'work');
}

/** The runs with stored values of the instance, each once. */
async function storers(id: string): Promise<string[]> {
  const { rows } = await host.store.query<{ storedBy: string }>(
    'SELECT DISTINCT stored_by AS "storedBy" FROM stored_payloads WHERE workflow_id = $1 ORDER BY 1',
    [id],
  );
  return rows.map(({ storedBy }) => storedBy);
}

test('a run whose first workflow task comes days after its start keeps its input, and another worker can take it up', async () => {
  const id = await host.start('jobLoop', { rounds: 1000, load });
  await rotate(id);
  await stopBetweenRuns(id);
  await daysPass(id);
  await host.startWorker();
  await host.completeJob(id, 'work');
  await replaceWorker();
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
  expect((await host.command(id, { kind: 'CANCEL_INSTANCE' })).status).toBe('APPLIED');
});

/** Whatever shows how old the values are says three days. */
async function daysPass(id: string): Promise<void> {
  const { rows } = await host.store.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'stored_payloads' AND data_type LIKE 'timestamp%'",
  );
  for (const { name } of rows)
    await host.store.query(`UPDATE stored_payloads SET ${name} = now() - interval '3 days' WHERE workflow_id = $1`, [
      id,
    ]);
}

test('an instance that rotates again and again keeps the values of its start and of its last two runs', async () => {
  const id = await host.start('jobLoop', { rounds: 1000, load });
  const seen = new Set<string>();
  for (let rotation = 1; rotation <= 5; rotation += 1) {
    await rotate(id);
    await host.command(id, { kind: 'SET_VARIABLES', variables: { load: `${rotation}${load}` } });
    const found = await storers(id);
    for (const storer of found) seen.add(storer);
    expect(found.filter((storer) => !RUN_ID.test(storer))).toEqual(['start']);
    expect(found.length).toBeLessThanOrEqual(3);
  }
  expect(seen.size).toBeGreaterThanOrEqual(6);
});

test('two runs that store the same value, as a large graph, do not lose it when the first of them is over', async () => {
  await host.deploy(largeJobLoop);
  const id = await host.start('largeJobLoop', { rounds: 1000 });
  for (let rotation = 0; rotation < 3; rotation += 1) {
    await rotate(id);
    const { rows } = await host.store.query(
      'SELECT sha256 FROM stored_payloads WHERE workflow_id = $1 GROUP BY sha256 HAVING count(*) = 2',
      [id],
    );
    expect(rows).toHaveLength(1);
    await replaceWorker();
    expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
  }
});

test('a run that was reset, twice, continues, rotates, and leaves nothing behind', async () => {
  const id = await host.start('jobLoop', { rounds: 1000, load });
  await rotate(id);
  await rotate(id);
  for (let reset = 0; reset < 2; reset += 1) {
    await host.command(id, { kind: 'SET_VARIABLES', variables: { load: `${reset}${load}` } });
    const copy = await resetToAnEarlierTask(id);
    await host.command(id, { kind: 'SET_VARIABLES', variables: { load: `again ${reset}${load}` } });
    await replaceWorker();
    expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
    // Its values are those of the run that was reset.
    expect(await storers(id)).not.toContain(copy);
  }
  for (let rotation = 0; rotation < 3; rotation += 1) {
    await rotate(id);
    await replaceWorker();
  }
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
  expect(await storers(id)).toHaveLength(2);
});

async function runOf(id: string): Promise<string> {
  return (await host.handle(id).describe()).runId;
}

/** Copies the history of the current run, except its last workflow task, into a new run, whose id comes back. */
async function resetToAnEarlierTask(id: string): Promise<string> {
  const runId = await runOf(id);
  // A step is committed before its task is complete.
  const tasks = await eventually('a complete workflow task', async () => {
    const { events } = await host.handle(id).fetchHistory();
    const complete = events!.filter((event) => event.workflowTaskCompletedEventAttributes);
    return complete.length > 0 ? complete : undefined;
  });
  const { runId: copy } = await host.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: id, runId },
    reason: 'by hand',
    workflowTaskFinishEventId: tasks.at(-1)!.eventId,
    requestId: `${runId}-reset`,
  });
  return copy;
}

test('a resync whose first workflow task comes days later keeps its input, and what runs before it stored is removed', async () => {
  const id = await host.start('jobLoop', { rounds: 1000, load });
  await rotate(id);
  await rotate(id);
  const before = (await storers(id)).filter((storer) => RUN_ID.test(storer));
  await stopBetweenRuns(id);
  for (let time = 0; time < 2; time += 1)
    expect(await startAgain(host.store, host.instances, id)).toMatch(/^restarted at step/);
  await daysPass(id);
  expect(await storers(id)).toEqual(expect.arrayContaining(before.slice(1)));
  await host.startWorker();
  await host.completeJob(id, 'work');
  expect((await storers(id)).filter((storer) => before.includes(storer))).toEqual([]);
  await replaceWorker();
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
  await rotate(id);
  await rotate(id);
  await replaceWorker();
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
});

test('an instance that was started and not taken up for days has its start', async () => {
  await host.stopWorker();
  const id = await host.start('jobLoop', { rounds: 1000, load });
  await daysPass(id);
  expect(await storers(id)).toEqual(['start']);
  await host.startWorker();
  await rotate(id);
  await replaceWorker();
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
});

test('an instance whose values were lost is diverged, and a resync restarts it from its rows', async () => {
  const id = await host.start('jobLoop', { rounds: 1000, load });
  await rotate(id);
  await rotate(id);
  await startAgain(host.store, host.instances, id);
  await rotate(id);
  await rotate(id);
  const options = { store: host.store, client: host.client, taskQueue: host.taskQueue, settleMilliseconds: 0 };
  expect((await findDiverged(options)).diverged).toEqual([]);
  await host.stopWorker();
  await host.store.query('DELETE FROM stored_payloads WHERE workflow_id = $1', [id]);
  expect((await findDiverged(options)).diverged).toEqual([
    { workflowID: id, hasRows: true, found: expect.stringMatching(/^RUNNING, at step \d+; Table stored_payloads has/) },
  ]);
  await startAgain(host.store, host.instances, id);
  expect((await findDiverged(options)).diverged).toEqual([]);
  await host.startWorker();
  expect((await host.completeJob(id, 'work')).status).toBe('APPLIED');
});
