/** Processes that die around an HTTP task: the service sees one key, and at most one more request. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { startProcesses, type Connector, type Processes } from './support/processes.js';
import { answerWith, startService, type Received, type Service } from './support/service.js';
import type { HostProcess } from '../support/hosts/host-process.js';
import { eventually } from '../support/eventually.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const SECRET = 'sent-by-one-process-only';

let service: Service;
let processes: Processes;
let host: HostProcess;
let connector: Connector;
beforeAll(async () => {
  service = await startService();
  processes = await startProcesses(service.url, { TOKEN: SECRET });
  [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
});
afterAll(async () => {
  await processes?.close();
  await service?.close();
});

let path: string;
let tests = 0;
beforeEach(() => {
  path = `/charge-${(tests += 1)}`;
});

const charge = () =>
  processes.begin(
    sequenceModel(`charge${tests}`, [
      serviceTask('call', {
        type: 'perdure:http',
        retries: 5,
        inputs: { url: service.url + path, method: 'POST', body: '={}', 'headers.Authorization': '{{secrets.TOKEN}}' },
        headers: { resultExpression: '={paid: response.body.paid}', retryBackoff: 'PT0S' },
      }),
    ]),
  );

/** The first request is left without an answer; later ones get theirs. */
async function firstRequest(): Promise<{ received: Received; response: ServerResponse }> {
  return new Promise((resolve) => {
    let isFirst = true;
    service.on(path, (received, response) => {
      if (!isFirst) return answerWith(200, { paid: true })(received, response);
      isFirst = false;
      resolve({ received, response });
    });
  });
}

const requests = () => service.received.filter(({ url }) => url === path);
const keys = () => requests().map(({ headers }) => headers['idempotency-key']);

async function replaceConnector(): Promise<void> {
  connector.child.kill('SIGKILL');
  await connector.exited;
  // Skips the next half minute.
  await processes.store.query("UPDATE jobs SET available_at = now(), lock_expires_at = now() WHERE status = 'PENDING'");
  connector = await processes.startConnector();
}

it('a connector with only its own role has no API, is ready, and stops in order', async () => {
  const alone = await processes.startConnector();
  expect(await alone.ready).toEqual({ kind: 'ready' });
  const ready = await fetch(`${alone.management}/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  alone.child.kill('SIGTERM');
  expect(await alone.exited).toBe(0);
});

it('a connector killed after its request is replaced by one that sends the same key', async () => {
  const first = firstRequest();
  const workflowID = await charge();
  await first;
  await replaceConnector();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  const [key] = keys();
  expect(keys()).toEqual([key, key]);
  expect(requests()[1]!.headers.authorization).toBe(SECRET);
});

it('a connector killed between the answer and its report is replaced by one that sends the same key', async () => {
  const first = firstRequest();
  const workflowID = await charge();
  const { received, response } = await first;
  await processes.store.transaction(async (holder) => {
    await holder.query('SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [workflowID]);
    answerWith(200, { paid: true })(received, response);
    await eventually('the report that waits for the lock', async () => {
      const { rowCount } = await processes.store.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount ? true : undefined;
    });
    connector.child.kill('SIGKILL');
    await connector.exited;
  });
  await replaceConnector();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  expect(new Set(keys()).size).toBe(1);
  expect(keys().length).toBeLessThanOrEqual(2);
});

it('an API and a worker that are killed in the meantime cost no second request', async () => {
  const first = firstRequest();
  const workflowID = await charge();
  const { received, response } = await first;
  host.child.kill('SIGKILL');
  await host.exited;
  answerWith(200, { paid: true })(received, response);
  host = await processes.startHost();
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  expect(requests()).toHaveLength(1);
});

it('a service that breaks connections gets the same key until it answers', async () => {
  let broken = 0;
  service.on(path, (received, response) =>
    (broken += 1) <= 3 ? response.destroy() : answerWith(200, { paid: true })(received, response),
  );
  expect(await processes.untilCompleted(await charge())).toMatchObject({ paid: true });
  const [key] = keys();
  expect(keys()).toEqual([key, key, key, key]);
});

it('twenty tasks under way while everything is killed twice all end, each with one key', async () => {
  let kills = 0;
  service.on(path, (received, response) => {
    // Until the last kill, every other task gets its answer only when it is repeated.
    const isFirst = keys().indexOf(received.headers['idempotency-key']) === requests().length - 1;
    if (kills < 2 && isFirst && requests().length % 2 === 0) return;
    answerWith(200, { paid: true })(received, response);
  });
  const workflowIDs = await Promise.all(Array.from({ length: 20 }, () => charge()));
  for (const share of [4, 12]) {
    await eventually('some requests', async () => (requests().length >= share ? true : undefined));
    host.child.kill('SIGKILL');
    kills += 1;
    await Promise.all([host.exited, replaceConnector()]);
    host = await processes.startHost();
  }
  for (const workflowID of workflowIDs)
    expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  const times = new Map<string, number>();
  for (const key of keys()) times.set(String(key), (times.get(String(key)) ?? 0) + 1);
  expect([...times.keys()].map((key) => key.split(':')[0]).toSorted()).toEqual(workflowIDs.toSorted());
  expect(Math.max(...times.values())).toBeGreaterThan(1);
  // At most once more for each time that a connector died.
  expect(Math.max(...times.values())).toBeLessThanOrEqual(3);
});

it('a connector that is asked to stop finishes its request first', async () => {
  const first = firstRequest();
  const workflowID = await charge();
  const { received, response } = await first;
  connector.child.kill('SIGTERM');
  const health = () => fetch(`${connector.management}/ready`).then(({ status }) => status);
  await eventually('the connector that stops', async () => ((await health()) === 503 ? true : undefined));
  answerWith(200, { paid: true })(received, response);
  expect(await connector.exited).toBe(0);
  expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
  expect(requests()).toHaveLength(1);
  connector = await processes.startConnector();
});
