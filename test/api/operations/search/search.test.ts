import { expect, test } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { deploy, idsOf, project, seed, start, startAll, useSearch } from './support/search.js';

const { store, search, searchAll } = useSearch();

const orders: Variables[] = [
  { amount: 50, status: 'open', customer: { country: 'DE' } },
  { amount: 2000, status: 'open', customer: { country: 'DE', name: 'x' }, secret: 'kept' },
  { amount: 3000, status: 'closed', customer: { country: 'DE' } },
  { amount: 4000, status: 'open', customer: { country: 'FR' } },
];
const wanted = 'amount > 1000 and status = "open" and customer.country = "DE"';

test('a search finds the instances for which the predicate is true, with the variables it names and nothing else', async () => {
  const { definitionID } = await deploy(store);
  const ids = await startAll(store, definitionID, orders);
  await store.database.query(`UPDATE instances SET business_id = 'order-7' WHERE workflow_id = $1`, [ids[2]]);
  const { status, body } = await search({ definitionID, predicate: wanted });
  expect(status).toBe(200);
  expect(body).toEqual({
    matches: [
      {
        workflowID: ids[2],
        definitionID,
        status: 'RUNNING',
        businessId: 'order-7',
        hasIncident: false,
        createdAt: expect.any(String),
        capturedAt: expect.any(String),
        variables: { amount: 2000, status: 'open', customer: { country: 'DE', name: 'x' } },
      },
    ],
    nextCursor: null,
    scanned: 4,
    evaluated: 4,
    predicateErrors: 0,
    exhausted: true,
    deadlineHit: false,
  });
});

test('an instance that lacks a named variable is an error and no match, whatever the rest of the predicate says', async () => {
  const { definitionID } = await deploy(store);
  const [whole] = await startAll(store, definitionID, [{ a: 1 }, { b: 1 }, { a: 1, b: null }]);
  const { body } = await search({ definitionID, predicate: 'a = 1 or b = 2' });
  expect(body).toMatchObject({
    scanned: 3,
    evaluated: 1,
    predicateErrors: 2,
    firstPredicateError: 'The instance has no variable a',
  });
  expect(idsOf([body])).toEqual([whole]);
});

test.each([
  ['an error next to true', 'true or n / 0 > 1', 'zero'],
  ['a number', 'n + 1', 'number'],
  ['null', 'if n > 0 then null else true', 'null'],
  ['values of different types', 'n = "1"', 'number'],
  ['an endless loop', 'count(for i in 1..1000000000 return i) > n', 'evaluation limit'],
  ['a recursion without end', '{f: function(g, x) g(g, x), r: f(f, n)}.r', ''],
])('%s is an error of every instance, and the answer says so', async (_what, predicate, message) => {
  const { definitionID } = await deploy(store);
  await startAll(store, definitionID, [{ n: 1 }, { n: 2 }]);
  const { status, body } = await search({ definitionID, predicate });
  expect(status).toBe(200);
  expect(body).toMatchObject({ matches: [], scanned: 2, evaluated: 0, predicateErrors: 2, exhausted: true });
  expect(body.firstPredicateError).toContain(message);
});

test('the message of an error tells types and names, never a value', async () => {
  const { definitionID } = await deploy(store);
  await startAll(store, definitionID, [{ card: 'hidden-4711' }]);
  for (const predicate of [
    'card > 1',
    'number(card) > 1',
    'date(card) > date("2026-01-01")',
    'card.number = 1',
    'card',
  ]) {
    const { body } = await search({ definitionID, predicate });
    expect(body.predicateErrors, predicate).toBe(1);
    expect(body.firstPredicateError).not.toContain('4711');
  }
});

test('a name in a filter is an entry of the filtered items or else a variable of the instance', async () => {
  const { definitionID } = await deploy(store);
  const [second, first] = await startAll(store, definitionID, [
    { items: [{ price: 5 }], most: 3 },
    {
      items: [
        { price: 5, most: 9 },
        { price: 9, most: 8 },
      ],
    },
  ]);
  const { body } = await search({ definitionID, predicate: 'count(items[price > most]) = 1' });
  expect(body).toMatchObject({ evaluated: 2, predicateErrors: 0 });
  expect(idsOf([body])).toEqual([second, first]);
});

