/** The order of tasks in a Temporal server that has fairness switched on, which `docs/operations/topology.md` recommends. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { findTemporalExecutable } from '../../dev/temporal/executable.js';
import { freePort } from '../../dev/ports.js';
import { startTemporalServer } from '../../dev/temporal/server.js';
import { fairnessKeyOf } from '../../temporal/instances.js';

const FLOOD = 200;
const taskQueue = 'fair';

async function start(client: Client, project: string, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - nth) }, (_, index) =>
        client.workflow.start('any', {
          workflowId: `${project}-${nth + index}`,
          taskQueue,
          priority: { fairnessKey: fairnessKeyOf(project) },
        }),
      ),
    );
}

test('a server that serves fairness keys in turn gives a calm project its task next to a flood', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perdure-fairness-'));
  const server = await startTemporalServer({
    executable: await findTemporalExecutable(),
    port: await freePort(),
    folder,
    dynamicConfiguration: {
      'matching.useNewMatcher': true,
      'matching.enableFairness': true,
      // The order holds within a partition. With several, polls find the calm one's partition by chance.
      'matching.numTaskqueueReadPartitions': 1,
      'matching.numTaskqueueWritePartitions': 1,
    },
  });
  const connection = await Connection.connect({ address: server.address });
  try {
    const client = new Client({ connection });
    await start(client, 'busy', FLOOD);
    await start(client, 'calm', 1);
    let polls = 0;
    for (let workflowID = ''; workflowID !== 'calm-0'; polls += 1) {
      const task = await client.withDeadline(Date.now() + 60_000, () =>
        client.workflowService.pollWorkflowTaskQueue({
          namespace: 'default',
          taskQueue: { name: taskQueue },
          identity: 'test',
        }),
      );
      workflowID = task.workflowExecution?.workflowId ?? '';
    }
    // Without fairness it is the last one.
    expect(polls).toBeLessThan(FLOOD / 10);
  } finally {
    await connection.close();
    await server.child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
