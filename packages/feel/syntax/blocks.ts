/** `if`, `for`, `some`, `every` and `function`: constructs that extend as far to the right as possible. */
import type { FunctionNode, Iterator, Node } from '../tree.js';
import { readDeclaredName } from './names/name.js';
import type { Parser, Place } from './parser.js';
import { partialUse } from './partial.js';
import { bind } from './names/scope.js';
import { readType } from './types.js';

export function readIf(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const condition = parser.inside(false, () => parser.expression(scope));
  cursor.expect('then');
  const then = parser.inside(false, () => parser.expression(scope));
  cursor.expect('else');
  const otherwise = parser.expression(scope);
  return { kind: 'if', condition, then, else: otherwise, at: cursor.since(from) };
}

export function readFor(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const { iterators, scope: inner } = readIterators(parser, scope);
  cursor.expect('return');
  const results = bind(inner, 'partial');
  const body = parser.expression(results);
  forgetAll(parser, iterators);
  const partial = parser.usedBindings.has(results) ? partialUse(body) : 'unused';
  return { kind: 'for', iterators, body, partial, at: cursor.since(from) };
}

export function readQuantified(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { text, from } = cursor.advance();
  const { iterators, scope: inner } = readIterators(parser, scope);
  cursor.expect('satisfies');
  const condition = parser.expression(inner);
  forgetAll(parser, iterators);
  return { kind: text === 'some' ? 'some' : 'every', iterators, condition, at: cursor.since(from) };
}

function readIterators(parser: Parser, scope: Place): { iterators: Iterator[]; scope: Place } {
  const { cursor, names } = parser;
  const iterators: Iterator[] = [];
  let inner = scope;
  do {
    const iterator = readIterator(parser, inner);
    iterators.push(iterator);
    names.declare(iterator.name);
    inner = bind(inner, iterator.name);
  } while (cursor.accept(','));
  return { iterators, scope: inner };
}

function readIterator(parser: Parser, scope: Place): Iterator {
  const { cursor } = parser;
  const { from } = cursor.token;
  const name = readDeclaredName(parser, false) ?? cursor.refuse();
  cursor.expect('in');
  const source = parser.inside(false, () => parser.expression(scope));
  const end = cursor.accept('..') ? parser.inside(false, () => parser.expression(scope)) : undefined;
  const iterator: Iterator = { name, source, at: cursor.since(from) };
  if (end !== undefined) iterator.end = end;
  return iterator;
}

export function readFunction(parser: Parser, scope: Place): Node {
  const { cursor } = parser;
  const { from } = cursor.advance();
  const parameters = readParameters(parser);
  let inner = scope;
  for (const { name } of parameters) inner = bind(inner, name);
  const isExternal = cursor.accept('external');
  const body = parser.expression(inner);
  forgetAll(parser, parameters);
  const at = cursor.since(from);
  return isExternal ? { kind: 'external function', at } : { kind: 'function', parameters, body, at };
}

function readParameters(parser: Parser): FunctionNode['parameters'] {
  const { cursor, names } = parser;
  const parameters: FunctionNode['parameters'] = [];
  cursor.expect('(');
  if (!cursor.is(')')) {
    do {
      const name = readDeclaredName(parser, false) ?? cursor.refuse();
      parameters.push(cursor.accept(':') ? { name, type: readType(parser) } : { name });
      names.declare(name);
    } while (cursor.accept(','));
  }
  cursor.expect(')');
  return parameters;
}

function forgetAll({ names }: Parser, declared: readonly { name: string }[]): void {
  for (const { name } of declared) names.forget(name);
}
