/** Changes of behavior without a flag are named with the node at which instances would notice them. */
import type { Recording } from '@perdure/backtest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { COMPILER_VERSION } from '@perdure/bpmn/compile/compiler-version.js';
import type { Json } from '@perdure/engine/contract/json.js';
import {
  boundaryEvent,
  compensatedBy,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  processModel,
  serviceTask,
  startEvent,
  throwEvent,
  userTask,
} from '@perdure/testkit/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record } from '../backtest/support/recording.js';
import { Candidates, type Planted } from './support/candidate.js';

const LIMIT = 100;

/** Prices an order, has large ones checked, packs its items, books two services, and undoes both if it is not shipped in time. */
const order = processModel(
  'p',
  [
    startEvent('start'),
    serviceTask('price', { outputs: { 'order.amount': '=amount' } }),
    exclusiveGateway('large', { default: 'no' }),
    userTask('check'),
    serviceTask('pack', { loop: multiInstance('=items', { sequential: true }) }),
    serviceTask('bookTruck'),
    serviceTask('cancelTruck', { isForCompensation: true }),
    compensatedBy('bookTruck', 'cancelTruck'),
    serviceTask('bookDriver'),
    serviceTask('cancelDriver', { isForCompensation: true }),
    compensatedBy('bookDriver', 'cancelDriver'),
    serviceTask('ship'),
    boundaryEvent('late', 'ship', on.timer('PT1H')),
    throwEvent('undo', on.compensation()),
    endEvent('shipped'),
    endEvent('undone'),
  ],
  [
    'a: start -> price',
    'b: price -> large',
    `yes: large -> check =order.amount > ${LIMIT}`,
    'no: large -> pack',
    'c: check -> pack',
    'd: pack -> bookTruck',
    'e: bookTruck -> bookDriver',
    'f: bookDriver -> ship',
    'g: ship -> shipped',
    'h: late -> undo',
    'i: undo -> undone',
  ],
);

interface Case {
  amount: number;
  items: number;
  isLate: boolean;
}

const cases: Case[] = [LIMIT - 50, LIMIT, LIMIT + 50].flatMap((amount) =>
  [1, 3].flatMap((items) => [true, false].map((isLate) => ({ amount, items, isLate }))),
);

function recordCase({ amount, items, isLate }: Case): Promise<Recording> {
  const list = Array.from({ length: items }, (_, index) => `item ${index}`) as Json;
  return record(
    order,
    (host, instance) => {
      while (instance.state.status === 'RUNNING') {
        const [wait] = Object.values(instance.state.waits).filter(({ kind }) => kind !== 'timer');
        const { node, id } = wait!;
        if (node === 'ship' && isLate) host.advance(3_600_000);
        else if (wait!.kind === 'userTask') host.command(instance, { kind: 'COMPLETE_USER_TASK', execution: id });
        else
          host.command(instance, {
            kind: 'COMPLETE_JOB',
            execution: id,
            ...(node === 'price' && { variables: { amount } }),
          });
      }
    },
    { variables: { items: list, order: { customer: 'c-1' } } },
  );
}

/** With the instances that notice it, and where. */
interface Expected extends Planted {
  what: string;
  node: string;
  difference: RegExp;
  affects(of: Case): boolean;
}

