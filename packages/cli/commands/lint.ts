import { printable } from '@perdure/lib/trust/printable.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { compileModel } from '@perdure/dmn';
import { exitCodes, type Command } from '../command.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';
import { describeProblem, locateDiagnostics, type LocatedDiagnostic } from '../diagnostics.js';
import { show, type Terminal } from '../terminal.js';

/** The result that deploying one file would have. */
interface Checked {
  file: string;
  problems: LocatedDiagnostic[];
  /** The ids of what it would deploy; empty if the host would refuse it. */
  deploys: string[];
}

export const lint: Command = {
  name: 'lint',
  operands: 'FILE...',
  summary: 'Check BPMN and DMN files without a host',
  details: 'Reports what deploying the files would report, with line and column.',
  minOperands: 1,
  maxOperands: Infinity,
  options: {},
  examples: ['perdure lint *.bpmn *.dmn'],
  async run({ operands, terminal }) {
    const files = await Promise.all(operands.map((file) => check(file, terminal)));
    const checked = files.filter((one) => one !== undefined);
    const problems = checked.flatMap((one) => one.problems);
    show(terminal, problems, () => checked.flatMap(describe));
    if (checked.length < files.length) return exitCodes.wrongUse;
    return problems.some(({ severity }) => severity === 'error') ? exitCodes.refused : exitCodes.done;
  },
};

/** Undefined when the file cannot be read; the others are checked nevertheless. */
async function check(file: string, terminal: Terminal): Promise<Checked | undefined> {
  try {
    const xml = await readText(file);
    const { problems, deploys } = file.endsWith('.dmn') ? checkDecisions(xml) : await checkProcesses(xml);
    return { file, problems: locateDiagnostics(file, xml, problems), deploys };
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    terminal.complain(error.message);
    return undefined;
  }
}

async function checkProcesses(xml: string) {
  const { problems, processes } = await compile(xml);
  return { problems, deploys: processes.map(({ processID }) => processID) };
}

function checkDecisions(xml: string) {
  const { problems, model } = compileModel(xml);
  const isRefused = problems.some(({ severity }) => severity === 'error');
  return { problems, deploys: isRefused ? [] : (model?.files.slice(0, 1).map(({ id }) => id) ?? []) };
}

function describe({ file, problems, deploys }: Checked): string[] {
  const verdict = deploys.length === 0 ? 'cannot be deployed' : `deploys ${deploys.join(', ')}`;
  return [...problems.map(describeProblem), printable(`${file}: ${verdict}`)];
}
