import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import { decision, dmn, literal } from '../dmn/support.js';
import {
  endEvent,
  exclusiveGateway,
  extensions,
  multiInstance,
  parallelGateway,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let server: RotatingServer;
let host: TemporalHost;
/** Instances whose decisions cannot be evaluated. */
const failing = new Set<string>();
let attempts = 0;
let atOnce = 0;
let maxAtOnce = 0;

function sometimes(activities: Activities): Activities {
  return {
    ...activities,
    async evaluateDecision(asked) {
      attempts += 1;
      if (failing.has(asked.workflowID)) throw new Error('cannot be evaluated');
      maxAtOnce = Math.max(maxAtOnce, (atOnce += 1));
      try {
        return await activities.evaluateDecision(asked);
      } finally {
        atOnce -= 1;
      }
    },
  };
}

const rule = (id: string, inside = '') =>
  `<bpmn:businessRuleTask id="${id}">${extensions(`<zeebe:calledDecision decisionId="price" resultVariable="${id}"/>`)}${inside}</bpmn:businessRuleTask>`;

beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, wrap: sometimes });
  await host.deployDecisions(dmn(decision('price', literal('amount * 2'))));
  await host.deploy(
    processModel(
      'besideJobs',
      [
        startEvent('start'),
        serviceTask('first'),
        parallelGateway('fork'),
        rule('price'),
        exclusiveGateway('again'),
        serviceTask('work'),
        parallelGateway('join'),
        exclusiveGateway('enough', { default: 'more' }),
        scriptTask('count', '=done + 1', 'done'),
        endEvent('end'),
      ],
      [
        'a0: start -> first',
        'a: first -> fork',
        'b: fork -> price',
        'c: fork -> again',
        'd: again -> work',
        'e: work -> count',
        'e2: count -> enough',
        'more: enough -> again',
        'f: enough -> join =done >= rounds',
        'g: price -> join',
        'h: join -> end',
      ],
    ),
  );
  await host.deploy(
    processModel(
      'manyAtOnce',
      [startEvent('start'), rule('price', multiInstance('=items')), endEvent('end')],
      ['a: start -> price', 'b: price -> end'],
    ),
  );
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

/** Waits at `first`, before the decision, which will not be evaluated. */
async function startFailing(rounds: number): Promise<string> {
  const id = await host.start('besideJobs', { amount: 21, done: 0, rounds });
  failing.add(id);
  await host.completeJob(id, 'first');
  await host.wait(id, 'decision', 'price');
  return id;
}

test('an instance whose decision cannot be evaluated hears a cancel', async () => {
  const id = await startFailing(1);
  expect((await host.command(id, { kind: 'CANCEL_INSTANCE' })).status).toBe('APPLIED');
  await host.handle(id).result();
  expect((await host.row(id)).status).toBe('CANCELED');
  await host.replay(id);
});

test('jobs next to a decision that cannot be evaluated are done, over new runs, and the decision once it can', async () => {
  const id = await startFailing(8);
  for (let round = 0; round < 8; round += 1) await host.completeJob(id, 'work');
  expect(await host.rotations(id)).toBeGreaterThan(0);
  failing.delete(id);
  expect((await host.ended(id)).status).toBe('COMPLETED');
  await host.handle(id).result();
  expect((await host.state(id)).elements[1]!.variables).toMatchObject({ price: 42, done: 8 });
  await host.replay(id);
}, 90_000);

test('attempts that fail come further and further apart', async () => {
  const id = await startFailing(1);
  const before = attempts;
  await eventually('the second attempt', async () => (attempts > before + 1 ? true : undefined));
  const events = await host.events(id);
  expect(events.filter((name) => name === 'TimerStarted').length).toBeLessThanOrEqual(4);
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
});

test('many decisions at once are evaluated a few at a time', async () => {
  maxAtOnce = 0;
  const id = await host.start('manyAtOnce', { amount: 21, items: Array.from({ length: 50 }, (_, index) => index) });
  expect((await host.ended(id)).status).toBe('COMPLETED');
  await host.handle(id).result();
  expect(maxAtOnce).toBeLessThanOrEqual(16);
  await host.replay(id);
}, 60_000);
