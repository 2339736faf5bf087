/**
 * Evaluation of decision tables (DMN 1.5 chapter 8). Cells are compiled once; each evaluation runs them until a rule is
 * ruled out.
 */
import type { Cell, Run } from '@perdure/feel/run.js';
import { setEntry, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';
import type { TableLogic, TableRule } from '../model.js';
import { cellOf, codeOf, type Code } from './expressions.js';
import { fail, located, NOWHERE } from './failures.js';
import { applyHitPolicy, isAmongOutputValues, type LoadedOutput, type Match } from './hit-policies.js';
import { BoundName, NO_NAMES, type Scope } from './scope.js';
import { Session, type Hit } from './session.js';
import { fit, type LoadedType, type TypeLoader } from './types.js';

interface LoadedInput {
  id: string | undefined;
  expression: Code;
  type: LoadedType | undefined;
  allowed: Code | undefined;
  alias: string | undefined;
}

/** A value to test, and the scope in which its own cells have a name for it. */
interface TestedInput extends Cell {
  scope?: Scope;
}

interface LoadedRule {
  id: string | undefined;
  tests: Code[];
  outputs: Code[];
}

/** Loads a table. Its code returns null after a failure. */
export function loadTable(table: TableLogic, types: TypeLoader): (run: Run, scope: Scope | undefined) => FeelValue {
  const inputs = table.inputs.map(({ id, expression, type, allowed, alias }): LoadedInput => ({
    id,
    expression: codeOf(expression),
    type: types.optional(type),
    allowed: allowed && codeOf(allowed),
    alias,
  }));
  const outputs = table.outputs.map((output): LoadedOutput => ({
    name: output.name,
    type: types.optional(output.type),
    priorities: output.priorities && codeOf(output.priorities),
    fallback: output.fallback && codeOf(output.fallback),
  }));
  const rules = table.rules.map(loadRule);
  const stopsAtFirst = table.hitPolicy === 'FIRST';
  return (run, scope) =>
    run.within(scope ?? NO_NAMES, (inner) => {
      const values = inputs.map((input): TestedInput => {
        const value = readInput(inner, input);
        const named = input.alias === undefined ? undefined : new BoundName(input.alias, value, scope ?? NO_NAMES);
        return { value, up: null, ...(named && { scope: named }) };
      });
      const matches = findMatches(inner, rules, values, stopsAtFirst).map((rule) => ({
        rule,
        output: composeOutput(inner, outputs, rule),
      }));
      noteHits(inner, matches);
      return applyHitPolicy(
        inner,
        table,
        outputs,
        matches.map(({ output }) => output),
        () => defaultOutput(inner, outputs),
      );
    });
}

function loadRule({ id, tests, outputs }: TableRule): LoadedRule {
  return { id, tests: tests.map(cellOf), outputs: outputs.map(codeOf) };
}

function readInput(run: Run, { id, expression, type, allowed }: LoadedInput): FeelValue {
  return located(run, id, () => {
    const value = fit(run, expression(run, null), type, 'The input');
    if (allowed === undefined || value === null || allowed(run, { value, up: null }) === true) return value;
    return fail(run, 'INVALID_ARGUMENT', 'The input is not among the allowed input values of the table.');
  });
}

function findMatches(
  run: Run,
  rules: readonly LoadedRule[],
  values: readonly TestedInput[],
  stopsAtFirst: boolean,
): LoadedRule[] {
  const matching: LoadedRule[] = [];
  for (const rule of rules) {
    run.charge(rule.tests.length + 1, NOWHERE);
    if (!isMatch(run, rule, values)) continue;
    matching.push(rule);
    if (stopsAtFirst) break;
  }
  return matching;
}

function isMatch(run: Run, { id, tests }: LoadedRule, values: readonly TestedInput[]): boolean {
  const verdict = located(run, id, () => {
    for (let column = 0; column < tests.length; column++) {
      if (!passes(run, tests[column] as Code, values[column] as TestedInput)) return false;
    }
    return true;
  });
  return verdict === true;
}

/**
 * A null input matches `null`, `-` and tests that mention it. Other tests have no result for it, which is not a
 * failure, because otherwise no table could handle null.
 */
function passes(run: Run, test: Code, input: TestedInput): boolean {
  const { scope, ...cell } = input;
  if (scope !== undefined) return run.within(scope, (inner) => passes(inner, test, cell));
  return (input.value === null ? run.quietly(() => test(run, input)) : test(run, input)) === true;
}

function composeOutput(run: Run, outputs: readonly LoadedOutput[], rule: LoadedRule): Match {
  const values = outputs.map((output, column) =>
    located(run, rule.id, () => checkOutput(run, output, rule.outputs[column]?.(run, null) ?? null)),
  );
  return { values, output: compose(outputs, values) };
}

function checkOutput(run: Run, output: LoadedOutput, value: FeelValue): FeelValue {
  const fitted = fit(run, value, output.type, 'The output');
  return isAmongOutputValues(run, output, fitted)
    ? fitted
    : fail(run, 'INVALID_ARGUMENT', 'The output is not among the output values of the table.');
}

/** A single output is returned as it is; several become a context. */
function compose(outputs: readonly LoadedOutput[], values: readonly FeelValue[]): FeelValue {
  if (outputs.length === 1) return values[0] ?? null;
  const composed: FeelContext = {};
  for (const [column, { name }] of outputs.entries()) setEntry(composed, name ?? '', values[column] ?? null);
  return composed;
}

function noteHits(run: Run, matches: readonly { rule: LoadedRule; output: Match }[]): void {
  if (!(run.environment instanceof Session)) return;
  run.environment.noteHits(
    matches.map(({ rule, output }): Hit => ({
      ...(rule.id !== undefined && { ruleID: rule.id }),
      outputs: output.output,
    })),
  );
}

function defaultOutput(run: Run, outputs: readonly LoadedOutput[]): FeelValue {
  if (outputs.every(({ fallback }) => fallback === undefined)) return null;
  return compose(
    outputs,
    outputs.map(({ fallback, type }) => fit(run, fallback?.(run, null) ?? null, type, 'The default output')),
  );
}
