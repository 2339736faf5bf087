import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endEvent,
  exclusiveGateway,
  extensions,
  multiInstance,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
} from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
});
afterAll(() => host.close());

const almostTooLarge = 'x'.repeat(1_040_000);

test('an instance with as many variables as are allowed does not rotate for that', async () => {
  await host.deploy(
    processModel(
      'laden',
      [startEvent('start'), serviceTask('first'), serviceTask('second'), endEvent('end')],
      ['a: start -> first', 'b: first -> second', 'c: second -> end'],
    ),
  );
  const id = await host.start('laden', { load: almostTooLarge });
  await host.completeJob(id, 'first');
  await host.completeJob(id, 'second');
  await host.handle(id).result();
  expect(await host.rotations(id)).toBe(0);
  expect((await host.row(id)).status).toBe('COMPLETED');
});

test('a result for which an instance has no room is an incident at its activity, which runs again once there is some', async () => {
  await host.deploy(
    processModel(
      'growing',
      [startEvent('start'), serviceTask('before'), serviceTask('after'), endEvent('end')],
      ['a: start -> before', 'b: before -> after', 'c: after -> end'],
    ),
  );
  const id = await host.start('growing', { load: almostTooLarge });
  await host.completeJob(id, 'before', { more: 'y'.repeat(20_000) });
  const incident = await eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
  expect(incident).toMatchObject({ errorType: 'SnapshotSizeExceeded', node: 'before' });
  await host.command(id, { kind: 'SET_VARIABLES', variables: { load: null } });
  await host.command(id, { kind: 'RESOLVE_INCIDENT', incident: incident.id });
  await host.completeJob(id, 'before', { more: 'y'.repeat(20_000) });
  await host.completeJob(id, 'after');
  await host.handle(id).result();
  expect((await host.state(id)).elements[1]!.variables).toEqual({ more: 'y'.repeat(20_000) });
});

test('many jobs that each see a large variable are created in many step commits, none of them much larger than the variables', async () => {
  const copy = extensions('<zeebe:ioMapping><zeebe:input source="=load" target="copy"/></zeebe:ioMapping>');
  const inside = subProcess(
    'inside',
    [copy, startEvent('first'), serviceTask('work', { loop: multiInstance('=items') }), endEvent('last')],
    ['c: first -> work', 'd: work -> last'],
  );
  await host.deploy(
    processModel('copying', [startEvent('start'), inside, endEvent('end')], ['a: start -> inside', 'b: inside -> end']),
  );
  const id = await host.start('copying', {
    load: 'x'.repeat(400_000),
    items: Array.from({ length: 20 }, (_, index) => index),
  });
  const count = async (text: string) => Number((await host.store.query<{ value: string }>(text, [id])).rows[0]!.value);
  await eventually('twenty jobs', async () =>
    (await count('SELECT count(*) AS value FROM jobs WHERE workflow_id = $1')) === 20 ? true : undefined,
  );
  expect(await count('SELECT max(octet_length(facts::text)) AS value FROM steps WHERE workflow_id = $1')).toBeLessThan(
    4 * 1024 * 1024,
  );
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  await host.handle(id).result();
});

test('a process that doubles a variable forever comes to an incident and holds no worker', async () => {
  await host.deploy(
    processModel(
      'doubling',
      [startEvent('start'), exclusiveGateway('again'), scriptTask('double', '=x + x', 'x'), endEvent('end')],
      ['a: start -> again', 'b: again -> double', 'c: double -> again'],
    ),
  );
  const id = await host.start('doubling', { x: 'xyxyxyxy' });
  const incident = await eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
  expect(['SnapshotSizeExceeded', 'FeelError']).toContain(incident.errorType);
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  expect((await host.ended(id)).status).toBe('CANCELED');
});
