/** The work of the command `test`, which loads the interpreter. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodes, type Invocation } from '../command.js';
import { show } from '../terminal.js';
import { WrongUse } from '../wrong-use.js';
import { findScenarios } from './find.js';
import { junitReport } from './junit.js';
import { describeRun, shown } from './lines.js';
import { HostScenarios } from './on-host/run.js';
import { htmlReport } from './report.js';
import { inMemory, runScenarios, type TestRun } from './run.js';

interface Outcome {
  exitCode: number;
  /** Folders whose files can change the result. */
  folders: ReadonlySet<string>;
}

/** Runs the scenarios of the operands once, and shows the results. */
export async function runOnce(invocation: Invocation, minimum: number): Promise<Outcome> {
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
