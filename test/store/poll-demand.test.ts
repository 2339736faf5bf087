import { expect, it } from 'vitest';
import { PollDemand } from '../../store/work/poll-demand.js';

function demandAt(): { demand: PollDemand; pass(milliseconds: number): void } {
  let now = 0;
  return { demand: new PollDemand(() => now), pass: (milliseconds) => (now += milliseconds) };
}

it('the process counts a type as polled while a poll waits, and for a second after it was answered', () => {
  const { demand, pass } = demandAt();
  const end = demand.begin('a');
  pass(60_000);
  expect(demand.isPolled('a')).toBe(true);
  end();
  pass(999);
  expect(demand.isPolled('a')).toBe(true);
  pass(1);
  expect(demand.isPolled('a')).toBe(false);
});

it('the process counts a type as polled while another process announces it', () => {
  const { demand, pass } = demandAt();
  demand.hear('another a b');
  pass(1_499);
  expect([demand.isPolled('b'), demand.isPolledElsewhere('b'), demand.isPolledHere('b')]).toEqual([true, true, false]);
  expect(demand.isPolled('c')).toBe(false);
  pass(1);
  expect(demand.isPolled('b')).toBe(false);
});

it('the process announces types polled since the last announcement, and types that still wait', () => {
  const { demand } = demandAt();
  const end = demand.begin('waits');
  demand.begin('answered')();
  expect(demand.takeAsked().toSorted()).toEqual(['answered', 'waits']);
  expect(demand.takeAsked()).toEqual(['waits']);
  end();
  expect(demand.takeAsked()).toEqual(['waits']);
  expect(demand.takeAsked()).toEqual([]);
});

it('the process remembers a bounded number of types, those polled last', () => {
  const { demand } = demandAt();
  for (let index = 0; index < 5_000; index += 1) demand.hear(`another type${index}`);
  expect(demand.isPolled('type0')).toBe(false);
  expect(demand.isPolled('type4999')).toBe(true);
});

it('the process ignores its own announcements', () => {
  const { demand } = demandAt();
  demand.begin('a');
  demand.hear(`${demand.id} a`);
  expect([demand.isPolledHere('a'), demand.isPolledElsewhere('a')]).toEqual([true, false]);
});
