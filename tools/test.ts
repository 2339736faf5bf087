/**
 * `npm test`: lint, format, types, tests. The last line reports how many checks passed and failed; lint, format, and
 * types count as one each. Arguments go to vitest: `npm test -- test/engine` runs one folder.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { keycloakObstacle, prepareKeycloak } from '../dev/keycloak/distribution.js';
import { compiledScript, repositoryRoot } from '../dev/repository.js';
import { findTemporalExecutable } from '../dev/temporal/executable.js';

const reportFile = compiledScript('test-report.json');

interface Outcome {
  passed: number;
  failed: number;
}

const outcomes = [
  await check('Lint', ['oxlint/bin/oxlint', '--quiet']),
  await check('Format', ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
  await check('Types', ['typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit']),
  await check('Types of the console', ['typescript/bin/tsc', '-p', 'console/tsconfig.json']),
  await test(process.argv.slice(2)).catch(cannotRun),
];
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function check(title: string, command: string[]): Promise<Outcome> {
  process.stdout.write(`${title}\n`);
  return (await run(command)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function test(arguments_: string[]): Promise<Outcome> {
  process.stdout.write('Tests\n');
  // Can take minutes the first time on a machine, which must not count toward a test's timeout.
  await findTemporalExecutable();
  await ensureChromium();
  await ensureKeycloak();
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const exitCode = await run(['vitest/vitest.mjs', 'run', ...reporters, ...arguments_]);
  const { passed, failed } = readReport();
  // Errors outside of tests, such as uncaught ones, are in no count.
  return { passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
}

/** Everything else can be tested without it: its own tests are skipped, or fail with the same reason. */
async function ensureKeycloak(): Promise<void> {
  const obstacle = await keycloakObstacle();
  if (obstacle !== undefined) process.stdout.write(`Tests on Keycloak are skipped: ${obstacle}\n`);
  else await prepareKeycloak().catch((error: unknown) => process.stderr.write(`${errorMessage(error)}\n`));
}

function cannotRun(error: unknown): Outcome {
  process.stderr.write(`${errorMessage(error)}\n`);
  return { passed: 0, failed: 1 };
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

function run([program = '', ...arguments_]: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [join(repositoryRoot, 'node_modules', program), ...arguments_], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.on('close', resolve));
}
