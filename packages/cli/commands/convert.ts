import { printable } from '@perdure/lib/trust/printable.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Conversion, Finding, workerStubs } from '@perdure/convert';
import { exitCodes, type Command, type Invocation } from '../command.js';
import { counted, show } from '../terminal.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';

/** The result for one file, without its text. */
interface Converted {
  file: string;
  /** Whether the converted file can be deployed. */
  canBeDeployed: boolean;
  findings: Finding[];
  unlistedFindings: number;
  jobTypes: string[];
  /** Paths of the files written; empty without `--out`. */
  written: string[];
}

export const convert: Command = {
  name: 'convert',
  operands: 'FILE...',
  summary: 'Convert BPMN files of Camunda 7, Operaton, Activiti, and Flowable',
  details:
    'Prints for each file what was converted, what needs a review, and what has no equivalent. Without ' +
    '--out, nothing is written. Ends with 1 if a converted file cannot be deployed or has something ' +
    'without an equivalent.',
  minOperands: 1,
  maxOperands: Infinity,
  options: {
    out: { type: 'string', value: 'DIR', help: 'Write the converted files to this directory' },
    workers: { type: 'boolean', help: 'Also write job workers to fill in, with a test for each process' },
  },
  examples: ['perdure convert *.bpmn', 'perdure convert order.bpmn --out converted --workers'],
  async run(invocation) {
    const { operands, terminal } = invocation;
    if (invocation.flag('workers') && invocation.option('out') === undefined)
      throw new WrongUse('--workers writes files, so it needs --out DIR');
    refuseEqualNames(operands);
    const results: (Converted | undefined)[] = [];
    for (const file of operands) results.push(await convertFile(file, invocation));
    const converted = results.filter((one) => one !== undefined);
    show(terminal, converted, () => converted.flatMap(describe));
    if (converted.length < operands.length) return exitCodes.wrongUse;
    return converted.every(isWhole) ? exitCodes.done : exitCodes.refused;
  },
};

/** Two files of the same name from different folders would overwrite each other. */
function refuseEqualNames(files: readonly string[]): void {
  const names = files.map((file) => basename(file));
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new WrongUse(`Two files are called ${twice}. Convert them to different directories.`);
}

function isWhole({ canBeDeployed, findings }: Converted): boolean {
  return canBeDeployed && findings.every(({ outcome }) => outcome !== 'unsupported');
}

/** Undefined when the file cannot be read; the others are converted nevertheless. */
async function convertFile(file: string, invocation: Invocation): Promise<Converted | undefined> {
  const { convertModel, UnreadableFile, workerStubs } = await import('@perdure/convert');
  const { compile } = await import('@perdure/bpmn/compile/compile.js');
  try {
    const conversion = convertModel(await readText(file));
    const { problems } = await compile(conversion.xml);
    return {
      file,
      canBeDeployed: problems.every(({ severity }) => severity !== 'error'),
      findings: [...conversion.findings],
      unlistedFindings: conversion.unlistedFindings,
      jobTypes: [...new Set(conversion.jobs.map(({ type }) => type))],
      written: await write(file, conversion, invocation, workerStubs),
    };
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof UnreadableFile)) throw error;
    const message = error instanceof WrongUse ? error.message : `${file}: ${error.message}`;
    invocation.terminal.complain(printable(message));
    return undefined;
  }
}

async function write(
  file: string,
  conversion: Conversion,
  invocation: Invocation,
  stubsOf: typeof workerStubs,
): Promise<string[]> {
  const out = invocation.option('out');
  if (out === undefined) return [];
  const name = basename(file);
  const stubs = invocation.flag('workers') ? stubsOf(name, conversion) : [];
  await mkdir(out, { recursive: true });
  const files = [{ name, text: conversion.xml }, ...stubs];
  for (const { name: target, text } of files) await writeFile(join(out, target), text);
  return files.map(({ name: target }) => join(out, target));
}

function describe({ file, canBeDeployed, findings, unlistedFindings, jobTypes, written }: Converted): string[] {
  const [reviews, unsupported] = (['review', 'unsupported'] as const).map(
    (outcome) => findings.filter((finding) => finding.outcome === outcome).length,
  );
  const more = unlistedFindings > 0 ? [`${file}: ${counted(unlistedFindings, 'finding')} more`] : [];
  const verdict = canBeDeployed ? 'can be deployed' : 'cannot be deployed yet; run perdure lint on the converted file';
  return [
    ...findings.map((finding) => describeFinding(file, finding)),
    ...more,
    `${file}: ${verdict}; ${reviews} to review, ${unsupported} without an equivalent, ` +
      `${counted(jobTypes.length, 'job type')}`,
    ...written.map((path) => `wrote ${path}`),
  ].map(printable);
}

function describeFinding(file: string, { line, outcome, elementID, message }: Finding): string {
  return `${file}:${line}: ${outcome}${elementID === undefined ? '' : ` at ${elementID}`}: ${message}`;
}
