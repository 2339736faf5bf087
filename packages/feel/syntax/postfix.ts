/** Suffixes of an operand: paths, filters, calls. */
import type { Node } from '../tree.js';
import { closesInterval } from './interval.js';
import { readDeclaredName, readEntryName } from './names/name.js';
import type { Parser, Place } from './parser.js';
import { bindItem } from './names/scope.js';
import { recordPath } from './names/uses.js';

export function readPostfix(parser: Parser, scope: Place, first: Node, from: number): Node {
  const { cursor, uses } = parser;
  let node = first;
  for (;;) {
    const isPath = node.kind === 'name' || node.kind === 'member';
    if (cursor.is('(')) {
      if (node.kind === 'member') recordPath(uses, node);
      node = readCall(parser, scope, node, from);
    } else if (cursor.accept('.')) {
      node = { kind: 'member', target: node, name: readEntryName(parser), at: cursor.since(from) };
    } else {
      if (isPath) recordPath(uses, node);
      if (!cursor.is('[') || closesInterval(parser)) return node;
      node = readFilter(parser, scope, node, from);
    }
  }
}

function readFilter(parser: Parser, scope: Place, target: Node, from: number): Node {
  const { cursor } = parser;
  cursor.expect('[');
  const condition = parser.inside(false, () => parser.expression(bindItem(scope)));
  cursor.expect(']');
  return { kind: 'filter', target, condition, at: cursor.since(from) };
}

function readCall(parser: Parser, scope: Place, callee: Node, from: number): Node {
  const { cursor } = parser;
  cursor.expect('(');
  const args: Node[] = [];
  const first = readParameterName(parser);
  const names = first === undefined ? undefined : [first];
  if (names !== undefined || !cursor.is(')')) {
    args.push(readArgument(parser, scope));
    while (cursor.accept(',')) {
      if (names !== undefined) names.push(readParameterName(parser) ?? cursor.refuse());
      args.push(readArgument(parser, scope));
    }
  }
  cursor.expect(')');
  const call: Node = { kind: 'call', callee, arguments: args, at: cursor.since(from) };
  return names === undefined ? call : { kind: 'call', callee, arguments: args, names, at: call.at };
}

function readArgument(parser: Parser, scope: Place): Node {
  return parser.inside(false, () => parser.expression(scope));
}

/** The name of a named argument with its colon; reads nothing if none exists. */
function readParameterName(parser: Parser): string | undefined {
  const { cursor } = parser;
  return cursor.attempt(() => {
    const name = readDeclaredName(parser, true);
    return name !== undefined && cursor.accept(':') ? name : undefined;
  });
}
