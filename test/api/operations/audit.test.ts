/** The audit log: exactly one entry per change, with its actor, and none for anything else. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ProviderFailure } from '../../../api/membership/call-provider.js';
import { operations } from '../../../api/operations/index.js';
import { recordedOperations } from '../../../console/screens/audit/operations.js';
import { sequenceModel, userTask } from '@perdure/testkit/models';
import { changesOn } from './support/changes.js';
import { startTestHost, type TestHost } from './support/host.js';
import { start, takeJob } from './support/steps.js';
import { eventually } from '../../support/eventually.js';

let host: TestHost;
let on: Awaited<ReturnType<typeof changesOn>>;

beforeAll(async () => {
  host = await startTestHost();
  on = await changesOn(host);
});
afterAll(() => host.close());

const entries = async (query: string) =>
  (await host.call('admin', 'GET', `/audit?pageSize=100&${query}`)).body.data as Record<string, unknown>[];

/** The id of the newest entry of any project. */
const newestEntry = async () =>
  BigInt((await host.store.query('SELECT coalesce(max(id), 0)::text AS id FROM audit_entries')).rows[0]!.id);

const recorded = operations
  .filter(({ records }) => records !== undefined)
  .map(({ operationID }) => operationID)
  .sort();

/** Of whole projects: see `support/requests.ts`. */
const ELSEWHERE = ['CreateProject', 'DeleteProject'];
const recordedInProject = recorded.filter((operation) => !ELSEWHERE.includes(operation));

describe('an operation that changes something', () => {
  it('has a request in support/changes.ts', () => {
    expect(Object.keys(on.changes).sort()).toEqual(recordedInProject);
  });

  it('is a filter of the console', () => {
    expect([...recordedOperations].sort()).toEqual(recorded);
  });

  it.each(recordedInProject)('%s leaves exactly one entry, with its actor', { timeout: 60_000 }, async (operation) => {
    const { role, request } = await on.changes[operation]!();
    const newest = await newestEntry();
    const answer = await request();
    const after = (await entries('')).filter(({ id, via }) => BigInt(id as string) > newest && via === 'REST');
    expect(after, JSON.stringify(answer.body)).toHaveLength(1);
    expect(after[0]).toMatchObject({ actor: role, actorType: 'PERSON', operation });
    expect(after[0]!['requestID']).toBe(answer.headers.get('x-request-id'));
  });

  it('CreateProject leaves exactly one entry, in the new project', async () => {
    const token = await host.api.issuer.sign({ sub: 'founder', roles: ['system-admin'] });
    const answer = await host.api.request('POST', '/projects', { token, json: { name: 'audited' } });
    const { id } = (await answer.json()) as { id: string };
    const { rows } = await host.store.query('SELECT operation, actor FROM audit_entries WHERE project_id = $1', [id]);
    expect(rows).toEqual([{ operation: 'CreateProject', actor: 'founder' }]);
  });
});

