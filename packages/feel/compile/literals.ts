/** Literals, lists, contexts and ranges. */
import { parseNumber } from '../values/decimal.js';
import { createRange, type FeelRange, unaryRange } from '../values/range.js';
import type { Cell } from '../run.js';
import { parseTemporal } from '../temporal/parse.js';
import { setEntry, type FeelContext, type FeelValue } from '../values/values.js';
import type { NodeCompiler } from './compiler.js';

export const literal: NodeCompiler<'literal'> =
  ({ value }) =>
  () =>
    value;

export const decimal: NodeCompiler<'decimal'> = ({ text, at }) => {
  const value = parseNumber(text);
  if (value === undefined) return (run) => run.fail(at, 'NUMBER_OVERFLOW', 'This number is too large.');
  return () => value;
};

export const temporal: NodeCompiler<'temporal'> = ({ text, at }) => {
  const value = parseTemporal(text);
  if (value === undefined) {
    return (run) =>
      run.fail(at, 'INVALID_ARGUMENT', 'The text after @ is not a date, time, date and time, or duration.');
  }
  return () => value;
};

export const list: NodeCompiler<'list'> = ({ items, at }, compile) => {
  const codes = items.map(compile);
  return (run, cell) => {
    run.chargeList(codes.length, at);
    const values: FeelValue[] = [];
    for (const code of codes) values.push(code(run, cell));
    return values;
  };
};

export const context: NodeCompiler<'context'> = ({ entries, at }, compile) => {
  const keys = entries.map((entry) => entry.key);
  const codes = entries.map((entry) => compile(entry.value));
  const repeated = keys.find((key, index) => keys.indexOf(key) < index);
  if (repeated !== undefined) {
    return (run) => run.fail(at, 'INVALID_ARGUMENT', `The context has two entries named "${repeated}".`);
  }
  return (run, cell) => {
    run.charge(codes.length, at);
    const value: FeelContext = {};
    let inner: Cell | null = cell;
    for (let index = 0; index < codes.length; index++) {
      const entry = codes[index]!(run, inner);
      setEntry(value, keys[index]!, entry);
      inner = { value: entry, up: inner };
    }
    return value;
  };
};

export const range: NodeCompiler<'range'> = (node, compile) => {
  const start = compile(node.start);
  const end = compile(node.end);
  return (run, cell) =>
    createRange(run, node.at, start(run, cell), end(run, cell), node.startIncluded, node.endIncluded);
};

export const unaryComparison: NodeCompiler<'unary comparison'> = ({ operator, endpoint, at }, compile) => {
  const code = compile(endpoint);
  return (run, cell): FeelRange | null => unaryRange(run, at, operator, code(run, cell));
};
