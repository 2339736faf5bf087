import { afterAll, beforeAll, expect, test } from 'vitest';
import { decision, dmn, input, literal } from '../../../dmn/support.js';
import { startTestHost, type TestHost } from '../support/host.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const file = (id: string, text: string, more = ''): string =>
  dmn(input('amount', 'number') + decision('net', literal(text), { requires: ['input_amount'] }) + more, {
    target: `urn:${id}`,
  }).replace('id="model"', `id="${id}"`);
const create = (xml: string, json: object = {}) =>
  host.call('editor', 'POST', '/dmn/definitions', { json: { name: 'Prices', xml, ...json } });
const evaluate = (id: string, json: object) =>
  host.call('executor', 'POST', `/dmn/definitions/${id}/evaluate`, { json });

test('each file is kept as the next version of its definitions, with what is wrong as warnings', async () => {
  const first = await create(file('prices', 'amount * 0.9'));
  expect(first).toMatchObject({
    status: 201,
    body: { name: 'Prices', definitionsID: 'prices', version: 1, createdBy: 'editor', warnings: [] },
  });
  const second = await create(file('prices', 'amount *'));
  expect(second).toMatchObject({
    status: 201,
    body: { version: 2, warnings: [{ severity: 'error', elementID: 'net', message: expect.stringContaining('FEEL') }] },
  });
  const raced = await Promise.all([1, 2, 3].map(() => create(file('prices', 'amount'))));
  expect(raced.map(({ body }) => body.version).toSorted()).toEqual([3, 4, 5]);

  const versions = (await host.call('viewer', 'GET', '/dmn/definitions/by-definitions-id/prices/versions?pageSize=2'))
    .body;
  expect(versions).toMatchObject({
    data: [{ version: 5 }, { version: 4 }],
    pagination: { page: 1, pageSize: 2, total: 5, totalPages: 3 },
  });
  expect((await host.call('viewer', 'GET', '/dmn/definitions/by-definitions-id/prices')).body).toMatchObject({
    version: 5,
    versionCount: 5,
  });
  expect((await host.call('viewer', 'GET', '/dmn/definitions/by-definitions-id/prices?version=2')).body).toMatchObject({
    id: second.body.id,
    version: 2,
  });
  expect((await host.call('viewer', 'GET', '/dmn/definitions/latest')).body.data).toContainEqual(
    expect.objectContaining({ definitionsID: 'prices', version: 5, versionCount: 5 }),
  );
  expect((await host.call('viewer', 'GET', `/dmn/definitions/${first.body.id}`)).body).toMatchObject({
    xml: file('prices', 'amount * 0.9'),
  });
  expect((await host.call('viewer', 'GET', '/dmn/definitions')).body.pagination.total).toBeGreaterThanOrEqual(5);
});

test('a model is loaded once for all callers', async () => {
  const { id } = (await create(file('loaded', 'amount'))).body;
  const evaluateAs = async (name: 'executor' | 'admin') =>
    (await host.call(name, 'POST', `/dmn/definitions/${id}/evaluate`, { json: { context: { amount: 1 } } })).status;
  expect(await evaluateAs('executor')).toBe(200);
  // Loading a model marks its definition as used.
  await host.store.query('UPDATE decision_definitions SET used_at = NULL WHERE id = $1', [id]);
  expect([await evaluateAs('executor'), await evaluateAs('admin')]).toEqual([200, 200]);
  const { rows } = await host.store.query('SELECT used_at FROM decision_definitions WHERE id = $1', [id]);
  expect(rows).toEqual([{ used_at: null }]);
});

test('a version number may be asked for, and is given once', async () => {
  expect((await create(file('numbered', '1'), { version: 7 })).body.version).toBe(7);
  expect((await create(file('numbered', '2'))).body.version).toBe(8);
  expect(await create(file('numbered', '3'), { version: 7 })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
});

test.each([
  ['text that is not XML', 'hello'],
  ['a DOCTYPE', `<!DOCTYPE x>${file('x', '1').slice(file('x', '1').indexOf('?>') + 2)}`],
  ['a BPMN file', '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"/>'],
])('%s is refused', async (_what, xml) => {
  expect(await create(xml)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_MODEL', details: { errors: [{ severity: 'error' }] } },
  });
});

