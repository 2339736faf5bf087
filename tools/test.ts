/**
 * `npm test`: lint, format, types, and the layers of tests. Its end names what failed, and what passed only when its file
 * ran alone. The last line reports how many checks passed and failed; lint, format, and types count as one each. Arguments go to vitest: `npm test --
 * test/engine` runs one folder.
 */
import { compiledScript } from '../dev/repository.js';
import { ensureChromium } from './chromium.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { findTemporalExecutable } from '../dev/temporal/executable.js';
import { runLayers, timesOf } from './test/run-layers.js';
import { report } from './test/report.js';
import { run, runTests, type Outcome } from './test/run.js';
import type { SecondRun } from './test/second-run.js';

/** Files with the content that was found correct before are not checked again. */
const CACHED_FORMAT = ['--cache', '--cache-strategy', 'content'];
const cachedTypes = (name: string) => [
  '--incremental',
  '--tsBuildInfoFile',
  compiledScript(`.types-${name}.tsbuildinfo`),
];

const arguments_ = process.argv.slice(2);
report(await (arguments_.length > 0 ? testSome(arguments_) : testAll()).catch(cannotRun));

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
    await check('Format', ['prettier/bin/prettier.cjs', '--check', ...CACHED_FORMAT, '--log-level', 'warn', '.']),
    await check('Types', ['typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit', ...cachedTypes('all')]),
    await check('Types of the console', [
      'typescript/bin/tsc',
      '-p',
      'console/tsconfig.json',
      ...cachedTypes('console'),
    ]),
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
}

function cannotRun(error: unknown): SecondRun {
  return { outcomes: [{ passed: 0, failures: [{ line: errorMessage(error) }] }], passedAlone: [] };
}
