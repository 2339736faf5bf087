/** Types after `instance of` and parameters (grammar rules 50 to 54). */
import type { TypeNode } from '../tree.js';
import { readDeclaredName, readTypeName } from './names/name.js';
import type { Parser } from './parser.js';

export function readType(parser: Parser): TypeNode {
  return parser.cursor.nested(() => readAnyType(parser));
}

function readAnyType(parser: Parser): TypeNode {
  const { cursor } = parser;
  const hasParameters = cursor.token.kind === 'word' && cursor.peek().text === '<';
  if (hasParameters && (cursor.is('list') || cursor.is('range'))) {
    const kind = cursor.is('list') ? 'list' : 'range';
    cursor.advance();
    cursor.expect('<');
    const element = readType(parser);
    closeType(parser);
    return { kind, element };
  }
  if (hasParameters && cursor.is('context')) return readContextType(parser);
  if (cursor.is('function')) return readFunctionType(parser);
  return { kind: 'named', name: readTypeName(parser) };
}

function readContextType(parser: Parser): TypeNode {
  const { cursor } = parser;
  cursor.advance();
  cursor.expect('<');
  const entries: { name: string; type: TypeNode }[] = [];
  do {
    const name = readDeclaredName(parser, true) ?? cursor.refuse();
    cursor.expect(':');
    entries.push({ name, type: readType(parser) });
  } while (cursor.accept(','));
  closeType(parser);
  return { kind: 'context', entries };
}

function readFunctionType(parser: Parser): TypeNode {
  const { cursor } = parser;
  cursor.advance();
  cursor.expect('<');
  const parameters: TypeNode[] = [];
  if (!closes(parser)) {
    do parameters.push(readType(parser));
    while (cursor.accept(','));
  }
  closeType(parser);
  cursor.expect('->');
  return { kind: 'function', parameters, result: readType(parser) };
}

function closes({ cursor }: Parser): boolean {
  return cursor.token.kind === 'sign' && cursor.token.text.startsWith('>');
}

/** The closing sign may run into the next one: `list<number>= x`. */
function closeType(parser: Parser): void {
  const { cursor } = parser;
  if (!closes(parser)) cursor.refuse();
  cursor.jump(cursor.token.from + 1);
}
