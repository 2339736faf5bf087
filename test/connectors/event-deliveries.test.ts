/** Connectors and a receiver that die while events are delivered: nothing is missing, and instances keep their order. */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { scriptTask, sequenceModel } from '@perdure/testkit/models';
import { startProcesses, type Connector, type Processes } from './support/processes.js';
import { answerWith, startService, type Service } from './support/service.js';
import { eventually } from '../support/eventually.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

/** `npm run faults` plays more of them. */
const ROUNDS = 3 * Number(process.env['CONNECTOR_KILLS'] || 1);

let service: Service;
let processes: Processes;
let connectors: Connector[];
beforeAll(async () => {
  service = await startService();
  processes = await startProcesses(service.url, {
    EVENTS: Buffer.from('signs all events of the project').toString('base64'),
  });
  const [, ...started] = await Promise.all([
    processes.startHost(),
    processes.startConnector(),
    processes.startConnector(),
  ]);
  connectors = started;
});
afterAll(async () => {
  await processes?.close();
  await service?.close();
});

/** The positions of each instance in the order of their first request that was answered with 2xx. */
function inOrder(events: readonly { id: string; subject: string }[]): Record<string, string[]> {
  const order: Record<string, string[]> = {};
  for (const { id, subject } of events) {
    const positions = (order[subject] ??= []);
    if (!positions.includes(id)) positions.push(id);
  }
  return order;
}

/** Locks subscriptions first, as turns do: rows locked in two orders are a deadlock. */
async function skipPauses(): Promise<void> {
  await processes.store.transaction(async (transaction) => {
    await transaction.query('SELECT FROM event_subscriptions FOR UPDATE');
    await transaction.query('UPDATE event_deliveries SET due_at = now() WHERE due_at IS NOT NULL');
  });
}

it('all events arrive in order per instance while connectors are killed and the receiver fails', async () => {
  await processes.call('admin', 'PATCH', '/settings', { eventRetention: 'P1D' });
  const accepted: { id: string; subject: string }[] = [];
  service.on('/events', (received, response) => {
    const fate = randomInt(4);
    if (fate === 0) return response.destroy();
    if (fate === 1) return answerWith(500, {})(received, response);
    accepted.push(JSON.parse(received.body));
    // The receiver has acted, and the sender does not learn of it.
    if (fate === 2 && randomInt(2) === 0) return response.destroy();
    return answerWith(200, {})(received, response);
  });
  const { subscriptionID } = await processes.call('admin', 'POST', '/events/subscriptions', {
    name: 'warehouse',
    url: `${service.url}/events`,
    secret: 'EVENTS',
    types: ['perdure.instance.started', 'perdure.instance.completed', 'perdure.definition.deployed'],
  });
  const model = sequenceModel('count', [scriptTask('one', '=1', 'one')]);
  const workflowIDs: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    workflowIDs.push(await processes.begin(model), await processes.begin(model));
    const [killed, ...rest] = connectors;
    await processes.kill(killed!);
    // Skips the next half minute.
    await processes.store.query('UPDATE event_subscriptions SET due_at = now()');
    connectors = [...rest, await processes.startConnector()];
  }
  await Promise.all(workflowIDs.map((workflowID) => processes.untilCompleted(workflowID)));
  await eventually('the delivery of everything', async () => {
    await skipPauses();
    const { pending } = await processes.call('admin', 'GET', `/events/subscriptions/${subscriptionID}`);
    return pending === 0 ? true : undefined;
  });
  const { rows } = await processes.store.query<{ id: string; subject: string }>(
    `SELECT position AS id, subject FROM events
     WHERE project_id = 'demo' AND type IN ('instance.started', 'instance.completed', 'definition.deployed') ORDER BY position`,
  );
  expect(inOrder(accepted)).toEqual(inOrder(rows));
});
