/** A workflow task that outlives its time-out: the worker asks for more time, and a replay sees one task with the later time. */
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let attempts = 0;

beforeAll(async () => {
  host = await openTemporalHost({ wrap: slowAtFirst });
  const timer =
    '<bpmn:intermediateCatchEvent id="rest"><bpmn:timerEventDefinition id="d"><bpmn:timeDuration>PT8S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
  await host.deploy(
    processModel('resting', [startEvent('start'), timer, endEvent('end')], ['a: start -> rest', 'b: rest -> end']),
  );
});
afterAll(() => host.close());

/** Two attempts of five seconds end without an answer: together more than a workflow task has. */
function slowAtFirst(activities: Activities): Activities {
  return {
    ...activities,
    exchange(asked) {
      attempts += 1;
      return attempts <= 2 ? new Promise(() => undefined) : activities.exchange(asked);
    },
  };
}

test('a step continues as it was written when it is replayed: a timer keeps the time it was set to', async () => {
  const id = await host.start('resting');
  await host.handle(id).result();

  const history = await host.handle(id).fetchHistory();
  const tasks = history.events!.filter(
    ({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes,
  );
  expect(tasks.length, 'workflow tasks: the first has outlived its time-out').toBeGreaterThan(1);
  await expect(
    Worker.runReplayHistory(
      { workflowBundle: { codePath: host.bundlePath }, dataConverter: host.dataConverter },
      history,
      id,
    ),
  ).resolves.toBeUndefined();
}, 90_000);
