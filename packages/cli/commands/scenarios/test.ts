import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import { findScenarios } from '../../scenarios/find.js';
import { junitReport } from '../../scenarios/junit.js';
import { describeRun, shown } from '../../scenarios/lines.js';
import { htmlReport } from '../../scenarios/report.js';
import { HostScenarios } from '../../scenarios/on-host/run.js';
import { inMemory, runScenarios, type TestRun } from '../../scenarios/run.js';
import { show } from '../../terminal.js';
import { WrongUse } from '../../wrong-use.js';
import { watchFolders } from '../watch-files.js';

export const test: Command = {
  name: 'test',
  role: 'editor',
  operands: '[PATH...]',
  summary: 'Run scenarios: tests of processes',
  details:
    'Runs files whose names end in .scenario.json, in virtual time. A folder means all scenarios in it and below it ' +
    '(default: the current folder). Each scenario uses the models of its folder, or the files that it names. ' +
    'A file that is named can also have JSON test cases of Camunda 8. Without --host, no host is called; with it, ' +
    'each scenario is a test of a draft, which calls the processes and decisions that are deployed there.',
  minOperands: 0,
  maxOperands: Infinity,
  options: {
    coverage: {
      type: 'string',
      value: 'DIR',
      help: 'write coverage.json, and index.html with the diagrams, into this folder',
    },
    'min-coverage': { type: 'string', value: 'PERCENT', help: 'fail if less of the models is covered' },
    junit: { type: 'string', value: 'FILE', help: 'write the results in the XML format of JUnit' },
    host: { type: 'boolean', help: 'run them on the host, as tests of drafts (editor); coverage is not measured' },
    watch: { type: 'boolean', help: 'run again whenever a file changes, until Ctrl-C' },
  },
  examples: [
    'perdure test',
    'perdure test orders --coverage coverage --junit results.xml',
    'perdure test orders --host',
    'perdure test --watch',
  ],
  async run(invocation) {
    const minimum = percentage(invocation);
    if (invocation.flag('host') && (minimum > 0 || invocation.option('coverage') !== undefined))
      throw new WrongUse('A host does not measure coverage. Run perdure test without --host for it.');
    if (!invocation.flag('watch')) return (await runOnce(invocation, minimum)).exitCode;
    await watchFolders(async () => (await runOnce(invocation, minimum)).folders, invocation.signal);
    return exitCodes.done;
  },
};

interface Outcome {
  exitCode: number;
  /** Folders whose files can change the result. */
  folders: ReadonlySet<string>;
}

async function runOnce(invocation: Invocation, minimum: number): Promise<Outcome> {
  const { operands, terminal } = invocation;
  const found = await findScenarios(operands.length > 0 ? operands : ['.']);
  for (const message of found.problems) terminal.complain(message);
  if (found.files.length === 0)
    terminal.complain('There is no scenario. The names of scenarios end in .scenario.json.');
  const run = await runAll(invocation, found.files);
  const coverage = run.coverage.report();
  const measured = invocation.flag('host') ? undefined : coverage;
  const folders = new Set([...found.folders, ...[...run.models.keys()].map((model) => dirname(model))]);
  if (found.files.length > 0)
    show(terminal, { scenarios: run.scenarios, ...(measured && { coverage }) }, () =>
      describeRun(run.scenarios, measured),
    );
  await writeReports(invocation, run);
  const isTooLittle = coverage.percent < minimum;
  if (isTooLittle) terminal.complain(`Covered are ${shown(coverage.percent)} %, less than --min-coverage ${minimum}`);
  if (found.files.length === 0 || found.problems.length > 0) return { exitCode: exitCodes.wrongUse, folders };
  const isFailed = isTooLittle || run.scenarios.some(({ failure }) => failure);
  return { exitCode: isFailed ? exitCodes.refused : exitCodes.done, folders };
}

async function runAll(invocation: Invocation, files: readonly string[]): Promise<TestRun> {
  if (!invocation.flag('host') || files.length === 0) return runScenarios(files, inMemory);
  const onHost = new HostScenarios(await invocation.host(), invocation.signal);
  try {
    return await runScenarios(files, (scenario, bundle, { texts }) => onHost.play(scenario, bundle, texts));
  } finally {
    await onHost.end();
  }
}

async function writeReports(invocation: Invocation, run: TestRun): Promise<void> {
  const [folder, junit] = [invocation.option('coverage'), invocation.option('junit')];
  if (folder !== undefined) {
    await write(join(folder, 'coverage.json'), `${JSON.stringify(run.coverage.report(), null, 2)}\n`);
    await write(join(folder, 'index.html'), htmlReport(run));
  }
  if (junit !== undefined) await write(junit, junitReport(run.scenarios));
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    throw new WrongUse(`Cannot write ${path}: ${(error as Error).message}`);
  }
}

function percentage(invocation: Invocation): number {
  const text = invocation.option('min-coverage') ?? '0';
  const number = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 100) return number;
  throw new WrongUse(`--min-coverage must be a number from 0 to 100, but is ${JSON.stringify(text)}`);
}
