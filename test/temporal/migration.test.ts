import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, exclusiveGateway, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let server: RotatingServer;
let host: TemporalHost;
beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

/** The loop with its job under another id, and with as much around it as makes a graph too large for the input of a run. */
const largerLoop = (processID: string) => {
  const padding = Array.from({ length: 60 }, (_, index) => scriptTask(`pad${index}`, '=1', 'padded'));
  const flows = Array.from({ length: 59 }, (_, index) => `p${index}: pad${index} -> pad${index + 1}`);
  return processModel(
    processID,
    [
      startEvent('start'),
      scriptTask('begin', '=0', 'done'),
      exclusiveGateway('again'),
      serviceTask('toil'),
      scriptTask('count', '=done + 1', 'done'),
      exclusiveGateway('enough', { default: 'more' }),
      padding,
      endEvent('end'),
    ],
    [
      'a: start -> begin',
      'b: begin -> again',
      'c: again -> toil',
      'd: toil -> count',
      'e: count -> enough',
      'more: enough -> again',
      'f: enough -> pad0 =done >= rounds',
      flows,
      'g: pad59 -> end',
    ],
  );
};

test('an instance rotates with the version that it was migrated to, and its history replays', async () => {
  await host.deploy(jobLoop.replaceAll('jobLoop', 'grown'));
  const id = await host.start('grown', { rounds: 12 });
  for (let round = 0; round < 4; round += 1) await host.completeJob(id, 'work');
  await host.deploy(largerLoop('grown'));
  expect(await host.migrate(id, 'grown', [{ source: 'work', target: 'toil' }])).toMatchObject({ status: 'APPLIED' });
  for (let round = 4; round < 12; round += 1) await host.completeJob(id, 'toil');
  const ended = await host.ended(id);
  expect(ended).toMatchObject({ status: 'COMPLETED', processVersion: 2 });
  expect(await host.rotations(id)).toBeGreaterThan(1);
  expect((await host.state(id)).elements[1]!.variables).toMatchObject({ done: 12, padded: 1 });
  const history = await host.handle(id).fetchHistory();
  await host.replay(id, history);
});

test('an instance that no worker keeps in memory continues with the new version after every step', async () => {
  const forgetful = await openTemporalHost({ temporal: server.address, tuning: { maxCachedWorkflows: 0 } });
  try {
    await forgetful.deploy(jobLoop.replaceAll('jobLoop', 'forgotten'));
    const id = await forgetful.start('forgotten', { rounds: 4 });
    await forgetful.completeJob(id, 'work');
    await forgetful.deploy(largerLoop('forgotten'));
    await forgetful.migrate(id, 'forgotten', [{ source: 'work', target: 'toil' }]);
    for (let round = 1; round < 4; round += 1) await forgetful.completeJob(id, 'toil');
    expect(await forgetful.ended(id)).toMatchObject({ status: 'COMPLETED', processVersion: 2 });
  } finally {
    await forgetful.close();
  }
});
