/**
 * `npm test`: lint, format, types, and the layers of tests. Its end names what failed, and what passed only when its file
 * ran alone. The last line reports how many checks passed and failed; lint, format, and types count as one each. Arguments go to vitest: `npm test --
 * test/engine` runs one folder.
 */
import { ensureChromium } from './chromium.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { keycloakObstacle, prepareKeycloak } from '../dev/keycloak/distribution.js';
import { findTemporalExecutable } from '../dev/temporal/executable.js';
import { runLayers, timesOf } from './test/run-layers.js';
import { run, runTests, type Failure, type Outcome } from './test/run.js';
import type { SecondRun } from './test/second-run.js';

const arguments_ = process.argv.slice(2);
const { outcomes, passedAlone } = await (arguments_.length > 0 ? testSome(arguments_) : testAll()).catch(cannotRun);
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
print('Passed alone only', passedAlone);
print('Failures', failures);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function print(title: string, lines: readonly Failure[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.map(({ line }) => `  ${line}\n`).join('')}`);
}

async function testSome(chosen: string[]): Promise<SecondRun> {
  const checked = await checks();
  await prepare();
  return { outcomes: [...checked, await runTests(chosen)], passedAlone: [] };
}

async function testAll(): Promise<SecondRun> {
  await prepare();
  const start = performance.now();
  const { layers, ...runs } = await runLayers(checks);
  process.stdout.write(`\n${timesOf(layers, (performance.now() - start) / 1000)}\n`);
  return runs;
}

async function checks(): Promise<Outcome[]> {
  return [
    await check('Lint', ['oxlint/bin/oxlint', '--quiet']),
    await check('Format', ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.']),
    await check('Types', ['typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit']),
    await check('Types of the console', ['typescript/bin/tsc', '-p', 'console/tsconfig.json']),
  ];
}

async function check(title: string, command: string[]): Promise<Outcome> {
  process.stdout.write(`${title}\n`);
  return (await run(command)) === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [{ line: title }] };
}

/** Can take minutes the first time on a machine, which must not count toward a test's timeout. */
async function prepare(): Promise<void> {
  await findTemporalExecutable();
  await ensureChromium();
  await ensureKeycloak();
}

/** Everything else can be tested without it: its own tests are skipped, or fail with the same reason. */
async function ensureKeycloak(): Promise<void> {
  const obstacle = await keycloakObstacle();
  if (obstacle !== undefined) process.stdout.write(`Tests on Keycloak are skipped: ${obstacle}\n`);
  else await prepareKeycloak().catch((error: unknown) => process.stderr.write(`${errorMessage(error)}\n`));
}

function cannotRun(error: unknown): SecondRun {
  return { outcomes: [{ passed: 0, failures: [{ line: errorMessage(error) }] }], passedAlone: [] };
}
