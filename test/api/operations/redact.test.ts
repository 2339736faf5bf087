/** Redacting and erasing over HTTP: the values are in no answer, table, Temporal history, or log line afterward. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  multiInstance,
  on,
  processModel,
  root,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  userTask,
} from '@perdure/testkit/models';
import { dropExpired } from '../../store/support/expired.js';
import { forgetSignalPayloads } from '../../../store/messages/signals.js';
import { deleteBehindRemoved } from '../../../store/retention/retention.js';
import { deleteErasedWorkflows } from '../../../worker/erasure/erased-workflows.js';
import { eventually } from '../../support/eventually.js';
import { tablesWith } from '../../support/tables-with.js';
import { startTestHost, type TestHost } from './support/host.js';
import { deploy, start, takeJob, untilStatus } from './support/steps.js';

let host: TestHost;
let definitionID: string;

const MARKER = 'marker-7f3a';
const NAMES = ['item', 'items', 'results', 'secret'];
/** Enough for a step with a snapshot. */
const ITEMS = 36;

beforeAll(async () => {
  host = await startTestHost();
  await deploy(host, sequenceModel('called', [serviceTask('inside'), scriptTask('copy', '=secret', 'item')]));
  definitionID = await deploy(
    host,
    processModel(
      'calling',
      [
        startEvent('start'),
        userTask('approve', { inputs: { item: '=secret' } }),
        serviceTask('each', { loop: multiInstance('=items', { sequential: true, output: '=item', into: 'results' }) }),
        catchEvent('waitForNote', on.message('note')),
        catchEvent('waitForAlarm', on.signal('alarm')),
        callActivity('call', 'called', { propagateAllChildVariables: true }),
        boundaryEvent('failed', 'call', on.error()),
        endEvent('end'),
      ],
      [
        'start -> approve',
        'approve -> each',
        'each -> waitForNote',
        'waitForNote -> waitForAlarm',
        'waitForAlarm -> call',
        'call -> end',
        'failed -> end',
      ].map((flow, index) => `f${index}: ${flow}`),
      [root.message('note', '="any"'), root.signal('alarm')],
    ),
  );
}, 120_000);
afterAll(() => host.close());

