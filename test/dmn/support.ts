/** Short ways to write models, and to read their results. */
import { expect } from 'vitest';
import { answer, compileModel, LoadedModel, readContext, type Diagnostic, type Selection } from '@perdure/dmn';
import type { EvaluationResult } from '@perdure/dmn';
import type { CompiledModel } from '@perdure/dmn/model.js';
import { decision, dmn, input } from './write.js';

export * from './write.js';

/** A model that has to be without errors. */
export function load(xml: string, imported: string[] = []): LoadedModel {
  const { model, problems } = compileModel(xml, imported);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return new LoadedModel(JSON.parse(JSON.stringify(model)) as CompiledModel);
}

export const NOW = Date.UTC(2026, 10, 21, 12);

export interface Asked extends Selection {
  mode?: 'strict' | 'lenient';
  imported?: string[];
}

/** Evaluates decisions of a file, by name. */
export function evaluate(
  xml: string,
  context: Record<string, unknown> = {},
  { mode = 'lenient', imported = [], ...wanted }: Asked = {},
): Record<string, EvaluationResult> {
  const evaluated = load(xml, imported).evaluate(readContext(context), wanted, { now: NOW, mode });
  if (!evaluated.ok) throw new Error(`unknown: ${evaluated.unknown.join(', ')}`);
  return answer(evaluated.results);
}

/** The value of the decision `d` of a file with one decision and its inputs. */
export function valueOf(logic: string, context: Record<string, unknown> = {}, asked: Asked = {}): unknown {
  const inputs = Object.keys(context);
  const xml = dmn(
    inputs.map((name) => input(name)).join('') +
      decision('d', logic, { requires: inputs.map((name) => `input_${name}`) }),
  );
  return evaluate(xml, context, asked)['d']!.value;
}

/** Diagnostics of a file, errors first. */
export function problemsOf(xml: string, imported: string[] = []): Diagnostic[] {
  return compileModel(xml, imported).problems;
}
