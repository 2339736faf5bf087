/** A step is bounded in work and bytes; what is left continues in the next one, and what never ends is held. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import {
  catchEvent,
  element,
  endEvent,
  exclusiveGateway,
  extensions,
  inclusiveGateway,
  multiInstance,
  on,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  task,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const IN_A_ROW = ['a: s -> x', 'b: x -> e'];
const records = (count: number) => Array.from({ length: count }, (_, id) => ({ id, amount: id % 20 }));

function largestStep({ steps }: MemoryInstance): number {
  return Math.max(...steps.map(({ facts }) => JSON.stringify(facts).length));
}

function yields({ steps }: MemoryInstance): Fact[] {
  return steps.flatMap(({ facts }) => facts.filter(({ kind }) => kind === 'STEP_YIELDED'));
}

/** A conditional boundary event for each of `pairs`: when x has the first value, it gets the second. */
function chasing(pairs: [number, number][]): string {
  const events = pairs
    .map(
      ([when, next]) =>
        `<bpmn:boundaryEvent id="b${when}" attachedToRef="x" cancelActivity="false">${extensions(`<zeebe:ioMapping><zeebe:output source="=${next}" target="x"/></zeebe:ioMapping>`)}<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=x = ${when}</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:boundaryEvent>`,
    )
    .join('');
  return simpleModel([serviceTask('x'), events, endEvent('e')], IN_A_ROW);
}

describe('a step', () => {
  it('of a multi-instance script over many records yields, and all of them run', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [scriptTask('x', '=count(items[item.amount > 10])', 'y', { loop: multiInstance('=items') }), endEvent('e')],
        IN_A_ROW,
      ),
    );
    const instance = host.start('p', { items: records(400) });
    expect(instance.state.status).toBe('COMPLETED');
    expect(yields(instance).length).toBeGreaterThan(1);
  });

  it('writes at most its share of facts, and a large value in a separate step', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [scriptTask('x', '=x + 1', 'x'), exclusiveGateway('g', { default: 'again' }), endEvent('e')],
        ['a: s -> x', 'b: x -> g', 'done: g -> e =x >= 5000', 'again: g -> x'],
      ),
    );
    const instance = host.start('p', { x: 0 });
    expect(instance.state.status).toBe('COMPLETED');
    expect(largestStep(instance)).toBeLessThan(256 * 1024);
  });

  it('that ends within a pass over conditions can be taken again with the same result', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [
          subProcess(
            'x',
            [startEvent('i'), catchEvent('c', on.condition('=count(items[item.amount > 100]) > 9000'))],
            ['d: i -> c'],
            {
              loop: multiInstance('=for i in 1..40 return i'),
            },
          ),
          endEvent('e'),
        ],
        IN_A_ROW,
      ),
    );
    const instance = host.start('p', { items: records(2000) });
    expect(yields(instance).some((fact) => 'conditions' in fact && fact.written === 0)).toBe(true);
  });

  it('whose budget ends when the last token reaches a join continues there', async () => {
    for (let rounds = 300; rounds < 1_500; rounds += 101) {
      const body = [
        exclusiveGateway('m'),
        scriptTask('i', '=i + 1', 'i'),
        inclusiveGateway('f'),
        task('one'),
        task('two'),
        inclusiveGateway('j'),
        exclusiveGateway('d', { default: 'again' }),
        endEvent('e'),
      ];
      const host = await MemoryHost.deploy(
        simpleModel(
          [body],
          [
            'a: s -> m',
            'b: m -> i',
            'c: i -> f',
            'd1: f -> one =true',
            'd2: f -> two =true',
            'g: one -> j',
            'h: two -> j',
            'k: j -> d',
            'done: d -> e =i >= n',
            'again: d -> m',
          ],
        ),
      );
      const instance = host.start('p', { i: 0, n: rounds });
      expect(instance.state.status, `after ${rounds} rounds`).toBe('COMPLETED');
    }
  }, 120_000);

  it('handles a cancellation although a loop spends its budget each time', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [serviceTask('x'), exclusiveGateway('g'), scriptTask('y', '=1', 'z')],
        ['a: s -> x', 'b: x -> g', 'c: g -> y', 'd: y -> g'],
      ),
    );
    host.compareEvery = 100;
    const instance = host.start('p');
    host.completeJob(instance, 'x');
    expect(host.incidents(instance)).toMatchObject([
      {
        errorType: 'RotationLimitError',
        errorCode: 'LOOP_WITHOUT_WAIT',
        message: expect.stringMatching(/y \(\d+ times\)/),
      },
    ]);
    host.resolve(instance, 'p');
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
  }, 120_000);

  it('ends conditional events that set each other off at an incident that names them', async () => {
    const host = await MemoryHost.deploy(
      chasing([
        [3, 1],
        [2, 3],
        [1, 2],
      ]),
    );
    host.compareEvery = 100;
    const instance = host.start('p', { x: 1 });
    expect(host.incidents(instance)).toMatchObject([
      { errorType: 'RotationLimitError', errorCode: 'LOOP_WITHOUT_WAIT' },
    ]);
    expect(largestStep(instance)).toBeLessThan(256 * 1024);
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
  }, 120_000);

  it('ends a loop around a decision at an incident, however often the decision is answered', async () => {
    const rule = `<bpmn:businessRuleTask id="x">${extensions('<zeebe:calledDecision decisionId="d" resultVariable="y"/>')}</bpmn:businessRuleTask>`;
    const host = await MemoryHost.deploy(
      simpleModel([exclusiveGateway('g'), rule], ['a: s -> g', 'b: g -> x', 'c: x -> g']),
    );
    host.compareEvery = Infinity;
    host.decisions.set('d', () => 'z'.repeat(400_000));
    const instance = host.start('p');
    expect(host.incidents(instance)).toMatchObject([
      { errorType: 'RotationLimitError', errorCode: 'LOOP_WITHOUT_WAIT' },
    ]);
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    expect(instance.state.status).toBe('CANCELED');
  }, 120_000);

  it('evaluates each of many slow conditions, however few fit into one step', async () => {
    const conditions = Array.from({ length: 60 }, (_, index) => [
      `<bpmn:boundaryEvent id="b${index}" attachedToRef="x" cancelActivity="false"><bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=count(for i in 1..20000 return i) + n &gt; 20000 + ${index}</bpmn:condition></bpmn:conditionalEventDefinition></bpmn:boundaryEvent>`,
      serviceTask(`t${index}`),
    ]);
    const flows = Array.from({ length: 60 }, (_, index) => `f${index}: b${index} -> t${index}`).join('\n');
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('x'), ...conditions, endEvent('e')], [IN_A_ROW, flows]),
    );
    const instance = host.start('p', { n: 0 });
    host.command(instance, { kind: 'SET_VARIABLES', variables: { n: 40 } });
    expect(host.waiting(instance).filter((wait) => wait.startsWith('job t'))).toHaveLength(40);
  });
});

