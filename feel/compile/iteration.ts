/** `for`, `some`, `every` and filters. */
import { iterate } from '../iterate.js';
import type { Cell, Run } from '../run.js';
import type { ForNode, QuantifiedNode } from '../tree.js';
import { describeType, type FeelValue } from '../values.js';
import { isNumber, isInteger, toDouble } from '../decimal.js';
import { sizeOf, type Code, type CompileNode, type NodeCompiler } from './compiler.js';
import type { Span } from '../errors.js';

/** Calls `visit` with the cells of each combination, the last iterator turning fastest; stops when it answers false. */
type Combinations = (run: Run, cell: Cell | null, visit: (inner: Cell | null) => boolean) => boolean | null;

function combinations(node: ForNode | QuantifiedNode, compile: CompileNode, rounds: number): Combinations {
  let next: Combinations = (_run, cell, visit) => visit(cell);
  for (const iterator of [...node.iterators].reverse()) {
    const source = compile(iterator.source);
    const end = iterator.end === undefined ? undefined : compile(iterator.end);
    const inner = next;
    next = (run, cell, visit) => {
      const from = source(run, cell);
      const items = end === undefined ? iterate(run, iterator.at, from) : iterate(run, iterator.at, from, end(run, cell));
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
  const each = combinations(node, compile, sizeOf(node.body));
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
    const each = combinations(node, compile, sizeOf(node.condition));
    const conditionAt = node.condition.at;
    return (run, cell) => {
      let unknown = false;
      let decided = false;
      const done = each(run, cell, (inner) => {
        const value = condition(run, inner);
        if (value === decisive) decided = true;
        else if (typeof value !== 'boolean') {
          unknown = true;
          run.fail(conditionAt, 'TYPE_MISMATCH', `The condition behind "satisfies" needs a boolean, but this is ${describeType(value)}.`);
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
  const rounds = sizeOf(node.condition);
  if (node.condition.kind === 'literal' && typeof node.condition.value === 'number') {
    const index = node.condition.value;
    return (run, cell) => elementAt(run, node.at, listOf(target(run, cell)), index);
  }
  return (run, cell) => {
    const value = target(run, cell);
    const items = listOf(value);
    run.charge(rounds, node.at);
    return applyFilter(run, cell, items, condition, rounds, node.condition.at, node.at);
  };
};

/** A single value is filtered as the list of it, null as the empty list (DMN 1.5 section 10.3.2.5). */
function listOf(value: FeelValue): FeelValue[] {
  if (Array.isArray(value)) return value;
  return value === null ? [] : [value];
}

function applyFilter(run: Run, cell: Cell | null, items: FeelValue[], condition: Code, rounds: number, conditionAt: Span, at: Span): FeelValue {
  const kept: FeelValue[] = [];
  for (const item of items) {
    run.charge(rounds, at);
    const verdict = condition(run, { value: item, up: cell });
    if (isNumber(verdict)) {
      if (!isInteger(verdict)) return run.fail(conditionAt, 'INVALID_ARGUMENT', 'The position in a list must be an integer.');
      return elementAt(run, at, items, toDouble(verdict));
    }
    if (verdict === true) kept.push(item);
    else if (verdict !== false) {
      run.fail(conditionAt, 'TYPE_MISMATCH', `A filter needs a boolean or a position, but this is ${describeType(verdict)}.`);
    }
  }
  return kept;
}

function elementAt(run: Run, at: Span, items: FeelValue[], position: number): FeelValue {
  const value = items[position > 0 ? position - 1 : items.length + position];
  if (value !== undefined && position !== 0) return value;
  return run.fail(at, 'INDEX_OUT_OF_RANGE', `The list has ${items.length} items, so there is none at position ${position}.`);
}