test('a predicate without variables, with many and with unusual names is answered', async () => {
  const { definitionID } = await deploy(store);
  const [id] = await startAll(store, definitionID, [{ a: 1, b: 2, c: 3, d: 4, e: 5, 'due "date"': null }]);
  const matches = async (predicate: string) => (await search({ definitionID, predicate })).body.matches;
  expect(await matches('1 = 1')).toMatchObject([{ workflowID: id, variables: {} }]);
  expect(await matches('a + b + c + d + e = 15')).toMatchObject([{ variables: { a: 1, b: 2, c: 3, d: 4, e: 5 } }]);
  expect(await matches('`due "date"` = null')).toMatchObject([{ variables: { 'due "date"': null } }]);
});

test('a text that Postgres cannot decode does not stop the search of the others', async () => {
  const { definitionID } = await deploy(store);
  const [plain, odd] = await startAll(store, definitionID, [{ a: 1 }, { a: 2 }]);
  await store.database.query('UPDATE instances SET variables = $2 WHERE workflow_id = $1', [
    odd,
    '{"text":"\\u0000\\ud800","a":1}',
  ]);
  const { body } = await search({ definitionID, predicate: 'a > 0' });
  expect(idsOf([body])).toEqual([plain, odd]);
});

test('SQL and JSON paths in names and values are plain text', async () => {
  const { definitionID } = await deploy(store);
  const name = `x' || (select secret from search_cursor_key) || '`;
  const [id] = await startAll(store, definitionID, [{ [name]: `'; DROP TABLE instances; --` }]);
  const { body } = await search({ definitionID, predicate: `\`${name}\` = "'; DROP TABLE instances; --"` });
  expect(idsOf([body])).toEqual([id]);
  expect((await search({ definitionID, predicate: 'true', businessId: `' OR true --` })).body.scanned).toBe(0);
});

test('filters narrow what is scanned before the predicate is evaluated', async () => {
  const { definitionID } = await deploy(store);
  const [third, second, first] = await startAll(store, definitionID, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await store.database.query(
    `UPDATE instances SET status = 'COMPLETED', created_at = '2020-01-01T00:00:00Z', business_id = 'b' WHERE workflow_id = $1`,
    [first],
  );
  await store.database.query('UPDATE instances SET open_incidents = 1 WHERE workflow_id = $1', [second]);
  const scanned = async (filter: Record<string, unknown>) => {
    const { body } = await search({ definitionID, predicate: 'n > 0', ...filter });
    expect(body.scanned).toBe(body.matches.length);
    return idsOf([body]);
  };
  expect(await scanned({ status: 'COMPLETED' })).toEqual([first]);
  expect(await scanned({ status: 'RUNNING' })).toEqual([third, second]);
  expect(await scanned({ hasIncident: true })).toEqual([second]);
  expect(await scanned({ hasIncident: false })).toEqual([third, first]);
  expect(await scanned({ businessId: 'b' })).toEqual([first]);
  expect(await scanned({ createdAfter: '2025-01-01T00:00:00+01:00' })).toEqual([third, second]);
  expect(await scanned({ createdAfter: '2025-01-01T00:00:00Z', status: 'FAILED' })).toEqual([]);
});

test('only the definition and only the project are searched', async () => {
  const { definitionID } = await deploy(store);
  const other = await deploy(store, undefined, { project: 'other' });
  await startAll(store, definitionID, [{ n: 1 }]);
  await start(store, { project: 'other', definitionID: other.definitionID, variables: { n: 1 } });
  expect((await search({ definitionID, predicate: 'n = 1' })).body.scanned).toBe(1);
  const foreign = await search({ definitionID: other.definitionID, predicate: 'n = 1' });
  const unknown = await search({ definitionID: '00000000-0000-4000-8000-00000000dead', predicate: 'n = 1' });
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
});

test.each([
  ['a syntax error', 'a >\n  and', 2],
  ['an unknown function', 'a = 1 or\n\n  nonsense(a)', 3],
])('%s is refused with its line and column before anything is read', async (_what, predicate, line) => {
  const { status, body } = await search({ definitionID: '00000000-0000-4000-8000-00000000dead', predicate });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'BAD_REQUEST',
    details: { predicate: [{ line, column: expect.any(Number), message: expect.any(String) }] },
  });
  expect(body.message).toContain(`line ${line}, column`);
});

test.each([
  { limit: 0 },
  { limit: 201 },
  { limit: 1.5 },
  { status: 'PAUSED' },
  { hasIncident: 'true' },
  { createdAfter: 'yesterday' },
  { predicate: '' },
  { predicate: undefined },
  { definitionID: undefined },
  { other: 1 },
])('a search refuses %j', async (change) => {
  const { definitionID } = await deploy(store);
  expect((await search({ definitionID, predicate: 'true', ...change })).status).toBe(400);
});

