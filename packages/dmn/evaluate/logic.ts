/** Evaluation of value expressions (DMN 1.5 sections 7.3.1 and 10.2.1). */
import { iterate } from '@perdure/feel/iterate.js';
import type { Run } from '@perdure/feel/run.js';
import { describeType, setEntry, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';
import { FeelFunction } from '@perdure/feel/functions.js';
import type {
  ConditionalLogic,
  ContextLogic,
  FilterLogic,
  FunctionLogic,
  InvocationLogic,
  IterationLogic,
  ListLogic,
  LiteralLogic,
  Logic,
  RelationLogic,
} from '../model.js';
import { codeOf } from './expressions.js';
import { fail, located, NOWHERE } from './failures.js';
import { createFunction, resultTypeOf } from './functions.js';
import { BoundName, BoundNames, FilteredItem, NO_NAMES, PartialResults, type Scope } from './scope.js';
import { loadTable } from './table.js';
import { fit, type TypeLoader } from './types.js';

/** Loaded logic: its value in a scope, null after a failure. */
export type Evaluate = (run: Run, scope: Scope | undefined) => FeelValue;

type Load<Kind extends Logic['kind']> = (logic: Extract<Logic, { kind: Kind }>, types: TypeLoader) => Evaluate;

const LOADERS: { [Kind in Logic['kind']]: Load<Kind> } = {
  literal: loadLiteral,
  context: loadContext,
  list: loadList,
  relation: loadRelation,
  invocation: loadInvocation,
  function: loadFunction,
  conditional: loadConditional,
  for: loadFor as Load<'for'>,
  some: loadQuantified as Load<'some'>,
  every: loadQuantified as Load<'every'>,
  filter: loadFilter,
  table: loadTable,
};

/** Loads logic. Its result is converted to its type. */
export function loadLogic(logic: Logic, types: TypeLoader): Evaluate {
  const evaluate = (LOADERS[logic.kind] as Load<Logic['kind']>)(logic as never, types);
  const type = logic.kind === 'function' ? undefined : types.optional(logic.type);
  return (run, scope) => {
    run.charge(1, NOWHERE);
    return located(run, logic.id, () => fit(run, evaluate(run, scope), type, 'The result'));
  };
}

function loadLiteral({ expression }: LiteralLogic): Evaluate {
  const code = codeOf(expression);
  return (run, scope) => run.within(scope ?? NO_NAMES, (inner) => code(inner, null));
}

function loadContext({ entries, result }: ContextLogic, types: TypeLoader): Evaluate {
  const loaded = entries.map(({ name, type, logic }) => ({
    name,
    type: types.optional(type),
    evaluate: loadLogic(logic, types),
  }));
  const loadedResult = result && loadLogic(result, types);
  return (run, scope) => {
    const context: FeelContext = {};
    // One growing scope, because a context may have thousands of entries: each is evaluated before the later ones
    // exist.
    const entries = new Map<string, FeelValue>();
    const inner = new BoundNames(entries, scope);
    for (const { name, type, evaluate } of loaded) {
      const value = fit(run, evaluate(run, inner), type, `The entry "${name}"`);
      setEntry(context, name, value);
      entries.set(name, value);
    }
    return loadedResult === undefined ? context : loadedResult(run, inner);
  };
}

function loadList({ items }: ListLogic, types: TypeLoader): Evaluate {
  const loaded = items.map((item) => loadLogic(item, types));
  return (run, scope) => loaded.map((evaluate) => evaluate(run, scope));
}

function loadRelation({ columns, rows }: RelationLogic, types: TypeLoader): Evaluate {
  const loadedColumns = columns.map(({ name, type }) => ({ name, type: types.optional(type) }));
  const loadedRows = rows.map((row) => row.map((cell) => loadLogic(cell, types)));
  return (run, scope) =>
    loadedRows.map((row) => {
      const context: FeelContext = {};
      for (const [index, { name, type }] of loadedColumns.entries()) {
        setEntry(context, name, fit(run, row[index]?.(run, scope) ?? null, type, `The column "${name}"`));
      }
      return context;
    });
}

function loadInvocation({ callee, bindings }: InvocationLogic, types: TypeLoader): Evaluate {
  const loadedCallee = loadLogic(callee, types);
  const loaded = bindings.map(({ name, type, logic }) => ({
    name,
    type: types.optional(type),
    evaluate: loadLogic(logic, types),
  }));
  const names = bindings.map(({ name }) => name);
  return (run, scope) => {
    const fn = loadedCallee(run, scope);
    if (!(fn instanceof FeelFunction))
      return fail(run, 'NOT_A_FUNCTION', `The invoked expression must be a function, but is ${describeType(fn)}.`);
    const args = loaded.map(({ name, type, evaluate }) =>
      fit(run, evaluate(run, scope), type, `The binding of "${name}"`),
    );
    return fn.invoke(run, args, NOWHERE, names.length === 0 ? undefined : names);
  };
}

function loadFunction({ parameters, body, type }: FunctionLogic, types: TypeLoader): Evaluate {
  const create = loadFunctionLogic(parameters, body, types);
  const result = resultTypeOf(types.optional(type));
  return (_run, scope) => create(undefined, scope, result);
}

/** Loads a function definition; the result creates the function for a scope. */
export function loadFunctionLogic(
  parameters: FunctionLogic['parameters'],
  body: FunctionLogic['body'],
  types: TypeLoader,
): (name: string | undefined, scope: Scope | undefined, result?: Parameters<typeof fit>[2]) => FeelFunction {
  const loaded = parameters.map(({ name, type }) => {
    const loadedType = types.optional(type);
    return { name, ...(loadedType && { type: loadedType }) };
  });
  const evaluate: Evaluate =
    body === 'external'
      ? (run) => fail(run, 'UNSUPPORTED', 'External functions (Java, PMML) are not supported.')
      : loadLogic(body, types);
  return (name, scope, result) =>
    createFunction(name, loaded, result, (run, args) => {
      const values = new Map(loaded.map((parameter, index) => [parameter.name, args[index] ?? null]));
      return fit(
        run,
        evaluate(run, new BoundNames(values, scope)),
        result,
        `The result of "${name ?? 'the function'}"`,
      );
    });
}

function loadConditional({ condition, then, otherwise }: ConditionalLogic, types: TypeLoader): Evaluate {
  const [test, onTrue, onFalse] = [loadLogic(condition, types), loadLogic(then, types), loadLogic(otherwise, types)];
  return (run, scope) => {
    const verdict = test(run, scope);
    if (typeof verdict === 'boolean') return verdict ? onTrue(run, scope) : onFalse(run, scope);
    return fail(run, 'TYPE_MISMATCH', `The condition must be a boolean, but is ${describeType(verdict)}.`);
  };
}

/** The items to iterate over, and how each becomes a scope; null after a failure. */
function loadIterator(
  { variable, variableType, source }: IterationLogic,
  types: TypeLoader,
): (run: Run, scope: Scope | undefined) => Iterable<Scope> | null {
  const evaluate = loadLogic(source, types);
  const type = types.optional(variableType);
  return (run, scope) => {
    const items = iterate(run, NOWHERE, fit(run, evaluate(run, scope), type, 'The collection'));
    return items && scopes(items, variable, scope);
  };
}

function* scopes(items: Iterable<FeelValue>, variable: string, scope: Scope | undefined): Iterable<Scope> {
  for (const item of items) yield new BoundName(variable, item, scope);
}

/** One step pays for 64 items of `partial`, which are copied at once. */
const COPIED_PER_STEP_BITS = 6;

function loadFor(logic: IterationLogic, types: TypeLoader): Evaluate {
  const iterator = loadIterator(logic, types);
  const body = loadLogic(logic.body, types);
  return (run, scope) => {
    const each = iterator(run, scope);
    if (each === null) return null;
    const results: FeelValue[] = [];
    for (const inner of each) {
      const partial = new PartialResults(results, inner);
      results.push(body(run, partial));
      run.charge(partial.copied >> COPIED_PER_STEP_BITS, NOWHERE);
      if (results.length > run.budget.listLength) run.chargeList(results.length, NOWHERE);
    }
    return results;
  };
}

function loadQuantified(logic: IterationLogic, types: TypeLoader): Evaluate {
  const iterator = loadIterator(logic, types);
  const condition = loadLogic(logic.body, types);
  const decisive = logic.kind === 'some';
  return (run, scope) => {
    const each = iterator(run, scope);
    if (each === null) return null;
    for (const inner of each) {
      const verdict = condition(run, inner);
      if (typeof verdict !== 'boolean')
        return fail(
          run,
          'TYPE_MISMATCH',
          `The condition in "satisfies" must be a boolean, but is ${describeType(verdict)}.`,
        );
      if (verdict === decisive) return decisive;
    }
    return !decisive;
  };
}

function loadFilter({ source, condition }: FilterLogic, types: TypeLoader): Evaluate {
  const evaluate = loadLogic(source, types);
  const test = loadLogic(condition, types);
  return (run, scope) => {
    const list = evaluate(run, scope);
    if (list === null) return fail(run, 'TYPE_MISMATCH', 'A filter needs a list, but this is null.');
    const kept: FeelValue[] = [];
    for (const item of Array.isArray(list) ? list : [list]) {
      const verdict = test(run, new FilteredItem(item, scope));
      if (verdict === true) kept.push(item);
      else if (verdict !== false)
        return fail(
          run,
          'TYPE_MISMATCH',
          `The condition in "match" must be a boolean, but is ${describeType(verdict)}.`,
        );
    }
    return kept;
  };
}
