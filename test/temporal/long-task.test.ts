/** A workflow task that outlives its time-out: the worker asks for more time, and a replay sees one task with the later time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { endEvent, processModel, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let attempts = 0;
/** Ends the attempt without an answer, for which the worker would wait when it stops. */
let giveUp: () => void;

beforeAll(async () => {
  host = await openTemporalHost({ wrap: slowAtFirst, workflowTaskSeconds: 3 });
  const timer =
    '<bpmn:intermediateCatchEvent id="rest"><bpmn:timerEventDefinition id="d"><bpmn:timeDuration>PT4S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>';
  await host.deploy(
    processModel('resting', [startEvent('start'), timer, endEvent('end')], ['a: start -> rest', 'b: rest -> end']),
  );
});
afterAll(async () => {
  giveUp();
  await host.close();
});

/** One attempt ends without an answer after five seconds: more than a workflow task has. */
function slowAtFirst(activities: Activities): Activities {
  return {
    ...activities,
    exchange(asked) {
      attempts += 1;
      return attempts === 1
        ? new Promise((_resolve, reject) => (giveUp = () => reject(new Error('The test is over'))))
        : activities.exchange(asked);
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
  await expect(host.replay(id, history)).resolves.toBeUndefined();
}, 90_000);