test('the limit bounds the matches of a page (default 20)', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 230);
  const sizes = async (limit?: number) =>
    (await search({ definitionID, predicate: 'n > 0', limit })).body.matches.length;
  expect(await sizes()).toBe(20);
  expect(await sizes(1)).toBe(1);
  expect(await sizes(200)).toBe(200);
});

test('a page that ends with the last instance of the window is exhausted', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 3);
  expect((await search({ definitionID, predicate: 'n > 0', limit: 3 })).body).toMatchObject({
    exhausted: true,
    nextCursor: null,
  });
  expect((await search({ definitionID, predicate: 'n > 1', limit: 2 })).body).toMatchObject({
    exhausted: false,
    nextCursor: expect.any(String),
  });
});

test('a search of a definition without instances is exhausted at once', async () => {
  const { definitionID } = await deploy(store);
  expect((await search({ definitionID, predicate: 'n > 0' })).body).toEqual({
    matches: [],
    nextCursor: null,
    scanned: 0,
    evaluated: 0,
    predicateErrors: 0,
    exhausted: true,
    deadlineHit: false,
  });
});

test('pages continue exactly where the one before stopped, newest first', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 500);
  const pages = await searchAll({ definitionID, predicate: 'modulo(n, 3) = 0', limit: 7 });
  const found = pages.flatMap(({ matches }) => matches.map((match: { variables: { n: number } }) => match.variables.n));
  expect(found).toEqual(Array.from({ length: 166 }, (_, index) => 498 - 3 * index));
  expect(pages.reduce((sum, { scanned }) => sum + scanned, 0)).toBe(500);
});

test('under concurrent writes each instance that matched throughout appears once, and none twice', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 400);
  const { rows } = await store.database.query<{ id: string }>(
    'SELECT workflow_id AS id FROM instances WHERE definition_id = $1 ORDER BY number DESC',
    [definitionID],
  );
  const writes = async () => {
    await seed(store, definitionID, 5);
    await store.database.query(
      `UPDATE instances SET variables = variables, captured_at = now(), status = 'COMPLETED' WHERE definition_id = $1 AND random() < 0.2`,
      [definitionID],
    );
  };
  const pages = await searchAll({ definitionID, predicate: 'n > 0', limit: 11 }, writes);
  expect(idsOf(pages)).toEqual(rows.map(({ id }) => id));
  expect(pages.reduce((sum, { scanned }) => sum + scanned, 0)).toBe(400);
});

test('a cursor fits only the search it was made for', async () => {
  const { definitionID } = await deploy(store);
  const other = await deploy(store);
  await seed(store, definitionID, 3);
  const body = { definitionID, predicate: 'n > 0', status: 'RUNNING', limit: 1 };
  const { nextCursor: cursor } = (await search(body)).body;
  expect((await search({ ...body, cursor, limit: 2 })).body).toMatchObject({ exhausted: true });
  const [content, signature] = cursor.split('.');
  const forged = `${Buffer.from('[1,999999,0]').toString('base64url')}.${signature}`;
  const wrong = [
    { ...body, cursor, predicate: 'n > 1' },
    { ...body, cursor, status: undefined },
    { ...body, cursor, hasIncident: false },
    { ...body, cursor, businessId: 'b' },
    { ...body, cursor, createdAfter: '2020-01-01T00:00:00Z' },
    { ...body, cursor, definitionID: other.definitionID },
    ...[forged, content, `${cursor}.`, `${cursor}x`, 'x.y', ''].map((text) => ({ ...body, cursor: text })),
  ];
  for (const each of wrong)
    expect(await search(each), JSON.stringify(each)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
});

test('a cursor of one project is none in another', async () => {
  const { definitionID } = await deploy(store);
  await seed(store, definitionID, 2);
  const { nextCursor: cursor } = (await search({ definitionID, predicate: 'n > 0', limit: 1 })).body;
  expect((await search({ definitionID, predicate: 'n > 0', limit: 1, cursor }, 'other')).status).toBe(404);
  expect((await search({ definitionID, predicate: 'n > 0', limit: 1, cursor }, project)).status).toBe(200);
});

test('large variables make the pages smaller, not the answers wrong', async () => {
  const { definitionID } = await deploy(store);
  const ids = await startAll(
    store,
    definitionID,
    Array.from({ length: 8 }, (_, n) => ({ n, text: 'x'.repeat(1_500_000) })),
  );
  const pages = await searchAll({ definitionID, predicate: 'n >= 0 and string length(text) > 0', limit: 200 });
  expect(pages.length).toBeGreaterThan(1);
  expect(idsOf(pages)).toEqual(ids);
});