describe('a scope without a start event', () => {
  it('does not end between two of its beginnings', async () => {
    const host = await MemoryHost.deploy(
      processModel('p', [scriptTask('first', '=1', 'y'), serviceTask('second')], []),
    );
    const instance = host.start('p');
    expect(instance.state.status).toBe('RUNNING');
    host.completeJob(instance, 'second');
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('inside another one keeps that one from continuing, whatever order its beginnings end in', async () => {
    const box = subProcess('box', [scriptTask('first', '=1', 'y'), serviceTask('second')], []);
    const host = await MemoryHost.deploy(
      simpleModel([box, serviceTask('after'), endEvent('e')], ['a: s -> box', 'b: box -> after', 'c: after -> e']),
    );
    const instance = host.start('p');
    expect(host.waiting(instance)).toEqual(['job second']);
    host.throwJobError(instance, 'second', 'E');
    expect(host.incidents(instance)).toMatchObject([{ node: 'second' }]);
  });
});

describe('a value that is too large', () => {
  const copy = (source: string) =>
    extensions(`<zeebe:ioMapping><zeebe:input source="=${source}" target="copy"/></zeebe:ioMapping>`);

  it('is an incident at the node that made it, and nothing of it is written', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([element('task', { id: 'x' }, copy('for i in 1..4 return s')), endEvent('e')], IN_A_ROW),
    );
    const instance = host.start('p', { s: 'y'.repeat(400_000) });
    expect(host.incidents(instance)).toMatchObject([
      { node: 'x', errorType: 'SnapshotSizeExceeded', errorCode: 'VARIABLES_TOO_LARGE' },
    ]);
    expect(largestStep(instance)).toBeLessThan(500_000);
  });

  it('may replace another one of its size', async () => {
    const host = await MemoryHost.deploy(simpleModel([serviceTask('x'), endEvent('e')], IN_A_ROW));
    const instance = host.start('p', { load: 'y'.repeat(900_000) });
    host.completeJob(instance, 'x', { load: 'z'.repeat(900_000) });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('may leave an activity by an output mapping', async () => {
    const mapping = '<zeebe:ioMapping><zeebe:output source="=result" target="load"/></zeebe:ioMapping>';
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('x', { extensions: mapping }), endEvent('e')], IN_A_ROW),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'x', { result: 'z'.repeat(700_000) });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('given by an operator is refused with the sizes', async () => {
    const host = await MemoryHost.deploy(simpleModel([serviceTask('x'), endEvent('e')], IN_A_ROW));
    const instance = host.start('p', { load: 'y'.repeat(900_000) });
    const outcome = host.command(instance, { kind: 'SET_VARIABLES', variables: { more: 'z'.repeat(200_000) } });
    expect(outcome).toMatchObject({
      status: 'REJECTED',
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/would take \d+ bytes, but the limit is 1048576/),
    });
    expect(
      host.command(instance, { kind: 'SET_VARIABLES', variables: { load: null, more: 'z'.repeat(900_000) } }),
    ).toMatchObject({ status: 'APPLIED' });
  });

  it('of a list is an incident at the multi-instance activity that would hold it', async () => {
    const loop = `<bpmn:multiInstanceLoopCharacteristics>${extensions('<zeebe:loopCharacteristics inputCollection="=for i in 1..100000 return i" outputCollection="r" outputElement="=1"/>')}</bpmn:multiInstanceLoopCharacteristics>`;
    const host = await MemoryHost.deploy(
      simpleModel([scriptTask('x', '=1', 'y', { loop: loop }), endEvent('e')], IN_A_ROW),
    );
    expect(host.incidents(host.start('p'))).toMatchObject([{ node: 'x', errorType: 'SnapshotSizeExceeded' }]);
  });
});
