/** Whether lists and histories of the instances of one graph can be read with another. */
import type { Graph, Node } from '../engine/graph.js';
import { canonicalJson } from './canonical-json.js';

/** Whether both have the same nodes, events and flows by the same ids. What expressions and mappings say may differ. */
export function haveSameStructure(one: Graph, other: Graph): boolean {
  return canonicalJson(structureOf(one)) === canonicalJson(structureOf(other));
}

function structureOf({ processID, nodes, flows }: Graph): unknown {
  return { processID, nodes: nodes.map(structureOfNode), flows: flows.map(({ id, source, target }) => ({ id, source, target })) };
}

function structureOfNode(node: Node): unknown {
  const { kind, id, parent, incoming, outgoing } = node;
  return {
    kind,
    id,
    parent,
    incoming,
    outgoing,
    start: 'start' in node ? node.start : undefined,
    boundary: 'boundary' in node ? node.boundary : undefined,
    loop: 'loop' in node ? node.loop?.kind : undefined,
    triggers: 'triggers' in node ? node.triggers.map((trigger) => trigger.kind) : undefined,
  };
}
