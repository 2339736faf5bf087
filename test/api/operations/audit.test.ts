/** The audit log: exactly one entry per change, with its actor, and none for anything else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../api/operations/index.js';
import { recordedOperations } from '../../../console/screens/audit/operations.js';
import { adHocSubProcess, sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { decision, dmn, literal } from '../../dmn/support.js';
import { startTestHost, type Called, type TestHost } from './support/host.js';
import { deploy, jobOf, start, takeJob, until, untilStatus } from './support/steps.js';

let host: TestHost;
/** Definitions by the kind of wait of their only activity. */
let jobs: string;
let tasks: string;
let adHoc: string;

beforeAll(async () => {
  host = await startTestHost();
  jobs = await deploy(host, sequenceModel('jobs', [serviceTask('work')]));
  tasks = await deploy(host, sequenceModel('tasks', [userTask('approve')]));
  adHoc = await deploy(
    host,
    sequenceModel('adHoc', [adHocSubProcess('free', [serviceTask('one')], [], { until: '=enough' })]),
  );
});
afterAll(() => host.close());

type Role = 'admin' | 'editor' | 'executor' | 'viewer';
const send = (role: Role, method: string, path: string, json?: unknown) =>
  host.call(role, method, path, json === undefined ? {} : { json });

const entries = async (query: string) =>
  (await host.call('admin', 'GET', `/audit?pageSize=100&${query}`)).body.data as Record<string, unknown>[];

async function openTask(): Promise<{ workflowID: string; key: string }> {
  const workflowID = await start(host, tasks);
  const look = () => host.call('executor', 'GET', `/bpmn/instances/${workflowID}/user-tasks`);
  const { body } = await until(look, ({ body: page }) => page.data.length === 1);
  return { workflowID, key: body.data[0].executionKey };
}

async function openJob(): Promise<{ workflowID: string; key: string }> {
  const workflowID = await start(host, jobs);
  return { workflowID, key: (await jobOf(host, workflowID)).executionKey };
}

async function incident(): Promise<{ workflowID: string; id: string }> {
  const { workflowID, key } = await openJob();
  await send('executor', 'POST', `/bpmn/external-jobs/${key}/error`, { errorCode: 'E', retryable: false });
  const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
  const { body } = await until(look, ({ body: page }) => page.data.length === 1);
  return { workflowID, id: body.data[0].incidentID };
}

async function draft(): Promise<string> {
  const xml = sequenceModel(`draft${Math.trunc(performance.now() * 1000)}`, [userTask('t')]);
  return (await send('editor', 'POST', '/bpmn/resources', { name: 'd', xml })).body.id;
}

async function keptMessage(): Promise<string> {
  return (await send('executor', 'POST', '/bpmn/messages', { messageName: 'nobody waits' })).body.publicationID;
}

async function batch(): Promise<string> {
  const workflowIDs = [await start(host, tasks)];
  const { body } = await send('editor', 'POST', '/bpmn/batches', { operation: 'CANCEL', workflowIDs });
  return body.batchID;
}

async function decisions(): Promise<string> {
  const xml = dmn(decision('d', literal('1')));
  return (await send('editor', 'POST', '/dmn/definitions', { name: 'd', xml })).body.id;
}

async function ended(): Promise<string> {
  const { workflowID, key } = await openJob();
  await send('executor', 'POST', `/bpmn/external-jobs/${key}/complete`, { workflowID });
  await untilStatus(host, workflowID, 'COMPLETED');
  return workflowID;
}

interface Change {
  role: Role;
  /** Sends the request. What it needs was made before. */
  request(): Promise<Called>;
}

