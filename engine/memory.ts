/**
 * What element instances remember under the names of nodes and flows: the one place that knows where such names stand
 * in a memory, so that an instance can go on with a version of its process that names them otherwise.
 */
import type { Json } from './json.js';

export type Memory = { [name: string]: Json };

const GATHERED = 'gathered:';
const RESET = 'reset:';

/** Where an element instance remembers the variables of those definitions of event `catcher` that have happened. */
export function gatheringKey(catcher: string): string {
  return GATHERED + catcher;
}

/** Where a scope remembers that complex gateway `node` has started: the incoming flows whose tokens it took. */
export function resetKey(node: string): string {
  return RESET + node;
}

/** Complex gateways that wait for their reset in this memory's scope, each with the incoming flows whose tokens it took. */
export function startedGateways(memory: Memory = {}): { node: string; flows: string[] }[] {
  return Object.entries(memory).flatMap(([key, flows]) => (key.startsWith(RESET) && flows !== null ? [{ node: key.slice(RESET.length), flows: flows as string[] }] : []));
}

/** The same memory with other names: `node` and `flow` give the new one for each. */
export function renameMemory(memory: Memory, node: (id: string) => string, flow: (id: string) => string): Memory {
  const renamed = Object.entries(memory).map(([key, value]): [string, Json] => {
    if (key.startsWith(GATHERED)) return [gatheringKey(node(key.slice(GATHERED.length))), value];
    if (key.startsWith(RESET)) return [resetKey(node(key.slice(RESET.length))), (value as string[] | null)?.map(flow) ?? null];
    if (key === 'startNode') return [key, node(value as string)];
    if (key === 'wanted') return [key, (value as string[]).map(node)];
    return [key, value];
  });
  return Object.fromEntries(renamed);
}
