/** Runs vitest, counts what passed, and names what failed. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';

export interface Outcome {
  passed: number;
  /** A line for each failure. */
  failures: string[];
}

/**
 * @param name of the report, because runs at the same time must not share one
 * @param stack URL of the servers, if the run shall not open its own
 */
export async function runTests(
  arguments_: readonly string[],
  { name = 'all', stack }: { name?: string; stack?: string } = {},
): Promise<Outcome> {
  const reportFile = compiledScript(`test-report-${name}.json`);
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = await run(['vitest/vitest.mjs', 'run', ...reporters, ...arguments_], stack);
  if (!existsSync(reportFile)) return { passed: 0, failures: ['The run of the tests ended without a report.'] };
  const outcome = outcomeOf(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
  // The report does not have errors outside of tests, such as uncaught ones.
  if (exitCode !== 0 && outcome.failures.length === 0)
    outcome.failures.push('An error outside of the tests, see above.');
  return outcome;
}

/** Runs a program of `node_modules` and returns its exit code. */
export function run([program = '', ...arguments_]: readonly string[], stack?: string): Promise<number | null> {
  const child = spawn(process.execPath, [join(repositoryRoot, 'node_modules', program), ...arguments_], {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env: { ...process.env, ...(stack !== undefined && { PERDURE_TEST_STACK: stack }) },
  });
  return new Promise((resolve) => child.on('close', resolve));
}

/** The part of vitest's JSON report (in Jest's format) that is read here. */
export interface Report {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** Each failed test, and each file that failed outside of its tests, with the first line of its message. */
export function outcomeOf({ numPassedTests, testResults }: Report): Outcome {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(repositoryRoot, name);
    const tests = assertionResults.filter((result) => result.status === 'failed');
    if (tests.length === 0 && status === 'failed')
      return [`${file}: ${firstLine(message) || 'a hook failed, see above'}`];
    return tests.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName.trim()}: ${firstLine(failureMessages[0])}`,
    );
  });
  return { passed: numPassedTests, failures };
}

function firstLine(message = ''): string {
  return message.split('\n', 1).join();
}
