/** The measure that the proof of queued begins uses. */
import { expect, it } from 'vitest';
import { longestFree, type Span } from '../faults/support/leases.js';

const span = (from: number, until: number): Span => ({ from, until });
const longest = (spans: Span[], waiting: Span[]) => longestFree({ spans, waiting, count: 2 }, 0, 1_000);

it('a place is free while something waits and fewer last than there are places', () => {
  expect(longest([span(0, 100), span(0, 300), span(250, 400)], [span(50, 250)])).toBe(150);
});

it('a place is not free while nothing waits', () => {
  expect(longest([span(0, 100), span(600, 700)], [span(550, 600)])).toBe(50);
});

it('all places taken, or one that passes from one to the next, are not free', () => {
  expect(longest([span(0, 100), span(0, 300), span(100, 300)], [span(50, 100), span(60, 300)])).toBe(0);
});