/** One request per changing operation. `prepare` may change something too, so it comes first. */
const changes: { readonly [operationID: string]: () => Promise<Change> } = {
  StartBpmnInstance: async () => ({
    role: 'executor',
    request: () => send('executor', 'POST', '/bpmn/instances', { processDefinitionID: tasks }),
  }),
  CancelBpmnInstance: async () => {
    const workflowID = await start(host, tasks);
    return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/instances/${workflowID}?reason=wrong`) };
  },
  UpdateBpmnInstanceVariables: async () => {
    const { workflowID } = await openTask();
    const path = `/bpmn/instances/${workflowID}/variables`;
    return { role: 'editor', request: () => send('editor', 'PUT', path, { variables: { a: 1 }, reason: 'why' }) };
  },
  EraseBpmnInstance: async () => {
    const workflowID = await ended();
    return { role: 'admin', request: () => send('admin', 'DELETE', `/bpmn/instances/${workflowID}/history`) };
  },
  SuspendBpmnInstance: async () => {
    const { workflowID } = await openTask();
    return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`) };
  },
  ResumeBpmnInstance: async () => {
    const { workflowID } = await openTask();
    await send('admin', 'POST', `/bpmn/instances/${workflowID}/suspend`);
    return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/instances/${workflowID}/resume`) };
  },
  SuspendBpmnDefinition: async () => {
    const definitionID = await deploy(host, sequenceModel('suspended', [userTask('t')]));
    return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/definitions/${definitionID}/suspend`) };
  },
  ResumeBpmnDefinition: async () => {
    const definitionID = await deploy(host, sequenceModel('resumed', [userTask('t')]));
    return { role: 'admin', request: () => send('admin', 'POST', `/bpmn/definitions/${definitionID}/resume`) };
  },
  ModifyBpmnInstance: async () => {
    const { workflowID } = await openTask();
    const instructions = [{ type: 'START_BEFORE_NODE', nodeID: 'approve' }];
    const path = `/bpmn/instances/${workflowID}/modify`;
    return { role: 'admin', request: () => send('admin', 'POST', path, { instructions }) };
  },
  MigrateBpmnInstance: async () => {
    const workflowID = await start(host, await deploy(host, sequenceModel('moved', [userTask('t')])));
    await deploy(host, sequenceModel('moved', [userTask('t'), userTask('u')]));
    const path = `/bpmn/instances/${workflowID}/migrate`;
    return { role: 'editor', request: () => send('editor', 'POST', path, { targetVersion: 2 }) };
  },
  MigrateBpmnInstances: async () => {
    const definitionID = await deploy(host, sequenceModel('movedAll', [userTask('t')]));
    await start(host, definitionID);
    await deploy(host, sequenceModel('movedAll', [userTask('t'), userTask('u')]));
    const path = `/bpmn/definitions/${definitionID}/migrate`;
    return { role: 'editor', request: () => send('editor', 'POST', path, { targetVersion: 2 }) };
  },
  CompleteBpmnUserTask: async () => {
    const { key } = await openTask();
    const path = `/bpmn/user-tasks/${key}/complete`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { variables: { ok: true } }) };
  },
  ThrowBpmnUserTaskError: async () => {
    const { key } = await openTask();
    const path = `/bpmn/user-tasks/${key}/error`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { errorCode: 'E' }) };
  },
  ClaimBpmnUserTask: async () => {
    const { key } = await openTask();
    return { role: 'executor', request: () => send('executor', 'POST', `/bpmn/user-tasks/${key}/claim`) };
  },
  UnclaimBpmnUserTask: async () => {
    const { key } = await openTask();
    return { role: 'executor', request: () => send('executor', 'POST', `/bpmn/user-tasks/${key}/unclaim`) };
  },
  UpdateBpmnUserTaskAssignment: async () => {
    const { key } = await openTask();
    return { role: 'executor', request: () => send('executor', 'PATCH', `/bpmn/user-tasks/${key}`, { priority: 70 }) };
  },
  AddBpmnUserTaskComment: async () => {
    const { key } = await openTask();
    const path = `/bpmn/user-tasks/${key}/comments`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { text: 'secret words' }) };
  },
  CompleteBpmnExternalJob: async () => {
    const { workflowID, key } = await openJob();
    const path = `/bpmn/external-jobs/${key}/complete`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { workflowID }) };
  },
  ThrowBpmnExternalJobError: async () => {
    const { key } = await openJob();
    const path = `/bpmn/external-jobs/${key}/error`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { errorCode: 'E', retryable: true }) };
  },
  CompleteBpmnExternalJobsBatch: async () => {
    const { workflowID, key } = await openJob();
    const items = [{ executionKey: key, workflowID }];
    return {
      role: 'executor',
      request: () => send('executor', 'POST', '/bpmn/external-jobs/batch/complete', { items }),
    };
  },
  ThrowBpmnExternalJobErrorsBatch: async () => {
    const { workflowID, key } = await openJob();
    const items = [{ executionKey: key, workflowID, errorCode: 'E' }];
    return { role: 'executor', request: () => send('executor', 'POST', '/bpmn/external-jobs/batch/error', { items }) };
  },
  UpdateBpmnExternalJob: async () => {
    const { key } = await openJob();
    return { role: 'editor', request: () => send('editor', 'PATCH', `/bpmn/external-jobs/${key}`, { retries: 7 }) };
  },
  ResolveBpmnIncident: async () => {
    const { workflowID, id } = await incident();
    const path = `/bpmn/instances/${workflowID}/incidents/${id}/resolve`;
    return { role: 'editor', request: () => send('editor', 'POST', path, { reason: 'fixed' }) };
  },
  TriggerBpmnAdHocNode: async () => {
    const workflowID = await start(host, adHoc, { variables: { enough: false } });
    const path = `/bpmn/instances/${workflowID}/adhoc/free/trigger`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { nodeID: 'one' }) };
  },
  SetBpmnAdHocVariables: async () => {
    const workflowID = await start(host, adHoc, { variables: { enough: false } });
    const path = `/bpmn/instances/${workflowID}/adhoc/free/variables`;
    return { role: 'executor', request: () => send('executor', 'POST', path, { variables: { x: 1 } }) };
  },
  PublishBpmnMessage: async () => ({
    role: 'executor',
    request: () => send('executor', 'POST', '/bpmn/messages', { messageName: 'm', variables: { v: 1 } }),
  }),
  PublishBpmnSignal: async () => ({
    role: 'executor',
    request: () => send('executor', 'POST', '/bpmn/signals', { signalName: 's' }),
  }),
  DeleteBpmnPublication: async () => {
    const id = await keptMessage();
    return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/publications/${id}?reason=twice`) };
  },
  CreateBpmnBatch: async () => {
    const workflowIDs = [await start(host, tasks)];
    const json = { operation: 'CANCEL', workflowIDs, reason: 'all wrong' };
    return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/batches', json) };
  },
  PauseBpmnBatch: async () => {
    const id = await batch();
    return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/pause`) };
  },
  ResumeBpmnBatch: async () => {
    const id = await batch();
    return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/resume`) };
  },
  CancelBpmnBatch: async () => {
    const id = await batch();
    return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/batches/${id}/cancel`) };
  },
  CreateBpmnResource: async () => {
    const json = { name: 'r', xml: sequenceModel('r', [userTask('t')]) };
    return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/resources', json) };
  },
  UpdateBpmnResource: async () => {
    const id = await draft();
    const json = { name: 'r', xml: sequenceModel('u', [userTask('t')]) };
    return { role: 'editor', request: () => send('editor', 'PUT', `/bpmn/resources/${id}`, json) };
  },
  DeployBpmnResource: async () => {
    const id = await draft();
    return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/resources/${id}/deploy`, { reason: 'r7' }) };
  },
  DeleteBpmnResource: async () => {
    const id = await draft();
    return { role: 'editor', request: () => send('editor', 'DELETE', `/bpmn/resources/${id}?reason=old`) };
  },
  StartBpmnTestInstance: async () => {
    const id = await draft();
    await send('editor', 'POST', `/bpmn/resources/${id}/deploy`);
    return { role: 'editor', request: () => send('editor', 'POST', `/bpmn/resources/${id}/test`) };
  },
  DeployBpmnBundle: async () => {
    const files = [{ name: 'b.bpmn', content: sequenceModel('bundled', [userTask('t')]) }];
    return { role: 'editor', request: () => send('editor', 'POST', '/bpmn/deployments', { files, reason: 'r8' }) };
  },
  CreateDefinition: async () => {
    const json = { name: 'new', xml: dmn(decision('new', literal('1'))).replace('id="model"', 'id="new"') };
    return { role: 'editor', request: () => send('editor', 'POST', '/dmn/definitions', json) };
  },
  UpdateDefinition: async () => {
    const id = await decisions();
    const json = { name: 'd', xml: dmn(decision('d', literal('2'))) };
    return { role: 'editor', request: () => send('editor', 'PUT', `/dmn/definitions/${id}`, json) };
  },
  DeleteDefinition: async () => {
    const id = await decisions();
    return { role: 'editor', request: () => send('editor', 'DELETE', `/dmn/definitions/${id}`) };
  },
  ChangeProjectSettings: async () => ({
    role: 'admin',
    request: () => send('admin', 'PATCH', '/settings', { description: 'changed' }),
  }),
  PutProjectMember: async () => ({
    role: 'admin',
    request: () => send('admin', 'PUT', '/members/somebody', { role: 'viewer' }),
  }),
  DeleteProjectMember: async () => ({ role: 'admin', request: () => send('admin', 'DELETE', '/members/somebody') }),
};

/** Outside a project; its entry is in the project that it creates. */
const ELSEWHERE = ['CreateProject'];

describe('an operation that changes something', () => {
  it('declares how it is recorded', () => {
    const undeclared = operations.filter(({ method, records }) => method !== 'GET' && records === undefined);
    expect(undeclared.map(({ operationID }) => operationID)).toEqual([]);
  });

  const recorded = operations
    .filter(({ records }) => records !== undefined && records !== 'none')
    .map(({ operationID }) => operationID)
    .sort();

  it('has a request here', () => {
    expect([...Object.keys(changes), ...ELSEWHERE].sort()).toEqual(recorded);
  });

  it('is a filter of the console', () => {
    expect([...recordedOperations].sort()).toEqual(recorded);
  });

  it.each(Object.entries(changes))(
    '%s leaves exactly one entry, with its actor',
    { timeout: 60_000 },
    async (operation, prepare) => {
      const { role, request } = await prepare();
      const before = await entries(`operation=${operation}`);
      const answer = await request();
      const known = new Set(before.map(({ id }) => id));
      const after = (await entries(`operation=${operation}`)).filter(({ id }) => !known.has(id));
      expect(after, JSON.stringify(answer.body)).toHaveLength(1);
      expect(after[0]).toMatchObject({ actor: role, actorType: 'PERSON', via: 'REST', operation });
      expect(after[0]!['requestID']).toBe(answer.headers.get('x-request-id') ?? after[0]!['requestID']);
    },
  );
});

describe('an entry', () => {
  it('shows who approved an order, when, and why, by one request', async () => {
    const { workflowID, key } = await openTask();
    const answer = await send('executor', 'POST', `/bpmn/user-tasks/${key}/complete`, {
      variables: { approved: true },
      reason: 'within budget',
    });
    expect(answer.status).toBe(200);
    expect(await entries(`workflowID=${workflowID}&operation=CompleteBpmnUserTask`)).toMatchObject([
      { actor: 'executor', outcome: 'APPLIED', reason: 'within budget', names: ['approved'], executionKey: key },
    ]);
  });

  it('never has a value', async () => {
    const { key, workflowID } = await openTask();
    const secret = 'marker-7f3a';
    await send('executor', 'POST', `/bpmn/user-tasks/${key}/comments`, { text: secret });
    await send('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { variables: { a: secret } });
    await send('executor', 'POST', '/bpmn/messages', { messageName: 'm', variables: { a: secret } });
    await send('executor', 'POST', '/bpmn/instances', { processDefinitionID: tasks, businessId: secret });
    const { rows } = await host.store.query('SELECT 1 FROM audit_entries a WHERE a::text LIKE $1', [`%${secret}%`]);
    expect(rows).toEqual([]);
  });

  it('takes over the refusal of the instance', async () => {
    const workflowID = await start(host, adHoc, { variables: { enough: true } });
    await send('executor', 'POST', `/bpmn/instances/${workflowID}/adhoc/free/trigger`, { nodeID: 'one' });
    const found = await entries(
      `workflowID=${workflowID}&outcome=REJECTED,APPLIED,PENDING&operation=TriggerBpmnAdHocNode`,
    );
    for (const entry of found) expect(entry['outcome']).not.toBe('PENDING');
  });

  it('of a batch names the batch for each item', async () => {
    const workflowIDs = [await start(host, tasks), await start(host, tasks)];
    const { body } = await send('editor', 'POST', '/bpmn/batches', {
      operation: 'SET_VARIABLES',
      workflowIDs,
      variables: { a: 1 },
    });
    const look = () => entries(`batchID=${body.batchID}`);
    const found = await until(look, (all) => all.filter(({ outcome }) => outcome === 'APPLIED').length === 3);
    expect(found.map(({ via, operation }) => `${via} ${operation}`).sort()).toEqual([
      'BATCH UpdateBpmnInstanceVariables',
      'BATCH UpdateBpmnInstanceVariables',
      'REST CreateBpmnBatch',
    ]);
  });
});

describe('no entry', () => {
  const count = async () => (await host.call('admin', 'GET', '/audit')).body.pagination.total as number;

  it('is left by the work of job workers, dry runs, and refused requests', async () => {
    const { workflowID } = await openJob();
    const before = await count();
    const job = await takeJob(host, 'work');
    await send('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/heartbeat`, { clientID: 'worker-1' });
    await send('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      workflowID: job.workflowID,
      clientID: 'worker-1',
    });
    await send('viewer', 'POST', '/bpmn/instances', { processDefinitionID: jobs });
    await send('executor', 'POST', '/bpmn/instances', { processDefinitionID: jobs, more: 1 });
    await send('editor', 'DELETE', `/bpmn/resources/${crypto.randomUUID()}`);
    await send('editor', 'POST', '/bpmn/batches', { operation: 'CANCEL', workflowIDs: [workflowID], dryRun: true });
    await send('editor', 'POST', '/bpmn/deployments', {
      files: [{ name: 'x.bpmn', content: sequenceModel('dry', [userTask('t')]) }],
      dryRun: true,
    });
    expect(await count()).toBe(before);
  });

  it('is left by the repeat of a request under its key', async () => {
    const begin = () =>
      host.call('executor', 'POST', '/bpmn/instances', {
        json: { processDefinitionID: tasks },
        headers: { 'Idempotency-Key': 'audit-once' },
      });
    const first = await begin();
    const before = await count();
    expect((await begin()).body.workflowID).toBe(first.body.workflowID);
    expect(await count()).toBe(before);
  });
});

describe('the log', () => {
  it('is for admins only', async () => {
    expect((await host.call('editor', 'GET', '/audit')).status).toBe(404);
  });

  it('is streamed whole, in either order', async () => {
    const all = async (order: string) => {
      const answer = await host.api.request('GET', `/projects/p1/audit?order=${order}`, {
        token: await host.token('admin'),
        headers: { Accept: 'application/x-ndjson' },
      });
      return (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id as string);
    };
    const oldestFirst = await all('asc');
    expect(oldestFirst.length).toBeGreaterThan(50);
    expect(await all('desc')).toEqual(oldestFirst.toReversed());
  });
});
