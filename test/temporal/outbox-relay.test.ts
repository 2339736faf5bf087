import { afterAll, beforeAll, expect, test } from 'vitest';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
beforeAll(async () => {
  host = await openTemporalHost();
  await host.deploy(
    processModel(
      'oneJob',
      [startEvent('start'), serviceTask('work'), endEvent('end')],
      ['a: start -> work', 'b: work -> end'],
    ),
  );
});
afterAll(() => host.close());

test('an instance whose start never reached Temporal is started all the same', async () => {
  const id = await host.start('oneJob', {}, { send: false });
  await host.completeJob(id, 'work');
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

test('a command whose signal was never sent is delivered all the same', async () => {
  const id = await host.start('oneJob');
  const { id: job } = await host.wait(id, 'job', 'work');
  const { number } = await host.write(id, { kind: 'COMPLETE_JOB', execution: job });
  expect(await host.outcome(id, number)).toMatchObject({ status: 'APPLIED' });
  expect((await host.ended(id)).status).toBe('COMPLETED');
});

test('Temporal knows the project of an instance as its fairness key', async () => {
  const id = await host.start('oneJob');
  const { raw } = await host.client.workflow.getHandle(id).describe();
  expect(raw.workflowExecutionInfo?.priority?.fairnessKey).toBe(project);
});
