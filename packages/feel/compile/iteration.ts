/** `for`, `some`, `every` and filters. */
import { iterate } from '../iterate.js';
import type { Cell, Run } from '../run.js';
import type { ForNode, QuantifiedNode } from '../tree.js';
import { describeType, type FeelValue } from '../values/values.js';
import { isInteger, isNumber, toDouble, type FeelNumber } from '../values/decimal.js';
import type { Code, CompileNode, NodeCompiler } from './compiler.js';
import type { Span } from '../errors.js';

/**
 * Calls `visit` with the cells of each combination, where the last iterator changes fastest; stops when it returns
 * false.
 */
type Combinations = (run: Run, cell: Cell | null, visit: (inner: Cell | null) => boolean) => boolean | null;

function combinations(node: ForNode | QuantifiedNode, compile: CompileNode, rounds: number): Combinations {
  let next: Combinations = (_run, cell, visit) => visit(cell);
  for (const iterator of [...node.iterators].reverse()) {
    const source = compile(iterator.source);
    const end = iterator.end === undefined ? undefined : compile(iterator.end);
    const inner = next;
    next = (run, cell, visit) => {
      const from = source(run, cell);
      const items =
        end === undefined ? iterate(run, iterator.at, from) : iterate(run, iterator.at, from, end(run, cell));
      if (items === null) return null;
      for (const item of items) {
        run.charge(rounds, iterator.at);
        const answer = inner(run, { value: item, up: cell }, visit);
        if (answer !== true) return answer;
      }
      return true;
    };
  }
  return next;
}

export const forLoop: NodeCompiler<'for'> = (node, compile) => {
  const body = compile(node.body);
  const each = combinations(node, compile, compile.sizeOf(node.body));
  const { at, partial } = node;
  return (run, cell) => {
    const results: FeelValue[] = [];
    const done = each(run, cell, (inner) => {
      if (partial === 'copied') run.charge(results.length, at);
      const seen = partial === 'copied' ? results.slice() : results;
      results.push(body(run, { value: seen, up: inner }));
      if (results.length > run.budget.listLength) run.chargeList(results.length, at);
      return true;
    });
    return done === null ? null : results;
  };
};

function quantified(decisive: boolean): NodeCompiler<'some' | 'every'> {
  return (node, compile) => {
    const condition = compile(node.condition);
    const each = combinations(node, compile, compile.sizeOf(node.condition));
    const conditionAt = node.condition.at;
    return (run, cell) => {
      let unknown = false;
      let decided = false;
      const done = each(run, cell, (inner) => {
        const value = condition(run, inner);
        if (value === decisive) decided = true;
        else if (typeof value !== 'boolean') {
          unknown = true;
          run.fail(
            conditionAt,
            'TYPE_MISMATCH',
            `The condition after "satisfies" must be a boolean, but is ${describeType(value)}.`,
          );
        }
        return !decided;
      });
      if (decided) return decisive;
      return done === null || unknown ? null : !decisive;
    };
  };
}

export const some = quantified(true);
export const every = quantified(false);

export const filter: NodeCompiler<'filter'> = (node, compile) => {
  const target = compile(node.target);
  const condition = compile(node.condition);
  const rounds = compile.sizeOf(node.condition);
  const { at } = node;
  const conditionAt = node.condition.at;
  if (node.condition.kind === 'literal' && typeof node.condition.value === 'number') {
    const position = node.condition.value;
    return (run, cell) => {
      const items = itemsOf(run, at, target(run, cell));
      return items === null ? null : elementAt(run, at, conditionAt, items, position);
    };
  }
  return (run, cell) => {
    const items = itemsOf(run, at, target(run, cell));
    if (items === null) return null;
    run.charge(rounds, at);
    if (items.length > 0) return applyFilter(run, cell, items, condition, rounds, conditionAt, at);
    // Without an item it is unknown whether the condition is a position, so it is evaluated without one.
    const position = run.quietly(() => condition(run, { value: null, up: cell }));
    return isNumber(position) ? elementAt(run, at, conditionAt, items, position) : [];
  };
};

/** A single value is filtered as a list of one item (DMN 1.5 section 10.3.2.5). */
function itemsOf(run: Run, at: Span, value: FeelValue): FeelValue[] | null {
  if (Array.isArray(value)) return value;
  if (value !== null) return [value];
  return run.fail(at, 'TYPE_MISMATCH', 'A filter or position needs a list, but this is null.');
}

function applyFilter(
  run: Run,
  cell: Cell | null,
  items: FeelValue[],
  condition: Code,
  rounds: number,
  conditionAt: Span,
  at: Span,
): FeelValue {
  const kept: FeelValue[] = [];
  for (const item of items) {
    run.charge(rounds, at);
    const verdict = condition(run, { value: item, up: cell });
    if (isNumber(verdict)) return elementAt(run, at, conditionAt, items, verdict);
    if (verdict === true) kept.push(item);
    else if (verdict !== false) {
      run.fail(
        conditionAt,
        'TYPE_MISMATCH',
        `A filter must be a boolean or a position, but is ${describeType(verdict)}.`,
      );
    }
  }
  return kept;
}

/** The item at a position that counts from 1, or backward from -1. */
function elementAt(run: Run, at: Span, conditionAt: Span, items: FeelValue[], position: FeelNumber): FeelValue {
  if (!isInteger(position))
    return run.fail(conditionAt, 'INVALID_ARGUMENT', 'The position in a list must be an integer.');
  const index = toDouble(position);
  const value = index === 0 ? undefined : items[index > 0 ? index - 1 : items.length + index];
  if (value !== undefined) return value;
  return run.fail(at, 'INDEX_OUT_OF_RANGE', 'The list has no item at this position.');
}
