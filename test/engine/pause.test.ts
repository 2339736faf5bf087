/** Steps of a paused instance, without a host: nothing moves, and the first step after the pause makes up for it. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { apply } from '@perdure/engine/apply.js';
import type { Command, CommandBody, CommandOutcome } from '@perdure/engine/contract/commands.js';
import type { Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { newState, ROOT, type State } from '@perdure/engine/state/state.js';
import { step, stepPaused, type StepResult } from '@perdure/engine/step.js';
import {
  compensatedBy,
  endEvent,
  exclusiveGateway,
  extensions,
  on,
  parallelGateway,
  scriptTask,
  serviceTask,
  startEvent,
  subProcess,
  task,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;

/** One instance that is paused and resumed by hand. */
class Pausable {
  readonly state: State = newState('i');
  readonly replayed: State = newState('i');
  readonly facts: Fact[] = [];
  now = START;
  #number = 0;
  /** Commands that were deferred, by number. */
  readonly #kept = new Map<number, Command>();

  private constructor(readonly model: Model) {}

  static async begin(xml: string, variables: Variables = {}, flags: string[] = []): Promise<Pausable> {
    const { processes, problems } = await compile(xml);
    if (!processes[0]) throw new Error(JSON.stringify(problems));
    const instance = new Pausable(modelOf(JSON.parse(JSON.stringify(processes[0].graph))));
    instance.#note(
      step(instance.model, instance.state, { start: { variables, flags }, commands: [], now: instance.now }),
    );
    return instance;
  }

  /** A step while it runs. */
  run(...bodies: CommandBody[]): CommandOutcome[] {
    return this.#note(
      step(this.model, this.state, { commands: bodies.map((body) => this.#command(body)), now: this.now }),
    );
  }

  /** A step that has room for the first `count` of the deferred commands. */
  runWithDeferred(count: number, ...bodies: CommandBody[]): CommandOutcome[] {
    const deferred = (this.state.deferred ?? []).slice(0, count).map(({ number }) => this.#kept.get(number)!);
    const commands = [...deferred, ...bodies.map((body) => this.#command(body))];
    return this.#note(step(this.model, this.state, { commands, now: this.now }));
  }

  /** A step while it is paused. */
  pause(...bodies: CommandBody[]): CommandOutcome[] {
    return this.#note(
      stepPaused(this.model, this.state, { commands: bodies.map((body) => this.#command(body)), now: this.now }),
    );
  }

  /** The first step after the pause, with what was deferred. */
  resume(): CommandOutcome[] {
    const commands = (this.state.deferred ?? []).map(({ number }) => this.#kept.get(number)!);
    return this.#note(step(this.model, this.state, { commands, now: this.now, resumed: true }));
  }

  wait(node: string): number {
    const found = Object.values(this.state.waits).find((wait) => wait.node === node);
    if (!found)
      throw new Error(
        `Nothing waits at ${node}; waiting: ${
          Object.values(this.state.waits)
            .map((wait) => wait.node)
            .join(', ') || 'nothing'
        }`,
      );
    return found.id;
  }

  get variables(): Variables {
    return this.state.elements[ROOT]?.variables ?? {};
  }

  get incidents(): number[] {
    return Object.keys(this.state.incidents).map(Number);
  }

  /** Kinds of what has happened since the last look. */
  kinds(): string[] {
    return this.facts.splice(0).map(({ kind }) => kind);
  }

  #command(body: CommandBody): Command {
    const command: Command = { ...body, number: (this.#number += 1) };
    this.#kept.set(command.number, command);
    return command;
  }

  #note({ facts, outcomes }: StepResult): CommandOutcome[] {
    this.facts.push(...facts);
    for (const fact of facts) apply(this.replayed, fact, this.now);
    expect(this.replayed).toEqual(this.state);
    return outcomes;
  }
}

const timer = (kind: 'timeDuration' | 'timeCycle', text: string) =>
  `<bpmn:timerEventDefinition><bpmn:${kind} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${kind}></bpmn:timerEventDefinition>`;
const boundary = (id: string, host: string, definition: string, interrupting = true) =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="${host}" cancelActivity="${interrupting}">${definition}</bpmn:boundaryEvent>`;

describe('a command during a pause', () => {
  it('is done when nothing moves by it, else deferred, and all are done in their order afterwards', async () => {
    const instance = await Pausable.begin(
      simpleModel(
        [serviceTask('first'), scriptTask('note', '=log + "!"', 'log'), endEvent('e')],
        ['a: s -> first', 'b: first -> note', 'c: note -> e'],
      ),
      { log: '' },
    );
    instance.kinds();
    expect(
      instance.pause(
        { kind: 'COMPLETE_JOB', execution: instance.wait('first'), variables: { log: 'job' } },
        { kind: 'SET_VARIABLES', variables: { log: 'set' } },
      ),
    ).toEqual([{ number: 2, status: 'APPLIED' }]);
    expect(instance.kinds()).toEqual(['COMMAND_DEFERRED', 'VARIABLES_SET', 'COMMAND_HANDLED']);
    expect(instance.variables).toEqual({ log: 'set' });
    expect(instance.resume()).toEqual([{ number: 1, status: 'APPLIED' }]);
    expect(instance.state).toMatchObject({ status: 'COMPLETED', lastCommand: 2 });
    expect(instance.state.deferred).toBeUndefined();
    expect(instance.variables).toEqual({ log: 'job!' });
  });

  it('that was deferred is rejected when the instance is canceled', async () => {
    const instance = await Pausable.begin(
      simpleModel([serviceTask('first'), endEvent('e')], ['a: s -> first', 'b: first -> e']),
    );
    const outcomes = instance.pause(
      { kind: 'COMPLETE_JOB', execution: instance.wait('first') },
      { kind: 'CANCEL_INSTANCE' },
    );
    expect(outcomes).toMatchObject([
      { number: 2, status: 'APPLIED' },
      { number: 1, status: 'REJECTED', code: 'INSTANCE_ENDED' },
    ]);
    expect(instance.state.status).toBe('CANCELED');
  });

  it('resolves an incident at once, and its activity runs again afterwards only', async () => {
    const instance = await Pausable.begin(
      simpleModel([scriptTask('divide', '=10 / by', 'result'), endEvent('e')], ['a: s -> divide', 'b: divide -> e']),
      { by: 0 },
    );
    expect(
      instance.pause({ kind: 'RESOLVE_INCIDENT', incident: instance.incidents[0]!, variables: { by: 5 } }),
    ).toEqual([{ number: 1, status: 'APPLIED' }]);
    expect(instance.incidents).toEqual([]);
    expect(instance.state.status).toBe('RUNNING');
    instance.resume();
    expect(instance.state.status).toBe('COMPLETED');
    expect(instance.variables).toMatchObject({ result: 2 });
  });

  it('that makes a condition true lets it happen afterwards', async () => {
    const condition = boundary(
      'late',
      'first',
      '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=stop</bpmn:condition></bpmn:conditionalEventDefinition>',
    );
    const instance = await Pausable.begin(
      simpleModel(
        [serviceTask('first'), condition, endEvent('e'), endEvent('stopped')],
        ['a: s -> first', 'b: first -> e', 'c: late -> stopped'],
      ),
      { stop: false },
    );
    instance.kinds();
    instance.pause({ kind: 'SET_VARIABLES', variables: { stop: true } });
    expect(instance.kinds()).toEqual(['VARIABLES_SET', 'COMMAND_HANDLED']);
    instance.resume();
    expect(instance.state.status).toBe('COMPLETED');
    expect(instance.kinds()).toContain('JOB_CANCELED');
  });

  it('that fulfills the completion condition of an ad-hoc sub-process completes it afterwards', async () => {
    const adHoc = `<bpmn:adHocSubProcess id="adHoc">${extensions('<zeebe:adHoc activeElementsCollection="=[&quot;inside&quot;]"/>')}<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">=done</bpmn:completionCondition>${serviceTask('inside')}</bpmn:adHocSubProcess>`;
    const instance = await Pausable.begin(simpleModel([adHoc, endEvent('e')], ['a: s -> adHoc', 'b: adHoc -> e']), {
      done: false,
    });
    instance.pause({ kind: 'SET_AD_HOC_VARIABLES', node: 'adHoc', variables: { done: true } });
    expect(instance.wait('inside')).toBeGreaterThan(0);
    instance.resume();
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('modifies where tokens stand, and what is placed begins afterwards', async () => {
    const instance = await Pausable.begin(
      simpleModel(
        [serviceTask('first'), serviceTask('second'), endEvent('e')],
        ['a: s -> first', 'b: first -> second', 'c: second -> e'],
      ),
    );
    expect(
      instance.pause({
        kind: 'MODIFY',
        instructions: [
          { type: 'CANCEL_TOKEN', nodeID: 'first' },
          { type: 'START_BEFORE_NODE', nodeID: 'second' },
        ],
      }),
    ).toMatchObject([{ status: 'APPLIED' }]);
    expect(Object.values(instance.state.waits)).toEqual([]);
    instance.resume();
    expect(instance.wait('second')).toBeGreaterThan(0);
  });

  describe('that places a compensation in a scope whose retry waits for the end of the pause', () => {
    const compensatedWhileRetried = async (flags: readonly string[]) => {
      const inside = [
        startEvent('is'),
        task('pay'),
        compensatedBy('pay', 'refund'),
        serviceTask('refund', { isForCompensation: true }),
        endEvent('ie'),
        endEvent('back', on.compensation({ waitForCompletion: false })),
      ];
      const sub = subProcess('sub', inside, ['i1: is -> pay', 'i2: pay -> ie'], { outputs: { x: '=missing' } });
      const instance = await Pausable.begin(simpleModel([sub, endEvent('e')], ['a: s -> sub', 'b: sub -> e']), {}, [
        ...flags,
      ]);
      instance.pause({ kind: 'MODIFY', instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'back' }] });
      instance.pause({ kind: 'RESOLVE_INCIDENT', incident: instance.incidents[0]!, variables: { missing: 1 } });
      instance.resume();
      return instance;
    };

    it('compensates it and runs it again', async () => {
      const instance = await compensatedWhileRetried(currentFlags());
      instance.run({ kind: 'COMPLETE_JOB', execution: instance.wait('refund') });
      expect(instance.state.status).toBe('COMPLETED');
      expect(instance.variables).toMatchObject({ x: 1 });
    });

    it('leaves it waiting in an instance that started without the flag', async () => {
      const instance = await compensatedWhileRetried([]);
      expect(instance.state).toMatchObject({ status: 'RUNNING', waits: {}, incidents: {} });
    });
  });
});

describe('a timer that is due during a pause', () => {
  const guarded = (definition: string, interrupting: boolean) =>
    simpleModel(
      [
        serviceTask('first'),
        boundary('tick', 'first', definition, interrupting),
        scriptTask('count', '=ticks + 1', 'ticks'),
        endEvent('e'),
        endEvent('ticked'),
      ],
      ['a: s -> first', 'b: first -> e', 'c: tick -> count', 'd: count -> ticked'],
    );

  it('fires afterwards, before what came after it was due', async () => {
    const instance = await Pausable.begin(guarded(timer('timeDuration', 'PT10M'), true), { ticks: 0 });
    const job = instance.wait('first');
    instance.now += 20 * MINUTE;
    instance.pause({ kind: 'COMPLETE_JOB', execution: job });
    instance.now += MINUTE;
    expect(instance.resume()).toMatchObject([{ number: 1, status: 'REJECTED', code: 'INSTANCE_ENDED' }]);
    expect(instance.variables).toEqual({ ticks: 1 });
  });

  it('fires after what came before it was due', async () => {
    const instance = await Pausable.begin(guarded(timer('timeDuration', 'PT10M'), true), { ticks: 0 });
    instance.now += 5 * MINUTE;
    instance.pause({ kind: 'COMPLETE_JOB', execution: instance.wait('first') });
    instance.now += 20 * MINUTE;
    expect(instance.resume()).toMatchObject([{ number: 1, status: 'APPLIED' }]);
    expect(instance.variables).toEqual({ ticks: 0 });
  });

  it.each([
    ['R/PT10M', 65, 1, 5],
    ['R9/PT10M', 65, 1, 5],
    ['R3/PT10M', 65, 1, undefined],
    ['R/P1M', 100 * 24 * 60, 1, 20 * 24 * 60],
    ['0 0/10 * * * *', 65, 1, 5],
    ['R/PT10M', 15, 1, 5],
  ])(
    'of the cycle %s fires once after %i minutes, and its ticks continue where they were',
    async (cycle, minutes, ticks, next) => {
      const instance = await Pausable.begin(guarded(timer('timeCycle', cycle), false), { ticks: 0 });
      instance.now += minutes * MINUTE;
      instance.resume();
      expect(instance.variables).toEqual({ ticks });
      const left = Object.values(instance.state.waits).find((wait) => wait.kind === 'timer');
      expect(left && (left.due - instance.now) / MINUTE).toBe(next);
    },
  );

  it('and is fired by hand takes effect with the resume, once, and counts as its own tick', async () => {
    const instance = await Pausable.begin(guarded(timer('timeCycle', 'R/PT10M'), false), { ticks: 0 });
    const tick = instance.wait('tick');
    instance.now += MINUTE;
    expect(instance.pause({ kind: 'FIRE_TIMER', timer: tick, node: 'tick' })).toMatchObject([{ status: 'APPLIED' }]);
    expect(instance.pause({ kind: 'FIRE_TIMER', timer: tick, node: 'tick' })).toMatchObject([{ code: 'CONFLICT' }]);
    expect(instance.pause({ kind: 'UPDATE_TIMER', timer: tick, node: 'tick', due: instance.now })).toMatchObject([
      { code: 'CONFLICT' },
    ]);
    expect(instance.variables).toEqual({ ticks: 0 });
    instance.now += 64 * MINUTE;
    instance.resume();
    expect(instance.variables).toEqual({ ticks: 2 });
    const left = Object.values(instance.state.waits).find((wait) => wait.kind === 'timer')!;
    expect((left.due - instance.now) / MINUTE).toBe(5);
  });

  it('and is changed in it keeps its new time', async () => {
    const instance = await Pausable.begin(guarded(timer('timeDuration', 'PT10M'), true), { ticks: 0 });
    const due = instance.now + 30 * MINUTE;
    instance.pause({ kind: 'UPDATE_TIMER', timer: instance.wait('tick'), node: 'tick', due });
    instance.now += 20 * MINUTE;
    instance.resume();
    expect(instance.variables).toEqual({ ticks: 0 });
    instance.now = due;
    instance.run();
    expect(instance.variables).toEqual({ ticks: 1 });
  });

  it('of a cycle with a tick every millisecond costs nothing for the ticks of a year', async () => {
    const instance = await Pausable.begin(guarded(timer('timeCycle', 'R/PT0.001S'), false), { ticks: 0 });
    instance.now += 365 * 24 * 60 * MINUTE;
    instance.resume();
    expect(instance.variables).toEqual({ ticks: 1 });
  });
});

describe('commands that come while deferred ones are left', () => {
  const threeJobs = simpleModel(
    [
      parallelGateway('fork'),
      ...['one', 'two', 'three'].map((job) => serviceTask(job)),
      scriptTask('loop', '=x + 1', 'x'),
      exclusiveGateway('again', { default: 'repeat' }),
      endEvent('e'),
    ],
    [
      'a: s -> fork',
      'b: fork -> one',
      'c: fork -> two',
      'd: fork -> three',
      'f: fork -> loop',
      'g: loop -> again',
      'repeat: again -> loop',
      'h: again -> e =stop',
      'i: one -> e',
      'j: two -> e',
      'k: three -> e',
    ],
  );
  const results = (instance: Pausable) =>
    ['one', 'two', 'three'].map((job) => ({
      kind: 'COMPLETE_JOB' as const,
      execution: instance.wait(job),
      variables: {},
    }));

  it('are handled at once if an operator sends them, and otherwise after the deferred ones', async () => {
    const instance = await Pausable.begin(threeJobs, { x: 0, stop: true });
    const [one, two, three] = results(instance);
    instance.pause(one!, two!);
    const touch = { kind: 'SET_VARIABLES' as const, variables: { touched: true } };
    expect(instance.runWithDeferred(1, touch, three!, touch).map(({ number }) => number)).toEqual([1, 3]);
    expect(instance.state).toMatchObject({ deferred: [{ number: 2 }], lastCommand: 3 });
  });

  it('are handled if a loop leaves no budget to the deferred ones', async () => {
    const instance = await Pausable.begin(threeJobs, { x: 0, stop: false });
    const [one, two, three] = results(instance);
    instance.pause(one!, two!);
    expect(instance.runWithDeferred(1, three!).map(({ number }) => number)).toEqual([3]);
    const stop = { kind: 'SET_VARIABLES' as const, variables: { stop: true } };
    expect(instance.runWithDeferred(1, stop)).toMatchObject([{ number: 4, status: 'APPLIED' }]);
    expect(instance.state.deferred).toHaveLength(2);
  });

  it('leave one deferred command after another to its turn next to a loop', async () => {
    const instance = await Pausable.begin(threeJobs, { x: 0, stop: false }, currentFlags());
    const [one, two] = results(instance);
    instance.pause(one!, two!);
    const handled = Array.from({ length: 10 }, () => instance.runWithDeferred(2).map(({ number }) => number)).flat();
    expect(handled).toEqual([1, 2]);
    expect(instance.state).toMatchObject({ status: 'RUNNING', unbroken: {} });
  });
});
