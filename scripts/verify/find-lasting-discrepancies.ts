import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import type { Discrepancy } from './discrepancy.js';
import { findDiscrepancies, type Verified } from './find-discrepancies.js';

/**
 * What differs in both of two looks. While instances work, rows are ahead of Temporal for moments, each time somewhere
 * else; what is wrong stays.
 *
 * @param pause between the looks; not called when the first finds nothing
 */
export async function findLastingDiscrepancies(store: Pool, client: Client, pause: () => Promise<unknown>): Promise<Verified> {
  const first = await findDiscrepancies(store, client);
  if (first.discrepancies.length === 0) return first;
  await pause();
  const { instances, discrepancies } = await findDiscrepancies(store, client);
  const seen = new Set(first.discrepancies.map(sentence));
  return { instances, discrepancies: discrepancies.filter((discrepancy) => seen.has(sentence(discrepancy))) };
}

/** As `npm run verify` prints it. */
export function sentence({ invariant, workflowID, found }: Discrepancy): string {
  return `${invariant} ${workflowID}: ${found}`;
}
