/**
 * Compiles one flow node to one node of the graph. The element file compiles the properties specific to its kind; the
 * rest is common to all kinds.
 */
import { compileListeners } from '@perdure/engine/behaviors/listeners/definitions.js';
import { MAX_SHORT_TEXT_LENGTH } from '@perdure/engine/behaviors/data/short-text.js';
import { elements } from '@perdure/engine/elements/index.js';
import type { ElementBehavior } from '@perdure/engine/elements/element.js';
import type { ActivityBase, Node, NodeBase, NodeKind } from '@perdure/engine/model/graph.js';
import type { ModelCompiler } from './compiler.js';
import { dataMappingsOf } from './data-associations.js';
import { dataOf } from './data.js';
import { isActivity, type DrawnNode } from '../read/drawing.js';
import { laneAround } from './lanes.js';
import { compileLoop } from './loops.js';
import { startOf } from '../check/rules.js';

/** Information about the nodes of a process from elsewhere in the file, by node id. */
interface NodeContext {
  lanes: ReadonlyMap<string, string>;
  compensationHandlers: ReadonlyMap<string, string>;
}

/** Undefined if the engine does not support this kind of element. */
export function compileNode(
  node: DrawnNode,
  { lanes, compensationHandlers }: NodeContext,
  compiler: ModelCompiler,
): Node | undefined {
  const { kind, element } = node;
  if (!kind) return undefined;
  const behavior = elements[kind] as ElementBehavior<Node>;
  const start = node.inside && startOf(node.inside);
  const handler = compensationHandlers.get(element.id);
  return {
    ...behavior.compile(element, compiler),
    ...commonPart(node, kind),
    ...compileListeners(element, compiler),
    ...compiler.mappings(element),
    ...dataMappingsOf(element, compiler),
    ...defaultFlow(node, compiler),
    ...(isActivity(node) && activityPart(node, compiler)),
    ...(start && { start: start.element.id }),
    ...(node.inside && dataOf(element, compiler)),
    ...(handler !== undefined && { handler }),
    ...(kind === 'userTask' && candidateGroup(node, lanes, compiler)),
  } as Node;
}

function commonPart({ element, scope, incoming, outgoing }: DrawnNode, kind: NodeKind): NodeBase & { kind: NodeKind } {
  return {
    kind,
    id: element.id,
    ...(element.name && { name: element.name }),
    parent: scope.element.id,
    incoming: incoming.map(({ id }) => id),
    outgoing: outgoing.map(({ id }) => id),
  };
}

function activityPart(node: DrawnNode, compiler: ModelCompiler): Partial<ActivityBase> {
  const { element, boundary } = node;
  const loop = compileLoop(element, compiler);
  const forCompensation = element.flag('isForCompensation', false);
  for (const quantity of ['startQuantity', 'completionQuantity']) {
    if ((element.attribute(quantity) ?? '1') !== '1')
      compiler.problem('error', element, `${quantity} other than 1 is not supported`);
  }
  return {
    ...(boundary.length > 0 && { boundary: boundary.map((event) => event.element.id) }),
    ...(loop && { loop }),
    ...(forCompensation && { forCompensation }),
  };
}

/**
 * BPMN 2.0.2 sections 10.3 and 10.6: only activities and exclusive, inclusive and complex gateways have a default flow.
 */
function defaultFlow({ element, outgoing }: DrawnNode, compiler: ModelCompiler): { defaultFlow?: string } {
  const id = element.attribute('default');
  if (id === undefined) return {};
  const flow = outgoing.find((candidate) => candidate.id === id);
  if (!flow)
    compiler.problem(
      'error',
      element,
      `The default flow ${id} of ${element.id} must be one of its outgoing sequence flows`,
    );
  else if (flow.children('conditionExpression')[0]?.text)
    compiler.problem(
      'warning',
      flow,
      `Default flow ${id} ignores its condition. Remove the condition or choose another default flow.`,
    );
  return { defaultFlow: id };
}

/** The lane determines who may perform a task that does not specify it. */
function candidateGroup(
  node: DrawnNode,
  lanes: ReadonlyMap<string, string>,
  compiler: ModelCompiler,
): { candidateGroups?: { literal: string[] } } {
  const lane = laneAround(node, lanes);
  if (lane === undefined || node.element.extension('assignmentDefinition')?.attribute('candidateGroups')) return {};
  if (lane.length > MAX_SHORT_TEXT_LENGTH)
    compiler.problem(
      'error',
      node.element,
      `The lane around ${node.element.id} is the candidate group of the task, so its name must have at most ${MAX_SHORT_TEXT_LENGTH} characters`,
    );
  return { candidateGroups: { literal: [lane] } };
}