const inEngine: Expected[] = [
  {
    what: 'an exclusive gateway that takes flows whose condition is false',
    file: 'packages/engine/elements/exclusive-gateway.ts',
    before: 'holds.value',
    after: '!holds.value',
    node: 'large',
    difference: /./,
    affects: () => true,
  },
  {
    what: 'numbers of which equal ones are greater',
    file: 'packages/feel/compile/comparison.ts',
    before: 'a > b',
    after: 'a >= b',
    node: 'large',
    difference: /./,
    affects: ({ amount }) => amount === LIMIT,
  },
  {
    what: 'an output mapping that forgets the other members',
    file: 'packages/engine/behaviors/data/mappings.ts',
    before: 'members.length > 0 ? present?.(name) : undefined',
    after: 'undefined',
    node: 'price',
    difference: /variables/,
    affects: () => true,
  },
  {
    what: 'loop counters that begin with zero',
    file: 'packages/engine/behaviors/flow/loops.ts',
    before: 'index + 1',
    after: 'index',
    node: 'pack',
    difference: /variables/,
    affects: () => true,
  },
  {
    what: 'a sequential multi-instance activity that runs in parallel',
    file: 'packages/engine/behaviors/flow/loops.ts',
    before: 'loop.sequential ? 1 : WINDOW',
    after: 'WINDOW',
    node: 'pack',
    difference: /./,
    affects: ({ items }) => items > 1,
  },
  {
    what: 'a compensation in the order of completion',
    file: 'packages/engine/behaviors/compensation/compensation.ts',
    before: 'queue[0]',
    after: 'queue.at(-1)',
    node: 'undo_bookDriver',
    difference: /./,
    affects: ({ isLate }) => isLate,
  },
  {
    what: 'a timer that is due a second later',
    file: 'packages/engine/events/timer.ts',
    before: 'lastTick(plan, run.now)',
    after: '{ ...lastTick(plan, run.now), due: plan.due + 1000 }',
    node: 'late',
    difference: /TIMER_STARTED differs in due/,
    affects: () => true,
  },
  {
    what: 'an interrupting boundary event that leaves its activity alone',
    file: 'packages/engine/elements/boundary-event.ts',
    before: 'node.interrupting',
    after: 'false',
    node: 'ship',
    difference: /./,
    affects: ({ isLate }) => isLate,
  },
];

const inCompiler: Omit<Expected, 'affects'>[] = [
  {
    what: 'jobs with five attempts unless the model says otherwise',
    file: 'packages/engine/behaviors/waiting/jobs.ts',
    before: "definition?.attribute('retries') ?? DEFAULT_RETRIES",
    after: "definition?.attribute('retries') ?? '5'",
    node: 'price',
    difference: /serviceTask is compiled differently/,
  },
  {
    what: 'sequential multi-instance activities read as parallel ones',
    file: 'packages/bpmn/compile/loops.ts',
    before: "characteristics.flag('isSequential', false)",
    after: 'false',
    node: 'pack',
    difference: /serviceTask is compiled differently/,
  },
];

let candidates: Candidates;
let recordings: { of: Case; recording: Recording }[];

beforeAll(async () => {
  candidates = await Candidates.build([...inEngine, ...inCompiler]);
  recordings = await Promise.all(cases.map(async (of) => ({ of, recording: await recordCase(of) })));
}, 120_000);
afterAll(() => candidates?.close());

/** The result of the check for each instance, in the order of the cases. */
function check(index: number | undefined) {
  const { rerun, modelOf } = candidates.with(index);
  return recordings.map(({ recording }) => {
    const model = modelOf(JSON.parse(JSON.stringify(recording.model.graph)));
    return rerun({ ...recording, model, targets: new Map() });
  });
}

describe('a change of the engine without a flag', () => {
  it('that is not there is not reported', () => {
    expect(check(undefined)).toEqual(cases.map(() => ({ kind: 'same' })));
  });

  it.each(inEngine.map((planted, index) => [planted.what, index, planted] as const))(
    'is reported for exactly the instances that it affects: %s',
    (_what, index, { node, difference, affects }) => {
      const results = check(index);
      const reported = results.map(({ kind }) => kind === 'different');
      expect(reported).toEqual(cases.map(affects));
      for (const result of results)
        if (result.kind === 'different')
          expect(result.difference).toMatchObject({ nodeID: node, what: expect.stringMatching(difference) });
    },
  );
});

describe('a change of the compiler', () => {
  async function compare(index: number | undefined) {
    const [stored] = (await compile(order)).processes;
    const candidate = candidates.with(index);
    const again = await candidate.compile(order);
    const graph = JSON.stringify(stored!.graph);
    return candidate.graphDifference({ processID: 'p', compilerVersion: COMPILER_VERSION, graph }, again);
  }

  it('that is not there is not reported', async () => {
    expect(await compare(undefined)).toBeUndefined();
  });

  it.each(inCompiler.map((planted, index) => [planted.what, inEngine.length + index, planted] as const))(
    'is reported with its node: %s',
    async (_what, index, { node, difference }) => {
      expect(await compare(index)).toMatchObject({ nodeID: node, what: expect.stringMatching(difference) });
    },
  );
});
