import { MODEL_NAMES } from '@perdure/lib/model-files/kind.js';
import { printable } from '@perdure/lib/trust/printable.js';
import { exitCodes, type Command } from '../command.js';
import { describeProblem } from '../diagnostics.js';
import type { CheckedModel } from '../models/check.js';
import { findModels } from '../models/find.js';
import type { ReadModel } from '../models/read.js';
import { show } from '../terminal.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';

export const lint: Command = {
  name: 'lint',
  operands: 'FILE|DIR...',
  summary: 'Check BPMN, DMN, form, and element template files without a host',
  details:
    'Reports what deploying the files would report, with line and column. A folder means all models in it and below it. ' +
    'With a folder, called processes, decisions, forms, and messages that are in none of the files are warnings.',
  minOperands: 1,
  maxOperands: Infinity,
  options: {},
  examples: ['perdure lint models', 'perdure lint *.bpmn *.dmn'],
  async run({ operands, terminal }) {
    const found = await findModels(operands);
    const unreadable = [...found.problems];
    const models: ReadModel[] = [];
    // The others are checked nevertheless.
    for (const file of found.files)
      try {
        models.push({ ...file, content: await readText(file.path) });
      } catch (error) {
        if (!(error instanceof WrongUse)) throw error;
        unreadable.push(error.message);
      }
    if (unreadable.length === 0 && models.length === 0)
      throw new WrongUse(`There is no model to check. The names of models end in ${MODEL_NAMES}.`);
    for (const message of unreadable) terminal.complain(message);
    const { checkModels } = await import('../models/check.js');
    const checked = await checkModels(models, found.hasFolder && unreadable.length === 0);
    const problems = checked.flatMap((one) => one.problems);
    show(terminal, problems, () => checked.flatMap(describe));
    if (unreadable.length > 0) return exitCodes.wrongUse;
    return problems.some(({ severity }) => severity === 'error') ? exitCodes.refused : exitCodes.done;
  },
};

function describe({ file, problems, deploys }: CheckedModel): string[] {
  const verdict = deploys.length === 0 ? 'cannot be deployed' : `deploys ${deploys.join(', ')}`;
  return [...problems.map(describeProblem), printable(`${file}: ${verdict}`)];
}
