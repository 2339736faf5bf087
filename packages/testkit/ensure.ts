/** Checks of the host in memory; browsers lack `node:assert`. */
import type { Json } from '@perdure/engine/contract/json.js';

export function ensure(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Where two JSON values differ first, with both values; undefined if they are equal. */
export function firstDifference(one: Json, other: Json, path = ''): string | undefined {
  if (one === other) return undefined;
  const [left, right] = [membersOf(one), membersOf(other)];
  if (!left || !right || Array.isArray(one) !== Array.isArray(other))
    return `${path || 'the value'}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    const place = `${path}/${name}`;
    if (a === undefined || b === undefined) return `${place}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
    const found = firstDifference(a, b, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function membersOf(value: Json): Map<string, Json> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}
