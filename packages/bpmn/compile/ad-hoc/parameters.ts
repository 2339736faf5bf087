/**
 * Parameters that an agent fills: the calls of `fromAi` in mappings. Those of an element of an ad-hoc sub-process are in its
 * input mappings, those of a start event that is a tool in its output mappings. FEEL returns the first argument of such a call; the others describe it.
 */
import type { Json } from '@perdure/engine/contract/json.js';
import type { ListedParameter } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { Expression } from '@perdure/engine/model/graph.js';
import type { CallNode, Node as FeelNode } from '@perdure/feel/tree.js';
import type { BpmnElement } from '../../read/document.js';
import type { ModelCompiler } from '../compiler.js';

const ORDER = ['value', 'description', 'type', 'schema', 'options'] as const;

/** In the order of the mappings. A call that describes no parameter is left out with a warning. */
export function parametersOf(
  sources: readonly Expression[],
  element: BpmnElement,
  compiler: ModelCompiler,
): ListedParameter[] {
  const found = new Map<string, ListedParameter>();
  for (const call of sources.flatMap((source) => ('feel' in source ? callsIn(source.feel.root) : []))) {
    const parameter = parameterOf(call);
    if ('problem' in parameter) compiler.problem('warning', element, `A call of fromAi ${parameter.problem}`);
    else if (found.has(parameter.name))
      compiler.problem('warning', element, `Two calls of fromAi describe ${parameter.name}; the first one counts`);
    else found.set(parameter.name, parameter);
  }
  return [...found.values()];
}

function callsIn(root: FeelNode): CallNode[] {
  const calls: CallNode[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isCall(value)) calls.push(value);
    for (const member of Object.values(value)) visit(member);
  };
  visit(root);
  return calls;
}

function isCall(value: object): value is CallNode {
  const { kind, callee } = value as Partial<CallNode>;
  return kind === 'call' && callee?.kind === 'name' && callee.name === 'fromAi' && callee.builtin === true;
}

function parameterOf(call: CallNode): ListedParameter | { problem: string } {
  const given = new Map(call.arguments.map((argument, index) => [call.names?.[index] ?? ORDER[index], argument]));
  const name = nameOf(given.get('value'));
  if (name === undefined)
    return { problem: 'needs a path such as toolCall.query as its first argument, so it describes no parameter' };
  const described: { [member: string]: Json } = {};
  for (const member of ORDER.slice(1)) {
    const argument = given.get(member);
    const constant = argument && constantOf(argument);
    if (argument && constant === undefined)
      return { problem: `has a ${member} that is not constant, so it describes no parameter` };
    if (constant !== undefined && constant !== null) described[member] = constant;
  }
  return { name, ...described };
}

/** The last name of a path: `toolCall.query` is `query`. */
function nameOf(node: FeelNode | undefined): string | undefined {
  if (node?.kind === 'member') return nameOf(node.target) === undefined ? undefined : node.name;
  return node?.kind === 'name' && !node.builtin ? node.name : undefined;
}

/** The value of a constant expression; undefined if the expression reads a variable or calls a function. */
function constantOf(node: FeelNode): Json | undefined {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'negation': {
      const operand = constantOf(node.operand);
      return typeof operand === 'number' ? -operand : undefined;
    }
    case 'list': {
      const items = node.items.map(constantOf);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'context': {
      const entries = node.entries.map(({ key, value }) => [key, constantOf(value)] as const);
      return entries.every(([, value]) => value !== undefined) ? (Object.fromEntries(entries) as Json) : undefined;
    }
    default:
      return undefined;
  }
}
