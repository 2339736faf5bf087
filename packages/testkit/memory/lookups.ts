/** Questions about one instance. */
import { unfolded, type Fact } from '@perdure/engine/contract/facts.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { ROOT, type Incident, type Wait } from '@perdure/engine/state/state.js';
import { ensure } from '../ensure.js';
import type { MemoryInstance } from './instance.js';

export function waitOf<K extends Wait['kind']>(
  instance: MemoryInstance,
  kind: K,
  nodeID: string,
): Extract<Wait, { kind: K }> {
  const found = Object.values(instance.state.waits).find((wait) => wait.kind === kind && wait.node === nodeID);
  ensure(found, `nothing waits for a ${kind} at ${nodeID}; waiting: ${waitsOf(instance).join(', ') || 'nothing'}`);
  return found as Extract<Wait, { kind: K }>;
}

/** The waits of the instance: `job ship`, `timer late`. */
export function waitsOf({ state }: MemoryInstance): string[] {
  return Object.values(state.waits).map((wait) => `${wait.kind} ${wait.node}`);
}

export function incidentsOf({ state }: MemoryInstance): Incident[] {
  return Object.values(state.incidents);
}

export function variablesOf({ state }: MemoryInstance): Variables {
  return state.elements[ROOT]?.variables ?? {};
}

export function factsOf({ steps }: MemoryInstance): Fact[] {
  return steps.flatMap(({ facts }) => facts);
}

/** The nodes completed so far, in order, each by its id at the time. */
export function completedNodes(instance: MemoryInstance): string[] {
  const nodes = new Map<number, string>();
  const done: string[] = [];
  for (const fact of unfolded(factsOf(instance))) {
    if (fact.kind === 'ELEMENT_ACTIVATED') nodes.set(fact.element, fact.node);
    if (fact.kind === 'ELEMENT_COMPLETED') done.push(nodes.get(fact.element)!);
    if (fact.kind === 'INSTANCE_MIGRATED')
      for (const [element, node] of nodes) nodes.set(element, new Map(fact.nodes).get(node) ?? node);
  }
  return done;
}
