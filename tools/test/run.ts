/** Runs vitest and counts what passed and failed. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';

export interface Outcome {
  passed: number;
  failed: number;
}

const reportFile = compiledScript('test-report.json');

/** @param stack URL of the servers, if the run shall not open its own */
export async function runTests(arguments_: readonly string[], stack?: string): Promise<Outcome> {
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = await run(['vitest/vitest.mjs', 'run', ...reporters, ...arguments_], stack);
  const { passed, failed } = readReport();
  // Errors outside of tests, such as uncaught ones, are in no count.
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
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

/** The part of vitest's JSON report (in Jest's format) that is counted here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

function readReport(): Outcome {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + unloadable.length };
}
