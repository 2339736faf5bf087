/** One text for one value, whatever the order of its members: what a content address is computed from. */
import { createHash } from 'node:crypto';
import type { Graph } from '../engine/graph.js';

/** The content address of a graph: SHA-256 in lower-case hexadecimal. */
export function sha256(graph: Graph): string {
  return createHash('sha256').update(canonicalJson(graph)).digest('hex');
}

/** JSON without white space, members sorted by name (UTF-16 order) and those without a value left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
