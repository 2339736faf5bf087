/** Looks of connectors at executions, with a Temporal that refuses calls for some of them. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { runnerID } from '../../connectors/temporal/executions.js';
import { watch } from '../../connectors/temporal/watch.js';
import { executionKey } from '../../store/sql/ids.js';
import { recordBeginning, recordStart } from '../../store/work/executions/executions.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { silent } from '../support/host-services.js';
import { commitStep, deploy, projectID, startWithJob, useStore } from '../store/support/store.js';

const store = useStore();
const JOB = 3;
const clientID = 'connectors-temporal';

let definitionID: string;
beforeAll(async () => {
  ({ definitionID } = await deploy(store));
});
afterEach(() => store.database.query('TRUNCATE temporal_executions, jobs'));

/** A job that waits for its execution. */
async function executing(): Promise<{ workflowID: string; id: string }> {
  const workflowID = await startWithJob(store, 'temporal:activity', { definitionID });
  const types = [{ taskType: 'temporal:activity', lockDurationMilliseconds: 30_000 }];
  const [leased] = await pollJobs(store.database, { projectID, clientID, types, maxJobs: 1 });
  expect(leased?.executionKey).toBe(executionKey(workflowID, JOB));
  const key = { workflowID, number: JOB };
  await recordBeginning(store.database, key, { clientID, leaseToken: leased!.leaseToken });
  await recordStart(store.database, key, 'run');
  return { workflowID, id: runnerID(key) };
}

/** @returns the id of an execution whose job has ended without it */
async function abandoned(): Promise<string> {
  const { workflowID, id } = await executing();
  await commitStep(store, workflowID, 2, [{ kind: 'JOB_CANCELED', job: JOB, reason: 'The token moved on' }]);
  return id;
}

/** A Temporal where everything runs. It refuses to describe some executions. */
function watching(refused: (id: string) => boolean) {
  const described: string[] = [];
  const canceled: string[] = [];
  const getHandle = (id: string) => ({
    describe: async () => {
      described.push(id);
      if (refused(id)) throw new Error('Temporal refuses it');
      const { rows } = await store.database.query<{ token: string }>(
        `SELECT token FROM temporal_executions WHERE $1 LIKE '%' || workflow_id || '%'`,
        [id],
      );
      return { runId: 'run', memo: { perdureToken: rows[0]?.token }, status: { name: 'RUNNING' } };
    },
    cancel: async () => void canceled.push(id),
  });
  const client = { workflow: { getHandle }, withDeadline: (_end: number, work: () => unknown) => work() };
  const context = { store: store.database, logger: silent, client, deliver: () => undefined };
  return { run: () => watch(context as never), described, canceled };
}

it('an execution that cannot be canceled fails the run, and the others are canceled and checked', async () => {
  const stuck = await abandoned();
  const other = await abandoned();
  const { id: awaited } = await executing();
  await store.database.query("UPDATE temporal_executions SET look_at = now() - interval '1 second'");
  const { run, described, canceled } = watching((id) => id === stuck);
  await expect(run()).rejects.toThrow('Temporal refuses it');
  expect(new Set(canceled)).toEqual(new Set([other]));
  expect(described).toContain(awaited);
});

it('executions that cannot be canceled, however many, do not keep a later one from being canceled', async () => {
  const stuck = new Set<string>();
  for (let count = 1; count <= 20; count += 1) stuck.add(await abandoned());
  const later = await abandoned();
  await store.database.query("UPDATE temporal_executions SET look_at = now() + interval '1 hour'");
  const { run, canceled } = watching((id) => stuck.has(id));
  await expect(run()).rejects.toThrow('Temporal refuses it');
  await run();
  expect(canceled).toEqual([later]);
});
