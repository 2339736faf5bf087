/** Requests that clients of Camunda 7 may not send, and hostile ones. */
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { read } from '../support/host.js';
import { appsOf, startEngine, WORKER, type Engine } from './support/engine.js';

let engine: Engine;
let id: string;
beforeAll(async () => {
  engine = await startEngine();
  await engine.waiting('guarded');
  [{ id }] = await engine.fetch('guarded', {}, { lockDuration: 3_600_000 });
});
afterAll(() => engine.close());

const FETCH = '/external-task/fetchAndLock';
const topic = { topicName: 'guarded', lockDuration: 60_000 };
const fetching = { workerId: WORKER, maxTasks: 1, topics: [topic] };

const bearer = async (token: Promise<string>) => ({ Authorization: `Bearer ${await token}` });

describe('the token', () => {
  it('may be the password of Basic authentication', async () => {
    const token = await engine.host.token('executor');
    const Authorization = `Basic ${Buffer.from(`worker:${token}`).toString('base64')}`;
    expect((await engine.send(FETCH, fetching, { Authorization })).status).toBe(200);
  });

  it.each(['Basic ZGVtbzpkZW1v', 'Basic !', 'Bearer x', ''])('is missing in %j: 401', async (Authorization) => {
    expect(await engine.send(FETCH, fetching, { Authorization })).toMatchObject({
      status: 401,
      body: { type: 'RestException', message: expect.any(String), code: null },
    });
  });

  it('is not taken from Basic authentication by the API itself', async () => {
    const token = await engine.host.token('executor');
    const Authorization = `Basic ${Buffer.from(`worker:${token}`).toString('base64')}`;
    const { api } = appsOf(engine.host);
    expect((await api.request('/projects/p1', { headers: { Authorization } })).status).toBe(401);
  });
});

