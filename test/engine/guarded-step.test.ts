/** A defect of the engine is an incident of the instance, whatever led to it; the instance can still be repaired and ended. */
import { describe, expect, it } from 'vitest';
import type { Command, CommandBody } from '@perdure/engine/contract/commands.js';
import { guardedStep, type GuardedStep } from '@perdure/engine/guarded-step.js';
import type { Model } from '@perdure/engine/model/model.js';
import { newState, ROOT, type State } from '@perdure/engine/state/state.js';
import { step, stepPaused, type StepInput } from '@perdure/engine/step.js';
import { modelFrom } from './support/model.js';
import { endEvent, extensions, on, parallelGateway, root, serviceTask, throwEvent } from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const PARALLEL = simpleModel(
  [parallelGateway('fork'), serviceTask('one'), serviceTask('two'), endEvent('e')],
  ['a: s -> fork', 'b: fork -> one', 'c: fork -> two', 'd: one -> e', 'f: two -> e'],
);

function take(model: Model, state: State, input: Partial<StepInput>): GuardedStep {
  const given = { commands: [], now: 0, ...input };
  return guardedStep(model, state, given, (copy, commands) => step(model, copy, { ...given, commands }));
}

function numbered(...bodies: CommandBody[]): Command[] {
  return bodies.map((body, index) => ({ ...body, number: index + 1 }));
}

/** An instance that waits for two jobs; the behavior of the second is broken. */
async function brokenInstance(): Promise<{ model: Model; state: State; jobs: number[] }> {
  const model = await modelFrom(PARALLEL);
  const { state } = take(model, newState('w'), { start: { variables: { x: 1 } } });
  const jobs = Object.values(state.waits).map(({ id }) => id);
  const { node } = model;
  model.node = (id) => {
    if (id === 'two') throw new TypeError('the behavior of two is broken');
    return node(id);
  };
  model.find = model.node;
  return { model, state, jobs };
}

describe('a step whose messages cannot be kept', () => {
  const telling = (ttl: string) =>
    simpleModel(
      [
        parallelGateway('fork'),
        throwEvent('tell', [
          extensions(`<zeebe:publishMessage timeToLive="=ttl"/>`.replace('=ttl', ttl)),
          on.message('news'),
        ]),
        serviceTask('one'),
        endEvent('e'),
      ],
      ['a: s -> fork', 'b: fork -> tell', 'c: fork -> one', 'd: one -> e', 'f: tell -> e'],
      root.message('news'),
    );
  const start = { variables: {} };

  it('has an incident at the node that publishes, and moves the other tokens', async () => {
    const model = await modelFrom(telling('PT1H'));
    const kept = take(model, newState('w'), { start });
    expect(kept.facts).toContainEqual(expect.objectContaining({ kind: 'MESSAGE_PUBLISHED', name: 'news' }));
    const { facts, state } = take(model, newState('w'), { start, unkept: 'there are 3' });
    expect(facts).not.toContainEqual(expect.objectContaining({ kind: 'MESSAGE_PUBLISHED' }));
    expect(Object.values(state.incidents)).toMatchObject([
      {
        node: 'tell',
        errorType: 'SubscriptionError',
        errorCode: 'MESSAGE_LIMIT',
        message: expect.stringContaining('there are 3'),
      },
    ]);
    expect(Object.values(state.waits)).toMatchObject([{ node: 'one' }]);
    const [incident] = Object.values(state.incidents);
    const resolve = numbered({ kind: 'RESOLVE_INCIDENT', incident: incident!.id });
    const again = take(model, state, { commands: resolve });
    expect(again.facts).toContainEqual(expect.objectContaining({ kind: 'MESSAGE_PUBLISHED', name: 'news' }));
    expect(again.state.incidents).toEqual({});
  });

  it('publishes what needs no room', async () => {
    const model = await modelFrom(telling('PT0S'));
    const { facts } = take(model, newState('w'), { start, unkept: 'there are 3' });
    expect(facts).toContainEqual(expect.objectContaining({ kind: 'MESSAGE_PUBLISHED', ttl: 0 }));
  });
});

