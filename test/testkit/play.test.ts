/** Plays: a process move by move, forward and back, saved as a scenario and as a test. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adHocSubProcess,
  boundaryEvent,
  businessRuleTask,
  callActivity,
  catchEvent,
  endEvent,
  exclusiveGateway,
  multiInstance,
  on,
  processModel,
  root,
  scriptTask,
  sequenceModel,
  serviceTask,
  startEvent,
  throwEvent,
  userTask,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance, type OpenedState } from '../../packages/testkit/memory-host.js';
import { openProcess, TestProcess } from '../../packages/testkit/process.js';
import { openBundle, type ScenarioFile } from '../../packages/testkit/scenario/bundle.js';
import { runScenario } from '../../packages/testkit/scenario/run.js';
import { readScenario } from '../../packages/testkit/scenario/scenario.js';
import type { Move } from '../../packages/testkit/play/moves.js';
import { MAX_MOVES, PlaySession } from '../../packages/testkit/play/session.js';
import { fileWithDecisions } from '../console/support/files.js';

const now = Date.parse('2026-03-02T09:00:00Z');

const order: ScenarioFile = {
  name: 'order.bpmn',
  text: processModel(
    'order',
    [
      startEvent('start'),
      userTask('approve', { formID: 'approval' }),
      businessRuleTask('rate', 'Decision_discount', 'discount'),
      callActivity('ship', 'shipping'),
      catchEvent('paid', on.message('payment')),
      catchEvent('later', on.timer('P3D')),
      endEvent('done'),
    ],
    'start -> approve -> rate -> ship -> paid -> later -> done',
    root.message('payment', '=orderID'),
  ),
};
const shipping: ScenarioFile = {
  name: 'shipping.bpmn',
  text: processModel(
    'shipping',
    [
      startEvent('begin'),
      serviceTask('pack', { retries: 2 }),
      boundaryEvent('broken', 'pack', on.error('BROKEN')),
      userTask('repair'),
      endEvent('packed'),
    ],
    ['begin -> pack -> packed', 'broken -> repair -> packed'],
    root.error('BROKEN'),
  ),
};
const decisions: ScenarioFile = { name: 'discounts.dmn', text: fileWithDecisions };
const all = [order, shipping, decisions];

const moves: Move[] = [
  { start: { variables: { orderID: "o'1", amount: 200 }, businessId: 'order-1' } },
  { completeTask: { node: 'approve', variables: { approved: true } } },
  { failJob: { node: 'pack', in: 'ship', message: 'no box' } },
  { throwError: { node: 'pack', in: 'ship', code: 'BROKEN' } },
  { completeTask: { node: 'repair', in: 'ship', variables: { parcel: { id: 'p1' } } } },
  { setVariables: { note: null, urgent: true } },
  { publish: { message: 'payment', correlation: "o'1", variables: { paid: 180 } } },
  { advance: 'P1D' },
  { advance: 'next timer' },
];

const open = (given: Partial<Parameters<typeof PlaySession.open>[0]> = {}) =>
  PlaySession.open({ files: all, processID: 'order', now, ...given });

const model = (text: string, processID = 'p') =>
  PlaySession.open({ files: [{ name: 'p.bpmn', text }], processID, now, moves: [{ start: {} }] });

describe('a play', () => {
  it('shows what waits after every move, and where a step finds it', async () => {
    const play = await open();
    expect(play.view()).toMatchObject({ at: 0, moves: 0, instances: [], waits: [], now });
    const waits = moves.map((move) => {
      play.move(move);
      return play.view().waits.map(({ kind, node, in: call }) => [kind, node, ...(call ? [call] : [])].join(' '));
    });
    expect(waits).toEqual([
      ['userTask approve'],
      ['call ship', 'job pack ship'],
      ['call ship', 'job pack ship'],
      ['call ship', 'userTask repair ship'],
      ['message paid'],
      ['message paid'],
      ['timer later'],
      ['timer later'],
      [],
    ]);
    expect(play.view()).toMatchObject({ at: 9, moves: 9, now: now + 3 * 86_400_000 });
    expect(play.view().instances).toMatchObject([
      { processID: 'order', file: 'order.bpmn', status: 'COMPLETED' },
      { processID: 'shipping', file: 'shipping.bpmn', status: 'COMPLETED', calledBy: 'ship' },
    ]);
  });

  it('shows forms, attempts, keys, and due times of waits', async () => {
    const play = await open({ moves: moves.slice(0, 3), at: 1 });
    expect(play.view().waits).toMatchObject([{ kind: 'userTask', form: { formID: 'approval' }, count: 1 }]);
    play.moveTo(3);
    expect(play.view().waits[1]).toMatchObject({ kind: 'job', taskType: 'pack', attempts: 1, processID: 'shipping' });
    for (const move of moves.slice(3, 6)) play.move(move);
    expect(play.view().waits).toMatchObject([{ name: 'payment', correlation: "o'1" }]);
    play.move(moves[6]!);
    expect(play.view()).toMatchObject({
      nextDue: now + 3 * 86_400_000,
      waits: [{ kind: 'timer', due: now + 3 * 86_400_000, advance: 'next timer' }],
    });
  });

  it('is the same after going back and forward again', async () => {
    const play = await open();
    const views = moves.map((move) => {
      play.move(move);
      return play.view();
    });
    for (const position of [4, 1, 9, 3]) {
      play.moveTo(position);
      expect(play.view()).toEqual({ ...views[position - 1], moves: 9 });
    }
    play.moveTo(-1);
    expect(play.view()).toMatchObject({ at: 0, moves: 9, instances: [] });
  });

  it('replaces the moves that follow when another is made', async () => {
    const play = await open({ moves });
    play.moveTo(1);
    play.move({ setVariables: { amount: 5 } });
    expect(play.view()).toMatchObject({ at: 2, moves: 2 });
    expect(play.view().shown!.scopes[0]!.variables).toMatchObject({ amount: 5 });
  });

  it('marks the variables that the last move set and removed', async () => {
    const play = await open({ moves: moves.slice(0, 2) });
    const scope = () => play.view().shown!.scopes[0]!;
    expect(scope()).toMatchObject({ changed: ['approved', 'discount'], removed: [] });
    play.move({ setVariables: { approved: null, amount: 200, more: 1 } });
    expect(scope().changed).toEqual(expect.arrayContaining(['more']));
    expect(scope().changed).not.toContain('amount');
    play.moveTo(2);
    expect(scope().changed).toEqual(['approved', 'discount']);
  });

  it('shows a called instance in detail, with its tokens and variables', async () => {
    const play = await open({ moves: moves.slice(0, 2) });
    const [, called] = play.view().instances;
    expect(play.view(called!.workflowID).shown).toMatchObject({
      processID: 'shipping',
      file: 'shipping.bpmn',
      tokens: [['pack', 1]],
      scopes: [{ variables: { orderID: "o'1" } }],
    });
    expect(play.view('unknown').shown).toMatchObject({ processID: 'order' });
    const [, job] = play.view().waits;
    expect(play.variablesAt(called!.workflowID, (job as { wait: number }).wait)).toMatchObject({ amount: 200 });
    expect(play.variablesAt('unknown', 1)).toEqual({});
  });

  it('lists the waits of one element as one, with the choices of a step', async () => {
    const parcels = {
      name: 'p.bpmn',
      text: sequenceModel('p', [userTask('pack', { loop: multiInstance('=[1, 2, 3]') })]),
    };
    const play = await model(parcels.text);
    expect(play.view().waits).toMatchObject([
      { kind: 'userTask', node: 'pack', count: 3, choices: [{ turn: 1 }, { turn: 2 }, { turn: 3 }] },
    ]);
    play.move({ completeTask: { node: 'pack', nth: 2 } });
    const [row] = play.view().waits;
    expect(row).toMatchObject({ count: 2, choices: [{ turn: 1 }, { turn: 3 }] });
    const { workflowID, wait } = row!.choices![1]!;
    expect(play.variablesAt(workflowID, wait)).toMatchObject({ loopCounter: 3 });
    await runAsTest(play.test('x'), [parcels]);
    play.move({ completeTask: { node: 'pack', nth: 2 } });
    expect(play.view().waits[0]).not.toHaveProperty('choices');
  });

  it('offers the activities of an ad-hoc sub-process, also while one of them is active', async () => {
    const care = {
      name: 'p.bpmn',
      text: processModel(
        'p',
        [startEvent('start'), adHocSubProcess('care', [userTask('ring'), userTask('write')]), endEvent('end')],
        'start -> care -> end',
      ),
    };
    const play = await model(care.text);
    expect(play.view().waits).toMatchObject([{ kind: 'adHoc', node: 'care', activities: ['ring', 'write'] }]);
    play.move({ triggerAdHoc: { node: 'care', activity: 'write' } });
    expect(play.view().waits).toMatchObject([{ kind: 'userTask', node: 'write' }, { kind: 'adHoc' }]);
    play.move({ completeTask: { node: 'write' } });
    await runAsTest(play.test('x'), [care]);
    expect(play.view()).toMatchObject({ waits: [], instances: [{ status: 'COMPLETED' }] });
  });

  it('asks for processes and decisions that its files do not contain', async () => {
    const play = await open({ files: [order], moves: moves.slice(0, 2) });
    expect(play.view()).toMatchObject({
      needs: { processes: [], decisions: ['Decision_discount'] },
      waits: [{ kind: 'incident', node: 'rate' }],
    });
    const decided = await open({ files: [order, decisions], moves: moves.slice(0, 2) });
    expect(decided.view()).toMatchObject({
      needs: {
        processes: [{ processID: 'shipping', binding: { kind: 'latest' }, callerFile: 'order.bpmn' }],
        decisions: [],
      },
      waits: [{ kind: 'call', node: 'ship', calledID: 'shipping' }],
    });
    expect(decided.view().waits[0]).not.toHaveProperty('called');
    decided.move({ call: { node: 'ship', variables: { parcel: 'p1' } } });
    expect(decided.view().waits).toMatchObject([{ kind: 'message' }]);
  });

  it('leaves out a file that repeats a process, and refuses a file that a host would refuse', async () => {
    const play = await open({ files: [...all, { ...shipping, name: 'older.bpmn' }], moves: moves.slice(0, 2) });
    expect(play.unused).toMatchObject([{ name: 'older.bpmn', message: expect.stringContaining('shipping') }]);
    expect(play.scenario('x').files).toEqual(['order.bpmn', 'shipping.bpmn', 'discounts.dmn']);
    await expect(open({ files: [{ name: 'order.bpmn', text: 'no XML' }] })).rejects.toThrow('would be refused');
  });
});

describe('a move', () => {
  it('that is not possible leaves the play as it was', async () => {
    const play = await open({ moves: moves.slice(0, 2) });
    const before = play.view();
    expect(() => play.move({ completeTask: { node: 'approve' } })).toThrow('there is no user task at approve');
    expect(() => play.move({ advance: 'tomorrow' })).toThrow('is not a duration');
    expect(() => play.move({ setVariables: { large: 'x'.repeat(2_000_000) } })).toThrow('limit');
    expect(play.view()).toEqual(before);
  });

  it('that never ends is stopped by the limits of scenarios, and can be replaced', async () => {
    const endless = processModel(
      'p',
      [startEvent('start'), userTask('look'), exclusiveGateway('again'), scriptTask('count', '=1', 'n')],
      ['start -> look -> again -> count', 'count -> again'],
    );
    const play = await model(endless);
    expect(() => play.move({ completeTask: { node: 'look' } })).toThrow('does not come to rest');
    expect(play.view()).toMatchObject({ at: 1, waits: [{ node: 'look' }] });
  });

  it('is refused after the last one that a play keeps', async () => {
    const play = await model(sequenceModel('p', [userTask('look')]));
    for (let count = 1; count < MAX_MOVES; count++) play.move({ advance: '1s' });
    expect(() => play.move({ advance: '1s' })).toThrow(`at most ${MAX_MOVES} moves`);
    expect(play.view()).toMatchObject({ at: MAX_MOVES, now: now + (MAX_MOVES - 1) * 1_000 });
  });
});

describe('a play that is saved', () => {
  let play: PlaySession;
  beforeAll(async () => {
    play = await open({ moves });
  });

  async function runAsScenario(text: string, files: readonly ScenarioFile[]) {
    return runScenario(readScenario(text, 'played.scenario.json'), await openBundle(files));
  }

  it.each(moves.map((_, index) => index + 1))('after %d moves passes as a scenario', async (position) => {
    play.moveTo(position);
    const scenario = play.scenario('An order, as played');
    expect(scenario.expect).toHaveProperty('status', position === 9 ? 'COMPLETED' : 'RUNNING');
    expect(await runAsScenario(JSON.stringify(scenario), all)).toEqual({
      name: 'An order, as played',
      steps: position - 1,
    });
  });

  it('fails as a scenario when the model does something else', async () => {
    play.moveTo(9);
    const changed = { ...decisions, text: fileWithDecisions.replace('<text>0.1</text>', '<text>0.2</text>') };
    const { failure } = await runAsScenario(JSON.stringify(play.scenario('x')), [order, shipping, changed]);
    expect(failure).toMatchObject({ at: 'expect', differences: [{ what: 'variables.discount' }] });
  });

  it('with an open incident passes, because the scenario expects it', async () => {
    const failing = { name: 'p.bpmn', text: sequenceModel('p', [businessRuleTask('rate', 'Unknown', 'n')]) };
    const halted = await model(failing.text);
    const scenario = halted.scenario('halts');
    expect(scenario.expect?.incidents).toHaveLength(1);
    expect((await runAsScenario(JSON.stringify(scenario), [failing])).failure).toBeUndefined();
  });

  it.each(moves.map((_, index) => index + 1))('after %d moves passes as a test of the testkit', async (position) => {
    play.moveTo(position);
    const before = play.view();
    await runAsTest(play.test("An order's test"), all);
    expect(play.view()).toEqual(before);
  });

  it('passes as a test that a message starts', async () => {
    const started = {
      name: 'p.bpmn',
      text: processModel(
        'p',
        [startEvent('start', on.message('go')), userTask('look'), endEvent('end')],
        'start -> look -> end',
        root.message('go'),
      ),
    };
    const begun = await PlaySession.open({
      files: [started],
      processID: 'p',
      now,
      moves: [{ publish: { message: 'go', variables: { a: 1 } } }, { completeTask: { node: 'look' } }],
    });
    expect(begun.scenario('x')).not.toHaveProperty('start');
    await runAsTest(begun.test('x'), [started]);
  });

  it('cannot be a test when it answers calls of unknown processes', async () => {
    const answered = await open({
      files: [order, decisions],
      moves: [...moves.slice(0, 2), { call: { node: 'ship' } }],
    });
    expect(() => answered.test('x')).toThrow('Save a scenario instead');
  });
});

describe('a play that begins with an instance of a host', () => {
  /** As JSON, because that is how a host sends it. */
  const stateOf = (host: MemoryHost, { model, state }: MemoryInstance): OpenedState =>
    JSON.parse(JSON.stringify({ graph: model.graph, state, now: host.now })) as OpenedState;

  async function openedAt(text: string, run: (host: MemoryHost, instance: MemoryInstance) => void = () => undefined) {
    const host = await MemoryHost.deploy(text);
    host.keepsUnknownCalls = true;
    const instance = host.start('p', { n: 1 });
    run(host, instance);
    const files = [{ name: 'p.bpmn', text }];
    return PlaySession.open({ files, processID: 'p', now: host.now, opened: [stateOf(host, instance)] });
  }

  it('continues it, forward and back, and changes nothing at first', async () => {
    const play = await openedAt(
      sequenceModel('p', [serviceTask('pack', { type: 'pack-it', retries: 2 }), userTask('look', { formID: 'looks' })]),
    );
    const first = play.view();
    expect(first).toMatchObject({
      at: 0,
      shown: { tokens: [['pack', 1]], scopes: [{ variables: { n: 1 }, changed: [] }] },
      waits: [{ kind: 'job', taskType: 'pack-it', attempts: 2 }],
    });
    play.move({ failJob: { node: 'pack' } });
    play.move({ completeJob: { node: 'pack', variables: { n: 2 } } });
    expect(play.view()).toMatchObject({
      shown: { scopes: [{ changed: ['n'] }] },
      waits: [{ kind: 'userTask', form: { formID: 'looks' } }],
    });
    play.move({ completeTask: { node: 'look' } });
    expect(play.view()).toMatchObject({ instances: [{ status: 'COMPLETED' }], waits: [] });
    play.moveTo(0);
    expect(play.view()).toEqual({ ...first, moves: 3 });
  });

  it('knows the form of a task that was open before', async () => {
    const play = await openedAt(sequenceModel('p', [userTask('look', { formID: 'looks' })]));
    expect(play.view().waits).toMatchObject([{ kind: 'userTask', form: { formID: 'looks' } }]);
  });

  it('answers calls of instances that are not part of the copy', async () => {
    const play = await openedAt(sequenceModel('p', [callActivity('call', 'other')]));
    expect(play.view().waits).toMatchObject([{ kind: 'call', node: 'call' }]);
    expect(play.view().waits[0]).not.toHaveProperty('calledID');
    play.move({ call: { node: 'call', variables: { found: true } } });
    expect(play.view()).toMatchObject({ instances: [{ status: 'COMPLETED' }] });
  });

  it('continues without the parent that its escalation would reach', async () => {
    const called = processModel(
      'p',
      [startEvent('start'), userTask('look'), throwEvent('late', on.escalation('LATE')), endEvent('end')],
      'start -> look -> late -> end',
      root.escalation('LATE'),
    );
    const parent = processModel(
      'parent',
      [
        startEvent('start'),
        callActivity('call', 'p'),
        boundaryEvent('escalated', 'call', on.escalation('LATE'), { interrupting: false }),
        endEvent('end'),
        endEvent('known'),
      ],
      ['start -> call -> end', 'escalated -> known'],
      root.escalation('LATE'),
    );
    const host = await MemoryHost.deploy(called, parent);
    const child = host.child(host.start('parent'), 'call');
    const play = await PlaySession.open({
      files: [{ name: 'p.bpmn', text: called }],
      processID: 'p',
      now: host.now,
      opened: [stateOf(host, child)],
    });
    play.move({ completeTask: { node: 'look' } });
    expect(play.view()).toMatchObject({ instances: [{ status: 'COMPLETED' }] });
  });

  it('begins at one of several positions, and continues from any that is not in the middle of a step', async () => {
    const text = sequenceModel('p', [userTask('look'), userTask('decide')]);
    const host = await MemoryHost.deploy(text);
    const instance = host.start('p');
    const first = stateOf(host, instance);
    host.completeTask(instance, 'look');
    const opened = [first, { ...first, isInside: true as const }, stateOf(host, instance)];
    const play = await PlaySession.open({
      files: [{ name: 'p.bpmn', text }],
      processID: 'p',
      now: host.now,
      opened,
      at: 1,
    });
    expect(play.view()).toMatchObject({
      at: 1,
      moves: 2,
      begun: 2,
      isInside: true,
      waits: [],
      shown: { tokens: [['look', 1]] },
    });
    expect(() => play.move({ completeTask: { node: 'look' } })).toThrow('middle of a step');
    play.moveTo(2);
    expect(play.view()).toMatchObject({ at: 2, moves: 2, waits: [{ node: 'decide' }] });
    play.moveTo(0);
    expect(play.view()).toMatchObject({ at: 0, waits: [{ node: 'look' }] });
    // Another move replaces the positions that follow.
    play.move({ completeTask: { node: 'look', variables: { other: true } } });
    expect(play.view()).toMatchObject({ at: 1, moves: 1, begun: 0, waits: [{ node: 'decide' }] });
    play.moveTo(0);
    play.moveTo(1);
    play.move({ completeTask: { node: 'decide' } });
    expect(play.view()).toMatchObject({ at: 2, moves: 2, instances: [{ status: 'COMPLETED' }] });
  });

  it('cannot be saved, because a scenario begins with a start', async () => {
    const play = await openedAt(sequenceModel('p', [userTask('look')]));
    expect(() => play.scenario('x')).toThrow('cannot be saved');
    expect(() => play.test('x')).toThrow('cannot be saved');
  });
});

/** Runs the text that a person would paste into a file next to the models. */
async function runAsTest(code: string, files: readonly ScenarioFile[]): Promise<void> {
  expect(code).toMatch(/^import \{ testProcess \} from '@perdure\/testkit';\nimport \{ it \} from 'vitest';\n/);
  const file = (name: string) => ({ name, xml: files.find((each) => each.name === name)!.text });
  const testProcess = async (main: string, { with: others = [], ...options }: { with?: string[] }) =>
    new TestProcess(await openProcess(file(main), { ...options, with: others.map(file) }));
  let test: (() => Promise<void>) | undefined;
  const script = code.replaceAll(/^import .*$/gm, '').replaceAll(']!', ']');
  new Function('it', 'testProcess', script)((_name: string, body: () => Promise<void>) => (test = body), testProcess);
  await test!();
}
