/** Whether lists and histories of one graph's instances can be displayed with another graph. */
import type { Graph, Node } from '@perdure/engine/model/graph.js';
import { canonicalJson } from '@perdure/lib/canonical-json.js';

/** Whether both have the same nodes, events and flows with the same ids. Expressions and mappings may differ. */
export function haveSameStructure(one: Graph, other: Graph): boolean {
  return canonicalJson(structureOf(one)) === canonicalJson(structureOf(other));
}

function structureOf({ processID, nodes, flows }: Graph): unknown {
  return {
    processID,
    nodes: nodes.map(structureOfNode),
    flows: flows.map(({ id, source, target }) => ({ id, source, target })),
  };
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
