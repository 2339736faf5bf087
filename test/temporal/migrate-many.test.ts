import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBatch } from '../../store/batches/batches.js';
import { createBatch } from '../../store/batches/create.js';
import { instanceConditions } from '../../store/instances/filters.js';
import { completeJob } from '../../store/work/job-ends.js';
import { repositoryRoot } from '../../dev/repository.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { untilAllAgree } from '../support/agreement.js';
import { eventually } from '../support/eventually.js';
import { temporalAddress } from '../support/infrastructure.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const INSTANCES = 60;

let host: TemporalHost;
const children: ChildProcess[] = [];
beforeAll(async () => {
  host = await openTemporalHost({ worker: false, outboxRelay: false, workflowTaskSeconds: 3 });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await host.close();
});

/** A worker with outbox relay in its own process, which can be killed. */
async function startWorkerProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(repositoryRoot, 'dist', 'host', 'main.js')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      PERDURE_ROLES: 'worker',
      DATABASE_URL: host.databaseUrl,
      TEMPORAL_ADDRESS: await temporalAddress(),
      TEMPORAL_TASK_QUEUE: host.taskQueue,
    },
  });
  children.push(child);
  return child;
}

const version = (task: string, more = '') =>
  processModel(
    'many',
    [startEvent('start'), serviceTask(task), more, endEvent('end')],
    [`a: start -> ${task}`, more ? [`b: ${task} -> added`, 'c: added -> end'] : `b: ${task} -> end`],
  );

test('a migration of many instances survives the death of its worker, with jobs completed all the while', async () => {
  await host.deploy(version('before'));
  const ids = await Promise.all(Array.from({ length: INSTANCES }, () => host.start('many')));
  let worker = await startWorkerProcess();
  const jobs = await Promise.all(ids.map(async (id) => ({ id, number: (await host.wait(id, 'job', 'before')).id })));
  const first = (await host.row(ids[0]!)).definitionID;
  await host.deploy(version('renamed', serviceTask('added')));
  const accepted = await createBatch(host.store, {
    projectID: project,
    operation: 'MIGRATE',
    targets: { kind: 'instances', matching: instanceConditions(project, { definitionID: first }) },
    input: {
      migration: {
        targetVersion: 2,
        elementMappings: [{ sourceElementID: 'before', targetElementID: 'renamed' }],
      },
    },
    sourceDefinitionID: first,
    createdBy: 'tester',
    itemsPerSecond: 30,
  });
  if (accepted.kind !== 'created') throw new Error(`${accepted.total} targets are too many`);

  const progress = async () => (await findBatch(host.store, project, accepted.batchID))!;
  const completing = completeEveryThird(jobs);
  await eventually('the first tenth', async () =>
    (await progress()).counts.APPLIED >= INSTANCES / 10 ? true : undefined,
  );
  worker.kill('SIGKILL');
  await host.forgetWorker(...ids);
  worker = await startWorkerProcess();
  await completing;
  const done = await eventually('the end of the migration', async () => {
    const now = await progress();
    return now.completedAt ? now : undefined;
  });

  // Either order is right: a job completed before the migration ended its instance in the old version.
  const ended = await host.store.query<{ id: string }>(
    "SELECT workflow_id AS id FROM instances WHERE status = 'COMPLETED'",
  );
  expect(done).toMatchObject({
    total: INSTANCES,
    counts: { APPLIED: INSTANCES - ended.rows.length, SKIPPED: ended.rows.length, REJECTED: 0, PENDING: 0 },
  });
  const asked = await host.store.query<{ most: number }>(
    "SELECT max(count)::integer AS most FROM (SELECT count(*) FROM commands WHERE body ->> 'kind' = 'MIGRATE' GROUP BY workflow_id) counted",
  );
  expect(asked.rows).toEqual([{ most: 1 }]);
  for (const { id } of jobs.filter((_, index) => index % 3 === 0)) {
    await eventually(`the completion at ${id}`, async () => {
      const { status, elements } = await host.state(id);
      return status === 'COMPLETED' || Object.values(elements).some(({ node }) => node === 'added') ? true : undefined;
    });
  }
  await untilAllAgree(host.store, host.client);
}, 180_000);

/** As the API does for a worker that holds no lease. */
async function completeEveryThird(jobs: readonly { id: string; number: number }[]): Promise<void> {
  for (const { id, number } of jobs.filter((_, index) => index % 3 === 0)) {
    const written = await completeJob(host.store, { workflowID: id, projectID: project, number, awaited: false });
    if (written.kind === 'submitted') await host.instances.signal(id, written.command).catch(() => undefined);
  }
}
