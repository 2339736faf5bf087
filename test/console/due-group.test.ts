import { expect, test } from 'vitest';
import { dueGroupOf } from '../../console/screens/tasks/due-group.js';

const now = new Date(2026, 9, 24, 12);

test.each([
  ['a second ago', new Date(2026, 9, 24, 11, 59, 59), 'Overdue'],
  ['now', now, 'Due today'],
  ['at the end of the local day', new Date(2026, 9, 24, 23, 59, 59, 999), 'Due today'],
  ['at the next local midnight', new Date(2026, 9, 25), 'Due later'],
  ['at the next local noon, whatever the clocks are set to', new Date(2026, 9, 25, 12), 'Due later'],
])('a task that is due %s is found under its group', (_, due, group) => {
  expect(dueGroupOf(due.toISOString(), now)).toBe(group);
});

test('a task without a due date has its own group', () => {
  expect(dueGroupOf(undefined, now)).toBe('No due date');
});
