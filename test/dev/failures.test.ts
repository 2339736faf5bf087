import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { outcomeOf, type Report } from '../../tools/test/run.js';

const passed = { status: 'passed', fullName: ' sums adds', failureMessages: [] };

function outcomeOfFile(file: Partial<Report['testResults'][number]>) {
  const whole = {
    name: join(repositoryRoot, 'test/sums.test.ts'),
    status: 'failed',
    message: '',
    assertionResults: [],
  };
  return outcomeOf({ numPassedTests: 1, testResults: [{ ...whole, ...file }] });
}

it('a run names each failed test with the first line of its message', () => {
  const failed = {
    status: 'failed',
    fullName: ' sums subtract',
    failureMessages: ['AssertionError: expected 1 to be 2\n    at test/sums.test.ts:3:5'],
  };
  expect(outcomeOfFile({ assertionResults: [passed, failed] })).toEqual({
    passed: 1,
    failures: [
      { file: 'test/sums.test.ts', line: 'test/sums.test.ts > sums subtract: AssertionError: expected 1 to be 2' },
    ],
  });
});

it('a run names a file that could not be loaded', () => {
  expect(outcomeOfFile({ message: 'Cannot find module ./sums.js' }).failures).toEqual([
    { file: 'test/sums.test.ts', line: 'test/sums.test.ts: Cannot find module ./sums.js' },
  ]);
});

it('a run names a file whose hook failed', () => {
  const skipped = { ...passed, status: 'skipped' };
  expect(outcomeOfFile({ assertionResults: [skipped] }).failures).toEqual([
    { file: 'test/sums.test.ts', line: 'test/sums.test.ts: a hook failed, see above' },
  ]);
});

it('a run has no failures if all tests passed', () => {
  expect(outcomeOfFile({ status: 'passed', assertionResults: [passed] })).toEqual({ passed: 1, failures: [] });
});
