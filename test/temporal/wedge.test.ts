import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GraphCache } from '../../store/definitions/graph-cache.js';
import { checkTemporal } from '../../host/admin/verify/temporal-rules.js';
import { startInstanceWorker } from '../../worker/temporal-worker.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { workflowThread } from '../support/workflow-thread.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
const folder = mkdtempSync(join(tmpdir(), 'perdure-wedge-'));
beforeAll(async () => {
  // The worker reports the first failure of a task only, and the server waits for the others.
  host = await openTemporalHost({ workflowTaskSeconds: 2 });
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
  rmSync(folder, { recursive: true });
});

/** The workflows of this build, which throw when an instance takes a step. */
function throwingBundle(): string {
  const bundle = readFileSync(host.bundlePath, 'utf8');
  const throwing = bundle.replace(/async function takeStep\([^)]*\) \{/, '$& throw new Error("thrown by a test");');
  expect(throwing).not.toBe(bundle);
  const path = join(folder, 'bundle.js');
  writeFileSync(path, throwing);
  return path;
}

test('verify reports an instance whose workflow task fails at every attempt, and no instance that merely waits', async () => {
  const [wedged, waiting] = [await host.start('oneJob'), await host.start('oneJob')];
  for (const id of [wedged, waiting]) await host.wait(id, 'job', 'work');
  const row = (workflowID: string) => ({ workflowID, status: 'RUNNING', stepCount: 1 });
  await eventually('both to rest', async () =>
    (await Promise.all([wedged, waiting].map((id) => checkTemporal(host.client, row(id))))).flat().length === 0
      ? true
      : undefined,
  );
  await host.stopWorker();
  const { connection, store, taskQueue } = host;
  const worker = await startInstanceWorker({
    connection,
    namespace: 'default',
    taskQueue,
    store,
    graphs: new GraphCache(store),
    bundlePath: throwingBundle(),
    threadFile: workflowThread,
    tuning: { shutdownGraceTime: '1s' },
  });
  try {
    await host.instances.signal(wedged, await host.write(wedged, { kind: 'CANCEL_INSTANCE' }));
    const found = await eventually('the discrepancy', async () => (await checkTemporal(host.client, row(wedged)))[0]);
    expect(found).toMatchObject({
      invariant: 'R2',
      workflowID: wedged,
      found: expect.stringContaining('fails on every attempt'),
    });
    expect(await checkTemporal(host.client, row(waiting))).toEqual([]);
  } finally {
    await worker.stop();
  }
}, 120_000);
