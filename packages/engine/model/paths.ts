/**
 * Paths that a token can take through the diagram: along sequence flows, from an activity to its boundary events, and
 * from a link throw event to its catch event.
 */
import type { Node } from './graph.js';
import type { Model } from './model.js';

/** A set of nodes of one graph, one bit each: a model keeps such a set for every flow into a join. */
export class NodeSet {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #bits: Uint32Array;

  /** @param positions bit positions of all nodes of the graph */
  constructor(positions: ReadonlyMap<string, number>) {
    this.#positions = positions;
    this.#bits = new Uint32Array((positions.size >> 5) + 1);
  }

  has(id: string): boolean {
    const position = this.#positions.get(id);
    return position !== undefined && (this.#bits[position >> 5]! & (1 << (position & 31))) !== 0;
  }

  add(id: string): void {
    const position = this.#positions.get(id)!;
    this.#bits[position >> 5]! |= 1 << (position & 31);
  }
}

/**
 * Nodes from which a token can arrive on `flow` without passing the flow's target.
 * @param positions bit positions of all nodes of the graph
 */
export function nodesUpstream(model: Model, flow: string, positions: ReadonlyMap<string, number>): NodeSet {
  const { source, target } = model.flow(flow);
  const found = new NodeSet(positions);
  const next = [source];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (id === target || found.has(id)) continue;
    found.add(id);
    next.push(...predecessors(model, model.node(id)));
  }
  return found;
}

function predecessors(model: Model, node: Node): string[] {
  const sources = node.incoming.map((flow) => model.flow(flow).source);
  if (node.kind === 'boundaryEvent') return [node.attachedTo];
  if (node.kind === 'intermediateCatchEvent') return [...sources, ...linkSources(model, node)];
  return sources;
}

function linkSources(model: Model, target: Node): string[] {
  return model
    .inside(target.parent!)
    .filter((node) => node.kind === 'intermediateThrowEvent' && linkTarget(model, node) === target.id)
    .map(({ id }) => id);
}

/**
 * The catch event that link throw event `source` leads to; undefined if its scope has none, or if `source` is not a
 * link event.
 */
export function linkTarget(model: Model, source: Node): string | undefined {
  const name = linkName(source);
  if (name === undefined) return undefined;
  return model.inside(source.parent!).find((node) => node.kind === 'intermediateCatchEvent' && linkName(node) === name)
    ?.id;
}

function linkName(node: Node): string | undefined {
  if (!('triggers' in node)) return undefined;
  for (const trigger of node.triggers) if (trigger.kind === 'link') return trigger.name;
  return undefined;
}
