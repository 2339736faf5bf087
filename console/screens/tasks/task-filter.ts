/** The filter of the inbox, as the address has it and as the API wants it. */
import type { Address } from '../../frame/layout/use-address.js';

/** Part of the open tasks. */
export const parts = { unassigned: 'Unassigned', overdue: 'Overdue' } as const;
export type Part = keyof typeof parts;

/** The API searches names by no fewer characters. */
const shortestSearch = 3;

export function partOf({ get }: Pick<Address, 'get'>): Part | undefined {
  const given = get('only');
  return given !== undefined && Object.hasOwn(parts, given) ? (given as Part) : undefined;
}

export function searchOf({ get }: Pick<Address, 'get'>): string | undefined {
  const name = get('name') ?? '';
  return name.length < shortestSearch ? undefined : name;
}

export function queryOf(part: Part | undefined, now: Date): { unassigned?: true; dueBefore?: string } {
  if (part === 'unassigned') return { unassigned: true };
  return part === 'overdue' ? { dueBefore: now.toISOString() } : {};
}
