/** Contexts: each entry sees the entries before it. */
import type { ContextNode, Node } from '../tree.js';
import { readDeclaredName } from './names/name.js';
import type { Parser, Place } from './parser.js';
import { bind } from './names/scope.js';
import { unquote } from './text/text.js';

export function readContext(parser: Parser, scope: Place): Node {
  const { cursor, names } = parser;
  const { from } = cursor.advance();
  const entries: ContextNode['entries'] = [];
  let inner = scope;
  if (!cursor.is('}')) {
    do {
      const key = readKey(parser);
      cursor.expect(':');
      const before = inner;
      entries.push({ key, value: parser.inside(false, () => parser.expression(before)) });
      names.declare(key);
      inner = bind(inner, key);
    } while (cursor.accept(','));
  }
  cursor.expect('}');
  for (const { key } of entries) names.forget(key);
  return { kind: 'context', entries, at: cursor.since(from) };
}

function readKey(parser: Parser): string {
  const { cursor } = parser;
  if (cursor.token.kind === 'string') return unquote(cursor.advance().text);
  return readDeclaredName(parser, true) ?? cursor.refuse();
}
