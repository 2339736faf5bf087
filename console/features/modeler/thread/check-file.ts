/** Checks and evaluates texts with the compilers of the host. */
import { compile } from '@perdure/bpmn/compile/compile.js';
import { compileModel, summarizeDecisions } from '@perdure/dmn';
import { perform } from '@perdure/dmn/work.js';
import { readForm } from '@perdure/forms/read-form.js';
import type { CheckedFile, CheckedModel, ModelAnswer, TriedDecision } from './model-task.js';

export async function checkFile({ kind, text, imported }: CheckedFile): Promise<CheckedModel> {
  if (kind === 'FORM') return checkForm(text);
  if (kind === 'BPMN') return { problems: (await compile(text)).problems };
  const { model, problems } = compileModel(text, imported);
  return { problems, ...(model && { decisions: summarizeDecisions(model) }) };
}

function checkForm(text: string): CheckedModel {
  const read = readForm(text);
  if (read.ok) return { problems: [] };
  return {
    problems: read.problems.map(({ message, line, column }) => ({
      severity: 'error',
      message: line === undefined ? message : `${message}, see line ${line}, column ${column}.`,
    })),
  };
}

/** As REST evaluates by default: an expression with an error is null, with a warning. */
export function evaluateDecision({ xml, imported, decisionID, context, now }: TriedDecision): ModelAnswer {
  const wanted = { decisions: [decisionID] };
  const work = { kind: 'evaluate', xml, imported, contexts: [context], wanted, mode: 'lenient', now } as const;
  const { evaluated, problems } = perform(work);
  const [only] = evaluated ?? [];
  if (only === undefined) return { kind: 'failed', reason: problems[0]?.message ?? 'The file cannot be read.' };
  return only.ok
    ? { kind: 'evaluated', results: Object.values(only.results) }
    : { kind: 'failed', reason: only.message };
}
