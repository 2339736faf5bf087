/** Restarts of instances that are erased, removed, or redacted at the same time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restartBpmnInstance } from '../../api/operations/instances/restart.js';
import { redactInstance } from '../../store/redaction/redact.js';
import { eraseInstance, eraseInstanceIn } from '../../store/retention/erase.js';
import { startTestApi, type TestApi } from '../api/support/api.js';
import { read } from '../api/operations/support/host.js';
import { untilBlocked } from './support/blocked.js';
import { began, commitStep, deploy, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ store: store.database, operations: [restartBpmnInstance] });
});
afterAll(() => api?.close());

async function restart(workflowID: string, json: object = {}, headers: Record<string, string> = {}) {
  const token = await api.issuer.sign({ projects: [{ id: projectID, roles: ['executor'] }] });
  const path = `/projects/${projectID}/bpmn/instances/${workflowID}/restart`;
  return read(await api.request('POST', path, { token, json, headers }));
}

/** An instance that began with `total: 1` and ended with `total: 2`. */
async function ended(): Promise<{ workflowID: string; definitionID: string }> {
  const { definitionID } = await deploy(store);
  const workflowID = await start(store, { definitionID, variables: { total: 1 } });
  const total = (value: number) => ({ kind: 'VARIABLES_SET' as const, scope: 1, variables: { total: value } });
  await commitStep(store, workflowID, 1, [...began, total(1)], { variables: { total: 1 } });
  await commitStep(store, workflowID, 2, [total(2), { kind: 'INSTANCE_COMPLETED' }], { variables: { total: 2 } });
  return { workflowID, definitionID };
}

const restartsOf = (workflowID: string) =>
  valueOf<number>(store, 'SELECT count(*)::int AS value FROM instances WHERE restarted_from = $1', [workflowID]);
const variablesOf = (workflowID: string) =>
  valueOf(store, 'SELECT variables AS value FROM instances WHERE workflow_id = $1', [workflowID]);

describe('a restart', () => {
  it.each([
    ['INITIAL', 'steps'],
    ['LAST', 'definitions'],
  ])(
    'from %s variables of an instance that is erased in the middle of it starts nothing',
    async (variablesFrom, table) => {
      const { workflowID, definitionID } = await ended();
      const { answer } = await store.database.transaction(async (eraser) => {
        // The restart has found the instance, and waits to read what it needs next.
        await eraser.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const waiting = restart(workflowID, { variablesFrom, processDefinitionID: definitionID });
        await untilBlocked(store);
        expect((await eraseInstanceIn(eraser, { projectID, workflowID })).kind).toBe('changed');
        await eraser.query('DELETE FROM steps WHERE workflow_id = $1', [workflowID]);
        return { answer: waiting };
      });
      expect((await answer).status).toBe(404);
      expect(await restartsOf(workflowID)).toBe(0);
    },
  );

  it('that is repeated with its key after the erasure of the ended instance gets its first response', async () => {
    const { workflowID } = await ended();
    const headers = { 'Idempotency-Key': `again-${workflowID}` };
    const first = await restart(workflowID, {}, headers);
    expect(first.status).toBe(201);
    expect((await eraseInstance(store.database, { projectID, workflowID })).kind).toBe('changed');
    expect(await restart(workflowID, {}, headers)).toMatchObject({ status: 201, body: first.body });
    expect((await restart(workflowID, { variablesFrom: 'LAST' }, headers)).status).toBe(409);
    expect((await restart(workflowID)).status).toBe(404);
    expect(await restartsOf(workflowID)).toBe(1);
  });

  it('of a redacted instance has null for the redacted variables', async () => {
    const { workflowID } = await ended();
    await redactInstance(store.database, { projectID, workflowID, variables: ['total'] });
    for (const variablesFrom of ['INITIAL', 'LAST']) {
      const { status, body } = await restart(workflowID, { variablesFrom });
      expect(status).toBe(201);
      expect(await variablesOf(body.workflowID)).toEqual({ total: null });
    }
  });
});
