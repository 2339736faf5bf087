import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobLoop } from './support/models.js';
import { installRefusals, type Refusals } from './support/refusals.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let server: RotatingServer;
let host: TemporalHost;
let refusals: Refusals;

beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, maxRotations: 100 });
  refusals = await installRefusals(host.store);
  await host.deploy(jobLoop);
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

test('an instance whose rotation the database refuses halts, still hears commands over new runs, and continues when resolved', async () => {
  const id = await host.start('jobLoop', { rounds: 12 });
  await refusals.add(id, 'INSTANCE_ROTATED');
  const incident = await eventually('the incident', async () => {
    const [found] = Object.values((await host.state(id)).incidents);
    if (!found) await host.command(id, { kind: 'SET_VARIABLES', variables: { heard: true } });
    return found;
  });
  expect(incident).toMatchObject({ errorType: 'EngineError', errorCode: 'UNSTORABLE' });
  for (let round = 0; round < 30; round += 1)
    expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { round } })).toMatchObject({
      status: 'APPLIED',
    });
  await refusals.clear();
  expect(await host.command(id, { kind: 'RESOLVE_INCIDENT', incident: incident.id })).toMatchObject({
    status: 'APPLIED',
  });
  for (let round = 0; round < 12; round += 1) await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
  await host.handle(id).result();
  await host.replay(id);
}, 90_000);
