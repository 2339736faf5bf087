import { expect, it } from 'vitest';
import { LingerHabits } from '../../activities/linger-habits.js';
import { Lingers, type LingerOutcome } from '../../activities/lingers.js';
import type { Command } from '@perdure/engine/contract/commands.js';

const request = { projectID: 'p', taskTypes: ['work'], calls: [] };
const result: Command = { kind: 'COMPLETE_JOB', number: 1, execution: 3 };

function open(more: Partial<ConstructorParameters<typeof Lingers>[0]> = {}) {
  const outcomes: LingerOutcome[] = [];
  const lingers = new Lingers({
    worker: 'w',
    mostAtOnce: 2,
    longestMs: 1_000,
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

it('no commit waits for jobs that nobody polls, nor for nothing', () => {
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

it('waits that were in vain many times are mostly left out, and made again once they pay', () => {
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