describe('a bug in the engine', () => {
  it('is an incident; its command is rejected and those before it are applied', async () => {
    const { model, state, jobs } = await brokenInstance();
    const {
      outcomes,
      state: after,
      defect,
    } = take(model, state, {
      commands: numbered({ kind: 'COMPLETE_JOB', execution: jobs[0]! }, { kind: 'COMPLETE_JOB', execution: jobs[1]! }),
    });
    expect(outcomes).toMatchObject([
      { number: 1, status: 'APPLIED' },
      { number: 2, status: 'REJECTED' },
    ]);
    expect(Object.values(after.incidents)).toMatchObject([
      { errorType: 'EngineError', element: ROOT, message: expect.stringContaining('the behavior of two is broken') },
    ]);
    expect(defect).toMatchObject({ command: 2, message: 'TypeError: the behavior of two is broken' });
    expect(Object.keys(after.waits)).toEqual([String(jobs[1])]);
  });

  it('has the same facts in a build without it, which learns how the step failed', async () => {
    const { model, state, jobs } = await brokenInstance();
    const sound = await modelFrom(PARALLEL);
    const commands = numbered(
      { kind: 'COMPLETE_JOB', execution: jobs[0]! },
      { kind: 'COMPLETE_JOB', execution: jobs[1]! },
    );
    const broken = take(model, state, { commands });
    const { message, command } = broken.defect!;
    const again = guardedStep(
      sound,
      state,
      { commands, now: 0 },
      (copy, some) => step(sound, copy, { commands: some, now: 0 }),
      { message, ...(command !== undefined && { command }) },
    );
    expect(again.facts).toEqual(broken.facts);
    expect(again.outcomes).toEqual(broken.outcomes);
    expect(take(sound, state, { commands }).facts).not.toEqual(broken.facts);
  });

  it('leaves the state of before as it was', async () => {
    const { model, state, jobs } = await brokenInstance();
    const before = JSON.stringify(state);
    take(model, state, { commands: numbered({ kind: 'COMPLETE_JOB', execution: jobs[1]! }) });
    expect(JSON.stringify(state)).toBe(before);
  });

  it('does not keep the instance from being canceled', async () => {
    const { model, state, jobs } = await brokenInstance();
    const { state: after } = take(model, state, { commands: numbered({ kind: 'COMPLETE_JOB', execution: jobs[1]! }) });
    const { state: ended, outcomes } = take(model, after, { commands: [{ kind: 'CANCEL_INSTANCE', number: 2 }] });
    expect(outcomes).toMatchObject([{ number: 2, status: 'APPLIED' }]);
    expect(ended.status).toBe('CANCELED');
  });

  it('ends the instance by force when its own cancellation is what fails', async () => {
    const model = await modelFrom(PARALLEL);
    const { state } = take(model, newState('w'), { start: { variables: {} } });
    const commands = numbered({ kind: 'CANCEL_INSTANCE' });
    const failing = (copy: State, given: readonly Command[]) => {
      if (given.length === 0) return step(model, copy, { commands: [], now: 0 });
      Object.defineProperty(copy.elements, '999', {
        enumerable: true,
        get: () => {
          throw new Error('cancel is broken');
        },
      });
      return step(model, copy, { commands: given, now: 0 });
    };
    const { state: ended, outcomes, facts } = guardedStep(model, state, { commands, now: 0 }, failing);
    expect(outcomes).toMatchObject([{ number: 1, status: 'APPLIED' }]);
    expect(ended.status).toBe('CANCELED');
    expect(facts.filter(({ kind }) => kind === 'JOB_CANCELED')).toHaveLength(2);
  });

  it('while the instance is paused rejects the command and keeps the others', async () => {
    const { model, state } = await brokenInstance();
    const commands = numbered(
      { kind: 'SET_VARIABLES', variables: { y: 1 } },
      { kind: 'MODIFY', instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'two' }] },
    );
    const { outcomes, state: after } = guardedStep(model, state, { commands, now: 0 }, (copy, given) =>
      stepPaused(model, copy, { commands: given, now: 0 }),
    );
    expect(outcomes).toMatchObject([{ status: 'APPLIED' }, { status: 'REJECTED' }]);
    expect(after.elements[ROOT]!.variables).toEqual({ x: 1, y: 1 });
  });

  it('at the very start is an incident, and the process begins when that is resolved with a corrected build', async () => {
    const model = await modelFrom(PARALLEL);
    const start = { variables: { x: 1 } };
    const given = { start, commands: [], now: 0 };
    const { state } = guardedStep(model, newState('w'), given, () => {
      throw new Error('starting is broken');
    });
    const [incident] = Object.values(state.incidents);
    expect(incident).toMatchObject({ errorType: 'EngineError' });
    const { state: after } = take(model, state, {
      commands: numbered({ kind: 'RESOLVE_INCIDENT', incident: incident!.id }),
    });
    expect(Object.values(after.waits)).toMatchObject([
      { kind: 'job', node: 'one' },
      { kind: 'job', node: 'two' },
    ]);
    expect(after.elements[ROOT]!.variables).toEqual({ x: 1 });
  });

  it('that needs no command does not come again until its incident is resolved', async () => {
    const model = await modelFrom(PARALLEL);
    const { state } = guardedStep(model, newState('w'), { start: { variables: {} }, commands: [], now: 0 }, () => {
      throw new Error('starting is broken');
    });
    const next = take(model, state, { commands: numbered({ kind: 'SET_VARIABLES', variables: { y: 2 } }) });
    expect(next.outcomes).toMatchObject([{ status: 'APPLIED' }]);
    expect(next.defect).toBeUndefined();
  });
});

