import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, exclusiveGateway, processModel, startEvent } from '@perdure/testkit/models';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let server: RotatingServer;
let host: TemporalHost;
beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, maxRotations: 2 });
  await host.deploy(jobLoop);
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

/** Completes jobs until the instance has none and an incident is open. */
async function workUntilHeld(id: string): Promise<number> {
  return eventually('the incident', async () => {
    const { waits, incidents } = await host.state(id);
    const job = Object.values(waits).find(({ kind }) => kind === 'job');
    if (job) await host.command(id, { kind: 'COMPLETE_JOB', execution: job.id });
    const incident = Object.values(incidents).find(({ errorType }) => errorType === 'RotationLimitError');
    return job ? undefined : incident?.id;
  });
}

test('at the limit of rotations the instance has an incident, and resolving it grants as many again', async () => {
  const id = await host.start('jobLoop', { rounds: 1000 });
  const first = await workUntilHeld(id);
  expect(await host.rotations(id)).toBe(2);
  await host.command(id, { kind: 'RESOLVE_INCIDENT', incident: first });
  const second = await workUntilHeld(id);
  expect(await host.rotations(id)).toBe(4);
  expect(second).toBeGreaterThan(first);
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  expect((await host.ended(id)).status).toBe('CANCELED');
}, 90_000);

test('a loop without a wait neither holds the worker nor continues forever', async () => {
  await host.deploy(
    processModel(
      'endless',
      [startEvent('start'), exclusiveGateway('again'), exclusiveGateway('never', { default: 'more' }), endEvent('end')],
      ['a: start -> again', 'b: again -> never', 'more: never -> again', 'c: never -> end =false'],
    ),
  );
  const id = await host.start('endless');
  const other = await host.start('jobLoop', { rounds: 1 });
  await host.completeJob(other, 'work');
  expect((await host.ended(other)).status).toBe('COMPLETED');
  const held = await eventually('the incident', async () => {
    const { incidents } = await host.state(id);
    return Object.values(incidents)[0];
  });
  expect(held.errorType).toBe('RotationLimitError');
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  expect((await host.ended(id)).status).toBe('CANCELED');
}, 90_000);
