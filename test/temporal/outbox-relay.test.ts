import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { startOutboxRelay } from '../../worker/outbox-relay.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { startAgain } from '../../host/admin/resync/repair.js';
import { eventually } from '../support/eventually.js';
import { silent } from '../support/host-services.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

const oneJob = processModel(
  'oneJob',
  [startEvent('start'), serviceTask('work'), endEvent('end')],
  ['a: start -> work', 'b: work -> end'],
);

/** The tests run at once, because the relay waits for seconds before it takes what others may be sending. */
let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  await host.deploy(oneJob);
});
afterAll(() => host.close());

test.concurrent('an instance whose start never reached Temporal is started all the same', async () => {
  const id = await host.start('oneJob', {}, { send: false });
  await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

test.concurrent('a command whose signal was never sent is delivered all the same', async () => {
  const id = await host.start('oneJob');
  const { id: job } = await host.wait(id, 'job', 'work');
  const { number } = await host.write(id, { kind: 'COMPLETE_JOB', execution: job });
  expect(await host.outcome(id, number)).toMatchObject({ status: 'APPLIED' });
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

test.concurrent('Temporal knows the project of an instance as its fairness key', async () => {
  const id = await host.start('oneJob');
  const { raw } = await host.client.workflow.getHandle(id).describe();
  expect(raw.workflowExecutionInfo?.priority?.fairnessKey).toBe(project);
});

test.concurrent('a cancel that finds no workflow is left to the workflow that is restarted right after', async () => {
  const quiet = await openTemporalHost({ outboxRelay: false });
  try {
    await quiet.deploy(oneJob);
    const id = await quiet.start('oneJob');
    await quiet.wait(id, 'job', 'work');
    await quiet.handle(id).terminate('by mistake');
    await cancelInstance(quiet.store, { projectID: project, workflowID: id, awaited: false });
    let missed = 0;
    const signal: typeof quiet.instances.signal = async (workflowID, command) => {
      const arrived = await quiet.instances.signal(workflowID, command);
      if (!arrived && missed++ === 0) await startAgain(quiet.store, quiet.instances, id);
      return arrived;
    };
    const relay = startOutboxRelay({
      store: quiet.store,
      notifications: {
        waitForOutbox: (_sort: string, milliseconds: number) => delay(Math.min(milliseconds, 20)),
      } as never,
      instances: { signal } as never,
      logger: silent,
    });
    expect((await quiet.ended(id)).status).toBe('CANCELED');
    await relay.stop();
    const closed = await eventually('the end of the workflow', async () => {
      const { status } = await quiet.handle(id).describe();
      return status.name === 'RUNNING' ? undefined : status.name;
    });
    expect({ missed, closed }).toEqual({ missed: 1, closed: 'COMPLETED' });
  } finally {
    await quiet.close();
  }
});
