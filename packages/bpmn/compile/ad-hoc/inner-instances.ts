/**
 * Ad-hoc sub-processes that a job worker drives. Each gets a node for the scope around an activation, and the list of
 * the elements that its worker can activate.
 */
import {
  isStartable,
  type AdHocSubProcessNode,
  type ListedElement,
} from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { Node } from '@perdure/engine/model/graph.js';
import { isKind } from '@perdure/engine/model/model.js';
import { TOOL_NAME } from '@perdure/lib/model-files/agents.js';
import type { ModelCompiler } from '../compiler.js';
import type { BpmnElement } from '../../read/document.js';
import type { DrawnNode, DrawnProcess } from '../../read/drawing.js';
import { propertiesOf } from '../properties.js';
import { approvalsOf } from './approvals.js';
import { parametersOf } from './parameters.js';

/** Follows the id of the sub-process. No id of an element has this sign. */
const SUFFIX = '#innerInstance';

/** Every job carries the list, so it must leave room for variables. */
const MAX_LIST_CHARACTERS = 256 * 1024;

/** Adds what driven ad-hoc sub-processes need to the compiled nodes. */
export function withInnerInstances(nodes: Node[], drawn: DrawnProcess, compiler: ModelCompiler): Node[] {
  const driven = new Map(
    nodes.flatMap((node) => (isKind(node, 'adHocSubProcess') && node.job ? [[node.id, node] as const] : [])),
  );
  if (driven.size === 0) return nodes;
  const drawnByID = new Map(drawn.nodes.map((node) => [node.element.id, node]));
  return nodes.flatMap((node): Node[] => {
    const around = driven.get(node.parent ?? '');
    const placed = around && node.kind !== 'eventSubProcess' ? { ...node, parent: around.id + SUFFIX } : node;
    if (!driven.has(node.id)) return [placed];
    return drive(placed as AdHocSubProcessNode, nodes, drawnByID, compiler);
  });
}

function drive(
  node: AdHocSubProcessNode,
  nodes: readonly Node[],
  drawn: ReadonlyMap<string, DrawnNode>,
  compiler: ModelCompiler,
): Node[] {
  const inside = nodes.filter(({ parent, incoming }) => parent === node.id && incoming.length === 0);
  const elements = inside.filter(isStartable).map((each) => listed(each, drawn.get(each.id)!.element, compiler));
  const { element } = drawn.get(node.id)!;
  const length = JSON.stringify(elements).length;
  if (elements.length === 0)
    compiler.problem(
      'error',
      element,
      `Every element inside ad-hoc sub-process ${node.id} has an incoming sequence flow, so its worker could activate none`,
    );
  if (length > MAX_LIST_CHARACTERS)
    compiler.problem(
      'error',
      element,
      `The elements inside ad-hoc sub-process ${node.id} take ${length} characters with their documentation, properties and parameters, but the limit is ${MAX_LIST_CHARACTERS}. Shorten these.`,
    );
  const unnameable = node.agent && elements.find(({ elementId }) => !TOOL_NAME.test(elementId));
  if (unnameable)
    compiler.problem(
      'error',
      drawn.get(unnameable.elementId)!.element,
      `${unnameable.elementId} is a tool of the agent ${node.id}, so models call it by its id. Give it an id of at most 64 letters, digits, hyphens, and underscores.`,
    );
  const innerInstance = node.id + SUFFIX;
  const agent = { ...node, innerInstance, elements };
  return [
    agent,
    { kind: 'adHocFlow', id: innerInstance, parent: node.id, incoming: [], outgoing: [] },
    ...approvalsOf(agent, element, compiler),
  ];
}

function listed(node: Node, element: BpmnElement, compiler: ModelCompiler): ListedElement {
  const documentation = element
    .children('documentation')
    .map(({ text }) => text)
    .join('\n');
  const properties = propertiesOf(element);
  const sources = 'inputs' in node ? (node.inputs ?? []).map(({ source }) => source) : [];
  const parameters = parametersOf(sources, element, compiler);
  return {
    elementId: node.id,
    ...(node.name && { elementName: node.name }),
    ...(documentation && { documentation }),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(parameters.length > 0 && { parameters }),
  };
}
