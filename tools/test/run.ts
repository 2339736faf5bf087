/** Runs vitest, counts what passed, and names what failed. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';

export interface Outcome {
  passed: number;
  failures: Failure[];
}

export interface Failure {
  /** A test, or a check, with the first line of its message. */
  line: string;
  /** Undefined for a check, and for an error outside of the tests. */
  file?: string;
}

/** The exit code of vitest if documents name tests that the run has not proven. */
export const UNPROVEN = 3;

const withoutFile = (line: string): Failure => ({ line });

/** The projects of vitest.config.ts do not inherit `--maxWorkers` of the command line, but follow this variable. */
export function withWorkers(workers: number): NodeJS.ProcessEnv {
  return { VITEST_MAX_WORKERS: String(workers) };
}

/**
 * @param name of the report, because runs at the same time must not share one
 * @param stack URL of the servers, if the run shall not open its own
 * @param workers how many files run at the same time (default: as vitest.config.ts says)
 * @param environment variables for the tests
 */
export async function runTests(
  arguments_: readonly string[],
  {
    name = 'all',
    stack,
    workers,
    environment = {},
  }: { name?: string; stack?: string; workers?: number; environment?: NodeJS.ProcessEnv } = {},
): Promise<Outcome> {
  const reportFile = compiledScript(`test-report-${name}.json`);
  for (const old of [reportFile, `${reportFile}.errors`]) rmSync(old, { force: true });
  const reporters = ['default', 'json', './tools/test/outside-errors.ts'].map((reporter) => `--reporter=${reporter}`);
  const output = `--outputFile.json=${reportFile}`;
  const exitCode = await run(['vitest/vitest.mjs', 'run', ...reporters, output, ...arguments_], {
    ...environment,
    ...(stack !== undefined && { PERDURE_TEST_STACK: stack }),
    ...(workers !== undefined && withWorkers(workers)),
    PERDURE_OUTSIDE_ERRORS: `${reportFile}.errors`,
  });
  if (!existsSync(reportFile))
    return { passed: 0, failures: [withoutFile('The run of the tests ended without a report.')] };
  const { passed, failures } = outcomeOf(JSON.parse(readFileSync(reportFile, 'utf8')) as Report);
  return { passed, failures: [...failures, ...failuresOutside(exitCode, `${reportFile}.errors`, failures.length)] };
}

/** What vitest's report does not have: uncaught errors, and documents that name tests which were not run. */
function failuresOutside(exitCode: number | null, errorsFile: string, failed: number): Failure[] {
  const errors = existsSync(errorsFile) ? (JSON.parse(readFileSync(errorsFile, 'utf8')) as string[]) : [];
  const outside = errors.map((message) => withoutFile(`An error outside of the tests: ${firstLine(message)}`));
  if (exitCode === UNPROVEN) outside.push(withoutFile('Documents name tests that were not proven, see above.'));
  if (exitCode === 0 || failed + outside.length > 0) return outside;
  return [withoutFile(`The run of the tests ended with code ${exitCode}, see above.`)];
}

/** Runs a program of `node_modules` and returns its exit code. */
export function run(
  [program = '', ...arguments_]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<number | null> {
  const child = spawn(process.execPath, [join(repositoryRoot, 'node_modules', program), ...arguments_], {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
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
      return [{ file, line: `${file}: ${firstLine(message) || 'a hook failed, see above'}` }];
    return tests.map(({ fullName, failureMessages }) => ({
      file,
      line: `${file} > ${fullName.trim()}: ${firstLine(failureMessages[0])}`,
    }));
  });
  return { passed: numPassedTests, failures };
}

function firstLine(message = ''): string {
  return message.split('\n', 1).join();
}