test('a version changes until it is used; its name at any time', async () => {
  const { body: kept } = await create(file('changing', 'amount'));
  const change = (json: object) => host.call('editor', 'PUT', `/dmn/definitions/${kept.id}`, { json });
  expect(await change({ xml: file('changing', 'amount + 1') })).toMatchObject({
    status: 200,
    body: { id: kept.id, version: 1 },
  });
  expect(await change({ xml: file('another', '1') })).toMatchObject({ status: 409 });
  expect(await change({ version: 4 })).toMatchObject({ status: 200, body: { version: 4 } });
  expect((await evaluate(kept.id, { context: { amount: 1 } })).body.net.value).toBe(2);
  expect(await change({ xml: file('changing', 'amount + 2') })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' },
  });
  expect(await change({ name: 'Renamed' })).toMatchObject({ status: 200, body: { name: 'Renamed' } });
  expect((await host.call('editor', 'DELETE', `/dmn/definitions/${kept.id}`)).status).toBe(409);
  const { body: unused } = await create(file('changing', 'amount'));
  expect((await host.call('editor', 'DELETE', `/dmn/definitions/${unused.id}`)).status).toBe(204);
  expect((await host.call('viewer', 'GET', `/dmn/definitions/${unused.id}`)).status).toBe(404);
});

test('an evaluation is answered by decision name and recorded', async () => {
  const { body: kept } = await create(
    file('recorded', 'amount * 0.9', decision('label', literal('"net: " + string(net)'), { requires: ['net'] })),
  );
  const evaluated = await evaluate(kept.id, { context: { amount: 100 }, businessId: 'order-7' });
  expect(evaluated).toMatchObject({
    status: 200,
    body: {
      net: { decisionID: 'net', value: 90, error: null, type: 'DECISION' },
      label: { value: 'net: 90', dependencies: [{ name: 'net' }] },
    },
  });
  const { data } = (await host.call('viewer', 'GET', '/dmn/executions?businessId=order-7')).body;
  expect(data).toMatchObject([
    {
      definitionID: kept.id,
      definitionsID: 'recorded',
      executedBy: 'executor',
      businessId: 'order-7',
      inputs: { amount: 100 },
      outputs: { net: 90, label: 'net: 90' },
    },
  ]);
  expect((await host.call('viewer', 'GET', `/dmn/executions/${data[0].id}`)).body).toEqual(data[0]);
  expect(
    (await host.call('viewer', 'GET', `/dmn/definitions/${kept.id}/executions?startDate=2020-01-01T00:00:00Z`)).body
      .data,
  ).toEqual(data);
  expect(
    (await host.call('viewer', 'GET', `/dmn/definitions/${kept.id}/executions?startDate=2999-01-01T00:00:00Z`)).body
      .data,
  ).toEqual([]);
});

test('the version, the decisions and the error mode may be chosen', async () => {
  await create(file('chosen', 'amount + 1'));
  const { body: second } = await create(file('chosen', 'amount / 0'));
  expect((await evaluate(second.id, { context: { amount: 1 }, version: 1 })).body.net.value).toBe(2);
  expect((await evaluate(second.id, { context: { amount: 1 } })).body.net).toMatchObject({
    value: null,
    error: null,
    warnings: [{ code: 'DIVISION_BY_ZERO', elementID: 'net' }],
  });
  expect((await evaluate(second.id, { context: { amount: 1 }, errorMode: 'strict' })).body.net).toMatchObject({
    value: null,
    error: expect.stringContaining('zero'),
  });
  expect(await evaluate(second.id, { context: {}, decisions: ['gross'] })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('"gross"') },
  });
  expect((await evaluate(second.id, { context: {}, version: 9 })).status).toBe(404);
  const byFile = (path: string, json: object) =>
    host.call('executor', 'POST', `/dmn/definitions/by-definitions-id/chosen/evaluate${path}`, { json });
  expect((await byFile('?version=1', { context: { amount: 4 } })).body.net.value).toBe(5);
  expect((await byFile('?version=1', { context: { amount: 4 }, version: 2 })).status).toBe(400);
  expect((await byFile('', { context: { when: { '@feel': 'date', value: 'soon' } } })).status).toBe(400);
});

