import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensions, forEach, processModel, scope, scriptTask, serviceTask } from '../support/bpmn-models.js';
import { eventually, openTemporalHost, type TemporalHost } from './support/temporal-host.js';

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
      `<bpmn:startEvent id="start"/>${serviceTask('first')}${serviceTask('second')}<bpmn:endEvent id="end"/>`,
      'a: start -> first\nb: first -> second\nc: second -> end',
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
      `<bpmn:startEvent id="start"/>${serviceTask('before')}${serviceTask('after')}<bpmn:endEvent id="end"/>`,
      'a: start -> before\nb: before -> after\nc: after -> end',
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
  const inside = scope(
    'subProcess',
    'inside',
    `${copy}<bpmn:startEvent id="first"/>${serviceTask('work', 'work', '', '', forEach('=items'))}<bpmn:endEvent id="last"/>`,
    'c: first -> work\nd: work -> last',
  );
  await host.deploy(
    processModel(
      'copying',
      `<bpmn:startEvent id="start"/>${inside}<bpmn:endEvent id="end"/>`,
      'a: start -> inside\nb: inside -> end',
    ),
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

test('a process that doubles a variable for ever comes to an incident and holds no worker', async () => {
  await host.deploy(
    processModel(
      'doubling',
      `<bpmn:startEvent id="start"/><bpmn:exclusiveGateway id="again"/>${scriptTask('double', '=x + x', 'x')}<bpmn:endEvent id="end"/>`,
      'a: start -> again\nb: again -> double\nc: double -> again',
    ),
  );
  const id = await host.start('doubling', { x: 'xyxyxyxy' });
  const incident = await eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
  expect(['SnapshotSizeExceeded', 'FeelError']).toContain(incident.errorType);
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  expect((await host.ended(id)).status).toBe('CANCELED');
});
