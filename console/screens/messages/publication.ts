import type { Schemas } from '../../frame/api/client.js';

export type Publication = Schemas['BpmnPublication'];

export const publicationStates = ['KEPT', 'CLAIMED', 'TAKEN', 'EXPIRED', 'DELETED'] as const;

export const refreshEveryMs = 8_000;

/** `the key is the number 5, the subscription has the text "5"` */
export function explain({ path, reason, expected, found }: Schemas['BpmnCorrelationDifference']): string {
  const key = path === '' ? 'the key' : `the key ${path}`;
  if (reason === 'MISSING') return `${key} is missing, the subscription has ${inWords(expected)}`;
  return `${key} is ${inWords(found)}, the subscription has ${inWords(expected)}`;
}

/** With its type, because 5 and "5" differ. */
function inWords(value: unknown): string {
  if (value === undefined) return 'none, or one that is too large to show';
  if (typeof value === 'string' || typeof value === 'number')
    return `the ${typeof value === 'string' ? 'text' : 'number'} ${JSON.stringify(value)}`;
  return JSON.stringify(value);
}
