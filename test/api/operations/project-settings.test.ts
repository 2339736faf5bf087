import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '@perdure/lib/duration.js';
import { project, read, startTestHost, type TestHost } from './support/host.js';
import { sequenceModel } from '@perdure/testkit/models';
import { deploy, start, untilStatus } from './support/steps.js';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

const defaults = {
  name: project,
  description: null,
  messageTtl: null,
  signalTtl: null,
  historyRetention: null,
  auditRetention: null,
  eventRetention: null,
  validateForms: false,
  agentPrices: [],
};
const PRICE = { model: 'small', inputPerMillion: 0.25, outputPerMillion: 1.25, currency: 'EUR' };
const get = () => host.call('admin', 'GET', '/settings');
const change = (json: unknown) => host.call('admin', 'PATCH', '/settings', { json });

/** How long a publication of this name is kept, in milliseconds. */
async function keptFor(name: string): Promise<number> {
  const { rows } = await host.store.query(
    'SELECT round(extract(epoch FROM expires_at - published_at) * 1000)::float8 AS kept FROM publications WHERE name = $1',
    [name],
  );
  return rows[0]!.kept as number;
}

async function published(ttl?: string): Promise<{ message: number; signal: number }> {
  const name = randomUUID();
  expect(await host.call('executor', 'POST', '/bpmn/messages', { json: { messageName: name, ttl } })).toMatchObject({
    status: 200,
  });
  expect(
    await host.call('executor', 'POST', '/bpmn/signals', { json: { signalName: `${name}-signal`, ttl } }),
  ).toMatchObject({ status: 200 });
  return { message: await keptFor(name), signal: await keptFor(`${name}-signal`) };
}

