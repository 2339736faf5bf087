import { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { endpointOf, openTcpProxy, type TcpProxy } from './support/tcp-proxy.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
let proxy: TcpProxy;

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
});
afterAll(async () => {
  await host.close();
  await proxy.close();
});

/** Cuts Postgres off, lets something happen, and waits until the instance waits by a timer, not for the first time where more pauses are asked for. */
async function whileAway(id: string, happen: () => Promise<unknown>, pauses = 1): Promise<void> {
  proxy.cut();
  await happen();
  await eventually('a pause between attempts', async () => {
    const events = await host.events(id);
    return (events.at(-1) === 'TimerStarted' && count(events, 'TimerStarted') >= pauses) || undefined;
  });
}

function count(events: readonly string[], name: string): number {
  return events.filter((event) => event === name).length;
}

test('while Postgres is down an instance waits, and continues when it is back', async () => {
  const id = await host.start('oneJob');
  const { id: job } = await host.wait(id, 'job', 'work');
  const command = await host.write(id, { kind: 'COMPLETE_JOB', execution: job, variables: { done: true } });
  await whileAway(id, () => host.instances.signal(id, command));
  proxy.restore();
  await host.handle(id).result();
  expect((await host.row(id)).status).toBe('COMPLETED');
  expect((await host.state(id)).elements[1]!.variables).toEqual({ done: true });
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
    await host.handle(id).fetchHistory(),
    id,
  );
}, 90_000);

test('nothing of a step that waits for Postgres is in the history, however large it is', async () => {
  const id = await host.start('oneJob', { load: '€'.repeat(300_000) });
  const { id: job } = await host.wait(id, 'job', 'work');
  const command = await host.write(id, {
    kind: 'COMPLETE_JOB',
    execution: job,
    variables: { more: '€'.repeat(20_000) },
  });
  await whileAway(id, () => host.instances.signal(id, command));
  const { events } = await host.handle(id).fetchHistory();
  const size = (events ?? [])
    .slice(6)
    .reduce((sum, event) => sum + temporal.api.history.v1.HistoryEvent.encode(event).finish().length, 0);
  proxy.restore();
  await host.handle(id).result();
  expect(size).toBeLessThan(90_000);
  expect((await host.row(id)).status).toBe('COMPLETED');
}, 90_000);

test('a cancel that comes while Postgres is down is done when it is back', async () => {
  const id = await host.start('oneJob');
  await host.wait(id, 'job', 'work');
  const variables = await host.write(id, { kind: 'SET_VARIABLES', variables: { a: 1 } });
  const cancel = await host.write(id, { kind: 'CANCEL_INSTANCE' });
  await whileAway(id, () => host.instances.signal(id, variables));
  await host.instances.signal(id, cancel);
  proxy.restore();
  expect((await host.ended(id)).status).toBe('CANCELED');
}, 90_000);

test('a command that comes while an instance pauses between attempts ends the pause', async () => {
  const id = await host.start('oneJob');
  await host.wait(id, 'job', 'work');
  const variables = await host.write(id, { kind: 'SET_VARIABLES', variables: { a: 1 } });
  // From the fourth on they take eight seconds or more: long enough for the cancel to come within one.
  await whileAway(id, () => host.instances.signal(id, variables), 4);
  proxy.restore();
  await host.instances.signal(id, await host.write(id, { kind: 'CANCEL_INSTANCE' }));
  expect((await host.ended(id)).status).toBe('CANCELED');
  await host.handle(id).result();
  expect(
    (await host.events(id)).findLast((event) => event.startsWith('Timer')),
    'how the last pause ended',
  ).toBe('TimerCanceled');
  await Worker.runReplayHistory(
    { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
    await host.handle(id).fetchHistory(),
    id,
  );
}, 90_000);
