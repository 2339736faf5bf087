import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { decision, dmn, literal } from '../dmn/support.js';
import { endEvent, parallelGateway, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;

const ruleTask = (id: string): string =>
  `<bpmn:businessRuleTask id="${id}"><bpmn:extensionElements><zeebe:calledDecision decisionId="price" resultVariable="${id}"/></bpmn:extensionElements></bpmn:businessRuleTask>`;

/** A replay has the answers at once that come one after the other here. */
function oneAfterTheOther(activities: Activities): Activities {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ...activities,
    evaluateDecision(asked) {
      const answer = before.then(() => activities.evaluateDecision(asked));
      before = answer;
      return answer;
    },
  };
}

beforeAll(async () => {
  // Without a cache every workflow task begins from the history.
  host = await openTemporalHost({ tuning: { maxCachedWorkflows: 0 }, wrap: oneAfterTheOther });
  await host.deployDecisions(dmn(decision('price', literal('amount * 2'))));
  await host.deploy(
    processModel(
      'deciding',
      [
        startEvent('start'),
        serviceTask('before'),
        parallelGateway('fork'),
        ruleTask('left'),
        ruleTask('right'),
        parallelGateway('join'),
        serviceTask('after'),
        endEvent('end'),
      ],
      [
        'a: start -> before',
        'b: before -> fork',
        'c: fork -> left',
        'd: fork -> right',
        'e: left -> join',
        'f: right -> join',
        'g: join -> after',
        'h: after -> end',
      ],
    ),
  );
});
afterAll(() => host.close());

test('decisions side by side come out the same in every replay', async () => {
  const id = await host.start('deciding', { amount: 21 });
  await host.completeJob(id, 'before');
  await host.completeJob(id, 'after');
  await host.handle(id).result();
  const { variables } = (await host.state(id)).elements[1]!;
  expect(variables).toEqual({ amount: 21, left: 42, right: 42 });
  const history = await host.handle(id).fetchHistory();
  await host.replay(id, history);
}, 60_000);