describe('the same 404 is the answer', () => {
  const notFound = {
    status: 404,
    body: { type: 'RestException', message: 'Not found, or not visible with this token', code: null },
  };

  it('to a viewer', async () => {
    expect(await engine.send(FETCH, fetching, await bearer(engine.host.token('viewer')))).toMatchObject(notFound);
  });

  it('to members of other projects, at every endpoint', async () => {
    const other = await bearer(engine.host.token('executor', { projects: [{ id: 'p2', roles: ['executor'] }] }));
    for (const end of ['complete', 'failure', 'bpmnError', 'extendLock', 'unlock'])
      expect(await engine.send(`/external-task/${id}/${end}`, {}, other)).toMatchObject(notFound);
    expect(await engine.send('/message', { messageName: 'm' }, other)).toMatchObject(notFound);
  });

  it('for the task of another project, and for ids that are none', async () => {
    const { camunda7 } = appsOf(engine.host);
    const token = await engine.host.token('executor', { projects: [{ id: 'p2', roles: ['executor'] }] });
    const inOther = async (one: string, body: object) =>
      read(
        await camunda7.request(`/projects/p2/engine-rest/external-task/${one}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    expect(await inOther(`${id}/complete`, { workerId: WORKER })).toMatchObject(notFound);
    expect(await inOther(`${id}/failure`, { workerId: WORKER, retries: 1 })).toMatchObject(notFound);
    expect(await inOther(`${id}/extendLock`, { workerId: WORKER, newDuration: 1_000 })).toMatchObject(notFound);
    expect(await inOther(`${id}/unlock`, {})).toMatchObject(notFound);
    for (const wrong of ['x', 'x:1', '%2e%2e', 'x'.repeat(300)])
      expect(await inOther(`${wrong}/complete`, { workerId: WORKER })).toMatchObject(notFound);
  });

  it('for all other paths of the REST APIs of Camunda 7 and Perdure', async () => {
    for (const path of ['/external-task', '/process-definition', '/task', '/message/x', `/external-task/${id}`])
      expect(await engine.send(path, {})).toMatchObject(notFound);
    const { camunda7 } = appsOf(engine.host);
    const authorization = await bearer(engine.host.token('admin'));
    for (const path of ['/projects/p1', '/projects/p1/bpmn/instances', '/console', '/openapi.json'])
      expect((await camunda7.request(path, { headers: authorization })).status).toBe(404);
  });
});

describe('a request is refused with the place and the reason', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...topic, topicName: `t${index}` }));
  it.each([
    ['10,000 topics', { ...fetching, topics: many }, '/topics'],
    ['no topic', { ...fetching, topics: [] }, '/topics'],
    ['a topic twice', { ...fetching, topics: [topic, topic] }, 'twice'],
    ['a worker id of 10,000 characters', { ...fetching, workerId: 'w'.repeat(10_000) }, '/workerId'],
    ['no worker id', { ...fetching, workerId: undefined }, '/workerId'],
    ['maxTasks 0', { ...fetching, maxTasks: 0 }, '/maxTasks'],
    ['a negative wait', { ...fetching, asyncResponseTimeout: -1 }, '/asyncResponseTimeout'],
    ['a lock of no time', { ...fetching, topics: [{ ...topic, lockDuration: 0 }] }, '/topics/0/lockDuration'],
    ['a lock of two days', { ...fetching, topics: [{ ...topic, lockDuration: 2 * 86_400_000 }] }, '/lockDuration'],
    ['a filter', { ...fetching, topics: [{ ...topic, processDefinitionKey: 'x' }] }, '/processDefinitionKey'],
    ['variables to match', { ...fetching, topics: [{ ...topic, processVariables: { a: 1 } }] }, '/processVariables'],
  ])('for %s', async (_, body, place) => {
    expect(await engine.send(FETCH, body)).toMatchObject({
      status: 400,
      body: { type: 'InvalidRequestException', message: expect.stringContaining(place), code: null },
    });
  });

  const nested = `${'['.repeat(70)}${']'.repeat(70)}`;
  it.each([
    ['an unknown type', { value: 'x', type: 'Blob' }, 'Blob'],
    ['a file', { value: 'eA==', type: 'File' }, 'File'],
    ['an object of Java', { value: 'rO0', type: 'Object', valueInfo: {} }, 'application/json'],
    ['a number that is a text', { value: 'NaN', type: 'Double' }, 'Double'],
    ['a long of too many digits', { value: 2 ** 60, type: 'Long' }, 'Long'],
    ['an integer that is too large', { value: 2 ** 40, type: 'Integer' }, 'Integer'],
    ['a date without an offset', { value: '2026-01-05T08:00:00', type: 'Date' }, 'Date'],
    ['deeply nested JSON', { value: nested, type: 'Json' }, 'levels'],
    ['JSON that is none', { value: '{"a":NaN}', type: 'Json' }, 'not JSON'],
    ['JSON whose number would change', { value: '9007199254740993', type: 'Json' }, 'not JSON'],
    ['a prototype', { value: '{"__proto__":1}', type: 'Json' }, 'not JSON'],
  ])('for %s in a variable, and the task stays with its worker', async (_, variable, place) => {
    const complete = { workerId: WORKER, variables: { odd: variable } };
    const { status, body } = await engine.send(`/external-task/${id}/complete`, complete);
    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(place) });
    expect(body.message).toContain('"odd"');
    const extended = await engine.send(`/external-task/${id}/extendLock`, { workerId: WORKER, newDuration: 3_600_000 });
    expect(extended.status).toBe(204);
  });

  it('for a number of the body that would change', async () => {
    const { camunda7 } = appsOf(engine.host);
    for (const value of ['9007199254740993', 'NaN', '1e400', nested]) {
      const found = await camunda7.request(`/projects/p1/engine-rest/external-task/${id}/complete`, {
        method: 'POST',
        headers: { ...(await bearer(engine.host.token('executor'))), 'Content-Type': 'application/json' },
        body: `{"workerId":"${WORKER}","variables":{"a":{"type":"Long","value":${value}}}}`,
      });
      expect(found.status).toBe(400);
    }
  });

  it('for variables of a failure, which would be lost', async () => {
    const failed = { workerId: WORKER, retries: 1, variables: { a: { value: 1 } } };
    expect(await engine.send(`/external-task/${id}/failure`, failed)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('/variables') },
    });
  });

  it('for a body of 16 MiB', async () => {
    const complete = { workerId: WORKER, variables: { a: { value: 'x'.repeat(16 * 1024 * 1024) } } };
    expect((await engine.send(`/external-task/${id}/complete`, complete)).status).toBe(413);
  });

  it('for JSON in texts that is larger than an instance may be', async () => {
    const value = JSON.stringify('x'.repeat(4 * 1024 * 1024));
    const complete = { workerId: WORKER, variables: { a: { value, type: 'Json' } } };
    expect([400, 413]).toContain((await engine.send(`/external-task/${id}/complete`, complete)).status);
  });
});

test('waits count together with those of the API, and one too many is answered at once', async () => {
  const { api, camunda7 } = appsOf(engine.host, { waitsPerCaller: 1 });
  const headers = {
    ...(await bearer(engine.host.token('executor', { sub: 'waiting' }))),
    'Content-Type': 'application/json',
  };
  const leaving = new AbortController();
  const polled = vi.spyOn(engine.host.api.context.notifications, 'pollJobs');
  const waiting = api.request('/projects/p1/bpmn/external-jobs/poll', {
    method: 'POST',
    headers,
    body: JSON.stringify({ taskType: 'never', clientID: 'c', timeout: '60s' }),
    signal: leaving.signal,
  });
  const fetchNow = () =>
    camunda7.request(`/projects/p1/engine-rest${FETCH}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        ...fetching,
        asyncResponseTimeout: 50_000,
        topics: [{ ...topic, topicName: 'never' }],
      }),
    });
  await vi.waitFor(() => expect(polled).toHaveBeenCalled(), { timeout: 20_000 });
  const answer = await fetchNow();
  expect([answer.status, await answer.json(), answer.headers.get('Retry-After')]).toEqual([200, [], '1']);
  leaving.abort();
  await waiting;
});

test('requests count together with those of the API', async () => {
  const { api, camunda7 } = appsOf(engine.host, { requestRate: { perSecond: 1, burst: 2 } });
  const headers = await bearer(engine.host.token('executor', { sub: 'busy' }));
  for (const _ of [1, 2]) expect((await api.request('/projects/p1', { headers })).status).toBe(200);
  const answer = await camunda7.request(`/projects/p1/engine-rest${FETCH}`, { method: 'POST', headers });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '1']);
  expect(await answer.json()).toMatchObject({ type: 'RestException', message: expect.any(String) });
});
