import { expect, it } from 'vitest';
import { LingerHabits } from '../../hot-instances/habits.js';
import type { LingerOutcome } from '../../hot-instances/linger.js';
import { Lingers } from '../../hot-instances/lingers.js';
import type { Command } from '@perdure/engine/contract/commands.js';
import type { StepCommit } from '@perdure/engine/contract/step-commit.js';

const request = { projectID: 'p', taskTypes: ['work'], calls: [] };
const result: Command = { kind: 'COMPLETE_JOB', number: 1, execution: 3 };

function open(more: Partial<ConstructorParameters<typeof Lingers>[0]> = {}) {
  const outcomes: LingerOutcome[] = [];
  const lingers = new Lingers({
    worker: 'w',
    maxAtOnce: 2,
    maxMs: 1_000,
    isPolled: () => true,
    onEnd: (outcome) => outcomes.push(outcome),
    ...more,
  });
  return { lingers, outcomes };
}

it('a command that comes before the commit begins to wait is not missed', async () => {
  const { lingers, outcomes } = open();
  const linger = lingers.reserve('i', request)!;
  lingers.wake('i', result);
  expect(await linger.wait()).toEqual({ by: 'command', command: result });
  linger.release('used');
  expect(outcomes).toEqual(['used']);
  expect(lingers.count).toBe(0);
});

it('no commit waits for jobs without a poller, or without a reason', () => {
  const { lingers } = open({ isPolled: () => false });
  expect(lingers.reserve('i', request)).toBeUndefined();
  expect(open().lingers.reserve('i', { ...request, taskTypes: [] })).toBeUndefined();
});

it('a commit waits for a near timer whether jobs are polled or not, and for a far one not at all', () => {
  const { lingers } = open({ isPolled: () => false });
  expect(lingers.reserve('near', { ...request, timerMs: 300 })!.milliseconds).toBe(301);
  expect(lingers.reserve('far', { ...request, timerMs: 60_000 })).toBeUndefined();
});

it('no more commits wait than may, and those left out are counted', () => {
  const { lingers, outcomes } = open();
  const first = lingers.reserve('a', request)!;
  lingers.reserve('b', request);
  expect(lingers.reserve('c', request)).toBeUndefined();
  expect(outcomes).toEqual(['no_room']);
  first.release();
  expect(lingers.reserve('c', request)).toBeDefined();
});

it('closing ends all waits and lets none begin', async () => {
  const { lingers } = open();
  const linger = lingers.reserve('a', request)!;
  lingers.close();
  expect(await linger.wait()).toEqual({ by: 'news' });
  expect(lingers.reserve('b', request)).toBeUndefined();
});

it('waits that were often in vain are mostly skipped, and made again once they pay', () => {
  const habits = new LingerHabits(1_000);
  for (let index = 0; index < 20; index += 1) habits.wasInVain('slow');
  const made = () =>
    Array.from({ length: 16 }, () => habits.nextWaitMs('slow')).filter((milliseconds) => milliseconds > 0).length;
  expect(made()).toBe(2);
  for (let index = 0; index < 5; index += 1) habits.wasOfUse('slow', 20);
  expect(made()).toBe(16);
});

it('a wait is as long as results have lately taken, four times over, and never longer than allowed', () => {
  const habits = new LingerHabits(1_000);
  expect(habits.nextWaitMs('quick')).toBe(1_000);
  for (let index = 0; index < 50; index += 1) habits.wasOfUse('quick', 10);
  expect(habits.nextWaitMs('quick')).toBeLessThan(100);
  for (let index = 0; index < 50; index += 1) habits.wasInVain('quick');
  for (let index = 0; index < 50; index += 1) habits.wasOfUse('quick', 5_000);
  expect(habits.nextWaitMs('quick')).toBe(1_000);
});

const completion = () => ({
  kind: 'COMPLETE_JOB' as const,
  execution: 3,
  claim: { clientID: 'c', sha256: 's' },
});
const commitWith = (number: number): StepCommit => ({
  workflowID: 'i',
  number: 2,
  inputs: { now: 0, lastCommand: number },
  facts: [],
  outcomes: [{ number, status: 'APPLIED' }],
  result: { ...completion(), number, projectID: 'p' },
});
const withoutResult = ({ result: _result, ...commit }: StepCommit): StepCommit => commit;
const written = { commandID: 'id', workedSeconds: 1 };

it('the host hands a result to the commit that waits for it, and reports how the next commit wrote it', async () => {
  const { lingers } = open();
  const linger = lingers.reserve('i', request)!;
  expect(await lingers.handOver({ projectID: 'p', workflowID: 'i' }, completion)).toBeUndefined();
  linger.begin(4);
  expect(await lingers.handOver({ projectID: 'other', workflowID: 'i' }, completion)).toBeUndefined();
  const applied = lingers.handOver({ projectID: 'p', workflowID: 'i' }, completion);
  expect(await linger.wait()).toEqual({ by: 'command', command: { ...completion(), number: 5 } });
  lingers.committed(commitWith(5), written);
  expect(await applied).toEqual({ ...written, outcome: { number: 5, status: 'APPLIED' } });
});

it.for([
  { when: 'the commit was not written', commit: commitWith(1) },
  { when: 'another step was committed', commit: withoutResult(commitWith(1)) },
])('the host reports that a result was not written when $when', async ({ commit }) => {
  const { lingers } = open();
  lingers.reserve('i', request)!.begin(0);
  const applied = lingers.handOver({ projectID: 'p', workflowID: 'i' }, completion);
  // Results that arrive in the meantime are not handed over.
  const second = lingers.handOver({ projectID: 'p', workflowID: 'i' }, completion);
  lingers.committed(commit, undefined);
  expect([await applied, await second]).toEqual([undefined, undefined]);
});

it('a wait that has ended takes no result', async () => {
  const { lingers } = open();
  const linger = lingers.reserve('i', request)!;
  linger.begin(0);
  lingers.wake('i');
  expect(await lingers.handOver({ projectID: 'p', workflowID: 'i' }, completion)).toBeUndefined();
});
