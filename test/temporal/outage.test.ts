import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { CommandBody } from '@perdure/engine/contract/commands.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { endpointOf, openTcpProxy, type TcpProxy } from './support/tcp-proxy.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
let proxy: TcpProxy;
/** The instances of all tests meet the same outage, because they pause for seconds between their attempts. */
let outage: Awaited<ReturnType<typeof meetOutage>>;

beforeAll(async () => {
  const { maintenanceUrl } = (await (await fetch(`${inject('stackUrl')}/postgres`)).json()) as {
    maintenanceUrl: string;
  };
  proxy = await openTcpProxy(endpointOf(maintenanceUrl));
  host = await openTemporalHost({
    databaseUrlOfWorker(url) {
      const throughProxy = new URL(url);
      throughProxy.host = proxy.address;
      return throughProxy.href;
    },
  });
  await host.deploy(
    processModel(
      'oneJob',
      [startEvent('start'), serviceTask('work'), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
  );
  outage = await meetOutage();
});
afterAll(async () => {
  await host.close();
  await proxy.close();
});

async function meetOutage() {
  const [waiting, large, canceled, pausing] = await Promise.all([
    host.start('oneJob'),
    host.start('oneJob', { load: '€'.repeat(300_000) }),
    host.start('oneJob'),
    host.start('oneJob'),
  ]);
  const [jobOfWaiting, jobOfLarge] = await Promise.all(
    [waiting, large, canceled, pausing].map((id) => host.wait(id, 'job', 'work')),
  );
  proxy.cut();
  await give(pausing, { kind: 'SET_VARIABLES', variables: { a: 1 } });
  await untilItPauses(pausing, 3);
  // The others meet the outage so late because their pauses grow as well, and the relay repeats signals.
  await Promise.all([
    give(waiting, { kind: 'COMPLETE_JOB', execution: jobOfWaiting!.id, variables: { done: true } }),
    give(large, { kind: 'COMPLETE_JOB', execution: jobOfLarge!.id, variables: { more: '€'.repeat(20_000) } }),
    give(canceled, { kind: 'SET_VARIABLES', variables: { a: 1 } }),
  ]);
  await Promise.all([waiting, large, canceled].map((id) => untilItPauses(id)));
  const largeHistory = (await host.handle(large).fetchHistory()).events ?? [];
  await give(canceled, { kind: 'CANCEL_INSTANCE' });
  // From the fourth on they take eight seconds or more: long enough for the cancel to come within one.
  await untilItPauses(pausing, 4);
  proxy.restore();
  await give(pausing, { kind: 'CANCEL_INSTANCE' });
  return { waiting, large, largeHistory, canceled, pausing };
}

async function give(id: string, body: CommandBody): Promise<void> {
  await host.instances.signal(id, await host.write(id, body));
}

/** Once the instance waits by a timer, not for the first time where more pauses are asked for. */
async function untilItPauses(id: string, pauses = 1): Promise<void> {
  await eventually('a pause between attempts', async () => {
    const events = await host.events(id);
    return (events.at(-1) === 'TimerStarted' && count(events, 'TimerStarted') >= pauses) || undefined;
  });
}

function count(events: readonly string[], name: string): number {
  return events.filter((event) => event === name).length;
}

test('while Postgres is down an instance waits, and continues when it is back', async () => {
  const { waiting } = outage;
  await host.handle(waiting).result();
  expect((await host.row(waiting)).status).toBe('COMPLETED');
  expect((await host.state(waiting)).elements[1]!.variables).toEqual({ done: true });
  await host.replay(waiting);
}, 90_000);

test('nothing of a step that waits for Postgres is in the history, however large it is', async () => {
  const { large, largeHistory } = outage;
  const size = largeHistory
    .slice(6)
    .reduce((sum, event) => sum + temporal.api.history.v1.HistoryEvent.encode(event).finish().length, 0);
  expect(size).toBeLessThan(90_000);
  await host.handle(large).result();
  expect((await host.row(large)).status).toBe('COMPLETED');
}, 90_000);

test('a cancel that comes while Postgres is down is done when it is back', async () => {
  expect((await host.ended(outage.canceled)).status).toBe('CANCELED');
}, 90_000);

test('a command that comes while an instance pauses between attempts ends the pause', async () => {
  const { pausing } = outage;
  expect((await host.ended(pausing)).status).toBe('CANCELED');
  await host.handle(pausing).result();
  expect(
    (await host.events(pausing)).findLast((event) => event.startsWith('Timer')),
    'how the last pause ended',
  ).toBe('TimerCanceled');
  await host.replay(pausing);
}, 90_000);
