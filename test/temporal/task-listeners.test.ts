/** Task listeners with the workflow worker killed between every request and every decision about it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { heldCommands } from '@perdure/engine/state/element-data.js';
import { sequenceModel, taskListeners, userTask } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { MortalWorker } from './support/mortal-worker.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let worker: MortalWorker;

beforeAll(async () => {
  host = await openTemporalHost({ worker: false, workflowTaskSeconds: 3 });
  worker = new MortalWorker(host, process.env['PERDURE_FAULT_DEATHS']);
  await host.deploy(
    sequenceModel('p', [
      userTask('a', {
        extensions: taskListeners({ creating: ['c'], assigning: ['x'], completing: ['l1', 'l2'] }),
      }),
    ]),
  );
});
afterEach(() => worker.kill());
afterAll(() => host.close());

async function factsOf(id: string): Promise<Fact[]> {
  const { rows } = await host.store.query<{ facts: Fact[] }>(
    'SELECT facts FROM steps WHERE workflow_id = $1 ORDER BY number',
    [id],
  );
  return rows.flatMap(({ facts }) => facts);
}

/** Once the instance has handled the command and created the job of a listener. */
async function untilHeld(id: string, number: number): Promise<void> {
  await eventually('the request that is held', async () =>
    heldCommands(await host.state(id)).includes(number) ? true : undefined,
  );
}

const jobOf = async (id: string) => (await host.wait(id, 'job', 'a')).id;

const statusOf = async (id: string, number: number) => {
  const { rows } = await host.store.query<{ status: string; due: boolean }>(
    "SELECT status, deliver_at < 'infinity' AS due FROM commands WHERE workflow_id = $1 AND number = $2",
    [id, number],
  );
  return rows[0];
};

test('a worker killed around every request and every listener: each runs once, each request has one outcome, and the history replays', async () => {
  await worker.start();
  const id = await host.start('p');
  const creation = { result: { corrections: { priority: 9 } } };
  await worker.completeJobBetweenDeaths(id, await jobOf(id), creation, { isRepeated: true });
  const { id: task } = await host.wait(id, 'userTask', 'a');

  const claim = await worker.giveBetweenDeaths(id, {
    kind: 'CHANGE_USER_TASK',
    execution: task,
    changes: { assignee: 'ada' },
  });
  await untilHeld(id, claim);
  await worker.completeJobBetweenDeaths(id, await jobOf(id), {}, { isRepeated: true });
  expect(await host.outcome(id, claim)).toMatchObject({ status: 'APPLIED' });

  const completion = { kind: 'COMPLETE_USER_TASK', execution: task } as const;
  const denied = await worker.giveBetweenDeaths(id, completion, { isRepeated: true });
  await untilHeld(id, denied);
  expect(await statusOf(id, denied)).toEqual({ status: 'PENDING', due: false });
  const denial = { result: { denied: true, deniedReason: 'not yet' } };
  await worker.completeJobBetweenDeaths(id, await jobOf(id), denial);
  expect(await host.outcome(id, denied)).toMatchObject({ status: 'REJECTED', code: 'CONFLICT', message: 'not yet' });

  const done = await worker.giveBetweenDeaths(id, { ...completion, variables: { ok: true } }, { isRepeated: true });
  await untilHeld(id, done);
  await worker.completeJobBetweenDeaths(id, await jobOf(id), {});
  expect(await statusOf(id, done)).toEqual({ status: 'PENDING', due: false });
  const correction = { result: { corrections: { assignee: 'eve' } } };
  await worker.completeJobBetweenDeaths(id, await jobOf(id), correction, { isRepeated: true });
  expect(await host.outcome(id, done)).toMatchObject({ status: 'APPLIED' });
  await host.handle(id).result();

  const facts = await factsOf(id);
  expect(facts.flatMap((fact) => (fact.kind === 'JOB_CREATED' ? [fact.taskType] : []))).toEqual([
    'c',
    'x',
    'l1',
    'l1',
    'l2',
  ]);
  expect(facts.filter(({ kind }) => kind === 'USER_TASK_COMPLETED')).toHaveLength(1);
  expect((await host.state(id)).elements[1]!.variables).toEqual({ ok: true });
  const { rows } = await host.store.query('SELECT status, assignee, priority FROM user_tasks WHERE workflow_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ status: 'COMPLETED', assignee: 'eve', priority: 9 }]);
  await host.replay(id);
}, 240_000);
