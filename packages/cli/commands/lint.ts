import { compile } from '../../bpmn/compile/compile.js';
import { compileModel } from '../../dmn/index.js';
import { exitCodes, readText, type Command } from '../command.js';
import { describeProblem, locateDiagnostics, type LocatedDiagnostic } from '../diagnostics.js';
import { show } from '../terminal.js';

export const lint: Command = {
  name: 'lint',
  operands: 'FILE...',
  summary: 'Report what deploying BPMN and DMN files would report, with line and column. Needs no host.',
  least: 1,
  most: Infinity,
  options: {},
  async run({ operands, terminal }) {
    const problems: LocatedDiagnostic[] = [];
    for (const file of operands) problems.push(...(await problemsOf(file)));
    show(terminal, problems, () => problems.map(describeProblem));
    return problems.some(({ severity }) => severity === 'error') ? exitCodes.refused : exitCodes.done;
  },
};

async function problemsOf(file: string): Promise<LocatedDiagnostic[]> {
  const xml = await readText(file);
  const { problems } = file.endsWith('.dmn') ? compileModel(xml) : await compile(xml);
  return locateDiagnostics(file, xml, problems);
}
