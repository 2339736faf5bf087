/** How much of a user's data a fact repeats: what bounds a park, beside the number of facts. */
import type { Fact } from './facts.js';
import { estimatedLength, type Json } from './json.js';

/** Characters of JSON, estimated. */
export function payloadLength(fact: Fact): number {
  let length = 0;
  if ('variables' in fact && fact.variables) length += estimatedLength(fact.variables);
  if ('localVariables' in fact && fact.localVariables) length += estimatedLength(fact.localVariables);
  if ('items' in fact && fact.items) length += estimatedLength(fact.items);
  if ('value' in fact) length += estimatedLength(fact.value);
  if ('memory' in fact) length += estimatedLength(fact.memory as Json);
  return length;
}