describe('the settings of a project', () => {
  test('are the defaults of the host until its admin changes some', async () => {
    expect(await get()).toMatchObject({ status: 200, body: defaults });
    const changed = { ...defaults, name: 'Orders', description: 'Orders of customers', historyRetention: 'P30D' };
    expect(
      await change({ name: ' Orders ', description: 'Orders of customers', historyRetention: '720h' }),
    ).toMatchObject({ status: 200, body: changed });
    expect((await get()).body).toEqual(changed);
    expect((await host.call('viewer', 'GET', '')).body).toMatchObject({
      name: 'Orders',
      updatedAt: expect.any(String),
    });
    expect((await change({ description: null, historyRetention: null })).body).toEqual({ ...defaults, name: 'Orders' });
    expect((await change({})).body).toEqual({ ...defaults, name: 'Orders' });
  });

  test('are those of one project alone', async () => {
    const token = await host.api.issuer.sign({ projects: [{ id: 'beside', roles: ['admin'] }] });
    await change({ messageTtl: 'PT5M' });
    expect((await read(await host.api.request('GET', '/projects/beside/settings', { token }))).body).toEqual({
      ...defaults,
      name: 'beside',
    });
    await change({ messageTtl: null });
  });

  test.each<[string, unknown]>([
    ['an empty name', { name: '' }],
    ['no name', { name: null }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['a description of 2,001 characters', { description: 'x'.repeat(2001) }],
    ['a description that is not text', { description: 5 }],
    ['a negative ttl', { messageTtl: '-PT1S' }],
    ['a ttl that is a number', { messageTtl: 60 }],
    ['an empty ttl', { signalTtl: '' }],
    ['a ttl in years', { signalTtl: 'P1Y' }],
    ['no retention at all', { historyRetention: 'PT0S' }],
    ['a retention that is an instant', { historyRetention: '2030-01-01T00:00:00Z' }],
    ['a retention of 19,000 years', { historyRetention: 'P999999W' }],
    ['an unknown setting', { createdAt: '2030-01-01T00:00:00Z' }],
    ['a price without a currency', { agentPrices: [{ model: 'small', inputPerMillion: 1, outputPerMillion: 2 }] }],
    ['a negative price', { agentPrices: [{ ...PRICE, inputPerMillion: -1 }] }],
    ['a price with seven decimal places', { agentPrices: [{ ...PRICE, outputPerMillion: 0.0000001 }] }],
    ['a currency in words', { agentPrices: [{ ...PRICE, currency: 'euro' }] }],
    ['two prices of one model', { agentPrices: [PRICE, PRICE] }],
    ['101 prices', { agentPrices: Array.from({ length: 101 }, (_, n) => ({ ...PRICE, model: `m${n}` })) }],
    ['no list of prices', { agentPrices: null }],
    ['a list', []],
  ])('refuse %s and stay as they are', async (_, json) => {
    const before = (await get()).body;
    expect(await change(json)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect((await get()).body).toEqual(before);
  });

  test('refuse to keep the audit log for less than the minimum of the host', async () => {
    expect(await change({ auditRetention: 'P89DT23H59M59S' })).toMatchObject({
      status: 400,
      body: {
        message:
          'auditRetention must be at least P90D, but is P89DT23H59M59S. AUDIT_RETENTION_MINIMUM of the host sets the minimum.',
      },
    });
    expect((await get()).body).toMatchObject({ auditRetention: null });
    expect(await change({ auditRetention: 'P90D' })).toMatchObject({ status: 200, body: { auditRetention: 'P90D' } });
    expect(await change({ auditRetention: null })).toMatchObject({ status: 200 });
  });

  test('have prices of models, which a change replaces', async () => {
    expect((await change({ agentPrices: [PRICE] })).body).toMatchObject({ agentPrices: [PRICE] });
    expect((await change({ description: null })).body).toMatchObject({ agentPrices: [PRICE] });
    expect((await change({ agentPrices: [] })).body).toMatchObject({ agentPrices: [] });
  });

  test('two changes at once leave both', async () => {
    await Promise.all([change({ messageTtl: 'PT7M' }), change({ signalTtl: 'PT8M' }), change({ description: 'both' })]);
    expect((await get()).body).toMatchObject({ messageTtl: 'PT7M', signalTtl: 'PT8M', description: 'both' });
    await change({ messageTtl: null, signalTtl: null, description: null });
  });
});

describe('how long messages and signals are kept', () => {
  test('is what they say, else what the project says, else an hour and a day', async () => {
    expect(await published()).toEqual({ message: 3_600_000, signal: 86_400_000 });
    await change({ messageTtl: 'PT10M', signalTtl: '2h' });
    expect(await published()).toEqual({ message: 600_000, signal: 7_200_000 });
    expect(await published('PT5S')).toEqual({ message: 5000, signal: 5000 });
    await change({ messageTtl: null, signalTtl: null });
    expect(await published()).toEqual({ message: 3_600_000, signal: 86_400_000 });
  });

  test('holds for what instances throw too', async () => {
    await change({ messageTtl: 'PT11M', signalTtl: 'PT12M' });
    const name = randomUUID();
    const throwing = (id: string, definition: string) =>
      `<bpmn:intermediateThrowEvent id="${id}">${definition}</bpmn:intermediateThrowEvent>`;
    const steps = [
      throwing('say', '<bpmn:messageEventDefinition messageRef="M" />'),
      throwing('shout', '<bpmn:signalEventDefinition signalRef="S" />'),
      throwing('whisper', '<bpmn:messageEventDefinition messageRef="W" />'),
    ];
    const roots = `<bpmn:message id="M" name="${name}" /><bpmn:signal id="S" name="${name}-signal" /><bpmn:message id="W" name="${name}-short" zeebe:ttl="PT1M" />`;
    await untilStatus(host, await start(host, await deploy(host, sequenceModel('thrower', steps, roots))), 'COMPLETED');
    expect(await keptFor(name)).toBe(660_000);
    expect(await keptFor(`${name}-signal`)).toBe(720_000);
    expect(await keptFor(`${name}-short`)).toBe(60_000);
  });
});

test.each([0, 1, 999, 1000, 61_000, 3_600_000, 90_061_500, 86_400_000 * 400])(
  '%d ms are written so that they are read as the same',
  (milliseconds) => {
    expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
  },
);
