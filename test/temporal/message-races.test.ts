/**
 * Messages and signals over REST against instances that open and close their subscriptions all the time: a message is
 * used at most once, by an instance that waits for its key and within its time to live, and none is lost; every
 * instance hears every signal once. `MESSAGE_RACES` sets how many messages (default 150).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '@perdure/engine/contract/json.js';
import { startTestHost, type TestHost } from '../api/operations/support/host.js';
import { deploy, start, untilStatus } from '../api/operations/support/steps.js';
import {
  catchEvent,
  endEvent,
  eventBasedGateway,
  exclusiveGateway,
  on,
  root,
  scriptTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const MESSAGES = Number(process.env['MESSAGE_RACES'] ?? 150);
const SKIPS = 10;
const PUBLISHERS = 6;
const INSTANCES_PER_KEY = 4;
/** No two of them match one another. */
const KEYS: readonly Json[] = [1, '1', true, { a: 1 }];
/** Of every fifth message: too short for most to be taken. */
const SHORT_MS = 40;

/** Takes offers until it is asked to stop; every skip closes the subscription for offers and opens another one. */
const taker = simpleModel(
  [
    exclusiveGateway('again'),
    eventBasedGateway('race'),
    catchEvent('offered', on.message('offer')),
    catchEvent('skipped', on.signal('skip')),
    catchEvent('stopped', on.signal('stop')),
    scriptTask('take', '=append(taken, id)', 'taken'),
    scriptTask('count', '=skips + 1', 'skips'),
    endEvent('e'),
  ],
  [
    'a: s -> again',
    'b: again -> race',
    'c: race -> offered',
    'd: race -> skipped',
    'f: race -> stopped',
    'g: offered -> take',
    'h: take -> again',
    'i: skipped -> count',
    'j: count -> again',
    'k: stopped -> e',
  ],
  [root.message('offer', '=key'), root.signal('skip'), root.signal('stop')],
);

interface Offer {
  key: Json;
  publicationID: string;
  /** Epoch milliseconds by which it must have been taken; absent for one that is kept long. */
  expires?: number;
}

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
  await host.store.query(keepOpenings);
});
afterAll(() => host.close());

it(`exactly-once delivery holds for ${MESSAGES} messages`, { timeout: 60_000 + MESSAGES * 400 }, async () => {
  const definition = await deploy(host, taker);
  const instances = new Map<string, Json>();
  for (const key of KEYS)
    for (let index = 0; index < INSTANCES_PER_KEY; index += 1)
      instances.set(await start(host, definition, { variables: { key, taken: [], skips: 0 } }), key);

  const offers: Offer[] = [];
  const publisher = async (first: number): Promise<void> => {
    for (let id = first; id < MESSAGES; id += PUBLISHERS) offers[id] = await publish(id);
  };
  const thrower = async (): Promise<void> => {
    for (let skip = 0; skip < SKIPS; skip += 1) {
      const before = (MESSAGES / SKIPS) * skip;
      while (offers.length <= before) await delay(20);
      await throwSignal('skip');
    }
  };
  await Promise.all([thrower(), ...Array.from({ length: PUBLISHERS }, (_, first) => publisher(first))]);

  const kept = offers.flatMap(({ expires }, id) => (expires === undefined ? [id] : []));
  const takenBy = await untilTaken(instances, kept);
  const all = [...takenBy.values()].flat();
  expect(new Set(all).size, 'a message was used twice').toBe(all.length);
  for (const [workflowID, ids] of takenBy)
    for (const id of ids)
      expect(offers[id]!.key, 'a message went to an instance with another key').toEqual(instances.get(workflowID));
  await expectInTime(all.map((id) => offers[id]!));

  await throwSignal('stop');
  for (const workflowID of instances.keys()) {
    const { variables } = await untilStatus(host, workflowID, 'COMPLETED');
    expect(variables.skips, 'an instance did not hear every signal once').toBe(SKIPS);
  }
});

async function publish(id: number): Promise<Offer> {
  const key = KEYS[id % KEYS.length]!;
  const short = id % 5 === 1;
  const correlationKeys = typeof key === 'object' ? { ...key, more: id } : key;
  const published = await host.call('executor', 'POST', '/bpmn/messages', {
    json: { messageName: 'offer', correlationKeys, variables: { id }, ...(short && { ttl: `${SHORT_MS}ms` }) },
    headers: { Prefer: 'wait=0' },
  });
  if (published.status >= 300)
    throw new Error(`publishing answered ${published.status}: ${JSON.stringify(published.body)}`);
  return { key, publicationID: published.body.publicationID, ...(short && { expires: Date.now() + SHORT_MS }) };
}

async function throwSignal(signalName: string): Promise<void> {
  const thrown = await host.call('executor', 'POST', '/bpmn/signals', {
    json: { signalName },
    headers: { Prefer: 'wait=0' },
  });
  if (thrown.status >= 300)
    throw new Error(`throwing ${signalName} answered ${thrown.status}: ${JSON.stringify(thrown.body)}`);
}

/** The messages of each instance, once all of `kept` are among them and every skip was received. */
async function untilTaken(
  instances: ReadonlyMap<string, Json>,
  kept: readonly number[],
): Promise<Map<string, number[]>> {
  for (;;) {
    const takenBy = new Map<string, number[]>();
    let skips = 0;
    for (const workflowID of instances.keys()) {
      const { body } = await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`);
      takenBy.set(workflowID, body.variables.taken);
      skips += body.variables.skips;
    }
    const taken = new Set([...takenBy.values()].flat());
    if (skips >= SKIPS * instances.size && kept.every((id) => taken.has(id))) return takenBy;
    await delay(200);
  }
}

/** Subscriptions go when they are closed; when each was opened stays here. */
const keepOpenings = `
  CREATE TABLE openings AS SELECT workflow_id, number, opened_at FROM subscriptions WITH NO DATA;
  CREATE FUNCTION keep_opening() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO openings VALUES (NEW.workflow_id, NEW.number, NEW.opened_at);
    RETURN NEW;
  END $$;
  CREATE TRIGGER keep_opening AFTER INSERT ON subscriptions FOR EACH ROW EXECUTE FUNCTION keep_opening()`;

/** Time counts by when a row was written (ADR 14): the subscription existed before the message expired, though the match may come a moment later. */
async function expectInTime(offers: readonly Offer[]): Promise<void> {
  const { rows } = await host.store.query<{ publicationID: string; openedAt: Date }>(
    `SELECT c.body ->> 'publicationID' AS "publicationID", max(o.opened_at) AS "openedAt"
     FROM commands c JOIN openings o ON o.workflow_id = c.workflow_id AND o.number = (c.body ->> 'execution')::integer
     WHERE c.body ->> 'kind' = 'CORRELATE_MESSAGE' AND c.status = 'APPLIED' GROUP BY 1`,
  );
  const opened = new Map(rows.map((row) => [row.publicationID, row.openedAt.getTime()]));
  for (const { publicationID, expires } of offers)
    if (expires !== undefined)
      expect(
        opened.get(publicationID),
        'a message was given to a subscription that was opened after its time to live',
      ).toBeLessThanOrEqual(expires);
}