test('a file imports the newest file of its project that has the namespace, as it was then', async () => {
  await create(file('base', 'amount * 2'));
  const importing =
    dmn(`<import namespace="urn:base" name="base" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>
    <decision id="d" name="d"><informationRequirement><requiredDecision href="urn:base#net"/></informationRequirement>${literal('base.net + 1')}</decision>`).replace(
      'id="model"',
      'id="importing"',
    );
  const { body: kept } = await create(importing);
  expect(kept.warnings).toEqual([]);
  await create(file('base', 'amount * 3'));
  expect((await evaluate(kept.id, { context: { amount: 10 } })).body.d.value).toBe(21);
});

test('decisions are listed with what they take', async () => {
  await create(
    file(
      'listed',
      'amount',
      decision('Shipping costs', literal('net + weight'), { requires: ['net'] }).replace(
        'id="Shipping costs"',
        'id="shipping"',
      ),
    ),
  );
  const { data } = (await host.call('viewer', 'GET', '/dmn/decisions?q=shipp')).body;
  expect(data).toEqual([
    {
      decisionID: 'shipping',
      decisionName: 'Shipping costs',
      definitionsID: 'listed',
      definitionName: 'Prices',
      latestVersion: 1,
      inputFields: expect.arrayContaining([{ name: 'amount', typeRef: 'number' }, { name: 'weight' }]),
    },
  ]);
});

test('a file that is not kept can be evaluated by any caller with a token', async () => {
  const outsider = await host.token('viewer', { sub: 'outsider', projects: [] });
  const design = async (path: string, json: object) => {
    const response = await host.api.request('POST', `/dmn/evaluate/design${path}`, { token: outsider, json });
    return { status: response.status, body: (await response.json()) as any };
  };
  expect((await design('', { xml: file('design', 'amount + 1'), context: { amount: 2 } })).body.net.value).toBe(3);
  expect(await design('', { xml: 'no xml', context: {} })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_MODEL' },
  });
  expect(
    (await design('/batch', { xml: file('design', 'amount + 1'), inputs: [{ amount: 1 }, { amount: 2 }] })).body,
  ).toMatchObject({
    results: [
      { inputs: { amount: 1 }, results: { net: { value: 2 } } },
      { inputs: { amount: 2 }, results: { net: { value: 3 } } },
    ],
  });
});

const withText = (bytes: number) => ({ context: { amount: 1, text: 'x'.repeat(bytes) } });

test('inputs above 1 MiB are refused', async () => {
  const { id } = (await create(file('large', 'amount'))).body;
  expect(await evaluate(id, withText(1024 * 1024))).toMatchObject({
    status: 413,
    body: { code: 'PAYLOAD_TOO_LARGE', message: 'The inputs take 1048598 bytes, but the limit is 1048576' },
  });
  expect(await evaluate(id, withText(1024 * 1024 - 100))).toMatchObject({ status: 200 });
});

test('a page with many large evaluations lists the last ones without values and says so', async () => {
  const { id } = (await create(file('many-large', 'amount'))).body;
  const bytes = 1024 * 1024 - 100;
  for (let evaluations = 0; evaluations < 6; evaluations += 1) await evaluate(id, withText(bytes));
  const list = (query: string) => host.call('viewer', 'GET', `/dmn/definitions/${id}/executions?${query}`);
  const { data, pagination } = (await list('pageSize=100')).body;
  expect(data.map(({ valuesOmitted }: { valuesOmitted?: true }) => valuesOmitted)).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    true,
  ]);
  expect(data[5]).toMatchObject({ inputs: {}, outputs: null });
  expect(pagination).toMatchObject({ total: 6, totalPages: 1 });
  expect((await list('pageSize=1&page=6')).body.data[0].inputs.text).toHaveLength(bytes);
});
