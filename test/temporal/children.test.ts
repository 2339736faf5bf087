import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, extensions, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called" propagateAllChildVariables="true"/>')}</bpmn:callActivity>`;
  await host.deploy(
    processModel('calling', [startEvent('start'), call, endEvent('end')], ['a: start -> call', 'b: call -> end']),
  );
});
afterAll(() => host.close());

const called = processModel(
  'called',
  [startEvent('start'), serviceTask('inside'), endEvent('end')],
  ['a: start -> inside', 'b: inside -> end'],
);

async function childOf(id: string): Promise<string> {
  const wait = await host.wait(id, 'child', 'call');
  return (wait as { workflowID: string }).workflowID;
}

test('a called instance is its own workflow, started from the outbox, and its result comes back', async () => {
  await host.deploy(called);
  const id = await host.start('calling', { given: 1 });
  const child = await childOf(id);
  await host.completeJob(child, 'inside', { result: 2 });
  await host.handle(id).result();
  expect((await host.state(id)).elements[1]!.variables).toEqual({ given: 1, result: 2 });
  expect((await host.row(child)).status).toBe('COMPLETED');
});

test('canceling an instance cancels what it called', async () => {
  await host.deploy(called);
  const id = await host.start('calling');
  const child = await childOf(id);
  await host.wait(child, 'job', 'inside');
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  expect((await host.ended(id)).status).toBe('CANCELED');
  expect((await host.ended(child)).status).toBe('CANCELED');
  await host.handle(child).result();
});

test('calling a process that is not deployed is an incident', async () => {
  const call = `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="nobody"/>')}</bpmn:callActivity>`;
  await host.deploy(
    processModel('callingNobody', [startEvent('start'), call, endEvent('end')], ['a: start -> call', 'b: call -> end']),
  );
  const id = await host.start('callingNobody');
  const incident = await eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
  expect(incident.errorType).toBe('NoHandler');
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
});