const instance = (workflowID: string, rest = '') => `/bpmn/instances/${workflowID}${rest}`;
const get = async (path: string) => {
  const { status, body } = await host.call('admin', 'GET', path);
  expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  return body;
};
const post = async (path: string, json: object, role: 'executor' | 'editor' | 'admin' = 'executor') => {
  const answer = await host.call(role, 'POST', path, { json });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const redact = (workflowID: string, variables: readonly string[], role: 'admin' | 'editor' = 'admin') =>
  host.call(role, 'POST', instance(workflowID, '/redact'), { json: { variables, reason: 'on request' } });

async function finish(taskType: string, variables: object): Promise<string> {
  const { executionKey, workflowID } = await takeJob(host, taskType);
  await post(`/bpmn/external-jobs/${executionKey}/complete`, { workflowID, clientID: 'worker-1', variables });
  return workflowID as string;
}

interface Tree {
  workflowID: string;
  child: string;
}

/** Plays the process with the marker in everything that comes from outside. */
async function ended(marker: string, count = 2): Promise<Tree> {
  const items = Array.from({ length: count }, () => marker);
  const workflowID = await start(host, definitionID, { variables: { secret: marker, items, kept: 'kept' } });
  const open = () => get(instance(workflowID, '/user-tasks'));
  const [task] = (await eventually(open, ({ data }) => data.length === 1)).data;
  await post(`/bpmn/user-tasks/${task.executionKey}/complete`, { variables: { secret: marker } });
  for (let nth = 0; nth < count; nth += 1) await finish('each', { secret: marker });
  await post('/bpmn/messages', {
    messageName: 'note',
    correlationKeys: 'any',
    variables: { secret: marker },
    ttl: '1m',
  });
  const isAt = async (node: string) => (await get(instance(workflowID))).activeScopes[0]?.activeNodes[node] > 0;
  await eventually(() => isAt('waitForAlarm'), Boolean);
  const large = marker.repeat(2_000);
  await post('/bpmn/signals', { signalName: 'alarm', variables: { secret: large }, ttl: '1m' });
  const child = await finish('inside', { secret: marker });
  await untilStatus(host, workflowID, 'COMPLETED');
  return { workflowID, child };
}

/** Every read of an instance. */
async function readsOf(workflowID: string): Promise<string[]> {
  const facts = await get(instance(workflowID, '/replay/facts?pageSize=1'));
  const paths = [
    '',
    '/variables',
    '/result',
    '/history?pageSize=100',
    '/replay/facts?pageSize=100',
    '/timeline',
    '/external-jobs?pageSize=100',
    '/user-tasks',
    '/children',
    '/waits',
    '/incidents',
    ...Array.from({ length: Math.ceil(facts.pagination.total / 7) }, (_, index) => `/replay?at=${index * 7}`),
  ].map((rest) => instance(workflowID, rest));
  const lists = [
    '/bpmn/instances',
    '/bpmn/external-jobs?status=COMPLETED&pageSize=100',
    '/bpmn/user-tasks',
    '/audit?pageSize=100',
  ];
  return Promise.all([...paths, ...lists].map(async (path) => `${path} ${JSON.stringify(await get(path))}`));
}

/** Remains of the marker outside instances: messages and signals, until their time to live has ended. */
async function expirePublications(): Promise<void> {
  await host.store.query("UPDATE publications SET expires_at = now() - interval '10 minutes'");
  await dropExpired(host.store);
  await forgetSignalPayloads(host.store);
}

/** Deletes workflows as the worker does, and waits until Temporal knows none. */
async function untilTemporalForgets({ workflowID, child }: Tree): Promise<void> {
  await host.store.query("UPDATE erased_instances SET erased_at = now() - interval '1 hour'");
  const left = async () => {
    await host.store.query('UPDATE erased_instances SET due_at = now()');
    await deleteErasedWorkflows({ store: host.store, client: host.client }, new AbortController().signal);
    const { rowCount } = await host.store.query('SELECT FROM erased_instances WHERE workflow_id = ANY($1)', [
      [workflowID, child],
    ]);
    return rowCount;
  };
  await eventually(left, (count) => count === 0);
  for (const id of [workflowID, child])
    await expect(host.client.workflow.getHandle(id).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
}

describe('redacting variables', () => {
  it('leaves their values in no read, table, Temporal history, or log line', { timeout: 120_000 }, async () => {
    const tree = await ended(MARKER, ITEMS);
    const { workflowID, child } = tree;
    expect((await readsOf(workflowID)).some((text) => text.includes(MARKER))).toBe(true);
    const before = await tablesWith(host.store, MARKER);
    expect(before).toEqual(expect.arrayContaining(['commands', 'instances', 'jobs', 'steps', 'user_tasks']));
    const { rows } = await host.store.query('SELECT FROM steps WHERE workflow_id = $1 AND snapshot IS NOT NULL', [
      workflowID,
    ]);
    expect(rows.length).toBeGreaterThan(0);

    expect((await redact(workflowID, NAMES)).status).toBe(204);

    for (const id of [workflowID, child]) for (const text of await readsOf(id)) expect(text).not.toContain(MARKER);
    expect(await get(instance(workflowID))).toMatchObject({
      status: 'COMPLETED',
      variables: { secret: null, items: null, results: null, kept: 'kept' },
      redactedVariables: NAMES,
    });
    const { variables } = await get(instance(workflowID));
    const { last } = await get(instance(workflowID, '/replay?at=0'));
    expect((await get(instance(workflowID, `/replay?at=${last}`))).variables).toEqual(variables);
    expect((await get(instance(workflowID, '/timeline'))).data.at(-1)).toMatchObject({
      kind: 'REDACT_VARIABLES',
      actor: 'admin',
      reason: 'on request',
      variables: NAMES,
    });
    const [entry] = (await get(`/audit?operation=RedactBpmnVariables&workflowID=${workflowID}`)).data;
    expect(entry).toMatchObject({ actor: 'admin', outcome: 'APPLIED', names: NAMES, reason: 'on request' });

    await expirePublications();
    expect(await tablesWith(host.store, MARKER)).toEqual([]);
    await untilTemporalForgets(tree);
    expect(JSON.stringify(host.api.logs())).not.toContain(MARKER);
    expect((await redact(workflowID, NAMES)).status).toBe(204);
  });

  it('makes searches count them as missing, whatever else a predicate names', async () => {
    const { workflowID } = await ended('marker-search');
    await redact(workflowID, ['secret', 'items']);
    const search = (predicate: string) => post('/bpmn/instances/search', { definitionID, predicate });
    const found = await search('kept = "kept"');
    expect(found.matches.map((match: { workflowID: string }) => match.workflowID)).toContain(workflowID);
    for (const predicate of [
      'secret = null',
      'secret != "x"',
      'secret = "marker-search"',
      'kept = "kept" or secret = "x"',
    ]) {
      const { matches, predicateErrors } = await search(predicate);
      expect(matches, predicate).toEqual([]);
      expect(predicateErrors, predicate).toBeGreaterThan(0);
    }
  });

  it('makes searches with many names count them as missing', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const variables = { ...Object.fromEntries(names.map((name) => [name, 1])), secret: 'marker-many' };
    const workflowID = await start(host, definitionID, { variables });
    await host.call('editor', 'DELETE', instance(workflowID));
    await untilStatus(host, workflowID, 'CANCELED');
    // An expression can compute a text that Postgres cannot represent.
    await host.store.query(
      String.raw`UPDATE instances SET variables = replace(variables::text, '"n0":1', '"n0":1,"odd":"\u0000"')::json WHERE workflow_id = $1`,
      [workflowID],
    );
    const all = names.map((name) => `${name} = 1`).join(' and ');
    const search = (predicate: string) =>
      post('/bpmn/instances/search', { definitionID, predicate, status: 'CANCELED' });
    expect((await search(`${all} and secret != "x"`)).matches).toMatchObject([{ workflowID }]);
    await redact(workflowID, ['secret']);
    expect((await search(`${all} and secret != "x"`)).matches).toEqual([]);
    expect((await search(all)).matches).toMatchObject([{ workflowID }]);
  });

  it('is for admins, ended roots, and 1 to 100 names', async () => {
    const workflowID = await start(host, definitionID, { variables: { secret: 1 } });
    expect(await redact(workflowID, ['secret'])).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await host.call('editor', 'DELETE', instance(workflowID));
    await untilStatus(host, workflowID, 'CANCELED');
    expect((await redact(workflowID, ['secret'], 'editor')).status).toBe(404);
    for (const names of [[], [''], [1], Array.from({ length: 101 }, (_, index) => `n${index}`), ['x'.repeat(256)]])
      expect((await redact(workflowID, names as string[])).status).toBe(400);
    expect((await redact('unknown', ['secret'])).status).toBe(404);
    const { child } = await ended('marker-child');
    expect(await redact(child, ['secret'])).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', detail: expect.stringContaining('Redact its root instance') },
    });
  });

  it('lets the instance be restarted with null in their place', async () => {
    const { workflowID } = await ended('marker-restart');
    await redact(workflowID, ['secret', 'items']);
    for (const variablesFrom of ['INITIAL', 'LAST']) {
      const again = await post(instance(workflowID, '/restart'), { variablesFrom });
      const { variables } = await get(instance(again.workflowID));
      expect(variables).toMatchObject({ secret: null, items: null, kept: 'kept' });
      await host.call('editor', 'DELETE', instance(again.workflowID));
    }
  });
});

describe('erasing an instance', () => {
  it('leaves its values in no read, table, Temporal history, or log line', { timeout: 120_000 }, async () => {
    const marker = 'marker-e25a';
    const tree = await ended(marker, ITEMS);
    const { workflowID, child } = tree;
    expect((await host.call('admin', 'DELETE', instance(workflowID, '/history?reason=on+request'))).status).toBe(204);
    for (const id of [workflowID, child])
      for (const text of ['', '/variables', '/history', '/replay?at=1', '/timeline'])
        expect((await host.call('admin', 'GET', instance(id, text))).status).toBe(404);
    while (await deleteBehindRemoved(host.store));
    await expirePublications();
    expect(await tablesWith(host.store, marker)).toEqual([]);
    await untilTemporalForgets(tree);
    expect(JSON.stringify(host.api.logs())).not.toContain(marker);
    const [entry] = (await get(`/audit?operation=EraseBpmnInstance&workflowID=${workflowID}`)).data;
    expect(entry).toMatchObject({ actor: 'admin', outcome: 'APPLIED', reason: 'on request' });
  });
});
