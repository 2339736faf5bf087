/** Processes that die around an HTTP task: the service sees one key, and at most one more request. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { startProcesses, type Connector, type Processes } from './support/processes.js';
import { answerWith, startService, type Received, type Service } from './support/service.js';
import type { HostProcess } from '../support/hosts/host-process.js';
import { eventually } from '../support/eventually.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const SECRET = 'sent-by-one-process-only';
/** How often everything is killed; `npm run faults` does it more often, with more tasks. */
const kills = Number(process.env['CONNECTOR_KILLS'] || 1);
const TASKS = 10 * kills;

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

const charge = (name: string) =>
  processes.begin(
    sequenceModel(name, [
      serviceTask('call', {
        type: 'perdure:http',
        retries: 5,
        inputs: {
          url: `${service.url}/${name}`,
          method: 'POST',
          body: '={}',
          'headers.Authorization': '{{secrets.TOKEN}}',
        },
        headers: { resultExpression: '={paid: response.body.paid}', retryBackoff: 'PT0S' },
      }),
    ]),
  );

interface Waiting {
  workflowID: string;
  received: Received;
  response: ServerResponse;
}

/** A task whose first request is left without an answer; later ones get theirs. */
async function waiting(name: string): Promise<Waiting> {
  const first = new Promise<Omit<Waiting, 'workflowID'>>((resolve) => {
    let isFirst = true;
    service.on(`/${name}`, (received, response) => {
      if (!isFirst) return answerWith(200, { paid: true })(received, response);
      isFirst = false;
      resolve({ received, response });
    });
  });
  return { workflowID: await charge(name), ...(await first) };
}

const answer = ({ received, response }: Waiting) => answerWith(200, { paid: true })(received, response);
const requests = (name: string) => service.received.filter(({ url }) => url === `/${name}`);
const keys = (name: string) => requests(name).map(({ headers }) => headers['idempotency-key']);

it('a connector with only its own role has no API and is ready', async () => {
  expect(await connector.ready).toEqual({ kind: 'ready' });
  const ready = await fetch(`${connector.management}/ready`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
});

it('a service that breaks connections gets the same key until it answers', async () => {
  let broken = 0;
  service.on('/broken', (received, response) =>
    (broken += 1) <= 3 ? response.destroy() : answerWith(200, { paid: true })(received, response),
  );
  expect(await processes.untilCompleted(await charge('broken'))).toMatchObject({ paid: true });
  const [key] = keys('broken');
  expect(keys('broken')).toEqual([key, key, key, key]);
});

describe('a connector killed', () => {
  let unanswered: Waiting;
  let unreported: Waiting;
  beforeAll(async () => {
    [unanswered, unreported] = await Promise.all([waiting('unanswered'), waiting('unreported')]);
    await processes.store.transaction(async (holder) => {
      await holder.query('SELECT 1 FROM jobs WHERE workflow_id = $1 FOR UPDATE', [unreported.workflowID]);
      answer(unreported);
      await eventually('the report that waits for the lock', async () => {
        const { rowCount } = await processes.store.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rowCount ? true : undefined;
      });
      await processes.kill(connector);
    });
    await processes.skipLeases();
    connector = await processes.startConnector();
  });

  it('after its request is replaced by one that sends the same key', async () => {
    expect(await processes.untilCompleted(unanswered.workflowID)).toMatchObject({ paid: true });
    const [key] = keys('unanswered');
    expect(keys('unanswered')).toEqual([key, key]);
    expect(requests('unanswered')[1]!.headers.authorization).toBe(SECRET);
  });

  it('between the answer and its report is replaced by one that sends the same key', async () => {
    expect(await processes.untilCompleted(unreported.workflowID)).toMatchObject({ paid: true });
    expect(new Set(keys('unreported')).size).toBe(1);
    expect(keys('unreported').length).toBeLessThanOrEqual(2);
  });
});

describe('an API and a worker that are killed, and then their connector', () => {
  let lonely: Waiting;
  let workflowIDs: string[];
  beforeAll(async () => {
    lonely = await waiting('lonely');
    let killed = 0;
    service.on('/many', (received, response) => {
      // Until the last kill, every other task gets its answer only when it is repeated.
      const isFirst = keys('many').indexOf(received.headers['idempotency-key']) === requests('many').length - 1;
      if (killed < kills && isFirst && requests('many').length % 2 === 0) return;
      answerWith(200, { paid: true })(received, response);
    });
    workflowIDs = await Promise.all(Array.from({ length: TASKS }, () => charge('many')));
    for (; killed < kills; killed += 1) {
      await eventually('some requests', () => requests('many').length >= 4 + 8 * killed || undefined);
      await processes.kill(host);
      if (killed === 0) await reported(lonely);
      await processes.kill(connector);
      // The job of the reported one is leased until its instance has received the report.
      await processes.skipLeases(lonely.workflowID);
      [host, connector] = await Promise.all([processes.startHost(), processes.startConnector()]);
    }
  });

  /** The connector reports it to Postgres alone. */
  async function reported(one: Waiting): Promise<void> {
    answer(one);
    await eventually('the report', async () => {
      const { rowCount } = await processes.store.query('SELECT 1 FROM commands WHERE workflow_id = $1', [
        one.workflowID,
      ]);
      return rowCount ? true : undefined;
    });
  }

  it('cost no second request for an answer that came in the meantime', async () => {
    expect(await processes.untilCompleted(lonely.workflowID)).toMatchObject({ paid: true });
    expect(requests('lonely')).toHaveLength(1);
  });

  it('leave many tasks under way that all end, each with one key', async () => {
    for (const workflowID of workflowIDs)
      expect(await processes.untilCompleted(workflowID)).toMatchObject({ paid: true });
    const times = new Map<string, number>();
    for (const key of keys('many')) times.set(String(key), (times.get(String(key)) ?? 0) + 1);
    expect([...times.keys()].map((key) => key.split(':')[0]).toSorted()).toEqual(workflowIDs.toSorted());
    expect(Math.max(...times.values())).toBeGreaterThan(1);
    // At most once more for each time that a connector died.
    expect(Math.max(...times.values())).toBeLessThanOrEqual(kills + 1);
  });
});

it('a connector that is asked to stop finishes its request first, and stops in order', async () => {
  const last = await waiting('last');
  connector.child.kill('SIGTERM');
  const health = () => fetch(`${connector.management}/ready`).then(({ status }) => status);
  await eventually('the connector that stops', async () => ((await health()) === 503 ? true : undefined));
  answer(last);
  expect(await connector.exited).toBe(0);
  expect(await processes.untilCompleted(last.workflowID)).toMatchObject({ paid: true });
  expect(requests('last')).toHaveLength(1);
});
