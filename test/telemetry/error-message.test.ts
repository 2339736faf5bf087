import { expect, test } from 'vitest';
import { errorMessage } from '@perdure/lib/error-message.js';

test('a failure is reported with why it happened', () => {
  const deadline = new Error('4 DEADLINE_EXCEEDED: context deadline exceeded');
  expect(errorMessage(new Error('Failed to signal Workflow', { cause: deadline }))).toBe(
    'Failed to signal Workflow: 4 DEADLINE_EXCEEDED: context deadline exceeded',
  );
});

test('a connection refused at each address of a name is reported by all of them', () => {
  expect(
    errorMessage(
      new AggregateError([
        new Error('connect ECONNREFUSED ::1:5432'),
        new Error('connect ECONNREFUSED 127.0.0.1:5432'),
      ]),
    ),
  ).toBe('connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432');
});

test('a value that is not an error is reported as it is', () => {
  expect(errorMessage('gone')).toBe('gone');
});