describe('an entry', () => {
  it('shows who approved an order, when, and why, by one request', async () => {
    const { workflowID, key } = await on.openTask();
    const answer = await on.send('executor', 'POST', `/bpmn/user-tasks/${key}/complete`, {
      variables: { approved: true },
      reason: 'within budget',
    });
    expect(answer.status).toBe(200);
    expect(await entries(`workflowID=${workflowID}&operation=CompleteBpmnUserTask`)).toMatchObject([
      { actor: 'executor', outcome: 'APPLIED', reason: 'within budget', names: ['approved'], executionKey: key },
    ]);
  });

  it('never has a value', async () => {
    const { key, workflowID } = await on.openTask();
    const secret = 'marker-7f3a';
    await on.send('executor', 'POST', `/bpmn/user-tasks/${key}/comments`, { text: secret });
    await on.send('editor', 'PUT', `/bpmn/instances/${workflowID}/variables`, { variables: { a: secret } });
    await on.send('executor', 'POST', '/bpmn/messages', { messageName: 'm', variables: { a: secret } });
    await on.send('executor', 'POST', '/bpmn/instances', { processDefinitionID: on.tasks, businessId: secret });
    const { rows } = await host.store.query('SELECT 1 FROM audit_entries a WHERE a::text LIKE $1', [`%${secret}%`]);
    expect(rows).toEqual([]);
  });

  it('takes over the refusal of the instance', async () => {
    const { workflowID } = await on.openTask();
    const instructions = [{ type: 'CANCEL_TOKEN', nodeID: 'end' }];
    const answer = await on.send('admin', 'POST', `/bpmn/instances/${workflowID}/modify`, { instructions });
    expect(answer.status).toBe(400);
    const look = () => entries(`workflowID=${workflowID}&operation=ModifyBpmnInstance`);
    const [entry] = await eventually(look, ([found]) => found?.['outcome'] !== 'PENDING');
    expect(entry).toMatchObject({ outcome: 'REJECTED', code: answer.body.code });
  });

  it('has the request id of the host, and keeps that of the caller apart', async () => {
    const headers = { 'X-Request-Id': 'of-another-request' };
    const json = { signalName: 'repeated-id' };
    const answer = await host.call('executor', 'POST', '/bpmn/signals', { json, headers });
    const [entry] = await entries('operation=PublishBpmnSignal');
    expect(entry).toMatchObject({
      requestID: answer.headers.get('x-request-id'),
      clientRequestID: 'of-another-request',
    });
    expect(entry!['requestID']).not.toBe('of-another-request');
  });

  it('tells service accounts from people', async () => {
    const token = await host.token('executor', { sub: 'importer', client_id: 'importer' });
    await host.api.request('POST', '/projects/p1/bpmn/signals', { token, json: { signalName: 'imported' } });
    expect(await entries('actor=importer')).toMatchObject([{ actorType: 'SERVICE', operation: 'PublishBpmnSignal' }]);
  });

  it.each([
    [
      'APPLIED',
      'has changed the member',
      () => Promise.resolve({ kind: 'removed' as const, formerRole: 'editor' as const }),
    ],
    ['REJECTED', 'refuses', () => Promise.resolve({ kind: 'last-admin' as const })],
    ['PENDING', 'does not answer', () => Promise.reject(new ProviderFailure('no answer'))],
  ])('of a member is %s when the provider %s', async (outcome, _, answer) => {
    const asked = vi.spyOn(host.api.context.memberships, 'remove').mockImplementation(async () => {
      // This entry was written before.
      expect(await entries(`operation=DeleteProjectMember&outcome=PENDING`)).toContainEqual(
        expect.objectContaining({ subject: outcome }),
      );
      return answer();
    });
    await on.send('admin', 'DELETE', `/members/${outcome}?reason=left`);
    asked.mockRestore();
    const found = (await entries('operation=DeleteProjectMember')).filter(({ subject }) => subject === outcome);
    expect(found).toMatchObject([{ outcome, reason: 'left' }]);
  });

  it('of a batch names the batch for each item', async () => {
    const workflowIDs = [await start(host, on.tasks), await start(host, on.tasks)];
    const { body } = await on.send('editor', 'POST', '/bpmn/batches', {
      operation: 'SET_VARIABLES',
      workflowIDs,
      variables: { a: 1 },
    });
    const look = () => entries(`batchID=${body.batchID}`);
    const found = await eventually(look, (all) => all.filter(({ outcome }) => outcome === 'APPLIED').length === 3);
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
    const { workflowID } = await on.openJob();
    const before = await count();
    const job = await takeJob(host, 'work');
    await on.send('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/heartbeat`, { clientID: 'worker-1' });
    await on.send('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
      workflowID: job.workflowID,
      clientID: 'worker-1',
    });
    await on.send('viewer', 'POST', '/bpmn/instances', { processDefinitionID: on.jobs });
    await on.send('executor', 'POST', '/bpmn/instances', { processDefinitionID: on.jobs, more: 1 });
    await on.send('editor', 'DELETE', `/bpmn/resources/${crypto.randomUUID()}`);
    await on.send('editor', 'POST', '/bpmn/batches', { operation: 'CANCEL', workflowIDs: [workflowID], dryRun: true });
    await on.send('editor', 'POST', '/bpmn/deployments', {
      files: [{ name: 'x.bpmn', content: sequenceModel('dry', [userTask('t')]) }],
      dryRun: true,
    });
    expect(await count()).toBe(before);
  });

  it.each([
    ['StartBpmnInstance', '/bpmn/instances', () => ({ processDefinitionID: on.tasks })],
    ['PublishBpmnMessage', '/bpmn/messages', () => ({ messageName: 'm' })],
    ['CreateBpmnBatch', '/bpmn/batches', () => ({ operation: 'CANCEL', workflowIDs: ['none'] })],
  ])('is left by the repeat of %s under its key', async (operation, path, json) => {
    const headers = { 'Idempotency-Key': `audit-${operation}` };
    const send = () => host.call('editor', 'POST', path, { json: json(), headers });
    const first = await send();
    const before = await entries(`operation=${operation}`);
    const repeats = await Promise.all([send(), send(), send()]);
    expect(repeats.map(({ body }) => body)).toEqual(repeats.map(() => first.body));
    expect(await entries(`operation=${operation}`)).toEqual(before);
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
