/** Unary tests: the cells of decision tables and the right side of `in` (DMN 1.5 section 10.3.2.8). */
import type { Node, TestNode } from '../tree.js';
import type { Parser, Place } from './parser.js';
import { readIntervalEnd } from './interval.js';
import { bind, type Scope } from './names/scope.js';

/** The test that an expression applies to the input bound by the scope. */
export function testOf(parser: Parser, scope: Scope, expression: Node): TestNode {
  return { kind: 'test', expression, usesInput: parser.usedBindings.has(scope), at: expression.at };
}

/** Tests separated by commas; each sees the input as `?`. */
function readTestList(parser: Parser, outer: Place): TestNode[] {
  const tests: TestNode[] = [];
  do {
    const scope = bind(outer, '?');
    tests.push(testOf(parser, scope, parser.expression(scope)));
  } while (parser.cursor.accept(','));
  return tests;
}

/** Parentheses after `in`: several tests, or one expression or interval that may continue after them. */
type Group = { kind: 'tests'; tests: TestNode[] } | { kind: 'operand'; node: Node; scope: Scope };

export function readGroup(parser: Parser, outer: Place): Group {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const scope = bind(outer, '?');
  const node = parser.inside(false, () => parser.expression(scope));
  if (cursor.accept('..')) return { kind: 'operand', node: readIntervalEnd(parser, scope, from, node, false), scope };
  if (cursor.accept(')')) return { kind: 'operand', node, scope };
  cursor.expect(',');
  const others = parser.inside(false, () => readTestList(parser, outer));
  cursor.expect(')');
  return { kind: 'tests', tests: [testOf(parser, scope, node), ...others] };
}

/** A whole cell of the form `not(tests)`. */
export function readNegatedCell(parser: Parser): Node {
  const { cursor } = parser;
  const { from } = cursor.token;
  cursor.expect('not');
  cursor.expect('(');
  const tests = readTestList(parser, undefined);
  cursor.expect(')');
  return { kind: 'unary tests', tests, negated: true, at: cursor.since(from) };
}

/** A whole cell: `-` or tests. */
export function readCell(parser: Parser): Node {
  const { cursor } = parser;
  const { from } = cursor.token;
  if (cursor.is('-') && cursor.peek().kind === 'end') {
    cursor.advance();
    return { kind: 'any input', at: cursor.since(from) };
  }
  const tests = readTestList(parser, undefined);
  return { kind: 'unary tests', tests, negated: false, at: cursor.since(from) };
}
