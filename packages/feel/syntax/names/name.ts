/** Reading names: known ones, unknown ones, and those that the text declares. */
import { isBuiltin } from '../../builtins/index.js';
import type { Span } from '../../errors.js';
import type { NameNode } from '../../tree.js';
import type { Parser, Place } from '../parser.js';
import { resolve } from './scope.js';
import type { Token } from '../text/token.js';
import { isReserved } from './vocabulary.js';

/** Functions that the grammar itself names, so that no variable hides them (grammar rule 62). */
const CONSTRUCTORS = ['date', 'time', 'duration', 'date and time', 'years and months duration'];
/** Characters that a declared name may contain (grammar rule 30). */
const NAME_SIGNS = ['.', '/', '-', "'", '+', '*', '**', '^'];

/** A name of a variable or function, as declared. */
export function readVariable(parser: Parser, scope: Place): NameNode {
  const { cursor, names } = parser;
  const { token } = cursor;
  if (token.kind === 'backtick')
    return variable(parser, scope, token.text.slice(1, -1), [cursor.advance().from, cursor.end]);
  const functionEnd = names.endOfFunction(cursor.text, token.from);
  const isFunction =
    functionEnd !== undefined &&
    cursor.attempt(() => {
      cursor.jump(functionEnd);
      return cursor.is('(') || undefined;
    });
  const written = isFunction === true ? textSince(parser, token.from) : readWritten(parser, hasFilter(scope));
  const at = cursor.since(token.from);
  if (cursor.is('(') && CONSTRUCTORS.includes(written)) return { kind: 'name', name: written, builtin: true, at };
  return variable(parser, scope, names.spelled(written), at);
}

/** The name after the dot of a path: any word, because values come from JSON. */
export function readEntryName(parser: Parser): string {
  const { cursor, names } = parser;
  if (cursor.token.kind === 'backtick') return cursor.advance().text.slice(1, -1);
  if (cursor.token.kind !== 'word') cursor.refuse();
  return names.spelled(readWritten(parser, true));
}

/** The longest known name, otherwise the words up to a reserved one or the end of the line. */
function readWritten(parser: Parser, isEntry: boolean): string {
  const { cursor, names } = parser;
  const { from } = cursor.token;
  const end = names.endOfName(cursor.text, from, isEntry);
  if (end === undefined) cursor.advance();
  else cursor.jump(end);
  const parts = [textSince(parser, from)];
  while (parts[0] !== '?' && continuesName(cursor.token) && !cursor.beginsLine()) parts.push(cursor.continueWord());
  return parts.join(' ');
}

/** Words and digits, as in `address line 2`. */
function continuesName({ kind, text }: Token): boolean {
  return kind === 'word' ? !isReserved(text) : kind === 'number' && !text.startsWith('.');
}

function textSince({ cursor }: Parser, from: number): string {
  return cursor.text.slice(from, cursor.end).replace(/\s+/g, ' ');
}

function hasFilter(scope: Place): boolean {
  for (let at = scope; at !== undefined; at = at.up) {
    if (at.name === undefined) return true;
  }
  return false;
}

/** The name of an entry, a parameter or an iteration variable: words and signs; `undefined` if none exists. */
export function readDeclaredName({ cursor }: Parser, mayBeReserved: boolean): string | undefined {
  if (cursor.token.kind === 'backtick') return cursor.advance().text.slice(1, -1);
  let name = '';
  while (isNamePart()) {
    const gap = name !== '' && cursor.token.from > cursor.end ? ' ' : '';
    name += gap + cursor.advance().text;
  }
  return name === '' ? undefined : name;

  function isNamePart(): boolean {
    const { kind, text } = cursor.token;
    if (kind === 'word') return mayBeReserved || !isReserved(text);
    return name !== '' && (kind === 'number' || (kind === 'sign' && NAME_SIGNS.includes(text)));
  }
}

function variable(parser: Parser, scope: Place, name: string, at: Span): NameNode {
  const { cursor, names, uses } = parser;
  const { binding, ...resolution } = resolve(scope, name);
  const node: NameNode = { kind: 'name', name, ...resolution, at };
  if (binding !== undefined) {
    parser.usedBindings.add(binding);
    return node;
  }
  const isKnown = names.isKnown(name);
  if (isBuiltin(name)) {
    node.builtin = true;
    if (isKnown) node.shadowed = true;
    if (isKnown) uses.freeVariables.add(name);
  } else if (cursor.is('(') && !isKnown) {
    uses.unknownFunctions.push({ name, at });
  } else if (name !== '?') {
    (resolution.items === undefined ? uses.freeVariables : uses.possibleVariables).add(name);
  }
  return node;
}

/** Types whose names contain a reserved word. */
const TYPES = String.raw`(?:date\s+and\s+time|days\s+and\s+time\s+duration|years\s+and\s+months\s+duration)(?![\p{L}\p{N}_])`;

/** The name of a type, optionally qualified with dots. */
export function readTypeName(parser: Parser): string {
  const { cursor } = parser;
  const { from } = cursor.token;
  const special = new RegExp(TYPES, 'uy');
  special.lastIndex = from;
  if (special.test(cursor.text)) {
    cursor.jump(special.lastIndex);
    return textSince(parser, from);
  }
  do {
    if (isReserved(cursor.token.text)) cursor.refuse();
    readEntryName(parser);
  } while (cursor.accept('.'));
  return textSince(parser, from);
}