describe('a step that cannot be stored', () => {
  const unstorable = { message: 'no room', unstorable: true } as const;

  async function waiting(): Promise<{ model: Model; state: State }> {
    const model = await modelFrom(PARALLEL);
    return { model, state: take(model, newState('w'), { start: { variables: {} } }).state };
  }

  function standIn(model: Model, state: State, commands: Command[], command?: number): GuardedStep {
    const known = { ...unstorable, ...(command !== undefined && { command }) };
    const never = () => {
      throw new Error('the step must not be taken');
    };
    return guardedStep(model, state, { commands, now: 0 }, never, known);
  }

  it('halts the instance with an incident, and handles no command', async () => {
    const { model, state } = await waiting();
    const { state: after, outcomes } = standIn(model, state, numbered({ kind: 'COMPLETE_JOB', execution: 4 }));
    expect(outcomes).toEqual([]);
    expect(after.lastCommand).toBe(0);
    expect(Object.values(after.incidents)).toMatchObject([{ errorType: 'EngineError', errorCode: 'UNSTORABLE' }]);
  });

  it('rejects the command that is its only input, and leaves everything else as it was', async () => {
    const { model, state } = await waiting();
    const commands = numbered({ kind: 'SET_VARIABLES', variables: { x: 1 } });
    const { state: after, outcomes, facts } = standIn(model, state, commands, 1);
    expect(outcomes).toMatchObject([{ number: 1, status: 'REJECTED', message: expect.stringContaining('no room') }]);
    expect(facts).toEqual([{ kind: 'COMMAND_HANDLED', number: 1 }]);
    expect({ ...after, lastCommand: 0, size: state.size }).toEqual(state);
  });

  it('is ended by force if the command is a cancel', async () => {
    const { model, state } = await waiting();
    const { state: after, outcomes } = standIn(model, state, numbered({ kind: 'CANCEL_INSTANCE' }), 1);
    expect(outcomes).toMatchObject([{ status: 'APPLIED' }]);
    expect(after.status).toBe('CANCELED');
  });
});
