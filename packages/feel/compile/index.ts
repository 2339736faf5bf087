/** The compiler of every kind of node. */
import type { Node } from '../tree.js';
import { arithmetic, negation } from './arithmetic.js';
import { call, externalFunction, functionLiteral } from './calls.js';
import { anyInput, between, comparison, inTests, test, unaryTests } from './comparison.js';
import { nodeCounter, type Code, type CompiledExpression, type CompileNode, type NodeCompiler } from './compiler.js';
import { every, filter, forLoop, some } from './iteration.js';
import { context, decimal, list, literal, range, temporal, unaryComparison } from './literals.js';
import { and, ifThenElse, or } from './logic.js';
import { member, name } from './names.js';
import { instanceOf } from './types.js';

const COMPILERS: { [Kind in Node['kind']]: NodeCompiler<Kind> } = {
  literal,
  decimal,
  temporal,
  name,
  member,
  arithmetic,
  negation,
  comparison,
  and,
  or,
  between,
  in: inTests,
  test,
  if: ifThenElse,
  for: forLoop,
  some,
  every,
  list,
  context,
  range,
  'unary comparison': unaryComparison,
  filter,
  function: functionLiteral,
  'external function': externalFunction,
  call,
  'instance of': instanceOf,
  'unary tests': unaryTests,
  'any input': anyInput,
};

/** Compiles a whole tree and counts its nodes. */
export function compileTree(root: Node): CompiledExpression {
  const compile: CompileNode = Object.assign(
    (node: Node): Code => (COMPILERS[node.kind] as NodeCompiler<Node['kind']>)(node as never, compile),
    { sizeOf: nodeCounter() },
  );
  return { code: compile(root), size: compile.sizeOf(root) };
}
